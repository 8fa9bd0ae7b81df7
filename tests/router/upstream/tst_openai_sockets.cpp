// SPDX-License-Identifier: MIT
// How an upstream is reached and waited for: the four time limits, giving up, TLS.
#include "router/dispatch/given_up.h"
#include "router/upstream/openai_compat.h"
#include "tests/router/upstream/adapter_harness.h"

#include <arpa/inet.h>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <netinet/in.h>
#include <QTemporaryDir>
#include <QTest>
#include <sys/socket.h>
#include <unistd.h>

using namespace signalbox;
using namespace signalbox::dispatch;
using namespace signalbox::test;
using namespace std::chrono_literals;
using namespace std::string_literals;

namespace {

const std::string kText = R"({"choices":[{"index":0,"delta":{"content":"hi"}}]})";
const std::string kFinish = R"({"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})";

Reply wholeStream() { return Reply::stream().event(kText).event(kFinish).event("[DONE]").end(); }
Reply wholeBody() { return Reply::json(R"({"choices":[{"message":{"content":"hi"}}]})"); }

/// A port whose connects hang: its queue is full and nobody accepts.
class FullListener {
public:
    FullListener() : m_listener(socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* generic = reinterpret_cast<sockaddr*>(&address);
        m_listening = bind(m_listener, generic, size) == 0 && listen(m_listener, 0) == 0 &&
                      getsockname(m_listener, generic, &size) == 0;
        m_port = ntohs(address.sin_port);
        for (int& filler : m_fillers) {
            filler = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
            m_listening = m_listening && (connect(filler, generic, size) == 0 || errno == EINPROGRESS);
        }
    }
    ~FullListener() {
        for (const int filler : m_fillers) ::close(filler);
        ::close(m_listener);
    }
    FullListener(const FullListener&) = delete;
    FullListener& operator=(const FullListener&) = delete;
    [[nodiscard]] bool isListening() const { return m_listening; }
    [[nodiscard]] std::string baseUrl() const { return "http://127.0.0.1:" + std::to_string(m_port) + "/v1"; }

private:
    int m_listener;
    std::array<int, 4> m_fillers{};
    bool m_listening = false;
    std::uint16_t m_port = 0;
};

/// A port where nobody accepts before it is looked at: the kernel connects, and keeps what comes.
class SilentListener {
public:
    SilentListener() : m_listener(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* generic = reinterpret_cast<sockaddr*>(&address);
        m_listening = bind(m_listener, generic, size) == 0 && listen(m_listener, 8) == 0 && getsockname(m_listener, generic, &size) == 0;
        m_port = ntohs(address.sin_port);
    }
    ~SilentListener() {
        if (m_peer >= 0) ::close(m_peer);
        ::close(m_listener);
    }
    SilentListener(const SilentListener&) = delete;
    SilentListener& operator=(const SilentListener&) = delete;
    [[nodiscard]] bool isListening() const { return m_listening; }
    [[nodiscard]] std::uint16_t port() const { return m_port; }
    [[nodiscard]] bool hasBytes() {
        if (m_peer < 0) m_peer = accept(m_listener, nullptr, nullptr);
        char byte = 0;
        return m_peer >= 0 && recv(m_peer, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 1;
    }

private:
    int m_listener;
    int m_peer = -1;
    bool m_listening = false;
    std::uint16_t m_port = 0;
};

std::chrono::milliseconds elapsedSince(Steady start) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
}

}  // namespace

class TestOpenAiSockets : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void refusedConnection();
    void unknownHost();
    void F19_connectLimit();
    void F19_limitsWhileReading_data();
    void F19_limitsWhileReading();
    void F19_slowReaderIsNotAStall();
    void F45_cancelled_data();
    void F45_cancelled();
    void F45_whatWasSentIsKnownAtEveryStep();
    void F45_givenUpBetweenTwoSteps();
    void F45_droppedStreamClosesTheSocket();
    void tlsWithOwnAuthority();
    void tlsUnknownAuthority();
    void tlsWrongName();
    void tlsStallsInTheHandshake();

private:
    QTemporaryDir m_folder;
    std::optional<TlsFiles> m_tls;
};

void TestOpenAiSockets::initTestCase() {
    QVERIFY(m_folder.isValid());
    m_tls = makeTestCertificates(m_folder.path().toStdString() + "/good");
    QVERIFY(m_tls);
}

void TestOpenAiSockets::refusedConnection() {
    AdapterHarness harness;
    {
        ScriptedUpstream gone;
        harness.provider.baseUrl = gone.baseUrl();
    }
    const AdapterAnswer answer = harness.ask(false);
    QVERIFY(answer.atCall);
    QVERIFY(answer.atCall->kind == UpstreamFailure::Kind::connect);
    QCOMPARE(answer.atCall->code, "connect_refused"s);
    QVERIFY(answer.atCall->message.find("http://127.0.0.1:") != std::string::npos);
}

void TestOpenAiSockets::unknownHost() {
    AdapterHarness harness;
    harness.provider.baseUrl = "http://no-such-host.invalid/v1";
    const AdapterAnswer answer = harness.ask(false);
    QVERIFY(answer.atCall);
    // Without any name server the lookup may last longer than the connect limit.
    QVERIFY(answer.atCall->code == "connect_dns" || answer.atCall->code == "timeout_connect");
}

void TestOpenAiSockets::F19_connectLimit() {
    FullListener full;
    QVERIFY(full.isListening());
    AdapterHarness harness;
    harness.provider.baseUrl = full.baseUrl();
    harness.provider.connectTimeout = 80ms;
    const Steady start = std::chrono::steady_clock::now();
    const AdapterAnswer answer = harness.ask(false);
    QVERIFY(answer.atCall);
    QVERIFY(answer.atCall->kind == UpstreamFailure::Kind::timeout);
    QCOMPARE(answer.atCall->code, "timeout_connect"s);
    QVERIFY(elapsedSince(start) >= 80ms);
    QVERIFY(elapsedSince(start) < 5s);
}

void TestOpenAiSockets::F19_limitsWhileReading_data() {
    QTest::addColumn<int>("stage");
    QTest::addColumn<bool>("stream");
    QTest::addColumn<bool>("shortTotal");
    QTest::addColumn<QString>("code");
    QTest::newRow("no head") << 0 << false << false << "timeout_first_byte";
    QTest::newRow("no head, stream") << 0 << true << false << "timeout_first_byte";
    QTest::newRow("half a head") << 1 << true << false << "timeout_first_byte";
    QTest::newRow("head without a frame") << 2 << true << false << "timeout_first_byte";
    QTest::newRow("heartbeat without a frame") << 3 << true << false << "timeout_first_byte";
    QTest::newRow("after the first token") << 4 << true << false << "timeout_stream_idle";
    QTest::newRow("in the second event") << 5 << true << false << "timeout_stream_idle";
    QTest::newRow("in a whole body") << 6 << false << false << "timeout_stream_idle";
    QTest::newRow("total before the head") << 0 << false << true << "timeout_total";
    QTest::newRow("total after a token") << 4 << true << true << "timeout_total";
}

void TestOpenAiSockets::F19_limitsWhileReading() {
    QFETCH(int, stage);
    QFETCH(bool, stream);
    QFETCH(bool, shortTotal);
    QFETCH(QString, code);
    Reply reply;
    if (stage == 1) reply.bytes("HTTP/1.1 200 O");
    if (stage >= 2 && stage <= 5) reply = Reply::stream();
    if (stage == 3) reply.chunk(": wait\n\n");
    if (stage >= 4 && stage <= 5) reply.event(kText);
    if (stage == 5) reply.chunk("data: {\"choi");
    if (stage == 6) reply.bytes("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"choices\":");
    AdapterHarness harness;
    const bool idle = code == QStringLiteral("timeout_stream_idle");
    harness.provider.firstByteTimeout = idle || shortTotal ? 20s : 60ms;
    harness.provider.streamIdleTimeout = idle ? 60ms : 20s;
    harness.provider.requestTimeout = shortTotal ? 90ms : 30s;
    const Steady start = std::chrono::steady_clock::now();
    const AdapterAnswer answer = harness.ask(stream, reply.stall());
    const std::optional<UpstreamFailure>& failure = answer.atCall ? answer.atCall : answer.later;
    QVERIFY(failure);
    QVERIFY(failure->kind == UpstreamFailure::Kind::timeout);
    QCOMPARE(QString::fromStdString(failure->code), code);
    const std::string setting = idle ? "stream_idle_timeout_ms" : shortTotal ? "request_timeout_ms" : "first_byte_timeout_ms";
    const std::string says = setting + " of [providers.local] in gateway.toml is " + (shortTotal ? "90" : "60");
    QVERIFY2(failure->message.ends_with(says), failure->message.c_str());
    QVERIFY(elapsedSince(start) < 10s);
    // No slot leaks: the upstream sees the connection close.
    QTRY_COMPARE(harness.upstream.abandoned(), std::size_t{1});
    QTRY_COMPARE(harness.upstream.openConnections(), std::size_t{0});
}

void TestOpenAiSockets::F19_slowReaderIsNotAStall() {
    // Longer between two pulls than the idle limit allows between two packets: only waiting counts.
    AdapterHarness harness;
    harness.provider.streamIdleTimeout = 40ms;
    harness.upstream.enqueue(wholeStream());
    auto adapter = harness.make();
    const auto readSlowly = [](std::shared_ptr<Adapter> over) -> asio::awaitable<bool> {
        auto stream = co_await over->call(AdapterHarness::request(true));
        if (!stream) co_return false;
        while (true) {
            asio::steady_timer pause(co_await asio::this_coro::executor, 90ms);
            co_await pause.async_wait(asio::use_awaitable);
            auto chunk = co_await (*stream)->next();
            if (!chunk) co_return false;
            if (!*chunk) co_return true;
        }
    };
    QVERIFY(runCoroutine(harness.context, readSlowly(*adapter)));
}

void TestOpenAiSockets::F45_cancelled_data() {
    QTest::addColumn<int>("stage");
    QTest::newRow("before the head") << 0;
    QTest::newRow("before the first frame") << 1;
    QTest::newRow("while streaming") << 2;
    QTest::newRow("while connecting") << 3;
}

void TestOpenAiSockets::F45_cancelled() {
    QFETCH(int, stage);
    FullListener full;
    AdapterHarness harness;
    if (stage == 3) harness.provider.baseUrl = full.baseUrl();
    Reply reply;
    if (stage >= 1) reply = Reply::stream();
    if (stage >= 2) reply.event(kText);
    harness.upstream.enqueue(reply.stall());
    auto adapter = harness.make();
    asio::cancellation_signal leave;
    bool ended = false;
    std::string code;
    asio::co_spawn(harness.context, readAnswer(*adapter, AdapterHarness::request(true)),
                   asio::bind_cancellation_slot(leave.slot(), [&](std::exception_ptr, const AdapterAnswer& answer) {
                       ended = true;
                       if (answer.atCall) code = answer.atCall->code;
                   }));
    // Let it get as far as it can, then leave.
    const auto arrived = [&] { return stage == 3 || harness.upstream.requestCount() == 1; };
    const Steady start = std::chrono::steady_clock::now();
    while ((!arrived() || elapsedSince(start) < 50ms) && elapsedSince(start) < 10s) harness.context.run_for(5ms);
    QVERIFY(!ended);
    asio::post(harness.context, [&] { leave.emit(asio::cancellation_type::terminal); });
    harness.context.restart();
    harness.context.run_for(10s);
    QVERIFY(ended);
    QCOMPARE(code == kGivenUpConnecting, stage == 3);
    if (stage != 3) QTRY_COMPARE(harness.upstream.abandoned(), std::size_t{1});
}

/// Given up after one step of its way after the other: either it says that nothing was sent, and nothing was, or it was.
void TestOpenAiSockets::F45_whatWasSentIsKnownAtEveryStep() {
    bool sent = false;
    int steps = 0;
    while (!sent && steps < 100) {
        ++steps;
        SilentListener listener;
        QVERIFY(listener.isListening());
        AdapterHarness harness;
        harness.provider.baseUrl = "http://localhost:" + std::to_string(listener.port()) + "/v1";
        auto adapter = harness.make();
        asio::cancellation_signal leave;
        bool ended = false;
        std::optional<UpstreamFailure> failure;
        asio::co_spawn(harness.context, readAnswer(*adapter, AdapterHarness::request(true)),
                       asio::bind_cancellation_slot(leave.slot(), [&](std::exception_ptr, const AdapterAnswer& answer) {
                           ended = true;
                           failure = answer.atCall;
                       }));
        for (int step = 0; step < steps && !listener.hasBytes(); ++step) harness.context.run_one_for(2s);
        QVERIFY(!ended);
        leave.emit(asio::cancellation_type::terminal);
        while (!ended && harness.context.run_one_for(10s) > 0) continue;
        QVERIFY(ended);
        QVERIFY2(failure, std::to_string(steps).c_str());
        QVERIFY(failure->kind == UpstreamFailure::Kind::cancelled);
        sent = failure->code != kGivenUpConnecting;
        if (sent) QTRY_VERIFY(listener.hasBytes());
        else QVERIFY2(!listener.hasBytes(), std::to_string(steps).c_str());
    }
    QVERIFY(sent);
    QVERIFY2(steps > 2, "looked up, then connected");
}

/// The name has been found, and who waits for it has not had its turn yet.
void TestOpenAiSockets::F45_givenUpBetweenTwoSteps() {
    SilentListener listener;
    AdapterHarness harness;
    harness.provider.baseUrl = "http://localhost:" + std::to_string(listener.port()) + "/v1";
    auto adapter = harness.make();
    asio::cancellation_signal leave;
    bool ended = false, found = false;
    std::optional<UpstreamFailure> failure;
    asio::co_spawn(harness.context, readAnswer(*adapter, AdapterHarness::request(true)),
                   asio::bind_cancellation_slot(leave.slot(), [&](std::exception_ptr, const AdapterAnswer& answer) {
                       ended = true;
                       failure = answer.atCall;
                   }));
    harness.context.run_one();
    // Always the next but one: what the lookup's end brings about comes behind it.
    int turns = 0;
    std::function<void()> turn = [&] {
        ++turns;
        if (found) leave.emit(asio::cancellation_type::terminal);
        else asio::post(harness.context, turn);
    };
    asio::post(harness.context, turn);
    for (int before = -1; before != turns;) {
        before = turns;
        harness.context.run_one();
    }
    found = true;
    while (!ended && harness.context.run_one_for(10s) > 0) continue;
    QVERIFY(ended);
    QVERIFY(failure);
    QCOMPARE(failure->code, std::string(kGivenUpConnecting));
    QVERIFY(!listener.hasBytes());
}

void TestOpenAiSockets::F45_droppedStreamClosesTheSocket() {
    AdapterHarness harness;
    harness.upstream.enqueue(Reply::stream().event(kText).stall());
    auto adapter = harness.make();
    auto stream = runCoroutine(harness.context, (*adapter)->call(AdapterHarness::request(true)));
    QVERIFY(stream);
    QCOMPARE(harness.upstream.abandoned(), std::size_t{0});
    stream->reset();
    QTRY_COMPARE(harness.upstream.abandoned(), std::size_t{1});
}

void TestOpenAiSockets::tlsWithOwnAuthority() {
    AdapterHarness harness(m_tls);
    harness.provider.caFile = m_tls->authority.string();
    const AdapterAnswer first = harness.ask(true, wholeStream());
    QVERIFY2(!first.atCall, first.atCall ? first.atCall->message.c_str() : "");
    QCOMPARE(first.kinds(), "cmd"s);
    harness.provider.baseUrl = "https://localhost:" + std::to_string(harness.upstream.port()) + "/v1";
    const AdapterAnswer named = harness.ask(false, wholeBody());
    QVERIFY2(!named.atCall, named.atCall ? named.atCall->message.c_str() : "");
    QVERIFY(!harness.ask(false, wholeBody()).later);
    QCOMPARE(harness.upstream.requestCount(), std::size_t{3});
    QCOMPARE(harness.upstream.connectionsAccepted(), std::size_t{2});  // one an origin
}

void TestOpenAiSockets::tlsUnknownAuthority() {
    AdapterHarness harness(m_tls);
    const AdapterAnswer answer = harness.ask(false);
    QVERIFY(answer.atCall);
    QVERIFY(answer.atCall->kind == UpstreamFailure::Kind::connect);
    QCOMPARE(answer.atCall->code, "connect_tls"s);
    QCOMPARE(harness.upstream.requestCount(), std::size_t{0});
}

void TestOpenAiSockets::tlsWrongName() {
    const auto other = makeTestCertificates(m_folder.path().toStdString() + "/other", "DNS:elsewhere.example");
    QVERIFY(other);
    AdapterHarness harness(other);
    harness.provider.caFile = other->authority.string();
    const AdapterAnswer answer = harness.ask(false);
    QVERIFY(answer.atCall);
    QCOMPARE(answer.atCall->code, "connect_tls"s);
    QCOMPARE(harness.upstream.requestCount(), std::size_t{0});
}

void TestOpenAiSockets::tlsStallsInTheHandshake() {
    AdapterHarness harness;  // speaks no TLS: waits for the rest of a request that never comes
    harness.provider.baseUrl = "https://127.0.0.1:" + std::to_string(harness.upstream.port());
    harness.provider.connectTimeout = 80ms;
    const AdapterAnswer answer = harness.ask(false);
    QVERIFY(answer.atCall);
    QCOMPARE(answer.atCall->code, "timeout_connect"s);
    QTRY_COMPARE(harness.upstream.openConnections(), std::size_t{0});
}

QTEST_APPLESS_MAIN(TestOpenAiSockets)
#include "tst_openai_sockets.moc"
