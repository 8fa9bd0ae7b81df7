// SPDX-License-Identifier: MIT
#include "tests/router/strategy/router_bench.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <QTest>

using namespace signalbox;
using namespace signalbox::strategy;
using namespace signalbox::test;
using namespace dispatch;
using evidence::AttemptOutcome;
using evidence::AttemptRole;

class TestPlanRouterStream : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void bodyIsOneChunk();
    void F2_failureAfterMetadataFallsBack();
    void F6_F7_failureAfterContentEndsTheAnswer();
    void F7_headStatusOfWhatBrokeOff_data();
    void F7_headStatusOfWhatBrokeOff();
    void F4_brokenGenerationIsNoEmptySuccess();
    void emptyAnswerOfTheUpstreamsOwnPasses();
    void faultSweepOverChunks();
    void endlessMetadataIsRefused();
    void F45_droppedAnswerIsCancelled();
    void F45_cancelledWhileWaitingForContent();
    void droppedAfterDoneIsServed();
};

void TestPlanRouterStream::bodyIsOneChunk() {
    Bench bench({breaksAfter({{Chunk::Kind::body, "json"}}, status(500))});
    const auto outcome = bench.run();
    QCOMPARE(outcome.bytes, std::string("json"));
    QVERIFY(bench.attempts[0].firstContentMs.has_value());
}

void TestPlanRouterStream::F2_failureAfterMetadataFallsBack() {
    Bench bench({breaksAfter({metadata(), metadata(), usageChunk()}, status(500)), serves()});
    const auto outcome = bench.run();
    QVERIFY(!outcome.atRoute && !outcome.later);
    QCOMPARE(outcome.bytes, std::string("mccmud"));  // nothing of the first upstream
    QVERIFY(!bench.attempts[0].firstContentMs);
    QCOMPARE(bench.attempts[0].status, 500);
    QCOMPARE(bench.adapters[0]->alive, 0);
}

void TestPlanRouterStream::F6_F7_failureAfterContentEndsTheAnswer() {
    Bench bench({breaksAfter({metadata(), content()}, failure(UpstreamFailure::Kind::errorFrame, "error_frame_429", 429)), serves()});
    const auto outcome = bench.run();
    QVERIFY(!outcome.atRoute);
    QVERIFY(outcome.later);
    QCOMPARE(outcome.later->status, 429);
    QCOMPARE(outcome.bytes, std::string("mc"));
    QVERIFY(bench.adapters[1]->bodies.empty());
    QCOMPARE(bench.attempts.size(), std::size_t{1});
    QVERIFY(bench.attempts[0].outcome == AttemptOutcome::failed);
    QCOMPARE(bench.attempts[0].status, 429);
    QCOMPARE(bench.attempts[0].reason, std::string("error_frame_429"));
}

void TestPlanRouterStream::F7_headStatusOfWhatBrokeOff_data() {
    QTest::addColumn<int>("named");
    QTest::addColumn<int>("head");
    QTest::addColumn<bool>("began");
    QTest::addColumn<int>("recorded");
    QTest::newRow("before the first frame") << 0 << 200 << false << 200;
    QTest::newRow("after a frame") << 0 << 200 << true << 200;
    QTest::newRow("an error names its own") << 429 << 200 << false << 429;
    QTest::newRow("an error names its own, later") << 503 << 200 << true << 503;
    QTest::newRow("no head came") << 0 << 0 << false << 0;
}

void TestPlanRouterStream::F7_headStatusOfWhatBrokeOff() {
    QFETCH(int, named);
    QFETCH(int, head);
    QFETCH(bool, began);
    QFETCH(int, recorded);
    UpstreamFailure broke = failure(UpstreamFailure::Kind::disconnected, "disconnected", named);
    broke.headStatus = head;
    Bench bench({began ? breaksAfter({metadata()}, broke) : failsAtCall(broke), serves()});
    const auto outcome = bench.run();
    QVERIFY(!outcome.atRoute && !outcome.later);
    QCOMPARE(bench.attempts[0].status, recorded);
    QVERIFY(bench.attempts[0].outcome == AttemptOutcome::failed);
    // Nothing was sent, so that there is no status either.
    UpstreamFailure refused = broke;
    refused.kind = UpstreamFailure::Kind::refused;
    Bench never({failsAtCall(refused), serves()});
    QVERIFY(!never.run().atRoute);
    QCOMPARE(never.attempts[0].status, 0);
}

void TestPlanRouterStream::F4_brokenGenerationIsNoEmptySuccess() {
    Bench bench({breaksAfter({metadata()}, failure(UpstreamFailure::Kind::disconnected, "ended_early"))});
    const auto outcome = bench.run();
    QVERIFY(outcome.atRoute);
    QCOMPARE(outcome.atRoute->code, std::string("ended_early"));
}

void TestPlanRouterStream::emptyAnswerOfTheUpstreamsOwnPasses() {
    Bench bench({Act{std::nullopt, {metadata(), done()}, std::nullopt}});
    const auto outcome = bench.run();
    QVERIFY(!outcome.atRoute && !outcome.later);
    QCOMPARE(outcome.bytes, std::string("md"));
    QVERIFY(!bench.attempts[0].firstContentMs);
}

void TestPlanRouterStream::faultSweepOverChunks() {
    // Break the first upstream's stream after N chunks: before content the client sees only the second one's bytes,
    // from content on only the first one's.
    const std::vector<Chunk> all = wholeStream();
    for (std::size_t after = 0; after < all.size(); ++after) {
        const std::vector<Chunk> sent(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(after));
        Bench bench({breaksAfter(sent, failure(UpstreamFailure::Kind::disconnected, "disconnected")), serves()});
        const auto outcome = bench.run();
        const bool committed = after >= 2;
        QVERIFY(!outcome.atRoute);
        QCOMPARE(outcome.later.has_value(), committed);
        QCOMPARE(outcome.bytes, committed ? std::string("mccmud").substr(0, after) : std::string("mccmud"));
        QCOMPARE(bench.adapters[1]->bodies.size(), committed ? std::size_t{0} : std::size_t{1});
        QCOMPARE(bench.adapters[0]->alive + bench.adapters[1]->alive, 0);
    }
}

void TestPlanRouterStream::endlessMetadataIsRefused() {
    std::vector<Chunk> flood(40, Chunk{Chunk::Kind::metadata, std::string(64 * 1024, 'x')});
    Bench bench({Act{std::nullopt, flood, std::nullopt}, serves()});
    const auto outcome = bench.run();
    QVERIFY(!outcome.atRoute);
    QCOMPARE(outcome.endpoint, std::string("p1:m"));
    QCOMPARE(bench.attempts[0].reason, std::string("metadata_overflow"));
}

void TestPlanRouterStream::F45_droppedAnswerIsCancelled() {
    Bench bench({serves()});
    PlanRouter over = bench.router();
    auto answer = test::runCoroutine(bench.context, over.route(bench.call()));
    QVERIFY(answer);
    QCOMPARE(bench.adapters[0]->alive, 1);
    answer->reset();
    QCOMPARE(bench.adapters[0]->alive, 0);
    QVERIFY(bench.attempts[0].outcome == AttemptOutcome::cancelled);
    QCOMPARE(bench.attempts[0].reason, std::string("client_gone"));
    QCOMPARE(bench.attempts[0].status, 200);
}

void TestPlanRouterStream::F45_cancelledWhileWaitingForContent() {
    Bench bench({Act{std::nullopt, {metadata()}, std::nullopt, true}, serves()});
    PlanRouter over = bench.router();
    asio::cancellation_signal leave;
    bool ended = false;
    asio::co_spawn(bench.context, over.route(bench.call()),
                   asio::bind_cancellation_slot(leave.slot(), [&](std::exception_ptr, const auto&) { ended = true; }));
    asio::post(bench.context, [&] { leave.emit(asio::cancellation_type::terminal); });
    bench.context.run();
    QVERIFY(ended);
    QCOMPARE(bench.adapters[0]->alive, 0);
    QCOMPARE(bench.attempts.size(), std::size_t{1});
    QVERIFY(bench.attempts[0].outcome == AttemptOutcome::cancelled);
    QVERIFY(bench.adapters[1]->bodies.empty());
}

void TestPlanRouterStream::droppedAfterDoneIsServed() {
    Bench bench({serves()});
    PlanRouter over = bench.router();
    auto answer = test::runCoroutine(bench.context, over.route(bench.call()));
    for (int i = 0; i < 6; ++i) QVERIFY(test::runCoroutine(bench.context, (*answer)->next()));
    answer->reset();
    QVERIFY(bench.attempts[0].outcome == AttemptOutcome::served);
}

QTEST_APPLESS_MAIN(TestPlanRouterStream)
#include "tst_plan_router_stream.moc"
