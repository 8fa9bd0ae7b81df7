// SPDX-License-Identifier: MIT
// What the router asks of circuits and tells them. How a circuit itself behaves is tst_circuit's matter.
#include "tests/router/strategy/router_bench.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::strategy;
using namespace signalbox::test;
using namespace dispatch;
using capacity::CircuitState;
using evidence::AttemptOutcome;
using policy::smart::Reason;

class TestPlanRouterCircuit : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void F53_F62_openEndpointIsPassedOver();
    void F61_oneFailureOpensNothing();
    void F56_oneProbeDecides();
    void F56_neutralProbesAreGivenBack_data();
    void F56_neutralProbesAreGivenBack();
    void F56_probesOfClientsThatLeaveAreGivenBack();
    void F56_probesWithoutASlotAreGivenBack();
    void F57_lastResortWhenAllCool();
    void F57_planThatSaysAllCooling();
    void singleTargetIsTriedAllTheSame();
    void noLastResortOnceSomethingWasSent();
    void F62_repeatedTargetIsTriedOnce();
    void F48_rateLimitCoolsUntilRetryAfter();
    void F54_faultsByType_data();
    void F54_faultsByType();
    void untranslatableAnswerIsNoSample();
    void F7_midStreamFailureCounts();
    void F45_cancelledCountsNothing();
    void F59_fastFailuresDoNotLookFast();
    void sameFaultOnTwoBlamesTheRequest();
    void tableMovesTheCandidate();
    void F50_recordSaysWhyNoFallback();
    void refusedByTheCallerIsNotSent();
};

namespace {

constexpr auto kCool = 30s;
const UpstreamFailure kDown = failure(UpstreamFailure::Kind::connect, "connect_refused");

/// Two endpoints of which the first is open by three failures.
struct FirstIsOpen : Bench {
    FirstIsOpen() : Bench({failsAtCall(kDown), serves()}) { static_cast<void>(runAgain(3)); }
};

}  // namespace

void TestPlanRouterCircuit::F53_F62_openEndpointIsPassedOver() {
    Bench bench({failsAtCall(kDown), serves()});
    for (int i = 0; i < 25; ++i) QCOMPARE(bench.runAgain().endpoint, std::string("p1:m"));
    QCOMPARE(bench.adapters[0]->bodies.size(), std::size_t{3});
    QVERIFY(bench.circuit(0).state == CircuitState::open);
    QCOMPARE(bench.attempts.size(), std::size_t{2});
    QVERIFY(bench.attempts[0].outcome == AttemptOutcome::refused);
    QCOMPARE(bench.attempts[0].reason, std::string("circuit_open"));
    QCOMPARE(bench.attempts[0].status, 0);
    QVERIFY(bench.whyNoFallback.empty());
    // The whole window, to its last moment: every run took a few milliseconds of it.
    bench.clock.advance(bench.circuit(0).remaining - 1ms);
    static_cast<void>(bench.runAgain());
    QCOMPARE(bench.adapters[0]->bodies.size(), std::size_t{3});
}

void TestPlanRouterCircuit::F61_oneFailureOpensNothing() {
    Bench bench({failsAtCall(status(500)), serves()});
    static_cast<void>(bench.run());
    QVERIFY(bench.circuit(0).state == CircuitState::closed);
    bench.adapters[0]->act = serves();
    QCOMPARE(bench.runAgain().endpoint, std::string("p0:m"));
    QCOMPARE(bench.circuit(0).consecutiveFailures, 0U);
}

void TestPlanRouterCircuit::F56_oneProbeDecides() {
    FirstIsOpen bench;
    bench.clock.advance(kCool);
    QVERIFY(bench.circuit(0).state == CircuitState::halfOpen);
    auto held = bench.process->circuits.of("p0:m")->tryAdmit();  // somebody else probes
    QVERIFY(held);
    QCOMPARE(bench.runAgain().endpoint, std::string("p1:m"));
    QCOMPARE(bench.attempts[0].reason, std::string("circuit_open"));
    static_cast<void>(held->failed({capacity::FaultKind::connect, 0, {}}));
    bench.clock.advance(kCool);
    bench.adapters[0]->act = serves();
    QCOMPARE(bench.runAgain().endpoint, std::string("p0:m"));
    QVERIFY(bench.circuit(0).state == CircuitState::closed);
    QVERIFY2(bench.attempts[0].reason.empty(), "a probe is an attempt like any other");
}

/// Ways for a probe to end that say nothing about its endpoint.
static const std::vector<std::pair<const char*, Act>>& neutralActs() {
    using Kind = UpstreamFailure::Kind;
    const UpstreamFailure untranslatable = failure(Kind::protocol, "untranslatable_answer");
    static const std::vector<std::pair<const char*, Act>> acts{
        {"untranslatable whole answer", failsAtCall(untranslatable)},
        {"untranslatable before the content", breaksAfter({metadata()}, untranslatable)},
        {"untranslatable after content", breaksAfter({metadata(), content()}, untranslatable)},
        {"400", failsAtCall(status(400))},
        {"404", failsAtCall(status(404))},
        {"error frame 400", failsAtCall(failure(Kind::errorFrame, "error_frame_400", 400))},
        {"error frame 400 after content", breaksAfter({content()}, failure(Kind::errorFrame, "error_frame_400", 400))},
        {"no time left", failsAtCall(failure(Kind::timeout, "request_budget"))},
        {"cannot be translated", failsAtCall(failure(Kind::refused, "cannot_be_translated", 400))},
        {"cancelled", failsAtCall(failure(Kind::cancelled, "client_gone"))},
    };
    return acts;
}

void TestPlanRouterCircuit::F56_neutralProbesAreGivenBack_data() {
    QTest::addColumn<int>("act");
    for (std::size_t i = 0; i < neutralActs().size(); ++i) QTest::newRow(neutralActs()[i].first) << static_cast<int>(i);
}

// Every request after it probes again, and the first whose end says something decides.
void TestPlanRouterCircuit::F56_neutralProbesAreGivenBack() {
    QFETCH(int, act);
    FirstIsOpen bench;
    bench.clock.advance(kCool);
    bench.adapters[0]->act = neutralActs()[static_cast<std::size_t>(act)].second;
    for (std::size_t i = 1; i <= 5; ++i) {
        static_cast<void>(bench.runAgain());
        QCOMPARE(bench.adapters[0]->bodies.size(), 3 + i);
        QVERIFY(bench.circuit(0).state == CircuitState::halfOpen);
        QVERIFY(!bench.circuit(0).probing);
        QCOMPARE(bench.circuit(0).inFlight, 0U);
    }
    bench.adapters[0]->act = serves();
    QCOMPARE(bench.runAgain().endpoint, std::string("p0:m"));
    QVERIFY(bench.circuit(0).state == CircuitState::closed);
}

void TestPlanRouterCircuit::F56_probesOfClientsThatLeaveAreGivenBack() {
    FirstIsOpen bench;
    bench.clock.advance(kCool);
    bench.adapters[0]->act = serves();
    for (int i = 0; i < 3; ++i) {
        bench.attempts.clear();
        PlanRouter over = bench.router();
        auto answer = runCoroutine(bench.context, over.route(bench.call()));
        QVERIFY(answer && (*answer)->endpointId() == "p0:m");
        QVERIFY(bench.circuit(0).probing);
        answer->reset();
        QVERIFY(bench.circuit(0).state == CircuitState::halfOpen && !bench.circuit(0).probing);
    }
}

/// The circuit is asked before the capacity (admission's order): what has no slot was let through, and has to be given back.
void TestPlanRouterCircuit::F56_probesWithoutASlotAreGivenBack() {
    FirstIsOpen bench;
    bench.config.resources.push_back({"gpu", config::Resource::Kind::concurrency, 1, std::nullopt});
    config::Provider provider;
    provider.id = "p0";
    provider.resource = "gpu";
    bench.config.providers.push_back(provider);
    bench.clock.advance(kCool);
    {
        auto taken = bench.process->resources.slots("concurrency:gpu", 1).value()->tryTake();
        QVERIFY(taken);
        for (int i = 0; i < 3; ++i) {
            QCOMPARE(bench.runAgain().endpoint, std::string("p1:m"));
            QCOMPARE(bench.attempts[0].reason, std::string("no_free_slot"));
            QVERIFY(bench.circuit(0).state == CircuitState::halfOpen && !bench.circuit(0).probing);
        }
    }
    bench.adapters[0]->act = serves();
    QCOMPARE(bench.runAgain().endpoint, std::string("p0:m"));
    QVERIFY(bench.circuit(0).state == CircuitState::closed);
}

void TestPlanRouterCircuit::F57_lastResortWhenAllCool() {
    Bench bench({failsAtCall(kDown), failsAtCall(kDown)});
    static_cast<void>(bench.runAgain(3));
    QVERIFY(bench.circuit(0).state == CircuitState::open && bench.circuit(1).state == CircuitState::open);
    bench.adapters[1]->act = serves();
    const auto outcome = bench.runAgain();
    QCOMPARE(outcome.endpoint, std::string("p1:m"));
    QVERIFY(outcome.lastResort);
    QCOMPARE(bench.attempts.size(), std::size_t{2});  // each once, in its order
    QVERIFY(bench.attempts[0].outcome == AttemptOutcome::failed);
    QCOMPARE(bench.attempts[1].reason, std::string("last_resort"));
    QVERIFY(bench.circuit(1).state == CircuitState::closed);
}

void TestPlanRouterCircuit::F57_planThatSaysAllCooling() {
    Bench bench({failsAtCall(kDown), failsAtCall(kDown)});
    static_cast<void>(bench.runAgain(3));
    bench.planAsGroup(Reason::allCandidatesCooling);
    bench.adapters[0]->act = serves();
    const auto outcome = bench.runAgain();
    QCOMPARE(outcome.endpoint, std::string("p0:m"));
    QVERIFY(outcome.lastResort);
    QCOMPARE(bench.attempts.size(), std::size_t{1});
}

void TestPlanRouterCircuit::singleTargetIsTriedAllTheSame() {
    Bench bench({failsAtCall(kDown)});
    bench.plan.fallbackAllowed = false;  // a pin or an explicit endpoint
    static_cast<void>(bench.runAgain(3));
    QVERIFY(bench.circuit(0).state == CircuitState::open);
    auto outcome = bench.runAgain();
    QCOMPARE(outcome.atRoute->code, std::string("connect_refused"));
    QCOMPARE(bench.attempts.size(), std::size_t{1});
    bench.adapters[0]->act = serves();
    outcome = bench.runAgain();
    QVERIFY(!outcome.atRoute && outcome.lastResort);
    QVERIFY(bench.circuit(0).state == CircuitState::closed);
}

void TestPlanRouterCircuit::noLastResortOnceSomethingWasSent() {
    FirstIsOpen bench;
    bench.adapters[1]->act = failsAtCall(status(503));
    const auto outcome = bench.runAgain();
    QCOMPARE(outcome.atRoute->status, 503);
    QCOMPARE(bench.adapters[0]->bodies.size(), std::size_t{3});
    QCOMPARE(bench.attempts[0].reason, std::string("circuit_open"));
    QCOMPARE(bench.whyNoFallback, std::string("last_target"));
}

void TestPlanRouterCircuit::F62_repeatedTargetIsTriedOnce() {
    Bench bench({failsAtCall(kDown), serves()});
    bench.plan.targets = {bench.plan.targets[0], bench.plan.targets[0], bench.plan.targets[1]};
    QCOMPARE(bench.run().endpoint, std::string("p1:m"));
    QCOMPARE(bench.attempts.size(), std::size_t{2});
    QCOMPARE(bench.adapters[0]->bodies.size(), std::size_t{1});
}

void TestPlanRouterCircuit::F48_rateLimitCoolsUntilRetryAfter() {
    UpstreamFailure limited = status(429);
    limited.retryAfter = 90s;
    Bench bench({failsAtCall(limited), serves()});
    QCOMPARE(bench.run().endpoint, std::string("p1:m"));
    bench.adapters[0]->act = serves();
    bench.clock.advance(89s);
    QCOMPARE(bench.runAgain().endpoint, std::string("p1:m"));
    bench.clock.advance(1s);
    QCOMPARE(bench.runAgain().endpoint, std::string("p0:m"));
}

void TestPlanRouterCircuit::F54_faultsByType_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("code");
    QTest::addColumn<bool>("counts");
    using Kind = UpstreamFailure::Kind;
    const auto row = [](const char* name, Kind kind, int code, bool counts) {
        QTest::newRow(name) << static_cast<int>(kind) << code << counts;
    };
    row("connection refused", Kind::connect, 0, true);
    row("timeout", Kind::timeout, 0, true);
    row("disconnected", Kind::disconnected, 0, true);
    row("protocol", Kind::protocol, 0, true);
    row("500", Kind::status, 500, true);
    row("503", Kind::status, 503, true);
    row("408", Kind::status, 408, true);
    row("error frame without status", Kind::errorFrame, 0, true);
    row("400", Kind::status, 400, false);
    row("404", Kind::status, 404, false);
    row("409", Kind::status, 409, false);
    row("error frame 400", Kind::errorFrame, 400, false);
    row("cancelled", Kind::cancelled, 0, false);
    row("refused", Kind::refused, 0, false);
    row("composition", Kind::composition, 0, false);
}

void TestPlanRouterCircuit::F54_faultsByType() {
    QFETCH(int, kind);
    QFETCH(int, code);
    QFETCH(bool, counts);
    // A message that speaks of something else must not matter.
    UpstreamFailure with = failure(static_cast<UpstreamFailure::Kind>(kind), "x", code);
    with.message = "429 rate limit, connection refused, success";
    Bench bench({failsAtCall(with)});
    static_cast<void>(bench.runAgain(3));
    QVERIFY((bench.circuit(0).state == CircuitState::open) == counts);
    QCOMPARE(bench.process->providers.of("p0")->attempts(), std::uint64_t(counts ? 3 : 0));
    QCOMPARE(bench.outcome(0).attempts, std::uint64_t(counts ? 3 : 0));
}

// An answer that only this client's protocol has no words for is a good one to others: the request goes on, the endpoint stays.
void TestPlanRouterCircuit::untranslatableAnswerIsNoSample() {
    const auto answered = [](const char* code) {
        Bench bench({failsAtCall(failure(UpstreamFailure::Kind::protocol, code)), serves()});
        for (int i = 0; i < 4; ++i)
            if (bench.runAgain().endpoint != "p1:m") qFatal("no fallback");
        return std::pair(bench.adapters[0]->bodies.size(), bench.circuit(0).state == CircuitState::closed);
    };
    QCOMPARE(answered("untranslatable_answer"), std::pair(std::size_t{4}, true));
    QCOMPARE(answered("malformed_event"), std::pair(std::size_t{3}, false));
}

void TestPlanRouterCircuit::F7_midStreamFailureCounts() {
    const Act breaks = breaksAfter({metadata(), content()}, failure(UpstreamFailure::Kind::errorFrame, "error_frame_429", 429));
    Bench bench({breaks});
    QVERIFY(bench.run().later);
    QVERIFY(bench.circuit(0).cause == capacity::OpenCause::rateLimited);
    QCOMPARE(bench.outcome(0).successes, std::uint64_t{0});
    QCOMPARE(bench.outcome(0).attempts, std::uint64_t{1});
}

void TestPlanRouterCircuit::F45_cancelledCountsNothing() {
    Bench bench({serves()});
    PlanRouter over = bench.router();
    auto answer = runCoroutine(bench.context, over.route(bench.call()));
    answer->reset();
    QVERIFY(bench.attempts[0].outcome == AttemptOutcome::cancelled);
    QCOMPARE(bench.circuit(0).attempts, 0U);
    QCOMPARE(bench.outcome(0).attempts, std::uint64_t{0});
}

void TestPlanRouterCircuit::F59_fastFailuresDoNotLookFast() {
    Bench bench({failsAtCall(status(500)), serves()});
    static_cast<void>(bench.runAgain(2));
    QCOMPARE(bench.outcome(0).latencyEwmaMs, 1000.0);  // its hint, though each took 10 ms
    QCOMPARE(bench.outcome(1).latencyEwmaMs, 16.0);    // what it really took
}

void TestPlanRouterCircuit::sameFaultOnTwoBlamesTheRequest() {
    Bench bench({failsAtCall(status(500)), failsAtCall(status(500)), serves()});
    // Once between two successes both are excused; a third endpoint serves.
    static_cast<void>(bench.run());
    QCOMPARE(bench.circuit(0).attempts, 0U);
    QCOMPARE(bench.circuit(1).attempts, 0U);
    QCOMPARE(bench.circuit(2).attempts, 1U);
}

void TestPlanRouterCircuit::tableMovesTheCandidate() {
    Bench bench({failsAtCall(kDown)});
    bench.planAsGroup();
    bench.plan.targets[0].model = "preset-k4";  // where the table sent candidate p0:m
    static_cast<void>(bench.runAgain(3));
    QVERIFY(bench.process->circuits.of("p0:preset-k4")->view().state == CircuitState::open);
    QVERIFY(bench.circuit(0).state == CircuitState::closed);
    QCOMPARE(bench.outcome(0).attempts, std::uint64_t{3});  // but it is the candidate that failed
}

void TestPlanRouterCircuit::F50_recordSaysWhyNoFallback() {
    Bench notForThis({failsAtCall(status(400)), serves()});
    static_cast<void>(notForThis.run());
    QCOMPARE(notForThis.whyNoFallback, std::string("not_for_this_failure"));
    Bench notAllowed({failsAtCall(status(500)), serves()});
    notAllowed.plan.fallbackAllowed = false;
    static_cast<void>(notAllowed.run());
    QCOMPARE(notAllowed.whyNoFallback, std::string("not_allowed"));
    Bench last({failsAtCall(status(500)), failsAtCall(status(502))});
    static_cast<void>(last.run());
    QCOMPARE(last.whyNoFallback, std::string("last_target"));
    Bench served({failsAtCall(status(500)), serves()});
    static_cast<void>(served.run());
    QVERIFY(served.whyNoFallback.empty());
}

void TestPlanRouterCircuit::refusedByTheCallerIsNotSent() {
    Bench bench({serves(), serves()});
    bench.mayTry = [](const policy::RouteTarget& target) -> std::optional<UpstreamFailure> {
        if (target.providerId == "p1") return std::nullopt;
        UpstreamFailure out = failure(UpstreamFailure::Kind::refused, "budget_exhausted", 429);
        return out;
    };
    QCOMPARE(bench.run().endpoint, std::string("p1:m"));
    QVERIFY(bench.adapters[0]->bodies.empty());
    QCOMPARE(bench.attempts[0].reason, std::string("budget_exhausted"));
    QCOMPARE(bench.attempts[0].status, 0);
    QCOMPARE(bench.circuit(0).attempts, 0U);
}

QTEST_APPLESS_MAIN(TestPlanRouterCircuit)
#include "tst_plan_router_circuit.moc"
