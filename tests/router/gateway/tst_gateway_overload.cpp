// SPDX-License-Identifier: MIT
// Too much at once: nothing waits in a queue, memory stays what it is, and whoever does nothing keeps nobody out.
#include "tests/router/gateway/gateway_fixture.h"
#include "tests/support/sanitized.h"

#include <QElapsedTimer>
#include <QTest>
#include <arpa/inet.h>
#include <atomic>
#include <fcntl.h>
#include <fstream>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;

class GatewayOverloadTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void beyondTheLimitIs429BeforeTheBody();
    void unfinishedBodiesHoldTheirPlace();
    void refusedRequestsHoldNoPlace();
    void idleConnectionsMakeRoom();
    void slowHeadersMakeRoom();
    void whoIsServedIsNotPushedOut();
    void pipelinedRequestsOfOneWhoDoesNotRead();
    void streamsThatNobodyReadsPauseTheirUpstream();
};

namespace {

const std::string kWhole = R"({"model":"model-a"})";
const std::string kStream = R"({"model":"model-a","stream":true})";
const std::string kPostHead = "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n" + kAuth + "\r\n";
const std::string kLive = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n";

FixtureOptions oneThread(const std::string& server, std::size_t connections = 0) {
    FixtureOptions options;
    options.server = server;
    options.threads = 1;
    options.maxConnections = connections;
    return options;
}

std::size_t residentBytes() {
    std::ifstream file("/proc/self/statm");
    std::size_t all = 0, resident = 0;
    file >> all >> resident;
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

/// An upstream that sends one endless stream to everybody, as fast as it is taken, and counts what was.
class Gusher {
public:
    Gusher() : m_listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* generic = reinterpret_cast<sockaddr*>(&address);
        if (::bind(m_listener, generic, size) != 0 || ::listen(m_listener, 64) != 0 ||
            ::getsockname(m_listener, generic, &size) != 0)
            throw std::runtime_error("the gusher cannot listen");
        m_port = ntohs(address.sin_port);
        m_thread = std::thread([this] { run(); });
    }
    ~Gusher() {
        m_stopping = true;
        m_thread.join();
        ::close(m_listener);
    }
    Gusher(const Gusher&) = delete;
    Gusher& operator=(const Gusher&) = delete;
    [[nodiscard]] std::string baseUrl() const { return "http://127.0.0.1:" + std::to_string(m_port) + "/v1"; }
    [[nodiscard]] std::size_t taken() const { return m_taken; }
    [[nodiscard]] std::size_t open() const { return m_open; }

private:
    struct Peer {
        int fd;
        bool asked = false;
        std::size_t at = 0; ///< in the chunk that is being sent
    };

    void run() {
        const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
        const std::string event = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + std::string(16'000, 'x') + "\"}}]}\n\n";
        std::array<char, 16> size{};
        std::snprintf(size.data(), size.size(), "%zx\r\n", event.size());
        const std::string chunk = size.data() + event + "\r\n";
        std::vector<Peer> peers;
        while (!m_stopping) {
            std::vector<pollfd> fds{{m_listener, POLLIN, 0}};
            for (const Peer& peer : peers)
                fds.push_back({peer.fd, static_cast<short>(peer.asked ? POLLOUT : POLLIN), 0});
            if (::poll(fds.data(), fds.size(), 20) < 0)
                return;
            std::vector<Peer> next;
            for (std::size_t i = 0; i < peers.size(); ++i) {
                Peer peer = peers[i];
                if (fds[i + 1].revents == 0 || serve(peer, fds[i + 1].revents, head, chunk))
                    next.push_back(peer);
                else
                    ::close(peer.fd);
            }
            if (fds[0].revents != 0)
                next.push_back({::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)});
            peers = std::move(next);
            m_open = peers.size();
        }
        for (const Peer& peer : peers)
            ::close(peer.fd);
    }

    bool serve(Peer& peer, short events, const std::string& head, const std::string& chunk) {
        if ((events & (POLLERR | POLLHUP)) != 0)
            return false;
        if (!peer.asked) {
            std::array<char, 4096> request{};
            peer.asked = ::recv(peer.fd, request.data(), request.size(), 0) > 0;
            return peer.asked && ::send(peer.fd, head.data(), head.size(), MSG_NOSIGNAL) > 0;
        }
        const ssize_t sent = ::send(peer.fd, chunk.data() + peer.at, chunk.size() - peer.at, MSG_NOSIGNAL);
        if (sent <= 0)
            return errno == EAGAIN;
        m_taken += static_cast<std::size_t>(sent);
        peer.at = (peer.at + static_cast<std::size_t>(sent)) % chunk.size();
        return true;
    }

    int m_listener;
    std::uint16_t m_port = 0;
    std::atomic<bool> m_stopping{false};
    std::atomic<std::size_t> m_taken{0}, m_open{0};
    std::thread m_thread;
};

/// The number, once it stands still for a while.
template <typename Read>
std::size_t settled(Read read) {
    QElapsedTimer all, still;
    all.start();
    still.start();
    std::size_t last = read();
    while (still.elapsed() < 500 && all.elapsed() < 20'000) {
        QTest::qWait(20);
        if (const std::size_t now = read(); now != last) {
            last = now;
            still.restart();
        }
    }
    return last;
}

/// As many of these bytes, again and again, as the gateway takes without being read from.
std::size_t pushWithoutReading(std::uint16_t port, const std::string& text, std::size_t most) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::size_t sent = 0;
    if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
        pollfd ready{fd, POLLOUT, 0};
        while (sent < most && ::poll(&ready, 1, 1000) > 0) {
            const ssize_t put = ::send(fd, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (put <= 0 && errno != EAGAIN)
                break;
            sent += put > 0 ? static_cast<std::size_t>(put) : 0;
        }
    }
    ::close(fd);
    return sent;
}

} // namespace

void GatewayOverloadTest::beyondTheLimitIs429BeforeTheBody() {
    GatewayFixture gateway(oneThread("max_concurrent_requests = 2\n"));
    gateway.upstream().setScript([](const auto&) {
        FakeReply reply = FakeReply::whole("{}");
        reply.firstDelay = 600ms;
        return reply;
    });
    std::vector<RawClient> served;
    for (int i = 0; i < 2; ++i) {
        served.emplace_back(gateway.port());
        QVERIFY(served.back().send(requestText({"POST", "/v1/chat/completions", {kAuth}, kWhole})));
    }
    QTRY_COMPARE(gateway.upstream().active(), 2);
    // Its body never comes: the answer must not wait for it, nor anything be kept for it.
    RawClient third(gateway.port());
    QVERIFY(third.send(kPostHead + "Content-Length: 30000000\r\n\r\n"));
    const auto refused = third.response();
    QVERIFY(refused && refused->complete);
    QCOMPARE(refused->status, 429);
    QCOMPARE(refused->header("retry-after"), std::string("1"));
    QVERIFY2(!refused->header("x-request-id").empty(), "it can be asked about");
    QVERIFY2(refused->body.find("max_concurrent_requests") != std::string::npos, refused->body.c_str());
    QCOMPARE(gateway.refusals("too_many_requests"), std::uint64_t{1});
    for (RawClient& client : served)
        QCOMPARE(client.response()->status, 200);
    gateway.upstream().setScript({});
    QCOMPARE(gateway.post(kWhole)->status, 200);
    QCOMPARE(gateway.records().size(), std::size_t{3});
}

/// Bodies that are on their way are memory, so they count; and they are cut before long.
void GatewayOverloadTest::unfinishedBodiesHoldTheirPlace() {
    GatewayFixture gateway(oneThread("max_concurrent_requests = 2\nheader_timeout_ms = 1000\n"));
    std::vector<RawClient> slow;
    for (int i = 0; i < 2; ++i) {
        slow.emplace_back(gateway.port());
        QVERIFY(slow.back().send(kPostHead + "Content-Length: 50000\r\n\r\n{"));
    }
    QTRY_COMPARE(gateway.server().counters().inFlight, std::uint32_t{2});
    QCOMPARE(gateway.post(kWhole)->status, 429);
    for (RawClient& client : slow)
        QCOMPARE(client.response()->status, 408);
    QCOMPARE(gateway.post(kWhole)->status, 200);
    // A client that leaves in the middle of its body gives its place back at once.
    {
        RawClient leaver(gateway.port());
        QVERIFY(leaver.send(kPostHead + "Content-Length: 50000\r\n\r\n{"));
        QTRY_COMPARE(gateway.server().counters().inFlight, std::uint32_t{1});
    }
    QTRY_COMPARE(gateway.server().counters().inFlight, std::uint32_t{0});
}

void GatewayOverloadTest::refusedRequestsHoldNoPlace() {
    GatewayFixture gateway(oneThread("max_concurrent_requests = 1\n"));
    const std::vector<std::string> bad{"hello", "{}", R"({"model":"nobody"})", R"({"model":"model-a","model":"x"})"};
    for (int i = 0; i < 3; ++i) {
        for (const std::string& body : bad)
            QVERIFY(gateway.post(body)->status != 429);
        QCOMPARE(fetch(gateway.port(), {"POST", "/v1/chat/completions", {}, kWhole})->status, 401);
        QCOMPARE(gateway.post(kWhole)->status, 200);
    }
    QCOMPARE(gateway.server().counters().inFlight, std::uint32_t{0});
}

void GatewayOverloadTest::idleConnectionsMakeRoom() {
    GatewayFixture gateway(oneThread("idle_timeout_ms = 60000\n", 4));
    std::vector<RawClient> idle;
    for (int i = 0; i < 4; ++i) {
        idle.emplace_back(gateway.port());
        QVERIFY(idle.back().send(kLive));
        QCOMPARE(idle.back().response()->status, 200);
    }
    RawClient fifth(gateway.port());
    QVERIFY(fifth.send(kLive));
    QCOMPARE(fifth.response()->status, 200);
    QVERIFY2(idle.front().closedByPeer(), "the one that waited longest went");
    QVERIFY2(idle.front().pending().empty(), "without a word, as any idle connection");
    for (std::size_t i = 1; i < idle.size(); ++i) {
        QVERIFY(idle[i].send(kLive));
        QCOMPARE(idle[i].response()->status, 200);
    }
    QCOMPARE(gateway.refusals("too_many_connections"), std::uint64_t{0});
}

/// A head that drips in is no request yet.
void GatewayOverloadTest::slowHeadersMakeRoom() {
    GatewayFixture gateway(oneThread("header_timeout_ms = 60000\nidle_timeout_ms = 60000\n", 3));
    std::vector<RawClient> slow;
    for (int i = 0; i < 20; ++i) {
        slow.emplace_back(gateway.port());
        QVERIFY(slow.back().send("GET /livez HTTP/1.1\r\nX"));
        QCOMPARE(fetch(gateway.port(), {"GET", "/livez", {}, {}})->status, 200);
    }
    QVERIFY(slow.front().closedByPeer());
    QCOMPARE(gateway.refusals("too_many_connections"), std::uint64_t{0});
}

void GatewayOverloadTest::whoIsServedIsNotPushedOut() {
    GatewayFixture gateway(oneThread("", 2));
    gateway.upstream().setScript([](const auto&) {
        FakeReply reply = FakeReply::whole("{}");
        reply.firstDelay = 600ms;
        return reply;
    });
    std::vector<RawClient> served;
    for (int i = 0; i < 2; ++i) {
        served.emplace_back(gateway.port());
        QVERIFY(served.back().send(requestText({"POST", "/v1/chat/completions", {kAuth}, kWhole})));
    }
    QTRY_COMPARE(gateway.upstream().active(), 2);
    RawClient third(gateway.port());
    const auto refused = third.response();
    QVERIFY(refused && refused->complete);
    QCOMPARE(refused->status, 503);
    QVERIFY(!refused->header("retry-after").empty());
    QVERIFY(third.closedByPeer());
    QCOMPARE(gateway.refusals("too_many_connections"), std::uint64_t{1});
    for (RawClient& client : served)
        QCOMPARE(client.response()->status, 200);
    QCOMPARE(fetch(gateway.port(), {"GET", "/livez", {}, {}})->status, 200);
}

/// Answers that nobody takes stop the reading of further questions.
void GatewayOverloadTest::pipelinedRequestsOfOneWhoDoesNotRead() {
    GatewayFixture gateway(oneThread("idle_timeout_ms = 60000\n"));
    const std::size_t before = residentBytes();
    const std::string many = [] {
        std::string text;
        for (int i = 0; i < 500; ++i)
            text += "GET /v1/models HTTP/1.1\r\nHost: localhost\r\n" + kAuth + "\r\n\r\n";
        return text;
    }();
    constexpr std::size_t kMost = std::size_t{256} << 20;
    const std::size_t pushed = pushWithoutReading(gateway.port(), many, kMost);
    QVERIFY2(pushed < kMost, "questions are taken without end");
    const std::size_t grown = residentBytes() - std::min(residentBytes(), before);
    QVERIFY2(!kMemoryTells || grown < (std::size_t{8} << 20), qPrintable(QString::number(grown)));
    QCOMPARE(fetch(gateway.port(), {"GET", "/livez", {}, {}})->status, 200);
}

/// What the kernel buffers is bounded by the system; what we hold is a chunk or two a stream.
void GatewayOverloadTest::streamsThatNobodyReadsPauseTheirUpstream() {
    Gusher gusher;
    FixtureOptions options = oneThread("idle_timeout_ms = 60000\n");
    options.upstreams = {{"up", gusher.baseUrl()}};
    constexpr std::size_t kStreams = 12;
    std::vector<RawClient> readers;
    {
        GatewayFixture gateway(options);
        const auto open = [&] {
            readers.emplace_back(gateway.port());
            readers.back().setReceiveBuffer(64 << 10);
            QVERIFY(readers.back().send(requestText({"POST", "/v1/chat/completions", {kAuth}, kStream})));
            QVERIFY(readers.back().waitFor("xxx"));
        };
        open();
        settled([&] { return gusher.taken(); });
        const std::size_t before = residentBytes(), oneTook = gusher.taken();
        while (readers.size() < kStreams)
            open();
        const std::size_t all = settled([&] { return gusher.taken(); });
        QTest::qWait(300);
        QVERIFY2(gusher.taken() == all, "the upstream is held back");
        // 4 MiB of sending and 6 MiB of receiving is what Linux gives a socket; two sockets of ours stand in the way.
        QVERIFY2(oneTook < (std::size_t{24} << 20), qPrintable(QString::number(oneTook)));
        const std::size_t grown = residentBytes() - std::min(residentBytes(), before);
        QVERIFY2(!kMemoryTells || grown / (kStreams - 1) < (std::size_t{192} << 10),
                 qPrintable(QStringLiteral("%1 bytes a stream").arg(grown / (kStreams - 1))));
        QCOMPARE(gateway.server().counters().inFlight, std::uint32_t{kStreams});
        readers.clear();
        QTRY_COMPARE(gateway.server().counters().inFlight, std::uint32_t{0});
        QTRY_COMPARE(gusher.open(), std::size_t{0});
        for (const evidence::DecisionRecord& record : gateway.records())
            QVERIFY(record.outcome == evidence::Outcome::cancelled);
    }
}

QTEST_GUILESS_MAIN(GatewayOverloadTest)
#include "tst_gateway_overload.moc"
