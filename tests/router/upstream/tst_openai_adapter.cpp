// SPDX-License-Identifier: MIT
// What the adapter makes of the answers that an upstream may give; of what is none, see tst_openai_failures.
#include "tests/router/upstream/adapter_harness.h"

#include <QTest>
#include <zlib.h>

using namespace signalbox;
using namespace signalbox::dispatch;
using namespace signalbox::test;
using namespace std::chrono_literals;
using namespace std::string_literals;

namespace {

const std::string kRole = R"({"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]})";
const std::string kText = "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"h\xC3\xA9llo \xE4\xBF\xA1\xE5\x8F\xB7 \xF0\x9F\x9A\x82\"}}]}";
const std::string kFinish = R"({"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})";
const std::string kUsage = R"({"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":2}}})";

std::string frame(const std::string& data) { return "data: " + data + "\n\n"; }
std::string wholeStreamBytes() { return frame(kRole) + frame(kText) + frame(kFinish) + frame(kUsage) + frame("[DONE]"); }

Reply wholeStream(std::size_t pieces = 0, std::string headers = {}) {
    Reply reply = Reply::stream(std::move(headers));
    if (pieces != 0) reply.inPieces(pieces);
    return reply.event(kRole).event(kText).event(kFinish).event(kUsage).event("[DONE]").end();
}

/// `windowBits` as zlib wants them: with 16 more for gzip, negative for no frame at all.
std::string compressed(const std::string& text, int windowBits) {
    z_stream stream{};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY) != Z_OK) return {};
    std::string out(deflateBound(&stream, text.size()) + 64, '\0');
    std::string in = text;
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

std::string gzipped(const std::string& text) { return compressed(text, 15 + 16); }

}  // namespace

class TestOpenAiAdapter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void wholeAnswer();
    void streamedAnswer();
    void F14_F15_streamInPiecesOfAnySize_data();
    void F14_F15_streamInPiecesOfAnySize();
    void F14_lineEnds_data();
    void F14_lineEnds();
    void F14_oversizedEvent();
    void F3_errorFrameFirst_data();
    void F3_errorFrameFirst();
    void F7_errorFrameLater();
    void F9_usageChunks_data();
    void F9_usageChunks();
    void F4_endings_data();
    void F4_endings();
    void F39_identityIsAskedFor();
    void F39_encodedAnyway_data();
    void F39_encodedAnyway();
    void F41_hopByHopHeadersStayBehind();
    void F22_toolCallsAreCounted();
    void F24_missingIndicesReachTheClient();
    void requestGoesOutByteForByte();
    void staticHeadersAreSent();
    void configurationErrors_data();
    void configurationErrors();
    void keyMayBeMissingWhenNotRequired();
};

void TestOpenAiAdapter::wholeAnswer() {
    AdapterHarness harness;
    const std::string body = R"({"choices":[{"message":{"content":"hi"}}],"usage":{"prompt_tokens":3,"completion_tokens":1}})";
    const AdapterAnswer answer = harness.ask(false, Reply::json(body));
    QVERIFY(!answer.atCall && !answer.later);
    QCOMPARE(answer.kinds(), "b"s);
    QCOMPARE(answer.bytes(), body);
    QCOMPARE(answer.head.status, 200);
    QCOMPARE(answer.head.contentType, "application/json"s);
    QVERIFY(!answer.head.simulated);
    QVERIFY((answer.usage == Usage{3, std::nullopt, 1}));
}

void TestOpenAiAdapter::streamedAnswer() {
    AdapterHarness harness;
    const AdapterAnswer answer = harness.ask(true, wholeStream());
    QVERIFY(!answer.atCall && !answer.later);
    QCOMPARE(answer.kinds(), "mcmud"s);
    QCOMPARE(answer.bytes(), wholeStreamBytes());
    QVERIFY((answer.usage == Usage{9, 2, 4}));
}

void TestOpenAiAdapter::F14_F15_streamInPiecesOfAnySize_data() {
    QTest::addColumn<int>("pieces");
    for (const int pieces : {1, 2, 3, 5, 7, 11, 64, 333}) QTest::addRow("%d bytes", pieces) << pieces;
}

void TestOpenAiAdapter::F14_F15_streamInPiecesOfAnySize() {
    QFETCH(int, pieces);
    AdapterHarness harness;
    const AdapterAnswer answer = harness.ask(true, wholeStream(static_cast<std::size_t>(pieces)));
    QVERIFY(!answer.atCall && !answer.later);
    QCOMPARE(answer.kinds(), "mcmud"s);
    QCOMPARE(answer.bytes(), wholeStreamBytes());
}

void TestOpenAiAdapter::F14_lineEnds_data() {
    QTest::addColumn<QByteArray>("end");
    QTest::addColumn<QByteArray>("colon");
    QTest::newRow("LF") << QByteArray("\n") << QByteArray(": ");
    QTest::newRow("CR") << QByteArray("\r") << QByteArray(": ");
    QTest::newRow("CRLF") << QByteArray("\r\n") << QByteArray(": ");
    QTest::newRow("CRLF, no space") << QByteArray("\r\n") << QByteArray(":");
}

void TestOpenAiAdapter::F14_lineEnds() {
    QFETCH(QByteArray, end);
    QFETCH(QByteArray, colon);
    const std::string two = (end + end).toStdString();
    Reply reply = Reply::stream();
    for (const std::string& data : {kText, kFinish, "[DONE]"s}) reply.chunk("data" + colon.toStdString() + data + two);
    AdapterHarness harness;
    const AdapterAnswer answer = harness.ask(true, reply.end());
    QCOMPARE(answer.kinds(), "cmd"s);
    QCOMPARE(answer.bytes(), frame(kText) + frame(kFinish) + frame("[DONE]"));
}

void TestOpenAiAdapter::F14_oversizedEvent() {
    AdapterHarness harness;
    const AdapterAnswer answer = harness.ask(true, Reply::stream().event(kText).chunk("data: " + std::string(2 << 20, 'x')).end());
    QVERIFY(answer.later);
    QVERIFY(answer.later->kind == UpstreamFailure::Kind::protocol);
    QCOMPARE(answer.later->code, "event_too_large"s);
}

void TestOpenAiAdapter::F3_errorFrameFirst_data() {
    QTest::addColumn<QByteArray>("chunk");
    QTest::addColumn<int>("status");
    QTest::newRow("400") << QByteArray("data: {\"error\":{\"message\":\"bad\",\"code\":400}}\n\n") << 400;
    QTest::newRow("429 as a string") << QByteArray("data: {\"error\":{\"message\":\"slow\",\"code\":\"429\"}}\n\n") << 429;
    QTest::newRow("500 by type") << QByteArray("data: {\"error\":{\"message\":\"oh\",\"type\":\"server_error\"}}\n\n") << 500;
    QTest::newRow("no code") << QByteArray("data: {\"error\":\"oh\"}\n\n") << 0;
    QTest::newRow("named event") << QByteArray("event: error\ndata: {\"message\":\"oh\",\"code\":503}\n\n") << 503;
    QTest::newRow("after a comment") << QByteArray(": waiting\n\ndata: {\"error\":{\"code\":502}}\n\n") << 502;
}

void TestOpenAiAdapter::F3_errorFrameFirst() {
    QFETCH(QByteArray, chunk);
    QFETCH(int, status);
    AdapterHarness harness;
    const AdapterAnswer answer = harness.ask(true, Reply::stream().chunk(chunk.toStdString()).end());
    QVERIFY(answer.atCall);
    QVERIFY(answer.atCall->kind == UpstreamFailure::Kind::errorFrame);
    QCOMPARE(answer.atCall->status, status);
    QCOMPARE(answer.atCall->code, status != 0 ? "error_frame_" + std::to_string(status) : "error_frame"s);
    QVERIFY(!answer.atCall->body.empty());
}

void TestOpenAiAdapter::F7_errorFrameLater() {
    AdapterHarness harness;
    const AdapterAnswer answer = harness.ask(true, Reply::stream().event(kText).event(R"({"error":{"message":"gone","code":503}})").end());
    QVERIFY(!answer.atCall);
    QCOMPARE(answer.kinds(), "c"s);
    QVERIFY(answer.later);
    QVERIFY(answer.later->kind == UpstreamFailure::Kind::errorFrame);
    QCOMPARE(answer.later->status, 503);
}

void TestOpenAiAdapter::F9_usageChunks_data() {
    QTest::addColumn<QByteArray>("chunk");
    QTest::addColumn<QString>("kinds");
    QTest::newRow("empty choices") << QByteArray(R"({"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4}})") << "cmud";
    QTest::newRow("absent choices") << QByteArray(R"({"usage":{"prompt_tokens":9,"completion_tokens":4}})") << "cmud";
    QTest::newRow("null choices") << QByteArray(R"({"choices":null,"usage":{"prompt_tokens":9,"completion_tokens":4}})") << "cmud";
    QTest::newRow("usage beside a choice") << QByteArray(R"({"choices":[{"delta":{}}],"usage":{"prompt_tokens":9,"completion_tokens":4}})") << "cmmd";
}

void TestOpenAiAdapter::F9_usageChunks() {
    QFETCH(QByteArray, chunk);
    QFETCH(QString, kinds);
    AdapterHarness harness;
    const AdapterAnswer answer = harness.ask(true, Reply::stream().event(kText).event(kFinish).event(chunk.toStdString()).event("[DONE]").end());
    QVERIFY(!answer.later);
    QCOMPARE(QString::fromStdString(answer.kinds()), kinds);
    QVERIFY((answer.usage == Usage{9, std::nullopt, 4}));
}

void TestOpenAiAdapter::F4_endings_data() {
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<QString>("code");
    const auto bytes = [](const std::string& text) { return QByteArray::fromStdString(text); };
    QTest::newRow("without DONE but finished") << bytes(frame(kText) + frame(kFinish)) << "";
    QTest::newRow("DONE without a blank line") << bytes(frame(kText) + "data: [DONE]") << "";
    QTest::newRow("bytes after DONE") << bytes(frame(kText) + frame("[DONE]") + frame("junk")) << "";
    QTest::newRow("cut off after text") << bytes(frame(kText)) << "ended_early";
    QTest::newRow("cut off, its reason empty until then") << bytes(frame(R"({"choices":[{"delta":{"content":"a"},"finish_reason":""}]})")) << "ended_early";
    QTest::newRow("finished, its reason empty until then") << bytes(frame(R"({"choices":[{"delta":{"content":"a"},"finish_reason":""}]})") + frame(kFinish)) << "";
    QTest::newRow("cut off in an event") << bytes(frame(kText) + "data: {\"choices\":[") << "malformed_event";
    QTest::newRow("junk") << bytes(frame(kText) + frame("junk")) << "malformed_event";
}

void TestOpenAiAdapter::F4_endings() {
    QFETCH(QByteArray, stream);
    QFETCH(QString, code);
    AdapterHarness harness;
    const AdapterAnswer answer = harness.ask(true, Reply::stream().chunk(stream.toStdString()).end());
    QVERIFY(!answer.atCall);
    QCOMPARE(answer.kinds().front(), 'c');
    QCOMPARE(answer.later ? QString::fromStdString(answer.later->code) : QString(), code);
}

void TestOpenAiAdapter::F39_identityIsAskedFor() {
    AdapterHarness harness;
    UpstreamRequest request = AdapterHarness::request(true);
    request.headers = {{"Accept-Encoding", "gzip, br"}};
    harness.upstream.enqueue(wholeStream());
    QVERIFY(!harness.ask(std::move(request)).later);
    const ReceivedRequest got = harness.upstream.requests().at(0);
    QCOMPARE(got.header("Accept-Encoding"), "identity"s);
    QVERIFY(got.head.find("gzip") == std::string::npos);
}

void TestOpenAiAdapter::F39_encodedAnyway_data() {
    QTest::addColumn<QByteArray>("encoding");
    QTest::addColumn<QString>("what");
    QTest::addColumn<bool>("stream");
    QTest::addColumn<QString>("code");
    QTest::newRow("gzip, whole") << QByteArray("gzip") << "good" << false << "";
    QTest::newRow("gzip, stream") << QByteArray("gzip") << "good" << true << "";
    QTest::newRow("x-gzip") << QByteArray("x-gzip") << "good" << false << "";
    QTest::newRow("identity") << QByteArray("identity") << "plain" << false << "";
    QTest::newRow("deflate") << QByteArray("deflate") << "zlib" << false << "";
    QTest::newRow("deflate, stream") << QByteArray("deflate") << "zlib" << true << "";
    QTest::newRow("deflate without its frame") << QByteArray("deflate") << "bare" << false << "corrupt_encoding";
    QTest::newRow("zstd") << QByteArray("zstd") << "plain" << true << "unusable_encoding";
    QTest::newRow("two lines") << QByteArray("gzip\r\nContent-Encoding: br") << "good" << false << "unusable_encoding";
    QTest::newRow("brotli") << QByteArray("br") << "plain" << false << "unusable_encoding";
    QTest::newRow("two encodings") << QByteArray("gzip, br") << "plain" << true << "unusable_encoding";
    QTest::newRow("gzip that is none") << QByteArray("gzip") << "plain" << false << "corrupt_encoding";
    QTest::newRow("gzip cut off") << QByteArray("gzip") << "half" << false << "corrupt_encoding";
    QTest::newRow("gzip bomb") << QByteArray("gzip") << "bomb" << false << "answer_too_large";
}

void TestOpenAiAdapter::F39_encodedAnyway() {
    QFETCH(QByteArray, encoding);
    QFETCH(QString, what);
    QFETCH(bool, stream);
    QFETCH(QString, code);
    const std::string plain = stream ? wholeStreamBytes() : R"({"choices":[{"message":{"content":"hi"}}]})"s;
    std::string sent = plain;
    if (what == QStringLiteral("good")) sent = gzipped(plain);
    if (what == QStringLiteral("zlib") || what == QStringLiteral("bare")) sent = compressed(plain, what == QStringLiteral("zlib") ? 15 : -15);
    if (what == QStringLiteral("half")) sent = gzipped(plain).substr(0, 20);
    if (what == QStringLiteral("bomb")) sent = gzipped(std::string(std::size_t{80} << 20, ' '));
    AdapterHarness harness;
    const AdapterAnswer answer =
        harness.ask(stream, Reply::json(sent, 200, "Content-Encoding: " + encoding.toStdString() + "\r\n"));
    if (code.isEmpty()) {
        QVERIFY(!answer.atCall && !answer.later);
        QCOMPARE(answer.bytes(), plain);
        return;
    }
    const std::optional<UpstreamFailure>& failure = answer.atCall ? answer.atCall : answer.later;
    QVERIFY(failure);
    QVERIFY(failure->kind == UpstreamFailure::Kind::protocol);
    QCOMPARE(QString::fromStdString(failure->code), code);
}

void TestOpenAiAdapter::F41_hopByHopHeadersStayBehind() {
    AdapterHarness harness;
    UpstreamRequest request = AdapterHarness::request(true);
    request.headers = {{"Connection", "close"}, {"Content-Length", "3"}, {"Transfer-Encoding", "chunked"},
                       {"Host", "evil"}, {"Authorization", "Bearer client"}, {"X-Ok", "yes"}, {"X-Bad", "a\r\nX-Evil: 1"}};
    harness.upstream.enqueue(wholeStream(0, "Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n"));
    const AdapterAnswer answer = harness.ask(std::move(request));
    QCOMPARE(answer.bytes(), wholeStreamBytes());  // frames only: no chunk sizes, no headers
    QCOMPARE(answer.head.contentType, "text/event-stream"s);
    const ReceivedRequest got = harness.upstream.requests().at(0);
    QVERIFY(got.header("Connection").empty());
    QVERIFY(got.header("Transfer-Encoding").empty());
    QVERIFY(got.header("X-Evil").empty());
    QCOMPARE(got.header("Content-Length"), std::to_string(got.body.size()));
    QCOMPARE(got.header("Host"), "127.0.0.1:" + std::to_string(harness.upstream.port()));
    QCOMPARE(got.header("Authorization"), "Bearer "s + AdapterHarness::kKey);
    QCOMPARE(got.header("X-Ok"), "yes"s);
}

void TestOpenAiAdapter::F22_toolCallsAreCounted() {
    AdapterHarness harness;
    const AdapterAnswer answer = harness.ask(true, Reply::stream()
        .event(R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":""}}]}}]})")
        .event(R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"g","arguments":""}}]}}]})")
        .event(R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}}]})")
        .event(R"({"choices":[{"index":1,"delta":{"tool_calls":[{"id":"c"}]}}]})")
        .event(kFinish).event("[DONE]").end());
    QCOMPARE(answer.kinds(), "ccccmd"s);
    QCOMPARE(answer.toolCalls, 3U);
}

// A client puts pieces together by index, so one that is missing is written; the record counts by the same.
void TestOpenAiAdapter::F24_missingIndicesReachTheClient() {
    AdapterHarness harness;
    const AdapterAnswer answer = harness.ask(true, Reply::stream()
        .event(R"({"choices":[{"index":0,"delta":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}},{"id":"b","function":{"name":"g","arguments":""}}]}}]})")
        .event(R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]}}]})")
        .event(R"({"choices":[{"index":0,"delta":{"tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}}]})")
        .event(kFinish).event("[DONE]").end());
    QCOMPARE(answer.toolCalls, 3U);
    const std::string bytes = answer.bytes();
    QVERIFY2(bytes.find(R"([{"index":0,"id":"a","function")") != std::string::npos, bytes.c_str());
    QVERIFY2(bytes.find(R"({"index":1,"id":"b","function")") != std::string::npos, bytes.c_str());
    QVERIFY2(bytes.find(R"([{"index":1,"function":{"arguments":"{}"}}])") != std::string::npos, bytes.c_str());
    QVERIFY2(bytes.find(R"([{"index":2,"id":"c","function")") != std::string::npos, bytes.c_str());
}

void TestOpenAiAdapter::requestGoesOutByteForByte() {
    AdapterHarness harness;
    const std::string body = "{ \"model\":\"m\",\r\n \"odd\" : \"\xE4\xBF\xA1 \\u00e9\", \"big\":\"" + std::string(3 << 20, 'y') + "\"}";
    harness.upstream.enqueue(Reply::json(R"({"choices":[]})"));
    QVERIFY(!harness.ask(AdapterHarness::request(false, body)).later);
    const ReceivedRequest got = harness.upstream.requests().at(0);
    QVERIFY(got.body == body);
    QCOMPARE(got.requestLine(), "POST /v1/chat/completions HTTP/1.1"s);
    QCOMPARE(got.header("Content-Type"), "application/json"s);
    QCOMPARE(got.header("Accept"), "application/json"s);
}

void TestOpenAiAdapter::staticHeadersAreSent() {
    AdapterHarness harness;
    harness.provider.staticHeaders = {{"X-Title", "Signalbox"}};
    QVERIFY(!harness.ask(false, Reply::json(R"({"choices":[]})")).later);
    QCOMPARE(harness.upstream.requests().at(0).header("x-title"), "Signalbox"s);
}

void TestOpenAiAdapter::configurationErrors_data() {
    QTest::addColumn<QString>("change");
    QTest::addColumn<QString>("named");
    QTest::newRow("no base URL") << "base_url" << "base_url";
    QTest::newRow("not a URL") << "bad_url" << "http";
    QTest::newRow("required key not set") << "key" << "LOCAL_KEY";
    QTest::newRow("required key without a name") << "key_name" << "api_key_env";
    QTest::newRow("key with a line end") << "key_lines" << "LOCAL_KEY";
    QTest::newRow("header with a line end") << "header" << "X-Title";
    QTest::newRow("header of the connection") << "hop" << "Connection";
    QTest::newRow("CA file missing") << "ca" << "/nowhere/ca.pem";
}

void TestOpenAiAdapter::configurationErrors() {
    QFETCH(QString, change);
    QFETCH(QString, named);
    AdapterHarness harness;
    config::Provider& provider = harness.provider;
    const std::string what = change.toStdString();
    if (what == "base_url") provider.baseUrl.reset();
    if (what == "bad_url") provider.baseUrl = "localhost:8000";
    if (what.starts_with("key")) provider.apiKeyRequired = true;
    if (what == "key") harness.environment.clear();
    if (what == "key_name") provider.apiKeyEnv.reset();
    if (what == "key_lines") harness.environment["LOCAL_KEY"] = "secret-value\r\nX: y";
    if (what == "header") provider.staticHeaders = {{"X-Title", "a\nb"}};
    if (what == "hop") provider.staticHeaders = {{"Connection", "close"}};
    if (what == "ca") {
        provider.baseUrl = "https://localhost/v1";
        provider.caFile = "/nowhere/ca.pem";
    }
    const auto made = harness.make();
    QVERIFY(!made);
    const QString text = QString::fromStdString(made.error().text());
    QVERIFY2(text.contains(named), qPrintable(text));
    QVERIFY2(!text.contains(QLatin1String("secret-value")), qPrintable(text));
    QVERIFY(!made.error().hint.empty());
}

void TestOpenAiAdapter::keyMayBeMissingWhenNotRequired() {
    AdapterHarness harness;
    harness.environment.clear();
    QVERIFY(!harness.ask(false, Reply::json(R"({"choices":[]})")).later);
    QVERIFY(harness.upstream.requests().at(0).header("Authorization").empty());
}

QTEST_APPLESS_MAIN(TestOpenAiAdapter)
#include "tst_openai_adapter.moc"
