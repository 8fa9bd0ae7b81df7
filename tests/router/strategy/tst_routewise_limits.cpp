// SPDX-License-Identifier: MIT
// Whom RouteWise may ask: reservations, slots and quotas, who is left out, what cools, and endpoints that are named exactly.
#include "router/strategy/routewise/routewise_router.h"
#include "tests/router/strategy/routewise_priced.h"

#include <QTest>

using namespace signalbox;
using test::Priced;
using test::RouteWiseFixture;
using test::Served;
using namespace std::chrono_literals;
using config::Billing;

/// In virtual time.
class TestRoutewiseLimits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lostReservationAsksAgain();
    void everyReservationRefused();
    void slotsComeBack();
    void quotaIsPricedAndRunsOut();
    void quotaWithAReferencePriceBegins();
    void leftOutWithTheReason();
    void coolingAndDrainedAreLeftOut();
    void F57_lastResort();
    void F57_lastResortIsGivenUpForWhatWasSent();
    void exactEndpoint();
    void exactEndpointIsAdmitted();
    void staleBindingIsRefused();
};

void TestRoutewiseLimits::lostReservationAsksAgain() {
    // Another router takes the last slot between the choice and the reservation; strict only forbids what was sent.
    Priced bench("{\"budget_alpha\": 0, \"fallback_mode\": \"strict\"}");
    bench.billed(0, Billing::concurrency, 1);
    bench.build();
    std::optional<capacity::Reservation> taken;
    bench.adjust = [&](dispatch::RequestRun& run) {
        run.mayTry = [&](const policy::RouteTarget& target) -> std::optional<dispatch::UpstreamFailure> {
            if (target.providerId == "p0") taken = std::get<std::shared_ptr<capacity::Slots>>(bench.resource(0))->tryTake();
            return std::nullopt;
        };
    };
    QCOMPARE(bench.serve().endpoint, std::string("p1:m"));
    QCOMPARE(bench.story(), std::string("p0 primary refused no_free_slot; p1 retry served"));
    QCOMPARE(bench.pool->drawn, std::string("p0:m"));
    QCOMPARE(bench.circuit(0).attempts, 0U);
    QCOMPARE(bench.endpoints[0]->calls, std::size_t{0});
    QCOMPARE(bench.whyNoFallback, std::string());
}

void TestRoutewiseLimits::everyReservationRefused() {
    Priced bench;
    bench.build();
    bench.adjust = [](dispatch::RequestRun& run) {
        run.mayTry = [](const policy::RouteTarget& target) {
            dispatch::UpstreamFailure failure;
            failure.kind = dispatch::UpstreamFailure::Kind::refused;
            failure.code = "busy";
            failure.retryAfter = target.providerId == "p0" ? 90s : 7s;
            return std::optional(failure);
        };
    };
    const Served served = bench.serve();
    QVERIFY(served.failure->kind == dispatch::UpstreamFailure::Kind::refused);
    QCOMPARE(served.failure->code, std::string("busy"));
    QVERIFY(served.failure->retryAfter == 7s);
    QCOMPARE(bench.story(), std::string("p0 primary refused busy; p1 retry refused busy"));
}

void TestRoutewiseLimits::slotsComeBack() {
    Priced bench;
    bench.billed(0, Billing::concurrency, 1);
    bench.build();
    for (int i = 0; i < 3; ++i) QCOMPARE(bench.serve().endpoint, std::string("p0:m"));
    QCOMPARE(bench.slotsInUse(0), 0U);
    const auto taken = std::get<std::shared_ptr<capacity::Slots>>(bench.resource(0))->tryTake();
    QCOMPARE(bench.serve().endpoint, std::string("p1:m"));
    QCOMPARE(bench.excluded(0), std::string("no_free_slot"));
    QCOMPARE(bench.story(), std::string("p1 primary served"));
}

void TestRoutewiseLimits::quotaIsPricedAndRunsOut() {
    Priced bench;
    bench.billed(0, Billing::quota, 2);
    bench.build();
    QCOMPARE(bench.serve().endpoint, std::string("p1:m"));
    QCOMPARE(bench.excluded(0), std::string("envelope_uncalibrated"));
    // One answer of the API calibrates it: 1 USD per million, 1100 tokens; the quota is cheaper as long as it lasts.
    for (int i = 0; i < 2; ++i) QCOMPARE(bench.serve().endpoint, std::string("p0:m"));
    QVERIFY(*bench.pool->candidates[0].costUsd < *bench.pool->candidates[1].costUsd);
    QCOMPARE(bench.serve().endpoint, std::string("p1:m"));
    QCOMPARE(bench.excluded(0), std::string("quota_exhausted"));
    bench.clock.advance(600s);
    QCOMPARE(bench.serve().endpoint, std::string("p0:m"));
}

void TestRoutewiseLimits::quotaWithAReferencePriceBegins() {
    RouteWiseFixture bench(1);
    bench.billed(0, Billing::quota, 1);
    bench.parameters("{\"reference_api_price\": 2}");
    bench.build();
    QCOMPARE(bench.serve().endpoint, std::string("p0:m"));
    QVERIFY(*bench.pool->candidates[0].costUsd > 0);
    const Served served = bench.serve();
    QVERIFY(served.failure->kind == dispatch::UpstreamFailure::Kind::refused);
    QCOMPARE(served.failure->code, std::string("pool_unavailable"));
    QVERIFY(served.failure->message.find("p0:m quota_exhausted") != std::string::npos);
    // Until the quota's window is over.
    QVERIFY(served.failure->retryAfter == 600s);
    QCOMPARE(bench.attempts.size(), std::size_t{0});
    QCOMPARE(bench.pool->drawn, std::string());
}

void TestRoutewiseLimits::leftOutWithTheReason() {
    Priced bench("{\"budget_alpha\": 0}", 4);
    bench.config.providers[0].capabilities.vision = false;
    bench.build();
    bench.adjust = [](dispatch::RequestRun& run) {
        run.needs.features.add(policy::smart::Capability::vision);
        run.mayUse = [](const policy::RouteTarget& target) { return target.providerId != "p1"; };
    };
    dispatch::PoolCall call = bench.delegated();
    call.scope = dispatch::EndpointScope::only({"p0:m", "p1:m", "p3:m"});
    QCOMPARE(bench.serve(std::move(call)).endpoint, std::string("p3:m"));
    QCOMPARE(bench.excluded(0), std::string("capability:vision"));
    QCOMPARE(bench.excluded(1), std::string("not_allowed"));
    QCOMPARE(bench.excluded(2), std::string("out_of_scope"));
    QCOMPARE(bench.story(), std::string("p3 primary served"));
}

void TestRoutewiseLimits::coolingAndDrainedAreLeftOut() {
    Priced bench("{\"budget_alpha\": 0}", 3);
    bench.build();
    bench.process->circuits.of("p0:m")->coolByHand();
    bench.process->circuits.of("p1:m")->setDrained(true);
    QCOMPARE(bench.serve().endpoint, std::string("p2:m"));
    QCOMPARE(bench.excluded(0), std::string("circuit_open"));
    QCOMPARE(bench.excluded(1), std::string("endpoint_drained"));
    QCOMPARE(bench.story(), std::string("p2 primary served"));
}

void TestRoutewiseLimits::F57_lastResort() {
    Priced bench("{\"budget_alpha\": 0}", 3);
    bench.build();
    for (const char* id : {"p0:m", "p1:m"}) bench.process->circuits.of(id)->coolByHand();
    bench.process->circuits.of("p2:m")->setDrained(true);
    bench.fails(0, 500);
    QCOMPARE(bench.serve().endpoint, std::string("p1:m"));
    QCOMPARE(bench.story(), std::string("p0 primary failed status_500; p1 retry served last_resort"));
    QCOMPARE(bench.pool->drawn, std::string("p0:m"));
    QCOMPARE(bench.excluded(0), std::string("circuit_open"));
}

void TestRoutewiseLimits::F57_lastResortIsGivenUpForWhatWasSent() {
    Priced bench;
    bench.build();
    bench.process->circuits.of("p0:m")->coolByHand();
    bench.fails(1, 500);
    QCOMPARE(bench.serve().failure->status, 500);
    QCOMPARE(bench.story(), std::string("p1 primary failed status_500"));
    QCOMPARE(bench.whyNoFallback, std::string("last_target"));
}

void TestRoutewiseLimits::exactEndpoint() {
    Priced bench;
    bench.build();
    QCOMPARE(bench.serve(bench.exactly(1)).endpoint, std::string("p1:m"));
    QCOMPARE(bench.story(), std::string("p1 primary served"));
    bench.fails(1, 500);
    QCOMPARE(bench.serve(bench.exactly(1)).failure->status, 500);
    QCOMPARE(bench.story(), std::string("p1 primary failed status_500"));
    QCOMPARE(bench.whyNoFallback, std::string("not_allowed"));
}

void TestRoutewiseLimits::exactEndpointIsAdmitted() {
    Priced bench;
    bench.build();
    bench.process->circuits.of("p1:m")->coolByHand(20s);
    const Served served = bench.serve(bench.exactly(1));
    QCOMPARE(served.failure->code, std::string("circuit_open"));
    QVERIFY(served.failure->retryAfter == 20s);
    QCOMPARE(bench.story(), std::string("p1 primary refused circuit_open"));
}

void TestRoutewiseLimits::staleBindingIsRefused() {
    Priced bench;
    bench.billed(1, Billing::concurrency, 1);
    bench.build();
    auto replaced = std::make_shared<test::TimedEndpoint>("p1", bench.clock, bench.time);
    const Served served = bench.serve(bench.exactly(1, replaced));
    QVERIFY(served.failure->kind == dispatch::UpstreamFailure::Kind::composition);
    QCOMPARE(served.failure->code, std::string("stale_binding"));
    QCOMPARE(bench.attempts.size(), std::size_t{0});
    QCOMPARE(bench.slotsInUse(1), 0U);
}

QTEST_APPLESS_MAIN(TestRoutewiseLimits)
#include "tst_routewise_limits.moc"
