// SPDX-License-Identifier: MIT
#include "router/capacity/cost_envelope.h"
#include "router/capacity/output_predictor.h"
#include "router/capacity/quota.h"
#include "tests/support/vector_rows.h"

using namespace signalbox;
using namespace signalbox::capacity;

namespace {

Steady at(double seconds) {
    return Steady(std::chrono::duration_cast<Steady::duration>(std::chrono::duration<double>(seconds)));
}

OutputPredictorOptions predictorOptions(const OrderedJson& params) {
    return {params.at("default_output").get<double>(), params.at("min_bucket").get<std::uint64_t>(),
            params.at("min_model").get<std::uint64_t>(), params.at("min_global").get<std::uint64_t>()};
}

CostEnvelopeOptions envelopeOptions(const OrderedJson& params) {
    CostEnvelopeOptions out;
    out.lowerPercentile = params.at("lower_percentile").get<double>();
    out.upperPercentile = params.at("upper_percentile").get<double>();
    out.window = std::chrono::duration<double>(params.at("window_s").get<double>());
    out.minSamples = params.at("min_samples").get<std::size_t>();
    return out;
}

void compare(const OutputPrediction& actual, const OrderedJson& expected) {
    QVERIFY(test::closeTo(actual.tokens, expected.at("tokens").get<double>(), 1e-9));
    QCOMPARE(std::string(toString(actual.source)), expected.at("source").get<std::string>());
    QCOMPARE(actual.bucket, expected.at("bucket").get<std::uint32_t>());
    QCOMPARE(actual.samples, expected.at("sample_count").get<std::uint64_t>());
}

void compare(const std::optional<CostBounds>& actual, const OrderedJson& expected) {
    QCOMPARE(actual.has_value(), !expected.is_null());
    if (!actual) return;
    QVERIFY(test::relativelyCloseTo(actual->lower, expected.at("lower").get<double>(), 1e-12));
    QVERIFY(test::relativelyCloseTo(actual->upper, expected.at("upper").get<double>(), 1e-12));
    QCOMPARE(actual->samples, expected.at("sample_count").get<std::size_t>());
}

}  // namespace

/// What RouteWise learns from traffic, against its vectors: quota states, output lengths, the cost envelope.
class TestRoutewiseEstimates : public QObject {
    Q_OBJECT

private:
    OrderedJson m_file = test::vectorFile("routewise-unit-cases.json");

    const OrderedJson& one(const char* section, int index) const {
        return m_file.at(section).at(static_cast<std::size_t>(index));
    }

private Q_SLOTS:
    void vectorsAreThere() { QVERIFY2(m_file.is_object(), test::vectorsFolder().c_str()); }

    void quotaStates_data() { test::addVectorRows(m_file, "quota_state"); }
    void quotaStates() {
        QFETCH(int, index);
        const OrderedJson& given = one("quota_state", index);
        const QuotaState state = quotaState(given.at("used").get<double>(), given.at("limit").get<double>(),
                                            given.at("local_increment").get<double>());
        QCOMPARE(state.remaining, given.at("expect").at("remaining").get<std::uint64_t>());
        QVERIFY(test::closeTo(state.usedFraction, given.at("expect").at("used_fraction").get<double>(), 1e-12));
    }

    void predictor_data() { test::addVectorRows(m_file, "predictor"); }
    void predictor() {
        QFETCH(int, index);
        const OrderedJson& given = one("predictor", index);
        OutputPredictor predictor(predictorOptions(given.at("params")));
        std::size_t answers = 0;
        for (const OrderedJson& step : given.at("steps")) {
            const auto model = step.at("model").get<std::string>();
            const auto prompt = step.at("prompt_tokens").get<std::uint64_t>();
            if (step.at("op") == "update") {
                predictor.update(model, prompt, step.at("output_tokens").get<std::int64_t>());
                continue;
            }
            std::optional<std::uint64_t> cap;
            if (!step.at("max_tokens").is_null()) cap = step.at("max_tokens").get<std::uint64_t>();
            compare(predictor.predict(model, prompt, cap), given.at("expect").at(answers++));
        }
        QCOMPARE(answers, given.at("expect").size());
    }

    void envelope_data() { test::addVectorRows(m_file, "envelope"); }
    void envelope() {
        QFETCH(int, index);
        const OrderedJson& given = one("envelope", index);
        CostEnvelope envelope(envelopeOptions(given.at("params")));
        std::size_t answers = 0;
        for (const OrderedJson& step : given.at("steps")) {
            const Steady moment = at(step.at("t").get<double>());
            if (step.at("op") == "observe")
                envelope.observe(moment, step.at("cost_usd").get<double>());
            else
                compare(envelope.bounds(moment), given.at("expect").at(answers++));
        }
        QCOMPARE(answers, given.at("expect").size());
    }
};

QTEST_APPLESS_MAIN(TestRoutewiseEstimates)
#include "tst_routewise_estimates.moc"

#include <nlohmann/json.hpp>
