// SPDX-License-Identifier: MIT
// What a local server has taken on: held while it runs, given back on every ending, shared by all pools, and compared
// with what the engine itself says.
#include "tests/router/strategy/greedy_pending.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using config::RouteKind;

class TestGreedyLoad : public QObject {
    Q_OBJECT

    static capacity::EnginePageReading reading(double running, double waiting, double kvUsed) {
        capacity::EnginePageReading out;
        capacity::EngineReading model;
        model.model = "m";
        model.running = running;
        model.waiting = waiting;
        model.kvUsed = kvUsed;
        out.models.push_back(std::move(model));
        return out;
    }

private Q_SLOTS:
    void heldWhileItRuns();
    void wholeBodiesShrinkWithTime();
    void givenBackOnEveryEnding_data();
    void givenBackOnEveryEnding();
    void givenBackWhenTheClientLeaves_data();
    void givenBackWhenTheClientLeaves();
    void givenBackWhenNothingCouldBeSent();
    void poolsShareAServer();
    void slotsNameTheServer();
    void engineMetricsCountIn();
    void staleEngineMetricsDoNot();
};

void TestGreedyLoad::heldWhileItRuns() {
    GreedyBench bench(oneOfEach(hangsBeforeContent()));
    const auto router = bench.make(strategy::makeGreedyPool);
    Pending first(bench, router);
    QVERIFY(!first.ended);
    QVERIFY((loadOf(bench) == capacity::LocalLoad{1, 1100, 1000, 100}));
    // The next one waits behind that prompt.
    bench.at("l0").act = hangsAfterContent();
    Pending second(bench, router);
    QCOMPARE(second.endpoint(), std::string("l0:m"));
    QCOMPARE(*second.pool->predictedTtftMs, 2000.0);
    QCOMPARE(*second.pool->predictedTpotMs, 20.0);
    // Its own prompt is worked through, and from then on its output shrinks with time: half of 100 tokens a second.
    QVERIFY((loadOf(bench) == capacity::LocalLoad{2, 2200, 1000, 200}));
    bench.clock.advance(1s);
    QVERIFY((loadOf(bench) == capacity::LocalLoad{2, 2200, 1000, 150}));
    second.answer.reset();
    QVERIFY((loadOf(bench) == capacity::LocalLoad{1, 1100, 1000, 100}));
    first.cancel.emit(asio::cancellation_type::terminal);
    Pending::turn(bench);
    QVERIFY(first.ended);
    QVERIFY(loadOf(bench) == capacity::LocalLoad{});
}

void TestGreedyLoad::wholeBodiesShrinkWithTime() {
    // Nothing comes before the end; its first token is taken to come after the second that was predicted.
    GreedyBench bench(oneOfEach(Act{std::nullopt, {}, std::nullopt, true}));
    bench.streams = false;
    Pending request(bench, bench.make(strategy::makeGreedyPool));
    QVERIFY(!request.ended);
    QVERIFY((loadOf(bench) == capacity::LocalLoad{1, 1100, 1000, 100}));
    bench.clock.advance(1s);
    QCOMPARE(loadOf(bench).remainingPrefillTokens, std::int64_t{0});
    QVERIFY(loadOf(bench).remainingDecodeTokens < 100);
    bench.clock.advance(1s);
    QVERIFY((loadOf(bench) == capacity::LocalLoad{1, 1100, 0, 0}));
    request.cancel.emit(asio::cancellation_type::terminal);
    Pending::turn(bench);
    QVERIFY(loadOf(bench) == capacity::LocalLoad{});
}

void TestGreedyLoad::givenBackOnEveryEnding_data() {
    QTest::addColumn<int>("ending");
    int at = 0;
    for (const char* ending : {"served", "fails at call with 500", "fails at call with 400", "cannot connect", "breaks before content",
                               "breaks after content", "ends without done", "last resort"})
        QTest::newRow(ending) << at++;
}

void TestGreedyLoad::givenBackOnEveryEnding() {
    QFETCH(int, ending);
    const auto broken = failure(UpstreamFailure::Kind::disconnected, "disconnected");
    const std::array<Act, 8> acts{serves(), failsAtCall(status(500)), failsAtCall(status(400)),
                                  failsAtCall(failure(UpstreamFailure::Kind::connect, "connect_refused")),
                                  breaksAfter({metadata()}, broken), breaksAfter({metadata(), content()}, broken),
                                  Act{std::nullopt, {metadata(), content()}, std::nullopt}, serves()};
    GreedyBench bench({{"l0", RouteKind::local, acts[static_cast<std::size_t>(ending)]}});
    const auto router = bench.make(strategy::makeGreedyPool);
    if (ending == 7) bench.process->circuits.of("l0:m")->coolByHand();
    (void)bench.serve(router);
    QCOMPARE(bench.attempts.size(), std::size_t{1});
    QCOMPARE(bench.at("l0").bodies.size(), std::size_t{1});
    QVERIFY(loadOf(bench) == capacity::LocalLoad{});
    QCOMPARE(bench.circuit("l0").inFlight, 0u);
    QCOMPARE(bench.at("l0").alive, 0);
}

void TestGreedyLoad::givenBackWhenTheClientLeaves_data() {
    QTest::addColumn<bool>("afterContent");
    QTest::newRow("before the first content") << false;
    QTest::newRow("while streaming") << true;
}

void TestGreedyLoad::givenBackWhenTheClientLeaves() {
    // F45
    QFETCH(bool, afterContent);
    GreedyBench bench(oneOfEach(afterContent ? hangsAfterContent() : hangsBeforeContent()));
    const auto router = bench.make(strategy::makeGreedyPool);
    Pending request(bench, router);
    QCOMPARE(loadOf(bench).runningRequests, std::int64_t{1});
    if (afterContent) {
        request.answer.reset();
    } else {
        request.cancel.emit(asio::cancellation_type::terminal);
        Pending::turn(bench);
    }
    QVERIFY(request.ended);
    QVERIFY(loadOf(bench) == capacity::LocalLoad{});
    QCOMPARE(request.attempts.size(), std::size_t{1});  // and no fallback for somebody who is gone
    QVERIFY(request.attempts[0].outcome == evidence::AttemptOutcome::cancelled);
    QCOMPARE(request.attempts[0].reason, std::string("client_gone"));
    QCOMPARE(request.pool->admission, std::string("admitted"));
    QCOMPARE(bench.circuit("l0").attempts, 0u);
    QVERIFY(bench.at("c0").bodies.empty());
}

void TestGreedyLoad::givenBackWhenNothingCouldBeSent() {
    GreedyBench bench(oneOfEach());
    bench.config.resources.push_back({"gpu", config::Resource::Kind::concurrency, 1, {}});
    bench.model().routes[0].resources = {"gpu"};
    const auto router = bench.make(strategy::makeGreedyPool);
    const auto taken = bench.process->resources.slots("concurrency:gpu", 1).value()->tryTake();
    QCOMPARE(bench.serve(router).endpoint, std::string("c0:m"));
    QCOMPARE(bench.story(), std::string("l0 primary refused no_free_slot; c0 retry served"));
    QVERIFY(bench.process->locals.of("resource gpu")->load(bench.clock.steady()) == capacity::LocalLoad{});
}

void TestGreedyLoad::poolsShareAServer() {
    GreedyBench bench(oneOfEach(hangsAfterContent()), {{"max_running_requests", 1}});
    const auto first = bench.make(strategy::makeGreedyPool);
    const auto applied = bench.make(strategy::makeGreedyPool);  // the same policy, applied again
    config::Model& model = bench.model();
    model.id = "n";
    const auto other = bench.make(strategy::makeGreedyPool);    // another model over the same endpoint
    Pending running(bench, first);
    QCOMPARE(running.endpoint(), std::string("l0:m"));
    Pending second(bench, applied);
    QCOMPARE(second.endpoint(), std::string("c0:m"));
    QCOMPARE(second.pool->admission, std::string("concurrency_capacity"));
    const auto view = other->view(bench.clock.steady());
    QCOMPARE(view.local->runningRequests, std::int64_t{1});
    running.answer.reset();
    QCOMPARE(other->view(bench.clock.steady()).local->runningRequests, std::int64_t{0});
}

void TestGreedyLoad::slotsNameTheServer() {
    // Two endpoints of one server: the slots that both name are what they share.
    GreedyBench bench({{"l0"}, {"l1"}}, {{"max_running_requests", 1}});
    bench.config.resources.push_back({"gpu", config::Resource::Kind::concurrency, 8, {}});
    for (config::Route& route : bench.model().routes) route.resources = {"gpu"};
    const auto router = bench.make(strategy::makeGreedyPool);
    bench.at("l0").act = hangsAfterContent();
    Pending first(bench, router);
    QCOMPARE(first.endpoint(), std::string("l0:m"));
    Pending second(bench, router);
    QVERIFY(second.ended && !*second.answer);
    QCOMPARE((*second.answer).error().code, std::string("local_concurrency_capacity"));
}

void TestGreedyLoad::engineMetricsCountIn() {
    GreedyBench bench(oneOfEach());
    const auto router = bench.make(strategy::makeGreedyPool);
    const auto page = bench.process->engines.of("l0");
    page->follow("http://engine/metrics", 5s);
    const auto admissionAt = [&](double running, double waiting, double kvUsed) {
        (void)page->record(reading(running, waiting, kvUsed), bench.clock.steady());
        (void)bench.serve(router);
        return bench.pool->admission;
    };
    QCOMPARE(admissionAt(2, 0, 0.1), std::string("admitted"));
    QCOMPARE(admissionAt(5, 3, 0.1), std::string("concurrency_capacity"));  // others use the server, too
    QCOMPARE(admissionAt(1, 0, 0.95), std::string("token_capacity"));       // 19000 of 20000, and 1100 more
    QCOMPARE(admissionAt(7, 0, 0.945), std::string("admitted"));
    const dispatch::PoolView view = router->view(bench.clock.steady());
    QVERIFY(view.local->usesEngineMetrics);
    QCOMPARE(view.local->runningRequests, std::int64_t{7});
    QCOMPARE(view.local->reservedTokens, std::int64_t{18900});
    // Our own requests are among the engine's: the larger number, not the sum.
    const auto ours = bench.process->locals.of("endpoint l0:m")->take(bench.clock.steady(), [](const auto&) {
        return std::vector<capacity::LocalDemand>(7, {1, 0, 1, 100});
    });
    QCOMPARE(admissionAt(7, 0, 0.1), std::string("admitted"));
    QCOMPARE(admissionAt(0, 0, 0.1), std::string("admitted"));
}

void TestGreedyLoad::staleEngineMetricsDoNot() {
    GreedyBench bench(oneOfEach());
    const auto router = bench.make(strategy::makeGreedyPool);
    const auto page = bench.process->engines.of("l0");
    page->follow("http://engine/metrics", 5s);
    (void)page->record(reading(50, 50, 1), bench.clock.steady());
    (void)bench.serve(router);
    QCOMPARE(bench.pool->admission, std::string("concurrency_capacity"));
    bench.clock.advance(16s);
    QCOMPARE(bench.serve(router).endpoint, std::string("l0:m"));
    QVERIFY(!router->view(bench.clock.steady()).local->usesEngineMetrics);
}

QTEST_APPLESS_MAIN(TestGreedyLoad)
#include "tst_greedy_load.moc"
