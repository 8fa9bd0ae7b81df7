// SPDX-License-Identifier: MIT
// Waiting for a local server: who gets the room, who leaves, and that nobody is left in the queue.
#include "tests/router/strategy/greedy_pending.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::test;

class TestGreedyQueue : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void waitsForRoom();
    void waitingEndsInTheCloud();
    void waitingCannotHelpWhatNeverFits();
    void leavingTakesARequestOutOfTheQueue();
    void theQueueIsServedByPolicy();
};

void TestGreedyQueue::waitsForRoom() {
    GreedyBench bench(oneOfEach(hangsAfterContent()), {{"max_running_requests", 1}, {"max_wait_s", 600}});
    const auto router = bench.make(strategy::makeGreedyPool);
    double queueMs = 0;  // of both; who gets room at once waits for nothing
    bench.adjust = [&](dispatch::RequestRun& run) {
        run.maxTokens = 100;
        run.queueMs = &queueMs;
    };
    Pending first(bench, router), second(bench, router);
    QCOMPARE(first.endpoint(), std::string("l0:m"));
    QCOMPARE(queueMs, 0.0);
    QVERIFY(!second.ended);
    QVERIFY(second.attempts.empty());
    QCOMPARE(bench.at("l0").bodies.size(), std::size_t{1});
    bench.clock.advance(30ms);
    first.answer.reset();
    Pending::turn(bench);
    QCOMPARE(queueMs, 30.0);
    QCOMPARE(second.endpoint(), std::string("l0:m"));
    QCOMPARE(second.pool->admission, std::string("admitted"));
    QCOMPARE(second.pool->drawn, std::string("l0:m"));
    QVERIFY(bench.at("c0").bodies.empty());
    QCOMPARE(loadOf(bench).runningRequests, std::int64_t{1});
    second.answer.reset();
    QVERIFY(loadOf(bench) == capacity::LocalLoad{});
}

void TestGreedyQueue::waitingEndsInTheCloud() {
    GreedyBench bench(oneOfEach(hangsAfterContent()), {{"max_running_requests", 1}, {"max_wait_s", 0.01}});
    const auto router = bench.make(strategy::makeGreedyPool);
    Pending first(bench, router);
    const auto outcome = bench.serve(router);
    QCOMPARE(outcome.endpoint, std::string("c0:m"));
    QCOMPARE(bench.pool->admission, std::string("concurrency_capacity"));
    QCOMPARE(bench.story(), std::string("c0 primary served"));
    first.answer.reset();
    QVERIFY(loadOf(bench) == capacity::LocalLoad{});  // nothing was left in the queue to take the room
}

void TestGreedyQueue::waitingCannotHelpWhatNeverFits() {
    GreedyBench bench(oneOfEach(), {{"max_reserved_tokens", 1099}, {"max_wait_s", 600}});
    Pending request(bench, bench.make(strategy::makeGreedyPool));
    QCOMPARE(request.endpoint(), std::string("c0:m"));
    GreedyBench api(oneOfEach(), {{"local_policy", "all_api"}, {"max_wait_s", 600}});
    Pending other(api, api.make(strategy::makeGreedyPool));
    QCOMPARE(other.endpoint(), std::string("c0:m"));
}

void TestGreedyQueue::leavingTakesARequestOutOfTheQueue() {
    GreedyBench bench(oneOfEach(hangsAfterContent()), {{"max_running_requests", 1}, {"max_wait_s", 600}});
    const auto router = bench.make(strategy::makeGreedyPool);
    Pending first(bench, router);
    auto leaves = std::make_unique<Pending>(bench, router);
    Pending stays(bench, router);
    leaves->cancel.emit(asio::cancellation_type::terminal);
    Pending::turn(bench);
    QVERIFY(leaves->ended && !leaves->answer);
    QVERIFY(leaves->attempts.empty());
    QCOMPARE(leaves->pool->admission, std::string("concurrency_capacity"));
    leaves.reset();
    first.answer.reset();
    Pending::turn(bench);
    QCOMPARE(stays.endpoint(), std::string("l0:m"));
    QCOMPARE(loadOf(bench).runningRequests, std::int64_t{1});
    stays.answer.reset();
    // Leaving after room was found, before the waiting coroutine had its turn, gives the room back.
    Pending second(bench, router), third(bench, router);
    QVERIFY(!third.ended);
    second.answer.reset();
    third.cancel.emit(asio::cancellation_type::terminal);
    Pending::turn(bench);
    QVERIFY(third.ended && !third.answer);
    QVERIFY(loadOf(bench) == capacity::LocalLoad{});
    // A context that ends with requests in the queue.
    Pending fourth(bench, router), fifth(bench, router);
    QVERIFY(!fifth.ended);
    bench.context = std::make_unique<asio::io_context>();
    fourth.answer.reset();
    QVERIFY(loadOf(bench) == capacity::LocalLoad{});
}

void TestGreedyQueue::theQueueIsServedByPolicy() {
    // Two wait; the one that came later would cost more elsewhere for each second of work here: 3200 against 1200 in
    // 4 s and 2 s.
    for (const char* policy : {"fifo", "density"}) {
        GreedyBench bench(oneOfEach(hangsAfterContent()),
                                             {{"max_running_requests", 1}, {"max_wait_s", 600}, {"local_policy", policy},
                                              {"ttft_deadline_s", 600}});
        const auto router = bench.make(strategy::makeGreedyPool);
        Pending running(bench, router);
        Pending first(bench, router);
        bench.adjust = [](dispatch::RequestRun& run) {
            run.maxTokens = 100;
            run.promptTokens = 3000;
        };
        Pending second(bench, router);
        QVERIFY(!first.ended && !second.ended);
        running.answer.reset();
        Pending::turn(bench);
        const bool fifo = std::string_view(policy) == "fifo";
        QCOMPARE(first.endpoint(), std::string(fifo ? "l0:m" : ""));
        QCOMPARE(second.endpoint(), std::string(fifo ? "" : "l0:m"));
        bench.context = std::make_unique<asio::io_context>();
    }
}

QTEST_APPLESS_MAIN(TestGreedyQueue)
#include "tst_greedy_queue.moc"
