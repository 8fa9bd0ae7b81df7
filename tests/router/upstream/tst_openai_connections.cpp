// SPDX-License-Identifier: MIT
// A connection to an upstream from one call to the next: when it is used again, when it must not be, and what a call does whose
// connection ends under it.
#include "router/upstream/openai_compat.h"
#include "tests/router/upstream/adapter_harness.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::dispatch;
using namespace signalbox::test;
using namespace std::chrono_literals;

class TestOpenAiConnections : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void bytesAndResetAtOnce_data();
    void bytesAndResetAtOnce();
    void connectionsAreReused();
    void unfinishedAnswersAreNotReused_data();
    void unfinishedAnswersAreNotReused();
    void errorAnswersKeepTheConnection();
    void F42_socketClosedWhileIdle_data();
    void F42_socketClosedWhileIdle();
    void F42_provablyDeadSocketIsReplacedOnce_data();
    void F42_provablyDeadSocketIsReplacedOnce();
    void F42_takenRequestIsNotRepeated_data();
    void F42_takenRequestIsNotRepeated();
    void F42_neverAfterBytes();
    void earlyAnswerToALargeBody();
    void streamOutlivesItsAdapter();
};

namespace {

const std::string kText = R"({"choices":[{"index":0,"delta":{"content":"hi"}}]})";
const std::string kFinish = R"({"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})";

Reply wholeStream() { return Reply::stream().event(kText).event(kFinish).event("[DONE]").end(); }
Reply wholeBody() { return Reply::json(R"({"choices":[{"message":{"content":"hi"}}]})"); }

}  // namespace

/// Both are there when we look: the kernel tells of the bytes and that nothing is left, and the reactor of neither again.
void TestOpenAiConnections::bytesAndResetAtOnce_data() {
    QTest::addColumn<bool>("stream");
    QTest::newRow("stream") << true;
    QTest::newRow("whole") << false;
}

void TestOpenAiConnections::bytesAndResetAtOnce() {
    QFETCH(bool, stream);
    AdapterHarness harness;
    harness.provider.streamIdleTimeout = 5s;
    Reply reply = stream ? Reply::stream().event(kText) : Reply::raw("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n");
    harness.upstream.enqueue(stream ? reply.awaitRelease().event(kText).reset() : reply.awaitRelease().bytes("{").reset());
    const auto adapter = harness.make();
    const auto answer = runCoroutine(harness.context, (*adapter)->call(AdapterHarness::request(stream)));
    QVERIFY(answer);
    if (stream) QVERIFY(runCoroutine(harness.context, (*answer)->next()));
    harness.upstream.release();
    QTRY_COMPARE(harness.upstream.openConnections(), std::size_t{0});
    auto next = runCoroutine(harness.context, (*answer)->next());
    if (stream) {
        QVERIFY(next && *next);
        next = runCoroutine(harness.context, (*answer)->next());
    }
    QVERIFY(!next);
    QCOMPARE(next.error().code, std::string("disconnected"));
}

void TestOpenAiConnections::connectionsAreReused() {
    AdapterHarness harness;
    for (int i = 0; i < 5; ++i) {
        QVERIFY(!harness.ask(false, wholeBody()).later);
        QVERIFY(!harness.ask(true, wholeStream()).later);
    }
    QCOMPARE(harness.upstream.requestCount(), std::size_t{10});
    QCOMPARE(harness.upstream.connectionsAccepted(), std::size_t{1});
}

void TestOpenAiConnections::unfinishedAnswersAreNotReused_data() {
    QTest::addColumn<QByteArray>("reply");
    QTest::newRow("announced close") << QByteArray("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 14\r\n\r\n{\"choices\":[]}");
    QTest::newRow("more than announced") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n{\"choices\":[]}HTTP/1.1 200");
    QTest::newRow("HTTP/1.0") << QByteArray("HTTP/1.0 200 OK\r\nContent-Length: 14\r\n\r\n{\"choices\":[]}");
}

void TestOpenAiConnections::unfinishedAnswersAreNotReused() {
    QFETCH(QByteArray, reply);
    AdapterHarness harness;
    QVERIFY(!harness.ask(false, Reply::raw(reply.toStdString())).later);
    QVERIFY(!harness.ask(false, wholeBody()).later);
    QCOMPARE(harness.upstream.connectionsAccepted(), std::size_t{2});
}

void TestOpenAiConnections::errorAnswersKeepTheConnection() {
    AdapterHarness harness;
    QVERIFY(harness.ask(false, Reply::json("{}", 429)).atCall);
    QVERIFY(!harness.ask(false, wholeBody()).later);
    QCOMPARE(harness.upstream.connectionsAccepted(), std::size_t{1});
}

void TestOpenAiConnections::F42_socketClosedWhileIdle_data() {
    QTest::addColumn<bool>("reset");
    QTest::newRow("closed") << false;
    QTest::newRow("reset") << true;
}

void TestOpenAiConnections::F42_socketClosedWhileIdle() {
    QFETCH(bool, reset);
    AdapterHarness harness;
    QVERIFY(!harness.ask(false, reset ? wholeBody().awaitRelease().reset() : wholeBody().close()).later);
    if (reset) harness.upstream.release();
    QTRY_COMPARE(harness.upstream.openConnections(), std::size_t{0});
    const AdapterAnswer second = harness.ask(false, wholeBody());
    QVERIFY(!second.atCall && !second.later);
    QCOMPARE(harness.upstream.connectionsAccepted(), std::size_t{2});
    QCOMPARE(harness.upstream.requestCount(), std::size_t{2});
}

void TestOpenAiConnections::F42_provablyDeadSocketIsReplacedOnce_data() { F42_socketClosedWhileIdle_data(); }

void TestOpenAiConnections::F42_provablyDeadSocketIsReplacedOnce() {
    // The race between looking at a socket and using it, made certain by not looking.
    QFETCH(bool, reset);
    AdapterHarness harness;
    auto settings = std::make_shared<upstream::Upstream>();
    settings->providerId = "local";
    settings->origin = upstream::parseBaseUrl(harness.upstream.baseUrl())->origin;
    settings->probeIdleSockets = false;
    const auto adapter = std::make_shared<upstream::OpenAiCompat>(upstream::ProviderLink{settings, "/v1", "Host: h\r\n"});
    harness.upstream.enqueue(reset ? wholeBody().awaitRelease().reset() : wholeBody().close());
    QVERIFY(!runCoroutine(harness.context, readAnswer(adapter, AdapterHarness::request(false))).later);
    if (reset) harness.upstream.release();
    QTRY_COMPARE(harness.upstream.openConnections(), std::size_t{0});
    harness.upstream.enqueue(wholeBody());
    const AdapterAnswer second = runCoroutine(harness.context, readAnswer(adapter, AdapterHarness::request(false)));
    QVERIFY2(!second.atCall, second.atCall ? second.atCall->message.c_str() : "");
    QVERIFY(!second.later);
    QCOMPARE(harness.upstream.requestCount(), std::size_t{2});
    QCOMPARE(harness.upstream.connectionsAccepted(), std::size_t{2});
}

void TestOpenAiConnections::F42_takenRequestIsNotRepeated_data() {
    QTest::addColumn<bool>("reset");
    QTest::newRow("closed") << false;
    QTest::newRow("reset") << true;
}

void TestOpenAiConnections::F42_takenRequestIsNotRepeated() {
    // The upstream took the POST and may have acted on it: repeating it could charge twice.
    QFETCH(bool, reset);
    AdapterHarness harness;
    QVERIFY(!harness.ask(false, wholeBody()).later);
    const AdapterAnswer second = harness.ask(false, reset ? Reply::nothing().reset() : Reply::nothing().close());
    QVERIFY(second.atCall);
    QVERIFY(second.atCall->kind == UpstreamFailure::Kind::disconnected);
    QCOMPARE(harness.upstream.requestCount(), std::size_t{2});
    QCOMPARE(harness.upstream.connectionsAccepted(), std::size_t{1});
}

void TestOpenAiConnections::F42_neverAfterBytes() {
    AdapterHarness harness;
    QVERIFY(!harness.ask(false, wholeBody()).later);
    const AdapterAnswer second = harness.ask(false, Reply::raw("HTTP/1.1 2").close());
    QVERIFY(second.atCall);
    QCOMPARE(harness.upstream.requestCount(), std::size_t{2});
}

void TestOpenAiConnections::earlyAnswerToALargeBody() {
    // An upstream may refuse before it has read everything; what it said must arrive all the same.
    AdapterHarness harness;
    harness.upstream.answerBeforeBody();
    harness.upstream.enqueue(Reply::json(R"({"error":{"message":"too big"}})", 413, "Connection: close\r\n").close());
    const AdapterAnswer answer = harness.ask(AdapterHarness::request(false, std::string(8 << 20, 'x')));
    QVERIFY(answer.atCall);
    QCOMPARE(answer.atCall->status, 413);
}

void TestOpenAiConnections::streamOutlivesItsAdapter() {
    // An apply drops the adapter while its answers are still being read.
    AdapterHarness harness;
    harness.upstream.enqueue(Reply::stream().event(kText).awaitRelease().event(kFinish).event("[DONE]").end());
    auto adapter = harness.make();
    auto stream = runCoroutine(harness.context, (*adapter)->call(AdapterHarness::request(true)));
    QVERIFY(stream);
    adapter->reset();
    harness.upstream.release();
    std::size_t chunks = 0;
    for (auto chunk = runCoroutine(harness.context, (*stream)->next()); chunk && *chunk;
         chunk = runCoroutine(harness.context, (*stream)->next()))
        ++chunks;
    QCOMPARE(chunks, std::size_t{3});
}

QTEST_APPLESS_MAIN(TestOpenAiConnections)
#include "tst_openai_connections.moc"
