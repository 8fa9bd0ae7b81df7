// SPDX-License-Identifier: MIT
// Clients that are slow, too large or ambiguous: each is cut off with a reason, and nothing of it reaches an upstream.
#include "tests/router/gateway/gateway_fixture.h"

#include <QElapsedTimer>
#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;

class GatewayFramingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void trickledBodyIsCutInTheEnd();
    void bodyInManyPiecesIsTaken();
    void framingWithoutEnd_data();
    void framingWithoutEnd();
    void chunksThatCarryNextToNothing();
    void headersWithoutEnd_data();
    void headersWithoutEnd();
    void manyHeadersThatFitAreTaken();
    void ambiguousBytes_data();
    void ambiguousBytes();
    void ambiguousChunks_data();
    void ambiguousChunks();
};

namespace {

const std::string kPostHead = "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n" + kAuth + "\r\n";
const std::string kChunkedHead = kPostHead + "Transfer-Encoding: chunked\r\n\r\n";
const std::string kSecond = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// Sends `piece` again and again until the gateway answers or stops listening; what was sent, in bytes.
std::size_t sendUntilAnswered(RawClient& client, const std::string& piece, std::size_t most) {
    std::size_t sent = 0;
    while (sent < most && client.pending().empty()) {
        if (!client.send(piece))
            break;
        sent += piece.size();
        static_cast<void>(client.waitFor("\r\n\r\n"));
    }
    return sent;
}

} // namespace

/// Never idle for long, and never done: only a limit on the whole ends it.
void GatewayFramingTest::trickledBodyIsCutInTheEnd() {
    FixtureOptions options;
    options.server = "header_timeout_ms = 600\n";
    GatewayFixture gateway(options);
    RawClient client(gateway.port(), 20ms);
    QVERIFY(client.send(kPostHead + "Content-Length: 100000\r\n\r\n"));
    QElapsedTimer timer;
    timer.start();
    while (client.pending().empty() && timer.elapsed() < 10'000) {
        static_cast<void>(client.send(" "));
        static_cast<void>(client.waitFor("\r\n\r\n"));
    }
    const auto response = client.response();
    QVERIFY(response);
    QCOMPARE(response->status, 408);
    QVERIFY2(timer.elapsed() >= 600, "not before a header timeout is over");
    QCOMPARE(gateway.refusals("body_timeout"), std::uint64_t{1});
    QVERIFY(gateway.upstream().requests().empty());
    QTRY_COMPARE(gateway.server().counters().inFlight, std::uint32_t{0});
}

/// Slower than one header timeout for the whole, and fast enough for its size.
void GatewayFramingTest::bodyInManyPiecesIsTaken() {
    FixtureOptions options;
    options.server = "header_timeout_ms = 300\n";
    GatewayFixture gateway(options);
    const std::string piece(20'000, ' ');
    constexpr int kPieces = 40;
    const std::string json = R"({"model":"model-a"})";
    RawClient client(gateway.port(), 20ms);
    QVERIFY(client.send(kPostHead + "Content-Length: " + std::to_string(piece.size() * kPieces + json.size()) + "\r\n\r\n"));
    for (int i = 0; i < kPieces; ++i) {
        QVERIFY(client.send(piece));
        QVERIFY2(!client.waitFor("\r\n\r\n"), "it must not be cut");
    }
    QVERIFY(client.send(json));
    QTRY_VERIFY(client.waitFor("\r\n\r\n"));
    QCOMPARE(client.response()->status, 200);
}

void GatewayFramingTest::framingWithoutEnd_data() {
    QTest::addColumn<QByteArray>("start");
    QTest::newRow("chunk extension") << QByteArray("5;name=");
    QTest::newRow("chunk size") << QByteArray("0");
    QTest::newRow("trailer") << QByteArray("0\r\nX-Trailer: ");
    QTest::newRow("trailer after data") << QByteArray("2\r\n{}\r\n0\r\nX-Trailer: ");
}

/// What the parser waits for without an end of its own must not fill the memory.
void GatewayFramingTest::framingWithoutEnd() {
    QFETCH(QByteArray, start);
    GatewayFixture gateway;
    RawClient client(gateway.port(), 5ms);
    QVERIFY(client.send(kChunkedHead + start.toStdString()));
    constexpr std::size_t kMost = std::size_t{4} << 20;
    QVERIFY2(sendUntilAnswered(client, std::string(4096, '0'), kMost) < kMost, "it is taken without end");
    RawClient patient = std::move(client);
    QTRY_VERIFY(patient.waitFor("\r\n\r\n"));
    QCOMPARE(patient.response()->status, 400);
    QVERIFY(gateway.upstream().requests().empty());
}

void GatewayFramingTest::chunksThatCarryNextToNothing() {
    GatewayFixture gateway;
    RawClient client(gateway.port(), 1ms);
    QVERIFY(client.send(kChunkedHead));
    const std::string chunk = "1;e=" + std::string(4000, 'x') + "\r\n \r\n";
    constexpr std::size_t kMost = std::size_t{8} << 20;
    QVERIFY2(sendUntilAnswered(client, chunk, kMost) < kMost, "4 KB for one byte, again and again");
    QTRY_VERIFY(client.waitFor("\r\n\r\n"));
    QCOMPARE(client.response()->status, 400);
}

void GatewayFramingTest::headersWithoutEnd_data() {
    QTest::addColumn<QByteArray>("piece");
    QTest::newRow("one header without end") << QByteArray(1000, 'x');
    QTest::newRow("headers without end") << QByteArray("X-Filler: 0123456789\r\n").repeated(50);
    QTest::newRow("empty lines before the request") << QByteArray("\r\n").repeated(500);
}

void GatewayFramingTest::headersWithoutEnd() {
    QFETCH(QByteArray, piece);
    GatewayFixture gateway;
    RawClient client(gateway.port(), 5ms);
    const bool before = piece.startsWith("\r\n");
    QVERIFY(client.send(before ? "" : "GET /livez HTTP/1.1\r\nHost: localhost\r\nX: "));
    constexpr std::size_t kMost = std::size_t{4} << 20;
    QVERIFY2(sendUntilAnswered(client, piece.toStdString(), kMost) < kMost, "it is taken without end");
    QTRY_VERIFY(client.waitFor("\r\n\r\n"));
    const int status = client.response()->status;
    QVERIFY2(status == 431 || (before && status == 400), qPrintable(QString::number(status)));
}

void GatewayFramingTest::manyHeadersThatFitAreTaken() {
    GatewayFixture gateway;
    RequestLines lines{"GET", "/livez", std::vector<std::string>(1000, "X-Filler: 0123456789"), {}};
    QCOMPARE(fetch(gateway.port(), lines)->status, 200);
    lines.headers = {"X-Long: " + std::string(60'000, 'x')};
    QCOMPARE(fetch(gateway.port(), lines)->status, 200);
}

/// With the NULs in it.
template <std::size_t N>
static std::string whole(const char (&text)[N]) {
    return {text, N - 1};
}

void GatewayFramingTest::ambiguousBytes_data() {
    QTest::addColumn<QByteArray>("head");
    const auto row = [](const char* tag, const std::string& head) { QTest::newRow(tag) << QByteArray::fromStdString(head); };
    row("bare LF after the request line", "GET /livez HTTP/1.1\nHost: localhost\r\n\r\n");
    row("bare LF after a header", "GET /livez HTTP/1.1\r\nHost: localhost\n\r\n");
    row("bare CR in a header", "GET /livez HTTP/1.1\r\nHost: localhost\r\nX: a\rb\r\n\r\n");
    row("NUL in a name", whole("GET /livez HTTP/1.1\r\nHost: localhost\r\nX\0Y: a\r\n\r\n"));
    row("NUL in a value", whole("GET /livez HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n"));
    row("NUL in the target", whole("GET /livez\0x HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    row("space before the first header", "GET /livez HTTP/1.1\r\n Host: localhost\r\n\r\n");
    row("space in a name", "GET /livez HTTP/1.1\r\nHost: localhost\r\nContent Length: 5\r\n\r\n");
    row("no colon", "GET /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length\r\n\r\n");
    row("negative length", kPostHead + "Content-Length: -1\r\n\r\n");
    row("length in hex", kPostHead + "Content-Length: 0x5\r\n\r\nhello");
    row("length too large for anything", kPostHead + "Content-Length: 99999999999999999999999\r\n\r\n");
    row("two lengths in one", kPostHead + "Content-Length: 5, 6\r\n\r\nhello");
    row("another version", "GET /livez HTTP/2.0\r\nHost: localhost\r\n\r\n");
    row("two spaces", "GET  /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
    row("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    row("TLS hello", std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 15));
}

/// Two readers could see two different requests in these bytes, so none is served, nor what follows them.
void GatewayFramingTest::ambiguousBytes() {
    QFETCH(QByteArray, head);
    GatewayFixture gateway;
    RawClient client(gateway.port());
    QVERIFY(client.send(head.toStdString() + kSecond));
    const auto response = client.response();
    QVERIFY(response);
    QVERIFY2(response->status == 400 || response->status == 413, qPrintable(QString::number(response->status)));
    QVERIFY(client.closedByPeer());
    QVERIFY2(client.pending().find("HTTP/1.1 200") == std::string::npos, client.pending().c_str());
    QVERIFY(gateway.upstream().requests().empty());
    QVERIFY(gateway.records().empty());
}

void GatewayFramingTest::ambiguousChunks_data() {
    QTest::addColumn<QByteArray>("chunks");
    QTest::newRow("size in words") << QByteArray("five\r\nhello\r\n0\r\n\r\n");
    QTest::newRow("negative size") << QByteArray("-5\r\nhello\r\n0\r\n\r\n");
    QTest::newRow("size with 0x") << QByteArray("0x5\r\nhello\r\n0\r\n\r\n");
    QTest::newRow("size too large for anything") << QByteArray("fffffffffffffffff\r\nhello\r\n0\r\n\r\n");
    QTest::newRow("no size") << QByteArray("\r\nhello\r\n0\r\n\r\n");
    QTest::newRow("more than announced") << QByteArray("2\r\nhello\r\n0\r\n\r\n");
    QTest::newRow("less than announced") << QByteArray("7\r\nhello\r\n0\r\n\r\n");
    QTest::newRow("bare LF after the size") << QByteArray("5\nhello\r\n0\r\n\r\n");
    QTest::newRow("bare LF after the data") << QByteArray("5\r\nhello\n0\r\n\r\n");
    QTest::newRow("LF in the last chunk") << QByteArray("0\n\n");
    QTest::newRow("LF in an extension") << QByteArray("5;a\nb\r\nhello\r\n0\r\n\r\n");
    QTest::newRow("NUL in the size") << QByteArray("5\0\r\nhello\r\n0\r\n\r\n", 17);
}

void GatewayFramingTest::ambiguousChunks() {
    QFETCH(QByteArray, chunks);
    FixtureOptions options;
    options.server = "header_timeout_ms = 400\n"; // what looks unfinished is not waited for
    GatewayFixture gateway(options);
    RawClient client(gateway.port());
    QVERIFY(client.send(kChunkedHead + chunks.toStdString() + kSecond));
    const auto response = client.response();
    QVERIFY(response);
    QVERIFY2(response->status == 400 || response->status == 408, qPrintable(QString::number(response->status)));
    QVERIFY(client.closedByPeer());
    QVERIFY2(client.pending().find("HTTP/1.1 200") == std::string::npos, client.pending().c_str());
    QVERIFY(gateway.upstream().requests().empty());
    QVERIFY(gateway.records().empty());
}

QTEST_APPLESS_MAIN(GatewayFramingTest)
#include "tst_gateway_framing.moc"
