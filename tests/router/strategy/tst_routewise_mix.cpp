// SPDX-License-Identifier: MIT
#include "router/base/random.h"
#include "router/strategy/routewise/selection.h"
#include "tests/support/vector_rows.h"

#include <limits>
#include <nlohmann/json.hpp>

using namespace signalbox;
using namespace signalbox::strategy::routewise;

namespace {

std::string text(const OrderedJson& json) { return json.get<std::string>(); }

double orInfinite(const OrderedJson& json) {
    return json.is_null() ? std::numeric_limits<double>::infinity() : json.get<double>();
}

Terms terms(const OrderedJson& one) {
    const std::string type = text(one.at("type"));
    if (type == "on_demand") return OnDemandTerms{one.at("price_in").get<double>(), one.at("price_out").get<double>()};
    if (type == "concurrency")
        return ConcurrencyTerms{one.at("active").get<std::uint32_t>(), one.at("limit").get<std::uint32_t>()};
    const OrderedJson& quota = one.at("quota");
    if (quota.is_null()) return QuotaTerms{};
    return QuotaTerms{capacity::quotaState(quota.at("used").get<double>(), quota.at("limit").get<double>(),
                                           quota.at("local_increment").get<double>())};
}

PricingInput pricing(const OrderedJson& one) {
    PricingInput out{one.at("prompt_tokens").get<std::uint64_t>(), one.at("predicted_output_tokens").get<double>(), {}};
    const OrderedJson& envelope = one.at("envelope");
    if (!envelope.is_null())
        out.bounds = capacity::CostBounds{envelope.at("lower").get<double>(), envelope.at("upper").get<double>(), 1};
    return out;
}

}  // namespace

/// Every mixing case of the vectors, and properties that no list of cases can hold.
class TestRoutewiseMix : public QObject {
    Q_OBJECT

private:
    OrderedJson m_file = test::vectorFile("routewise-mix-cases.json");

    static bool optionalMatches(const std::optional<double>& actual, const OrderedJson& expected, double tolerance) {
        if (expected.is_null() || !actual) return expected.is_null() && !actual;
        return test::closeTo(*actual, expected.get<double>(), tolerance);
    }

    static bool weightsMatch(const Mix& mix, std::span<const PricedCandidate> candidates, const OrderedJson& expected) {
        if (mix.support != expected.size()) return false;
        for (const MixShare& share : mix.parts()) {
            const std::string id(candidates[share.candidate].id);
            if (!expected.contains(id) || !test::closeTo(share.probability, expected.at(id).get<double>(), 1e-9)) return false;
        }
        return true;
    }

    static void checkBudget(const Mix& mix, std::span<const PricedCandidate> candidates) {
        double sum = 0, cost = 0;
        for (const MixShare& share : mix.parts()) {
            sum += share.probability;
            cost += share.probability * candidates[share.candidate].costUsd;
        }
        QVERIFY(test::closeTo(sum, 1, 1e-9));
        QVERIFY(cost <= mix.budgetUsd + 2e-9);
    }

    static void compare(const Mix& mix, std::span<const PricedCandidate> candidates, const OrderedJson& expect) {
        QCOMPARE(std::string(toString(mix.status)), text(expect.at("status")));
        QVERIFY2(test::relativelyCloseTo(mix.budgetUsd, expect.at("budget_usd").get<double>(), 1e-12),
                 std::to_string(mix.budgetUsd).c_str());
        QVERIFY(optionalMatches(mix.objectiveS, expect.at("objective_s"), 1e-9));
        if (mix.status == MixStatus::optimal) checkBudget(mix, candidates);
        if (!expect.at("unique").get<bool>()) return;
        QCOMPARE(mix.support, expect.at("support").get<std::size_t>());
        QVERIFY(weightsMatch(mix, candidates, expect.at("weights")));
        QVERIFY(optionalMatches(mix.expectedCostUsd, expect.at("expected_cost_usd"), 1e-9));
    }

    /// The best of all singles and pairs, however they lie to the budget, weighed on a fine grid: slow and obvious.
    static double bruteObjective(std::span<const PricedCandidate> candidates, double budget, double lowest, double span) {
        double best = std::numeric_limits<double>::infinity();
        const auto goal = [&](const PricedCandidate& c) {
            return c.meanTtftS + (span > 1e-9 ? 1e-6 * (c.costUsd - lowest) / span : 0);
        };
        for (const auto& a : candidates)
            for (const auto& b : candidates)
                for (int k = 0; k <= 200; ++k) {
                    const double w = k / 200.0;
                    if ((1 - w) * a.costUsd + w * b.costUsd <= budget) best = std::min(best, (1 - w) * goal(a) + w * goal(b));
                }
        return best;
    }

private Q_SLOTS:
    void vectorsAreThere() { QVERIFY2(m_file.is_object(), test::vectorsFolder().c_str()); }

    void mix_data() { test::addVectorRows(m_file, "mix"); }
    void mix() {
        QFETCH(int, index);
        const OrderedJson& one = m_file.at("mix").at(static_cast<std::size_t>(index));
        std::vector<std::string> ids;
        for (const OrderedJson& candidate : one.at("candidates")) ids.push_back(text(candidate.at("id")));
        std::vector<PricedCandidate> candidates;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const OrderedJson& candidate = one.at("candidates").at(i);
            candidates.push_back({ids[i], orInfinite(candidate.at("cost_usd")), orInfinite(candidate.at("mean_ttft_s"))});
        }
        compare(solveMix(candidates, one.at("alpha").get<double>()), candidates, one.at("expect"));
    }

    void route_data() { test::addVectorRows(m_file, "route"); }
    void route() {
        QFETCH(int, index);
        const OrderedJson& one = m_file.at("route").at(static_cast<std::size_t>(index));
        std::vector<std::string> ids;
        for (const OrderedJson& candidate : one.at("candidates")) ids.push_back(text(candidate.at("id")));
        std::vector<Candidate> candidates;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const OrderedJson& candidate = one.at("candidates").at(i);
            candidates.push_back({ids[i], terms(candidate), candidate.at("healthy").get<bool>(),
                                  candidate.at("mean_ttft_s").get<double>()});
        }
        const Selection selection = select(candidates, pricing(one), one.at("alpha").get<double>(), 0.5);
        std::vector<PricedCandidate> priced;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const OrderedJson& expected = one.at("expect").at("priced").at(i);
            priced.push_back({ids[i], 0, candidates[i].meanTtftS});
            if (const auto* excluded = std::get_if<Exclusion>(&selection.priced[i])) {
                QCOMPARE(std::string(toString(*excluded)), expected.value("excluded", std::string("(none)")));
                continue;
            }
            const EffectiveCost& cost = std::get<EffectiveCost>(selection.priced[i]);
            QCOMPARE(std::string(toString(cost.reason)), expected.value("reason", std::string("(excluded)")));
            QVERIFY(test::relativelyCloseTo(cost.costUsd, expected.at("cost_usd").get<double>(), 1e-12));
            priced.back().costUsd = cost.costUsd;
        }
        compare(selection.mix, priced, one.at("expect").at("solution"));
        QCOMPARE(selection.drawn.has_value(), selection.mix.support > 0);
    }

    void takenSlotIsLeftOutWhenAskedAgain() {
        // The reservation of the drawn candidate was lost to another router: asked again with a fresh reading.
        std::array candidates{Candidate{"gpu", ConcurrencyTerms{0, 1}, true, 0.5}, Candidate{"api", OnDemandTerms{1, 1}, true, 1}};
        const PricingInput input{1000, 100, {}};
        const Selection first = select(candidates, input, 0, 0.5);
        QCOMPARE(first.drawn, std::optional<std::size_t>(0));
        candidates[0].terms = ConcurrencyTerms{1, 1};
        QCOMPARE(select(candidates, input, 0, 0.5).drawn, std::optional<std::size_t>(1));
        candidates[1].circuitClosed = false;
        QVERIFY(!select(candidates, input, 0, 0.5).drawn);
    }

    void neverWorseThanAGridSearch() {
        FastRandom random(7);
        for (int round = 0; round < 200; ++round) {
            std::vector<PricedCandidate> candidates;
            static constexpr std::array<std::string_view, 6> kIds{"a", "b", "c", "d", "e", "f"};
            for (const auto id : kIds) candidates.push_back({id, random.unit(), random.unit() * 5});
            const Mix mix = solveMix(candidates, random.unit());
            double lowest = 1, highest = 0;
            for (const auto& one : candidates) {
                lowest = std::min(lowest, one.costUsd);
                highest = std::max(highest, one.costUsd);
            }
            checkBudget(mix, candidates);
            QVERIFY(*mix.objectiveS <= bruteObjective(candidates, mix.budgetUsd, lowest, highest - lowest) + 1e-9);
        }
    }

    void laterOfTwoEqualCandidatesWins() {
        const std::array candidates{PricedCandidate{"first", 0.5, 1}, PricedCandidate{"second", 0.5, 1}};
        const Mix mix = solveMix(candidates, 0.5);
        QCOMPARE(mix.support, std::size_t{1});
        QCOMPARE(mix.shares[0].candidate, std::size_t{1});
    }

    void orderOfCandidatesDoesNotMatter() {
        const std::array forth{PricedCandidate{"a", 1, 3}, PricedCandidate{"b", 2, 1}, PricedCandidate{"c", 4, 0.5}};
        const std::array back{forth[2], forth[1], forth[0]};
        for (const double alpha : {0.0, 0.2, 0.4, 0.75, 1.0})
            QCOMPARE(*solveMix(forth, alpha).objectiveS, *solveMix(back, alpha).objectiveS);
    }
};

QTEST_APPLESS_MAIN(TestRoutewiseMix)
#include "tst_routewise_mix.moc"
