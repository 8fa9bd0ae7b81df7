// SPDX-License-Identifier: MIT
#include "tests/router/strategy/greedy_bench.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using config::RouteKind;
using nlohmann::json;

class TestGreedy : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatFitsIsServedLocally();
    void everyReasonSendsToTheCloud_data();
    void everyReasonSendsToTheCloud();
    void policiesSayWhyTheyAdmit_data();
    void policiesSayWhyTheyAdmit();
    void localFailuresFallBackAsTheTableSays_data();
    void localFailuresFallBackAsTheTableSays();
    void noFallbackWhereNoneIsAllowed();
    void withoutCloudARefusalIs503();
    void cloudOutsideTheScopeIsNoCloud();
    void theSoonerOfTwoServersFirst();
    void preferredEndpoints();
    void boundToALocalServer();
    void boundToTheCloud();
    void restingServerIsNotAsked();
    void F57_theLastResort();
    void capabilitiesAndPermissions();
    void answersTeachHowLongAnswersAre();
    void whatTheViewSays();
    void forecastsTakeNothing();
};

void TestGreedy::whatFitsIsServedLocally() {
    GreedyBench bench(oneOfEach());
    const auto outcome = bench.serve(bench.make(strategy::makeGreedyPool));
    QCOMPARE(outcome.bytes, std::string("mccmud"));
    QCOMPARE(bench.story(), std::string("l0 primary served"));
    QCOMPARE(bench.pool->router, std::string("greedy"));
    QCOMPARE(bench.pool->drawn, std::string("l0:m"));
    QCOMPARE(bench.pool->admission, std::string("admitted"));
    QCOMPARE(*bench.pool->predictedTtftMs, 1000.0);
    QCOMPARE(*bench.pool->predictedTpotMs, 10.0);
    QCOMPARE(bench.pool->candidates.size(), std::size_t{1});  // the cloud was not asked
    QVERIFY(bench.at("c0").bodies.empty());
    QVERIFY(loadOf(bench) == capacity::LocalLoad{});
}

void TestGreedy::everyReasonSendsToTheCloud_data() {
    QTest::addColumn<QString>("changes");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char* reason, const char* changes) {
        QTest::newRow(reason) << QString::fromUtf8(changes) << QString::fromUtf8(reason);
    };
    row("concurrency_capacity", R"({"max_running_requests": 0})");
    row("token_capacity", R"({"max_reserved_tokens": 1099})");
    row("work_capacity", R"({"max_work_s": 1.9})");
    row("ttft_deadline", R"({"ttft_deadline_s": 0.9})");
    row("tpot_capacity", R"({"max_predicted_tpot_s": 0.009})");
    row("baseline_all_api", R"({"local_policy": "all_api"})");
}

void TestGreedy::everyReasonSendsToTheCloud() {
    QFETCH(QString, changes);
    QFETCH(QString, reason);
    GreedyBench bench(oneOfEach(), json::parse(changes.toStdString()));
    const auto router = bench.make(strategy::makeGreedyPool);
    const auto outcome = bench.serve(router);
    QCOMPARE(outcome.endpoint, std::string("c0:m"));
    // Not admitted is not tried: nothing of it is on the attempt list, and nobody counts a failure.
    QCOMPARE(bench.story(), std::string("c0 primary served"));
    QVERIFY(bench.at("l0").bodies.empty());
    QCOMPARE(bench.circuit("l0").attempts, 0u);
    QCOMPARE(bench.pool->router, std::string("greedy"));
    QCOMPARE(bench.pool->admission, reason.toStdString());
    QCOMPARE(bench.pool->drawn, std::string("c0:m"));
    QVERIFY(bench.pool->predictedTtftMs && bench.pool->predictedTpotMs);
    QCOMPARE(bench.pool->candidates.size(), std::size_t{2});
    QCOMPARE(bench.pool->candidatesTotal, 2u);
    QCOMPARE(bench.pool->candidates[0].endpointId, std::string("l0:m"));
    QCOMPARE(bench.pool->candidates[0].excluded, reason.toStdString());
    QCOMPARE(bench.pool->candidates[1].endpointId, std::string("c0:m"));
    QVERIFY(!bench.pool->mixStatus.empty());  // RouteWise's own part of the record
    QVERIFY(loadOf(bench) == capacity::LocalLoad{});
    const auto local = *router->view(bench.clock.steady()).local;
    QCOMPARE(local.admitted, std::uint64_t{0});
    QCOMPARE(local.refusedBy.size(), std::size_t{1});
    QCOMPARE(local.refusedBy[0].first, reason.toStdString());
    QCOMPARE(local.refusedBy[0].second, std::uint64_t{1});
}

void TestGreedy::policiesSayWhyTheyAdmit_data() {
    QTest::addColumn<QString>("policy");
    QTest::addColumn<QString>("reason");
    for (const char* policy : {"greedy", "fifo", "density", "knapsack"})
        QTest::newRow(policy) << QString::fromUtf8(policy) << QStringLiteral("admitted");
    QTest::newRow("all_local") << QStringLiteral("all_local") << QStringLiteral("baseline_all_local");
    QTest::newRow("concurrency") << QStringLiteral("concurrency") << QStringLiteral("baseline_concurrency");
}

void TestGreedy::policiesSayWhyTheyAdmit() {
    QFETCH(QString, policy);
    QFETCH(QString, reason);
    GreedyBench bench(oneOfEach(), {{"local_policy", policy.toStdString()}});
    QCOMPARE(bench.serve(bench.make(strategy::makeGreedyPool)).endpoint, std::string("l0:m"));
    QCOMPARE(bench.pool->admission, reason.toStdString());
}

void TestGreedy::localFailuresFallBackAsTheTableSays_data() {
    QTest::addColumn<int>("code");
    QTest::addColumn<bool>("fallsBack");
    for (const int code : {408, 425, 429, 500, 503}) QTest::addRow("status %d", code) << code << true;
    for (const int code : {400, 401, 404, 422}) QTest::addRow("status %d", code) << code << false;
}

void TestGreedy::localFailuresFallBackAsTheTableSays() {
    QFETCH(int, code);
    QFETCH(bool, fallsBack);
    GreedyBench bench(oneOfEach(failsAtCall(status(code))));
    const auto outcome = bench.serve(bench.make(strategy::makeGreedyPool));
    const std::string first = "l0 primary failed status_" + std::to_string(code);
    QCOMPARE(bench.story(), fallsBack ? first + "; c0 retry served" : first);
    QCOMPARE(outcome.failure.has_value(), !fallsBack);
    QCOMPARE(bench.whyNoFallback, std::string(fallsBack ? "" : "not_for_this_failure"));
    QCOMPARE(bench.pool->drawn, std::string("l0:m"));
    QCOMPARE(bench.pool->admission, std::string("admitted"));
    QVERIFY(loadOf(bench) == capacity::LocalLoad{});
}

void TestGreedy::noFallbackWhereNoneIsAllowed() {
    GreedyBench bench(oneOfEach(failsAtCall(status(500))));
    dispatch::PoolCall call = delegated();
    call.allowFallback = false;
    const auto outcome = bench.serve(bench.make(strategy::makeGreedyPool), call);
    QCOMPARE(outcome.failure->status, 500);
    QCOMPARE(bench.story(), std::string("l0 primary failed status_500"));
    QCOMPARE(bench.whyNoFallback, std::string("not_allowed"));
    // Not admitted is no failed attempt: the cloud part may still be selected.
    GreedyBench full(oneOfEach(), {{"max_running_requests", 0}});
    QCOMPARE(full.serve(full.make(strategy::makeGreedyPool), call).endpoint, std::string("c0:m"));
}

void TestGreedy::withoutCloudARefusalIs503() {
    GreedyBench bench({{"l0"}, {"l1"}}, {{"max_reserved_tokens", 10}});
    const auto outcome = bench.serve(bench.make(strategy::makeGreedyPool));
    QVERIFY(outcome.failure->kind == UpstreamFailure::Kind::refused);
    QCOMPARE(outcome.failure->code, std::string("local_token_capacity"));
    QCOMPARE(outcome.failure->retryAfter->count(), std::int64_t{5});
    QVERIFY(bench.called().empty());
    QCOMPARE(bench.pool->admission, std::string("token_capacity"));
    QVERIFY(bench.pool->drawn.empty());
}

void TestGreedy::cloudOutsideTheScopeIsNoCloud() {
    GreedyBench bench(oneOfEach(), {{"max_running_requests", 0}});
    const dispatch::TreeBackend tree(bench.make(strategy::makeGreedyPool));
    dispatch::PoolCall call = delegated();
    call.scope = dispatch::EndpointScope::only({"l0:m"});
    const auto outcome = bench.serve(tree, std::move(call));
    QCOMPARE(outcome.failure->code, std::string("local_concurrency_capacity"));
    QVERIFY(bench.called().empty());
}

void TestGreedy::theSoonerOfTwoServersFirst() {
    GreedyBench bench({{"l0"}, {"l1", RouteKind::local, failsAtCall(status(500))}, {"c0", RouteKind::cloud}});
    const auto router = bench.make(strategy::makeGreedyPool);
    const auto busy = bench.process->locals.of("endpoint l0:m")->take(bench.clock.steady(), [](const auto&) {
        return std::vector{capacity::LocalDemand{100, 50, 50, 100}};
    });
    const auto outcome = bench.serve(router);
    QCOMPARE(bench.pool->drawn, std::string("l1:m"));
    QCOMPARE(outcome.endpoint, std::string("l0:m"));
    QCOMPARE(bench.story(), std::string("l1 primary failed status_500; l0 retry served"));
}

void TestGreedy::preferredEndpoints() {
    GreedyBench bench({{"l0"}, {"l1"}, {"c0", RouteKind::cloud}, {"c1", RouteKind::cloud}});
    const auto router = bench.make(strategy::makeGreedyPool);
    for (const char* preferred : {"l0:m", "l1:m", "c0:m", "c1:m"}) {
        QCOMPARE(bench.serve(router, preferred).endpoint, std::string(preferred));
        QCOMPARE(bench.attempts.size(), std::size_t{1});
        QVERIFY(bench.attempts[0].role == evidence::AttemptRole::primary);
    }
    // A preference only: the cloud one fails, and the local server has room.
    bench.at("c0").act = failsAtCall(status(500));
    bench.at("c1").act = failsAtCall(status(500));
    QCOMPARE(bench.serve(router, "c1:m").endpoint, std::string("l0:m"));
    QCOMPARE(bench.story(), std::string("c1 primary failed status_500; c0 retry failed status_500; l0 retry served"));
}

void TestGreedy::boundToALocalServer() {
    GreedyBench bench(oneOfEach());
    const auto router = bench.make(strategy::makeGreedyPool);
    const auto exactly = [&](dispatch::EndpointBinding binding) {
        return bench.serve(router, {dispatch::ExecuteEndpoint{std::move(binding)}, {}, {}, true});
    };
    QCOMPARE(exactly(bench.binding("l0")).endpoint, std::string("l0:m"));
    QCOMPARE(bench.pool->admission, std::string("admitted"));
    bench.at("l0").act = failsAtCall(status(500));
    QCOMPARE(exactly(bench.binding("l0")).failure->status, 500);
    QCOMPARE(bench.story(), std::string("l0 primary failed status_500"));
    QVERIFY(loadOf(bench) == capacity::LocalLoad{});
    // A replaced adapter: refused before anything is reserved.
    const auto stale = exactly(bench.binding("l0", "m", std::make_shared<FakeEndpoint>("l0", bench.clock, serves())));
    QCOMPARE(stale.failure->code, std::string("stale_binding"));
    QVERIFY(bench.attempts.empty() && !bench.pool);
    // It goes through admission like any other.
    GreedyBench full(oneOfEach(), {{"max_running_requests", 0}});
    const auto refused = full.serve(full.make(strategy::makeGreedyPool), {dispatch::ExecuteEndpoint{full.binding("l0")}, {}, {}, true});
    QCOMPARE(refused.failure->code, std::string("local_concurrency_capacity"));
    QVERIFY(full.called().empty());
    QCOMPARE(full.pool->admission, std::string("concurrency_capacity"));
}

void TestGreedy::boundToTheCloud() {
    GreedyBench bench({{"l0"}, {"c0", RouteKind::cloud, failsAtCall(status(500))}, {"c1", RouteKind::cloud}});
    const auto router = bench.make(strategy::makeGreedyPool);
    const auto outcome = bench.serve(router, {dispatch::ExecuteEndpoint{bench.binding("c0")}, {}, {}, true});
    QCOMPARE(outcome.failure->status, 500);
    QCOMPARE(bench.story(), std::string("c0 primary failed status_500"));
    QCOMPARE(bench.pool->router, std::string("greedy"));
    QCOMPARE(bench.pool->drawn, std::string("c0:m"));
    QVERIFY(bench.pool->admission.empty());  // the local servers were not asked
}

void TestGreedy::restingServerIsNotAsked() {
    GreedyBench bench(oneOfEach());
    const auto router = bench.make(strategy::makeGreedyPool);
    bench.process->circuits.of("l0:m")->coolByHand();
    QCOMPARE(bench.serve(router).endpoint, std::string("c0:m"));
    QCOMPARE(bench.story(), std::string("c0 primary served"));
    QCOMPARE(bench.pool->candidates[0].excluded, std::string("circuit_open"));
    QVERIFY(bench.pool->admission.empty());
    // Nor is it tried after the cloud was.
    bench.at("c0").act = failsAtCall(status(500));
    QCOMPARE(bench.serve(router).failure->status, 500);
    QCOMPARE(bench.story(), std::string("c0 primary failed status_500"));
    bench.process->circuits.of("l0:m")->closeByHand();
    bench.process->circuits.of("l0:m")->setDrained(true);
    bench.at("c0").act = serves();
    QCOMPARE(bench.serve(router).endpoint, std::string("c0:m"));
    QCOMPARE(bench.pool->candidates[0].excluded, std::string("endpoint_drained"));
}

void TestGreedy::F57_theLastResort() {
    GreedyBench bench({{"l0"}});
    const auto router = bench.make(strategy::makeGreedyPool);
    bench.process->circuits.of("l0:m")->coolByHand();
    QCOMPARE(bench.serve(router).endpoint, std::string("l0:m"));
    QCOMPARE(bench.story(), std::string("l0 primary served last_resort"));
    bench.process->circuits.of("l0:m")->setDrained(true);
    const auto outcome = bench.serve(router);
    QVERIFY(outcome.failure->kind == UpstreamFailure::Kind::refused && outcome.failure->retryAfter);
    QVERIFY(bench.called().empty());
}

void TestGreedy::capabilitiesAndPermissions() {
    GreedyBench bench(oneOfEach());
    bench.config.providers[0].capabilities.vision = false;
    const auto router = bench.make(strategy::makeGreedyPool);
    bench.adjust = [](dispatch::RequestRun& run) { run.needs.features.add(policy::smart::Capability::vision); };
    QCOMPARE(bench.serve(router).endpoint, std::string("c0:m"));
    QCOMPARE(bench.pool->candidates[0].excluded, std::string("capability:vision"));
    bench.adjust = [](dispatch::RequestRun& run) { run.mayUse = [](const auto& target) { return target.providerId != "l0"; }; };
    QCOMPARE(bench.serve(router).endpoint, std::string("c0:m"));
    QCOMPARE(bench.pool->candidates[0].excluded, std::string("not_allowed"));
    bench.adjust = [](dispatch::RequestRun& run) { run.mayUse = [](const auto&) { return false; }; };
    const auto outcome = bench.serve(router);
    QVERIFY(outcome.failure->kind == UpstreamFailure::Kind::refused);
    QVERIFY(bench.called().empty());
}

void TestGreedy::answersTeachHowLongAnswersAre() {
    // Without a cap, an answer is thought to have 512 tokens; the fake's have 3.
    GreedyBench bench(oneOfEach(), {{"max_reserved_tokens", 1511}});
    bench.adjust = nullptr;
    const auto router = bench.make(strategy::makeGreedyPool);
    QCOMPARE(bench.serve(router).endpoint, std::string("c0:m"));
    bench.adjust = [](dispatch::RequestRun& run) { run.maxTokens = 500; };
    for (int i = 0; i < 3; ++i) QCOMPARE(bench.serve(router).endpoint, std::string("l0:m"));
    bench.adjust = nullptr;
    QCOMPARE(bench.serve(router).endpoint, std::string("l0:m"));
    // What was learned stays when the same policy is applied anew, and goes when its options change.
    QCOMPARE(bench.serve(bench.make(strategy::makeGreedyPool)).endpoint, std::string("l0:m"));
    json other = json::parse(bench.model().parametersJson);
    other["cloud"] = {{"output_default_tokens", 600}};
    bench.model().parametersJson = other.dump();
    QCOMPARE(bench.serve(bench.make(strategy::makeGreedyPool)).endpoint, std::string("c0:m"));
}

void TestGreedy::whatTheViewSays() {
    GreedyBench bench({{"c0", RouteKind::cloud}, {"l0"}, {"c1", RouteKind::cloud}});
    const auto router = bench.make(strategy::makeGreedyPool);
    (void)bench.serve(router);
    const auto busy = bench.process->locals.of("endpoint l0:m")->take(bench.clock.steady(), [](const auto&) {
        return std::vector{capacity::LocalDemand{300, 200, 100, 100}};
    });
    const dispatch::PoolView view = router->view(bench.clock.steady());
    QCOMPARE(view.id, std::string("m"));
    QCOMPARE(view.router, std::string("greedy"));
    QCOMPARE(view.requests, std::uint64_t{1});
    QCOMPARE(view.members.size(), std::size_t{3});  // in the order of the file
    QCOMPARE(view.members[0].endpointId, std::string("c0:m"));
    QCOMPARE(view.members[1].endpointId, std::string("l0:m"));
    QCOMPARE(view.members[1].kind, std::string("local"));
    QCOMPARE(view.members[1].share, 1.0);
    QCOMPARE(view.members[1].ttftSamples, std::uint64_t{1});
    QCOMPARE(view.members[0].share + view.members[2].share, 0.0);
    QVERIFY(view.mix.has_value());
    QVERIFY(view.hedge.has_value());
    QCOMPARE(view.local->runningRequests, std::int64_t{1});
    QCOMPARE(view.local->reservedTokens, std::int64_t{300});
    QCOMPARE(view.local->maxRunningRequests, std::int64_t{8});
    QCOMPARE(view.local->maxReservedTokens, std::int64_t{20000});
    QCOMPARE(view.local->admitted, std::uint64_t{1});
    QVERIFY(view.local->refusedBy.empty());
    QVERIFY(!view.local->usesEngineMetrics);
}

void TestGreedy::forecastsTakeNothing() {
    GreedyBench bench(oneOfEach(), {{"max_reserved_tokens", 1600}});
    const auto router = bench.make(strategy::makeGreedyPool);
    dispatch::PoolQuestion question;
    question.maxTokens = 100;
    const auto fits = router->forecast(question, bench.clock.steady());
    QCOMPARE(fits.choice.drawn, std::string("l0:m"));
    QCOMPARE(fits.choice.admission, std::string("admitted"));
    QCOMPARE(fits.choice.candidates.size(), std::size_t{2});
    question.promptTokens = 1501;
    const auto large = router->forecast(question, bench.clock.steady());
    QCOMPARE(large.choice.admission, std::string("token_capacity"));
    QCOMPARE(large.choice.drawn, std::string("c0:m"));
    QCOMPARE(large.choice.router, std::string("greedy"));
    QVERIFY(loadOf(bench) == capacity::LocalLoad{});
    QCOMPARE(router->view(bench.clock.steady()).requests, std::uint64_t{0});
    QCOMPARE(router->view(bench.clock.steady()).local->admitted, std::uint64_t{0});
}

QTEST_APPLESS_MAIN(TestGreedy)
#include "tst_greedy.moc"
