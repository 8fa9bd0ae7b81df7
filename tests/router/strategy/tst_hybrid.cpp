// SPDX-License-Identifier: MIT
#include "router/strategy/fixed/fixed_router.h"
#include "router/strategy/hybrid/hybrid_router.h"
#include "tests/router/strategy/composition_bench.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using config::RouteKind;

namespace {

/// Weights as far as they are given.
struct HybridBench : CompositionBench {
    explicit HybridBench(std::vector<PoolEndpoint> which, const std::vector<double>& weights = {})
        : CompositionBench(std::move(which)) {
        model().parametersJson = R"({"hybrid_composition": true})";
        for (std::size_t i = 0; i < weights.size(); ++i) model().routes[i].weight = weights[i];
    }
};

}  // namespace

class TestHybrid : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void onlyMixedModelsAreComposed();
    void theDrawnEndpointServes();
    void plannedFallbacksCrossToTheOtherPart();
    void F50_failuresThatDoNotFallBack();
    void F70_eachEndpointOnce_atMostFour();
    void noFallbackWhereNoneIsAllowed();
    void refusalsGoOnEvenThen();
    void refusedEverywhereIs503();
    void onePoolAway_data();
    void onePoolAway();
    void restingEndpointsComeLast();
    void F57_everythingRests();
    void preferredEndpointFirst();
    void boundEndpointOnly();
    void scopeKeepsToOnePart();
    void sessionsKeepTheirEndpoint();
    void whatTheViewSays();
};

void TestHybrid::onlyMixedModelsAreComposed() {
    for (const bool mixed : {true, false}) {
        HybridBench one({{"l0"}, {"c0", mixed ? RouteKind::cloud : RouteKind::local}});
        QCOMPARE(strategy::asksForComposition({one.model(), "p"}), mixed);
    }
}

void TestHybrid::theDrawnEndpointServes() {
    HybridBench one({{"l0"}, {"l1"}, {"c0", RouteKind::cloud}}, {0, 1, 0});
    const auto router = one.make(strategy::makeHybridPool);
    const auto outcome = one.serve(router);
    QCOMPARE(outcome.bytes, std::string("mccmud"));
    QCOMPARE(one.story(), std::string("l1 primary served"));
    QCOMPARE(one.pool->router, std::string("hybrid"));
    QCOMPARE(one.pool->poolId, std::string("m"));
    QCOMPARE(one.pool->drawn, std::string("l1:m"));
    QCOMPARE(one.pool->candidates.size(), std::size_t{3});
    QCOMPARE(one.pool->candidates[1].share, 1.0);
    QVERIFY(one.whyNoFallback.empty());
}

void TestHybrid::plannedFallbacksCrossToTheOtherPart() {
    HybridBench one({{"l0", RouteKind::local, failsAtCall(status(500))}, {"c0", RouteKind::cloud}}, {1, 0});
    const auto outcome = one.serve(one.make(strategy::makeHybridPool));
    QCOMPARE(outcome.endpoint, std::string("c0:m"));
    QCOMPARE(one.story(), std::string("l0 primary failed status_500; c0 retry served"));
    QVERIFY(one.whyNoFallback.empty());
    QCOMPARE(one.pool->drawn, std::string("l0:m"));
}

void TestHybrid::F50_failuresThatDoNotFallBack() {
    HybridBench one({{"l0", RouteKind::local, failsAtCall(status(400))}, {"c0", RouteKind::cloud}}, {1, 0});
    const auto outcome = one.serve(one.make(strategy::makeHybridPool));
    QCOMPARE(outcome.failure->status, 400);
    QCOMPARE(one.story(), std::string("l0 primary failed status_400"));
    QCOMPARE(one.whyNoFallback, std::string("not_for_this_failure"));
}

void TestHybrid::F70_eachEndpointOnce_atMostFour() {
    const Act fails = failsAtCall(status(503));
    HybridBench one({{"l0", RouteKind::local, fails}, {"c0", RouteKind::cloud, fails}, {"l1", RouteKind::local, fails},
                                  {"c1", RouteKind::cloud, fails}, {"l2", RouteKind::local, fails}, {"c2", RouteKind::cloud, fails}});
    const auto router = one.make(strategy::makeHybridPool);
    FastRandom random(7);
    one.adjust = [&](dispatch::RequestRun& run) { run.random = &random; };
    const auto outcome = one.serve(router);
    QCOMPARE(outcome.failure->status, 503);
    QCOMPARE(one.attempts.size(), std::size_t{4});
    std::set<std::string> distinct;
    for (const auto& attempt : one.attempts) distinct.insert(attempt.endpointId);
    QCOMPARE(distinct.size(), std::size_t{4});
    QVERIFY(one.attempts[0].role == evidence::AttemptRole::primary);
    for (std::size_t i = 1; i < 4; ++i) QVERIFY(one.attempts[i].role == evidence::AttemptRole::retry);
    QCOMPARE(one.whyNoFallback, std::string("last_target"));
    QCOMPARE(one.called().size(), std::size_t{4});
}

void TestHybrid::noFallbackWhereNoneIsAllowed() {
    HybridBench one({{"l0", RouteKind::local, failsAtCall(status(500))}, {"c0", RouteKind::cloud}}, {1, 0});
    dispatch::PoolCall call = delegated();
    call.allowFallback = false;
    const auto outcome = one.serve(one.make(strategy::makeHybridPool), std::move(call));
    QCOMPARE(outcome.failure->status, 500);
    QCOMPARE(one.story(), std::string("l0 primary failed status_500"));
    QCOMPARE(one.whyNoFallback, std::string("not_allowed"));
}

void TestHybrid::refusalsGoOnEvenThen() {
    // Nothing was sent, so that this is no second try.
    HybridBench one({{"l0"}, {"c0", RouteKind::cloud}}, {1, 0});
    one.config.resources.push_back({"gpu", config::Resource::Kind::concurrency, 1, {}});
    one.model().routes[0].resources = {"gpu"};
    const auto router = one.make(strategy::makeHybridPool);
    const auto taken = one.process->resources.slots("concurrency:gpu", 1).value()->tryTake();
    dispatch::PoolCall call = delegated();
    call.allowFallback = false;
    const auto outcome = one.serve(router, std::move(call));
    QCOMPARE(outcome.endpoint, std::string("c0:m"));
    QCOMPARE(one.story(), std::string("l0 primary refused no_free_slot; c0 retry served"));
    QCOMPARE(one.circuit("l0").attempts, 0u);
    QCOMPARE(one.called(), std::vector<std::string>{"c0"});
}

void TestHybrid::refusedEverywhereIs503() {
    HybridBench one({{"l0"}, {"c0", RouteKind::cloud}});
    one.adjust = [](dispatch::RequestRun& run) {
        run.mayTry = [](const policy::RouteTarget& target) {
            auto refused = failure(UpstreamFailure::Kind::refused, "budget_exhausted");
            refused.retryAfter = target.providerId == "l0" ? 90s : 30s;
            return std::optional(refused);
        };
    };
    const auto outcome = one.serve(one.make(strategy::makeHybridPool));
    QVERIFY(outcome.failure->kind == UpstreamFailure::Kind::refused);
    QCOMPARE(outcome.failure->retryAfter->count(), std::int64_t{30});
    QCOMPARE(one.attempts.size(), std::size_t{2});
    QVERIFY(one.called().empty());
}

void TestHybrid::onePoolAway_data() {
    QTest::addColumn<bool>("localAway");
    QTest::newRow("all local endpoints rest") << true;
    QTest::newRow("all cloud endpoints rest") << false;
}

void TestHybrid::onePoolAway() {
    QFETCH(bool, localAway);
    HybridBench one({{"l0"}, {"l1"}, {"c0", RouteKind::cloud}, {"c1", RouteKind::cloud}});
    const auto router = one.make(strategy::makeHybridPool);
    for (const char* away : localAway ? std::array{"l0:m", "l1:m"} : std::array{"c0:m", "c1:m"})
        one.process->circuits.of(away)->coolByHand();
    FastRandom random(3);
    one.adjust = [&](dispatch::RequestRun& run) { run.random = &random; };
    for (int i = 0; i < 50; ++i) {
        const auto outcome = one.serve(router);
        QVERIFY(!outcome.failure);
        QCOMPARE(one.attempts.size(), std::size_t{1});
        QVERIFY(outcome.endpoint.starts_with(localAway ? "c" : "l"));
    }
}

void TestHybrid::restingEndpointsComeLast() {
    // The drawn one rests: the plan has it behind the others, and does not come back to it once something was sent.
    HybridBench one({{"l0"}, {"c0", RouteKind::cloud, failsAtCall(status(500))}}, {1, 0});
    const auto router = one.make(strategy::makeHybridPool);
    one.process->circuits.of("l0:m")->coolByHand();
    const auto outcome = one.serve(router);
    QCOMPARE(outcome.failure->status, 500);
    QCOMPARE(one.story(), std::string("c0 primary failed status_500"));
    QCOMPARE(one.pool->candidates[0].excluded, std::string("circuit_open"));
    QCOMPARE(one.whyNoFallback, std::string("last_target"));
}

void TestHybrid::F57_everythingRests() {
    HybridBench one({{"l0"}, {"c0", RouteKind::cloud}}, {1, 0});
    const auto router = one.make(strategy::makeHybridPool);
    one.process->circuits.of("l0:m")->coolByHand();
    one.process->circuits.of("c0:m")->coolByHand();
    const auto outcome = one.serve(router);
    QCOMPARE(outcome.endpoint, std::string("l0:m"));
    QCOMPARE(one.story(), std::string("l0 primary served last_resort"));
}

void TestHybrid::preferredEndpointFirst() {
    HybridBench one({{"l0"}, {"c0", RouteKind::cloud}}, {1, 0});
    QCOMPARE(one.serve(one.make(strategy::makeHybridPool), "c0:m").endpoint, std::string("c0:m"));
    QCOMPARE(one.pool->drawn, std::string("c0:m"));
}

void TestHybrid::boundEndpointOnly() {
    HybridBench one({{"l0"}, {"c0", RouteKind::cloud, failsAtCall(status(500))}}, {1, 0});
    const auto router = one.make(strategy::makeHybridPool);
    const auto outcome = one.serve(router, {dispatch::ExecuteEndpoint{one.binding("c0")}, {}, {}, true});
    QCOMPARE(outcome.failure->status, 500);
    QCOMPARE(one.story(), std::string("c0 primary failed status_500"));
    QCOMPARE(one.pool->router, std::string("hybrid"));
    QCOMPARE(one.pool->drawn, std::string("c0:m"));
}

void TestHybrid::scopeKeepsToOnePart() {
    HybridBench one({{"l0", RouteKind::local, failsAtCall(status(500))}, {"l1", RouteKind::local, failsAtCall(status(500))},
                                  {"c0", RouteKind::cloud}});
    const dispatch::TreeBackend tree(one.make(strategy::makeHybridPool));
    dispatch::PoolCall call = delegated();
    call.scope = dispatch::EndpointScope::only({"l0:m", "l1:m"});
    const auto outcome = one.serve(tree, std::move(call));
    QCOMPARE(outcome.failure->status, 500);
    QCOMPARE(one.attempts.size(), std::size_t{2});
    QVERIFY(one.at("c0").bodies.empty());
    QCOMPARE(one.pool->candidates[2].excluded, std::string("out_of_scope"));
}

void TestHybrid::sessionsKeepTheirEndpoint() {
    HybridBench one({{"l0"}, {"l1"}, {"c0", RouteKind::cloud}, {"c1", RouteKind::cloud}});
    const auto router = one.make(strategy::makeHybridPool);
    FastRandom random(11);
    std::set<std::string> favourites;
    for (int session = 0; session < 40; ++session) {
        one.adjust = [&](dispatch::RequestRun& run) {
            run.random = &random;
            run.session = "session " + std::to_string(session);
        };
        const std::string first = one.serve(router).endpoint;
        QCOMPARE(one.pool->affinity, std::string("kept"));
        for (int i = 0; i < 5; ++i) QCOMPARE(one.serve(router).endpoint, first);
        favourites.insert(first);
    }
    QCOMPARE(favourites.size(), std::size_t{4});
}

void TestHybrid::whatTheViewSays() {
    HybridBench one({{"l0"}, {"c0", RouteKind::cloud}}, {3, 1});
    const auto router = one.make(strategy::makeHybridPool);
    (void)one.serve(router);
    const dispatch::PoolView view = router->view(one.clock.steady());
    QCOMPARE(view.router, std::string("hybrid"));
    QCOMPARE(view.requests, std::uint64_t{1});
    QCOMPARE(view.members.size(), std::size_t{2});
    QCOMPARE(view.members[0].share, 0.75);
    QCOMPARE(router->forecast({}, one.clock.steady()).choice.router, std::string("hybrid"));
    QCOMPARE(router->forecast({}, one.clock.steady()).choice.drawn, std::string("l0:m"));
}

QTEST_APPLESS_MAIN(TestHybrid)
#include "tst_hybrid.moc"
