// SPDX-License-Identifier: MIT
#include "router/base/random.h"
#include "router/strategy/routewise/draw.h"
#include "router/strategy/routewise/effective_cost.h"
#include "router/strategy/routewise/hedge.h"
#include "tests/support/vector_rows.h"

using namespace signalbox;
using namespace signalbox::strategy::routewise;

namespace {

capacity::TtftDistribution profile(const OrderedJson& json) {
    return capacity::TtftDistribution(json.at("ttft_ms").get<std::vector<double>>(), json.at("errors").get<std::uint64_t>());
}

/// Sampled draws of a mixture, in order.
std::vector<std::size_t> drawn(std::span<const double> weights, std::uint64_t seed, std::size_t count) {
    FastRandom random(seed);
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < count; ++i) out.push_back(drawWeighted(weights, random.unit()).value());
    return out;
}

}  // namespace

/// The small functions of RouteWise against their vectors: prices, checkpoints, probabilities, backups, draws.
class TestRoutewiseParts : public QObject {
    Q_OBJECT

private:
    OrderedJson m_file = test::vectorFile("routewise-unit-cases.json");

    const OrderedJson& at(const char* section, int index) const {
        return m_file.at(section).at(static_cast<std::size_t>(index));
    }

private Q_SLOTS:
    void vectorsAreThere() { QVERIFY2(m_file.is_object(), test::vectorsFolder().c_str()); }

    void quotaPriceCases_data() { test::addVectorRows(m_file, "quota_price"); }
    void quotaPriceCases() {
        QFETCH(int, index);
        const OrderedJson& one = at("quota_price", index);
        const double price = quotaPrice(one.at("used_fraction").get<double>(), one.at("lower").get<double>(),
                                        one.at("upper").get<double>());
        QVERIFY(test::relativelyCloseTo(price, one.at("expect").get<double>(), 1e-12));
    }

    void checkpointCases_data() { test::addVectorRows(m_file, "checkpoints"); }
    void checkpointCases() {
        QFETCH(int, index);
        const OrderedJson& one = at("checkpoints", index);
        const std::vector<double> actual = hedgeCheckpoints(one.at("slo_ms").get<double>());
        const auto expected = one.at("expect_s").get<std::vector<double>>();
        QCOMPARE(actual.size(), expected.size());
        for (std::size_t i = 0; i < actual.size(); ++i) QVERIFY(test::closeTo(actual[i], expected[i], 1e-9));
    }

    void successProbabilityCases_data() { test::addVectorRows(m_file, "success_probability"); }
    void successProbabilityCases() {
        QFETCH(int, index);
        const OrderedJson& one = at("success_probability", index);
        const HedgeMoment moment{one.at("elapsed_ms").get<double>(), one.at("slo_ms").get<double>(),
                                 one.at("overhead_ms").get<double>()};
        const double actual = successProbability(profile(one.at("primary")), profile(one.at("backup")), moment);
        QVERIFY(test::closeTo(actual, one.at("expect").get<double>(), 1e-12));
    }

    void pickBackupCases_data() { test::addVectorRows(m_file, "pick_backup"); }
    void pickBackupCases() {
        QFETCH(int, index);
        const OrderedJson& one = at("pick_backup", index);
        std::vector<std::string> ids;
        for (const OrderedJson& option : one.at("options")) ids.push_back(option.at("id").get<std::string>());
        std::vector<BackupOption> options;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const OrderedJson& option = one.at("options").at(i);
            options.push_back({ids[i], option.at("probability").get<double>(), option.at("cost_usd").get<double>(),
                               option.at("mean_ms").get<double>(), option.value("target", kHedgeTarget)});
        }
        const auto picked = pickBackup(options);
        QCOMPARE((picked ? OrderedJson(ids[*picked]) : OrderedJson(nullptr)).dump(), one.at("expect").dump());
    }

    void hedgePlanCases_data() { test::addVectorRows(m_file, "hedge_plan"); }
    void hedgePlanCases() {
        QFETCH(int, index);
        const OrderedJson& one = at("hedge_plan", index);
        std::vector<std::string> ids;
        std::vector<capacity::TtftDistribution> profiles;
        for (const OrderedJson& backup : one.at("backups")) {
            ids.push_back(backup.at("id").get<std::string>());
            profiles.push_back(profile(backup));
        }
        std::vector<HedgeBackup> backups;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const OrderedJson& backup = one.at("backups").at(i);
            backups.push_back({ids[i], &profiles[i], backup.at("cost_usd").get<double>(), backup.at("mean_ms").get<double>()});
        }
        const HedgeObjective objective{one.at("slo_ms").get<double>(), one.at("overhead_ms").get<double>()};
        const OrderedJson& expect = one.at("expect");
        std::optional<HedgeDispatch> dispatch;
        if (one.at("primary_failed_at_ms").is_null()) {
            const HedgePlan plan = planHedge(profile(one.at("primary")), backups, objective);
            QCOMPARE(OrderedJson(plan.feasibleCheckpoints).dump(), expect.at("feasible_checkpoints").dump());
            dispatch = plan.dispatch;
        } else {
            dispatch = hedgeAfterFailure(one.at("primary_failed_at_ms").get<double>(), backups, objective);
        }
        QCOMPARE(dispatch.has_value(), !expect.at("dispatch_at_ms").is_null());
        if (!dispatch) return;
        QCOMPARE(ids[dispatch->backup], expect.at("backup").get<std::string>());
        QVERIFY(test::closeTo(dispatch->atMs, expect.at("dispatch_at_ms").get<double>(), 1e-9));
        QVERIFY(test::closeTo(dispatch->probability, expect.at("probability").get<double>(), 1e-12));
    }

    void planFromALaterCheckpointKeepsItsMoment() {
        const capacity::TtftDistribution slow(std::vector<double>{500, 600, 9000, 9500});
        const capacity::TtftDistribution quick(std::vector<double>{100, 110, 120});
        const std::array backups{HedgeBackup{"quick", &quick, 0.01, 110}};
        const HedgePlan whole = planHedge(slow, backups, {2000});
        QVERIFY(whole.dispatch);
        const std::size_t last = whole.feasibleCheckpoints.back();
        QCOMPARE(planHedge(slow, backups, {2000}, last).dispatch, whole.dispatch);
        QVERIFY(!planHedge(slow, backups, {2000}, last + 1).dispatch);
    }

    void failedPrimaryCountsForNothing() {
        const capacity::TtftDistribution backup(std::vector<double>{100, 900});
        QCOMPARE(successProbability(backup, {500, 1000, 0}), 0.5);
        QCOMPARE(successProbability(backup, {1000, 1000, 0}), 0.0);
    }

    void drawCases_data() { test::addVectorRows(m_file, "draw"); }
    void drawCases() {
        QFETCH(int, index);
        const OrderedJson& one = at("draw", index);
        std::vector<double> weights;
        for (const OrderedJson& pair : one.at("weights")) weights.push_back(pair.at(1).get<double>());
        const auto position = drawWeighted(weights, one.at("u").get<double>());
        QVERIFY(position);
        QCOMPARE(one.at("weights").at(*position).at(0).dump(), one.at("expect").dump());
    }

    void drawsFollowTheWeights() {
        // Chi-square of 10,000 draws; the bound is the 99.9th percentile for three degrees of freedom.
        const std::array weights{0.1, 0.2, 0.3, 0.4};
        constexpr std::size_t kDraws = 10000;
        for (const std::uint64_t seed : {1u, 20260u, 987654321u}) {
            std::array<double, 4> counts{};
            for (const std::size_t position : drawn(weights, seed, kDraws)) counts[position] += 1;
            double chiSquare = 0;
            for (std::size_t i = 0; i < weights.size(); ++i) {
                const double expected = weights[i] * kDraws;
                chiSquare += (counts[i] - expected) * (counts[i] - expected) / expected;
            }
            QVERIFY2(chiSquare < 16.266, std::to_string(chiSquare).c_str());
        }
    }

    void sameSeedSameSequence() {
        const std::array weights{0.25, 0.75};
        QCOMPARE(drawn(weights, 42, 1000), drawn(weights, 42, 1000));
        QVERIFY(drawn(weights, 42, 1000) != drawn(weights, 43, 1000));
    }

    void nothingToDrawFrom() {
        QVERIFY(!drawWeighted({}, 0.5));
        QVERIFY(!drawWeighted(std::array{0.0, 0.0}, 0.5));
        QVERIFY(!drawCandidate({}, 0.5));
    }

    void drawAtTheVeryEndStaysInside() {
        const std::array weights{0.1, 0.2, 0.0};
        QCOMPARE(drawWeighted(weights, std::nextafter(1.0, 0.0)), std::optional<std::size_t>(1));
    }

    void drawnCandidateIsTheMixtures() {
        const std::array candidates{PricedCandidate{"cheap", 0, 3}, PricedCandidate{"middle", 0.5, 9}, PricedCandidate{"dear", 1, 1}};
        const Mix mix = solveMix(candidates, 0.75);
        QCOMPARE(mix.support, std::size_t{2});
        QCOMPARE(drawCandidate(mix, 0.2), std::optional<std::size_t>(0));
        QCOMPARE(drawCandidate(mix, 0.25), std::optional<std::size_t>(2));
    }
};

QTEST_APPLESS_MAIN(TestRoutewiseParts)
#include "tst_routewise_parts.moc"

#include <nlohmann/json.hpp>
