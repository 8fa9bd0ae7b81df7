// SPDX-License-Identifier: MIT
#include "router/capacity/endpoint.h"
#include "router/policy/smart/formula.h"
#include "tests/router/policy/smart_world.h"
#include "tests/support/fakes.h"

#include <nlohmann/json.hpp>
#include <QTest>
#include <thread>

using namespace signalbox;
using namespace signalbox::capacity;
using policy::smart::ServedMode;

namespace {

ServedMode modeFrom(const std::string& word) {
    for (const ServedMode mode : {ServedMode::offStatic, ServedMode::shadow, ServedMode::canaryControl, ServedMode::active})
        if (toString(mode) == word) return mode;
    return ServedMode::explicitStatic;
}

OrderedJson toJson(const OutcomeView& view) { return {{"attempts", view.attempts}, {"successes", view.successes}}; }

/// Runs the steps of one tracker case on the classes that an engine uses.
struct Script {
    RuntimeKeeper keeper;

    void run(const OrderedJson& step) {
        const std::string op = step.at("op");
        if (op == "configure")
            static_cast<void>(keeper.configure(step.at("policy_version").get<std::string>(),
                                               step.at("candidates").get<std::vector<std::string>>()));
        if (op == "outcome")
            if (Outcome* outcome = keeper.current()->outcomes.find(step.at("candidate").get<std::string>()))
                outcome->record(step.at("success"), step.at("latency_ms"));
        if (op == "decision") {
            DecisionCount decision;
            decision.mode = modeFrom(step.at("mode"));
            decision.shadowDisagreement = step.at("shadow_disagreement");
            keeper.current()->decisions.count(decision);
        }
    }
};

}  // namespace

/// Outcomes, decision counters and their resets.
class TestSmartTracker : public QObject {
    Q_OBJECT
    OrderedJson m_sections;

    void rowsOf(const char* section) {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < m_sections.at(section).size(); ++i)
            QTest::newRow(m_sections.at(section)[i].at("id").get<std::string>().c_str()) << static_cast<int>(i);
    }
    const OrderedJson& row(const char* section) {
        QFETCH(int, index);
        return m_sections.at(section)[static_cast<std::size_t>(index)];
    }
    static void compareOutcome(const OutcomeView& got, const OrderedJson& want) {
        QCOMPARE(got.attempts, want.at("attempts").get<std::uint64_t>());
        QCOMPARE(got.successes, want.at("successes").get<std::uint64_t>());
        QVERIFY(std::abs(got.latencyEwmaMs - want.at("latency_ewma_ms").get<double>()) <= 1e-9);
    }

private Q_SLOTS:
    void initTestCase() {
        m_sections = test::smartVectors("smart-unit-cases.json");
        QVERIFY2(!m_sections.is_null(), "smart-unit-cases.json cannot be read");
        QVERIFY(!m_sections.at("ewma").empty() && !m_sections.at("tracker").empty());
    }

    void ewma_data() { rowsOf("ewma"); }
    void ewma() {
        const OrderedJson& one = row("ewma");
        Outcome outcome;
        for (std::size_t i = 0; i < one.at("observations").size(); ++i) {
            const OrderedJson& seen = one.at("observations")[i];
            outcome.record(seen.at("success"), seen.at("latency_ms"));
            compareOutcome(outcome.view(), one.at("expect")[i]);
        }
    }

    void tracker_data() { rowsOf("tracker"); }
    void tracker() {
        const OrderedJson& one = row("tracker");
        Script script;
        std::size_t view = 0;
        for (const OrderedJson& step : one.at("steps")) {
            script.run(step);
            if (step.at("op") != "view") continue;
            const OrderedJson& want = one.at("expect")[view++];
            const auto runtime = script.keeper.current();
            const DecisionTotals totals = runtime->decisions.totals();
            QCOMPARE(totals.decisions, want.at("decisions_total").get<std::uint64_t>());
            QCOMPARE(totals.active, want.at("active_decisions_total").get<std::uint64_t>());
            QCOMPARE(totals.shadow, want.at("shadow_decisions_total").get<std::uint64_t>());
            QCOMPARE(totals.fixed, want.at("static_decisions_total").get<std::uint64_t>());
            QCOMPARE(totals.shadowDisagreements, want.at("shadow_disagreements_total").get<std::uint64_t>());
            const auto outcomes = runtime->outcomes.views();
            QCOMPARE(outcomes.size(), want.at("outcomes").size());
            for (const auto& [candidate, got] : outcomes) {
                QVERIFY2(want.at("outcomes").contains(candidate), toJson(got).dump().c_str());
                compareOutcome(got, want.at("outcomes").at(candidate));
            }
        }
        QCOMPARE(view, one.at("expect").size());
    }

    void orderOfCandidatesResetsNothing() {
        RuntimeKeeper keeper;
        const auto before = keeper.configure("v1", {"a:m", "b:m"});
        QCOMPARE(keeper.configure("v1", {"b:m", "a:m"}), before);
        QVERIFY(keeper.configure("v1", {"a:m"}) != before);
    }

    // Requests that an old engine still runs report into the old state.
    void formerRuntimeKeepsItsOwnRequests() {
        RuntimeKeeper keeper;
        const auto old = keeper.configure("v1", {"a:m"});
        const auto present = keeper.configure("v2", {"a:m"});
        old->outcomes.find("a:m")->record(true, 5);
        QVERIFY(present->outcomes.views().empty());
    }

    // F59: a server that fails in a millisecond is never thought faster than its hint or its own successes.
    void failingFastNeverLooksFast() {
        Outcome fresh;
        fresh.recordFailure(1, 800);
        QCOMPARE(fresh.view().latencyEwmaMs, 800.0);
        Outcome slow;
        slow.record(true, 2000);
        for (int i = 0; i < 100; ++i) slow.recordFailure(1, 800);
        QCOMPARE(slow.view().latencyEwmaMs, 2000.0);
        slow.recordFailure(10'000, 800);
        QVERIFY(slow.view().latencyEwmaMs > 2000);
    }

    // F59 end to end: two like candidates, one of which begins to fail at once.
    void serverThatFailsFastLosesTraffic() {
        test::ManualClock clock;
        ProcessState process(clock);
        policy::smart::Group group;
        group.candidates = {policy::smart::makeCandidate("broken", "m"), policy::smart::makeCandidate("sound", "m")};
        const GroupEndpoints endpoints(group, process, process.runtimes.configure("v1", {"broken:m", "sound:m"}));
        for (int i = 0; i < 12; ++i) {
            RequestBlame blame;
            endpoints.at(0).beginAnyway()->failed({FaultKind::status, 500, std::nullopt}, 1, blame);
            endpoints.at(1).beginAnyway()->succeeded(900);
        }
        endpoints.at(0).circuit()->closeByHand();  // only the scores shall speak here
        std::vector<policy::smart::CandidateSignals> now(endpoints.size());
        endpoints.read(clock.steady(), now);
        policy::smart::Settings settings;
        settings.mode = config::RoutingMode::active;
        settings.activationPercent = 100;
        const auto assignment = policy::smart::assign("p", std::nullopt, "r");
        for (const auto profile : policy::smart::kProfiles) {
            const auto plan = policy::smart::plan({settings, group, now, assignment, profile, {100, 100}});
            QVERIFY(plan);
            QCOMPARE(plan->selected, std::uint16_t(1));
        }
    }

    // F62: once open, a plan does not list the endpoint; F57: when all are, it lists each once and says why.
    void openEndpointsAreNotPlanned() {
        test::ManualClock clock;
        ProcessState process(clock);
        policy::smart::Group group;
        group.candidates = {policy::smart::makeCandidate("a", "m"), policy::smart::makeCandidate("b", "m")};
        const GroupEndpoints endpoints(group, process, process.runtimes.configure("v1", {"a:m", "b:m"}));
        const policy::smart::Settings settings;
        const auto assignment = policy::smart::assign("p", std::nullopt, "r");
        std::vector<policy::smart::CandidateSignals> now(2);
        const auto plan = [&] {
            endpoints.read(clock.steady(), now);
            return policy::smart::plan({settings, group, now, assignment, std::nullopt, {1, 1}});
        };
        // F48: a 429 cools this model at this provider only.
        RequestBlame blame;
        endpoints.at(0).tryBegin()->failed({FaultKind::status, 429, std::chrono::seconds(10)}, 5, blame);
        QCOMPARE(plan()->attemptOrder, std::vector<std::uint16_t>{1});
        QVERIFY(!endpoints.at(0).tryBegin());
        endpoints.at(1).tryBegin()->failed({FaultKind::status, 429, std::chrono::seconds(10)}, 5, blame);
        const auto lastResort = plan();
        QCOMPARE(lastResort->attemptOrder, (std::vector<std::uint16_t>{0, 1}));
        QVERIFY(lastResort->facts.reasons.contains(policy::smart::Reason::allCandidatesCooling));
        clock.advance(std::chrono::seconds(10));
        QVERIFY(!plan()->facts.reasons.contains(policy::smart::Reason::allCandidatesCooling));
    }

    void callersErrorsCountNowhere() {
        test::ManualClock clock;
        ProcessState process(clock);
        const Endpoint endpoint("a", "a:m", 1000, process, process.runtimes.configure("v1", {"a:m"}));
        RequestBlame blame;
        endpoint.tryBegin()->failed({FaultKind::status, 400, std::nullopt}, 5, blame);
        { const auto dropped = endpoint.tryBegin(); }
        QCOMPARE(process.providers.of("a")->attempts(), 0ULL);
        QVERIFY(process.runtimes.current()->outcomes.views().empty());
    }

    // F76: whatever order threads count in, every sum is the same number.
    void countersReconcile() {
        RuntimeKeeper keeper;
        const auto runtime = keeper.configure("v1", {"a:m", "b:m"});
        constexpr int kThreads = 4;
        constexpr int kEach = 5000;
        std::vector<std::thread> threads;
        for (int t = 0; t < kThreads; ++t)
            threads.emplace_back([&, t] {
                for (int i = 0; i < kEach; ++i) {
                    const bool first = (i + t) % 3 == 0;
                    runtime->decisions.count({.mode = static_cast<ServedMode>(i % 4),
                                              .profile = i % 2 == 0 ? "quality" : "economy",
                                              .provider = first ? "a" : "b",
                                              .selected = first ? "a:m" : "b:m",
                                              .recommended = "a:m",
                                              .shadowDisagreement = !first});
                    runtime->outcomes.find(first ? "a:m" : "b:m")->record(i % 2 == 0, i);
                    if (i % 100 == 0) static_cast<void>(runtime->decisions.totals());
                }
            });
        for (std::thread& thread : threads) thread.join();
        const DecisionTotals totals = runtime->decisions.totals();
        const auto sum = [](const auto& counts) {
            std::uint64_t out = 0;
            for (const auto& [name, count] : counts) out += count;
            return out;
        };
        QCOMPARE(totals.decisions, std::uint64_t(kThreads) * kEach);
        QCOMPARE(totals.active + totals.shadow + totals.fixed, totals.decisions);
        QCOMPARE(sum(totals.selectedByCandidate), totals.decisions);
        QCOMPARE(sum(totals.recommendedByCandidate), totals.decisions);
        QCOMPARE(sum(totals.byLabels), totals.decisions);
        std::uint64_t attempts = 0;
        for (const auto& [candidate, outcome] : runtime->outcomes.views()) attempts += outcome.attempts;
        QCOMPARE(attempts, totals.decisions);
    }
};

QTEST_APPLESS_MAIN(TestSmartTracker)
#include "tst_smart_tracker.moc"
