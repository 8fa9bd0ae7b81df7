// SPDX-License-Identifier: MIT
#include "router/strategy/routewise/parameters.h"

#include <nlohmann/json.hpp>
#include <QTest>

using namespace signalbox;
using namespace signalbox::strategy::routewise;
using namespace std::chrono_literals;

class TestRoutewiseParameters : public QObject {
    Q_OBJECT

    static tl::expected<Parameters, Findings> read(const char* json) {
        return readParameters(OrderedJson::parse(json), "models.chat.router_params");
    }

private Q_SLOTS:
    void defaultsAreTheContracts() {
        const auto out = read("{}");
        QVERIFY(out);
        QCOMPARE(out->budgetAlpha, 0.75);
        QVERIFY(!out->randomSeed);
        QVERIFY(!out->referenceApiPrice);
        QCOMPARE(out->output.defaultOutput, 512.0);
        QCOMPARE(out->output.minBucketSamples, std::uint64_t{3});
        QVERIFY(out->envelope.window == 24h);
        QCOMPARE(out->envelope.minSamples, std::size_t{1});
        QVERIFY(out->latencySlo == 3s);
        QVERIFY(out->latency.window == 900s);
        QVERIFY(out->latency.priorWindow == 24h);
        QCOMPARE(out->latency.maxSamples, std::size_t{5000});
        QVERIFY(out->latency.unprofiledTtft == 5s);
        QVERIFY(out->latency.failureTtft == 60s);
        QVERIFY(out->hedgeMode == HedgeMode::disabled);
        QVERIFY(out->fallbackMode == FallbackMode::policy);
        QVERIFY(!out->probe.enabled);
        QVERIFY(out->probe.idleOnly);
        QVERIFY(out->probe.interval == 300s);
    }

    void everyValueArrivesInItsUnit() {
        const auto out = read(R"({"budget_alpha":0.5,"random_seed":18446744073709551615,"reference_api_price":{"input":0.5,"output":2},
            "output_default_tokens":100,"envelope_window_hours":1.5,"envelope_min_samples":0,"latency_slo_sec":2.3,
            "latency_window_sec":60,"latency_unprofiled_ttft_ms":750,"latency_hedge_mode":"probability_target",
            "fallback_mode":"strict","routewise_probe_enabled":true,"routewise_probe_max_concurrency":2,"latency_history_prior_window_sec":null})");
        QVERIFY2(out, out ? "" : out.error().front().message.c_str());
        QCOMPARE(*out->randomSeed, ~std::uint64_t{0});
        QCOMPARE(out->referenceApiPrice->priceOut, 2.0);
        QVERIFY(out->envelope.window == 90min);
        QVERIFY(out->latencySlo == 2300ms);
        QVERIFY(out->latency.window == 60s);
        QVERIFY(out->latency.unprofiledTtft == 750ms);
        QVERIFY(out->hedgeMode == HedgeMode::probabilityTarget);
        QVERIFY(out->fallbackMode == FallbackMode::strict);
        QVERIFY(out->probe.enabled);
        QCOMPARE(out->probe.maxConcurrency, 2u);
    }

    void badValuesNameTheirPath_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("pointer");
        const auto row = [](const char* json, const char* name) {
            QTest::newRow(json) << QByteArray(json) << "models.chat.router_params" + QByteArray(name);
        };
        row(R"({"budget_alpha":1.5})", ".budget_alpha");
        row(R"({"budget_alpha":"much"})", ".budget_alpha");
        row(R"({"random_seed":-1})", ".random_seed");
        row(R"({"random_seed":1.5})", ".random_seed");
        row(R"({"reference_api_price":-1})", ".reference_api_price");
        row(R"({"reference_api_price":{"input":1}})", ".reference_api_price");
        row(R"({"output_min_model_samples":true})", ".output_min_model_samples");
        row(R"({"envelope_window_hours":0})", ".envelope_window_hours");
        row(R"({"envelope_window_hours":1e300})", ".envelope_window_hours");
        row(R"({"envelope_lower_percentile":95})", ".envelope_lower_percentile");
        row(R"({"latency_slo_sec":-3})", ".latency_slo_sec");
        row(R"({"latency_window_sec":100000})", ".latency_history_prior_window_sec");
        row(R"({"latency_max_samples_per_profile":0})", ".latency_max_samples_per_profile");
        row(R"({"latency_hedge_mode":"always"})", ".latency_hedge_mode");
        row(R"({"routewise_probe_enabled":1})", ".routewise_probe_enabled");
        row(R"({"budget_alhpa":0.5})", ".budget_alhpa");
        row(R"([])", "");
    }
    void badValuesNameTheirPath() {
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, pointer);
        const auto out = read(json.constData());
        QVERIFY(!out);
        QCOMPARE(out.error().size(), std::size_t{1});
        QCOMPARE(out.error().front().pointer, pointer.toStdString());
    }

    void unknownNameSuggestsTheNearest() {
        const auto out = read(R"({"budget_alhpa":0.5,"latency_slo_sec":-1})");
        QCOMPARE(out.error().size(), std::size_t{2});
        QVERIFY(out.error().back().hint.find("budget_alpha") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestRoutewiseParameters)
#include "tst_routewise_parameters.moc"
