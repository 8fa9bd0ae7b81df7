// SPDX-License-Identifier: MIT
// What the Anthropic adapter sends, and what it makes of every answer an upstream may give.
#include "tests/router/upstream/adapter_harness.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::dispatch;
using namespace signalbox::test;
using namespace std::chrono_literals;
using namespace std::string_literals;

namespace {

const std::string kStart = R"({"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":5,"cache_read_input_tokens":3,"cache_creation_input_tokens":1,"output_tokens":1}}})";
const std::string kPing = R"({"type": "ping"})";
const std::string kTextStart = R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})";
const std::string kText = "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"h\xC3\xA9llo \xF0\x9F\x9A\x82\"}}";
const std::string kTextEnd = R"({"type":"content_block_stop","index":0})";
const std::string kOver = R"({"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":4}})";
const std::string kStop = R"({"type":"message_stop"})";
const std::string kWhole = R"({"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":5,"cache_read_input_tokens":3,"cache_creation_input_tokens":1,"output_tokens":4}})";

std::string named(const std::string& data) {
    const std::size_t at = data.find('"', data.find(':')) + 1;
    return data.substr(at, data.find('"', at) - at);
}
std::string frame(const std::string& data) { return "event: " + named(data) + "\ndata: " + data + "\n\n"; }
std::string wholeStreamBytes() {
    std::string all;
    for (const std::string& data : {kStart, kTextStart, kPing, kText, kTextEnd, kOver, kStop}) all += frame(data);
    return all;
}
Reply events(const std::vector<std::string>& list, std::size_t pieces = 0) {
    Reply reply = Reply::stream();
    if (pieces != 0) reply.inPieces(pieces);
    for (const std::string& data : list) reply.chunk(frame(data));
    return reply.end();
}
Reply wholeStream(std::size_t pieces = 0) { return events({kStart, kTextStart, kPing, kText, kTextEnd, kOver, kStop}, pieces); }
std::string errorEvent(const std::string& type) { return R"({"type":"error","error":{"type":")" + type + R"(","message":"said so"}})"; }

struct Harness : AdapterHarness {
    Harness() { provider.protocol = config::Protocol::anthropic; }

    static UpstreamRequest request(bool stream, std::string body = R"({"model":"m","max_tokens":9,"messages":[]})") {
        UpstreamRequest out = AdapterHarness::request(stream, std::move(body));
        out.path = "/v1/messages";
        out.dialect = classify::Dialect::anthropic;
        return out;
    }
    AdapterAnswer ask(UpstreamRequest call) { return AdapterHarness::ask(std::move(call)); }
    AdapterAnswer ask(bool stream, Reply reply) {
        upstream.enqueue(std::move(reply));
        return ask(request(stream));
    }
};

const std::optional<UpstreamFailure>& failureOf(const AdapterAnswer& answer) { return answer.atCall ? answer.atCall : answer.later; }

}  // namespace

class TestAnthropicAdapter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void wholeAnswer();
    void streamedAnswer();
    void F14_F15_streamInPiecesOfAnySize_data();
    void F14_F15_streamInPiecesOfAnySize();
    void requestHead();
    void baseUrlWithAndWithoutVersion_data();
    void baseUrlWithAndWithoutVersion();
    void clientsHeaders();
    void versionOfTheProvider();
    void countTokens();
    void F2_onlyContentCommits_data();
    void F2_onlyContentCommits();
    void F3_errorFrameFirst_data();
    void F3_errorFrameFirst();
    void F2_F7_errorEventAfterMetadata();
    void F6_F7_errorEventAfterContent();
    void F4_endings_data();
    void F4_endings();
    void F7_headStatusOfWhatBreaks_data();
    void F7_headStatusOfWhatBreaks();
    void F19_limits_data();
    void F19_limits();
    void F22_toolCallsAreCounted();
    void F39_identityIsAskedFor();
    void errorStatuses_data();
    void errorStatuses();
    void wholeAnswerThatIsNone_data();
    void wholeAnswerThatIsNone();
    void streamsOfSomethingElse();
    void streamThatIsNone_data();
    void streamThatIsNone();
    void errorBodiesAreRedacted();
};

void TestAnthropicAdapter::wholeAnswer() {
    Harness harness;
    const AdapterAnswer answer = harness.ask(false, Reply::json(kWhole));
    QVERIFY(!failureOf(answer));
    QCOMPARE(answer.kinds(), "b"s);
    QCOMPARE(answer.bytes(), kWhole);
    QVERIFY((answer.usage == Usage{9, 3, 4}));
    QCOMPARE(answer.toolCalls, 0U);
}

void TestAnthropicAdapter::streamedAnswer() {
    Harness harness;
    const AdapterAnswer answer = harness.ask(true, wholeStream());
    QVERIFY(!failureOf(answer));
    QCOMPARE(answer.kinds(), "mmmcmmd"s);
    QCOMPARE(answer.bytes(), wholeStreamBytes());
    QVERIFY((answer.usage == Usage{9, 3, 4}));
}

void TestAnthropicAdapter::F14_F15_streamInPiecesOfAnySize_data() {
    QTest::addColumn<int>("pieces");
    for (const int pieces : {1, 2, 3, 7, 64, 333}) QTest::addRow("%d bytes", pieces) << pieces;
}

void TestAnthropicAdapter::F14_F15_streamInPiecesOfAnySize() {
    QFETCH(int, pieces);
    Harness harness;
    const AdapterAnswer answer = harness.ask(true, wholeStream(static_cast<std::size_t>(pieces)));
    QVERIFY(!failureOf(answer));
    QCOMPARE(answer.kinds(), "mmmcmmd"s);
    QCOMPARE(answer.bytes(), wholeStreamBytes());
}

void TestAnthropicAdapter::requestHead() {
    Harness harness;
    const std::string body = "{\"model\": \"m\",\n \"odd\":\"\xE4\xBF\xA1\"}";
    harness.upstream.enqueue(Reply::json(kWhole));
    QVERIFY(!failureOf(harness.ask(Harness::request(false, body))));
    const ReceivedRequest got = harness.upstream.requests().at(0);
    QCOMPARE(got.body, body);
    QCOMPARE(got.requestLine(), "POST /v1/messages HTTP/1.1"s);
    QCOMPARE(got.header("x-api-key"), std::string(Harness::kKey));
    QVERIFY(got.header("Authorization").empty());
    QCOMPARE(got.header("anthropic-version"), "2023-06-01"s);
    QVERIFY(got.header("anthropic-beta").empty());
    QCOMPARE(got.header("Content-Type"), "application/json"s);
}

void TestAnthropicAdapter::baseUrlWithAndWithoutVersion_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("asked");
    QTest::addColumn<QString>("sent");
    QTest::newRow("with") << "/v1" << "/v1/messages" << "/v1/messages";
    QTest::newRow("with and a slash") << "/v1/" << "/v1/messages" << "/v1/messages";
    QTest::newRow("without") << "" << "/v1/messages" << "/v1/messages";
    QTest::newRow("below a path") << "/anthropic" << "/v1/messages" << "/anthropic/v1/messages";
    QTest::newRow("below a path, with") << "/anthropic/v1" << "/v1/messages" << "/anthropic/v1/messages";
    QTest::newRow("asked for without") << "/v1" << "/messages" << "/v1/messages";
}

void TestAnthropicAdapter::baseUrlWithAndWithoutVersion() {
    QFETCH(QString, path);
    QFETCH(QString, asked);
    QFETCH(QString, sent);
    Harness harness;
    harness.provider.baseUrl = "http://127.0.0.1:" + std::to_string(harness.upstream.port()) + path.toStdString();
    harness.upstream.enqueue(Reply::json(kWhole));
    UpstreamRequest request = Harness::request(false);
    request.path = asked.toStdString();
    QVERIFY(!failureOf(harness.ask(std::move(request))));
    QCOMPARE(harness.upstream.requests().at(0).requestLine(), "POST " + sent.toStdString() + " HTTP/1.1");
}

void TestAnthropicAdapter::clientsHeaders() {
    Harness harness;
    harness.upstream.enqueue(Reply::json(kWhole));
    UpstreamRequest request = Harness::request(false);
    request.headers = {{"anthropic-beta", "a-1,b-2"}, {"Anthropic-Version", "2023-01-01"}, {"x-api-key", "client"}, {"authorization", "Bearer client"}};
    QVERIFY(!failureOf(harness.ask(std::move(request))));
    const ReceivedRequest got = harness.upstream.requests().at(0);
    QCOMPARE(got.header("anthropic-beta"), "a-1,b-2"s);
    QCOMPARE(got.header("anthropic-version"), "2023-01-01"s);
    QVERIFY(got.head.find("2023-06-01") == std::string::npos);
    QVERIFY(got.head.find("client") == std::string::npos);
}

void TestAnthropicAdapter::versionOfTheProvider() {
    Harness harness;
    harness.provider.staticHeaders = {{"Anthropic-Version", "vertex-2023-10-16"}};
    harness.upstream.enqueue(Reply::json(kWhole));
    UpstreamRequest request = Harness::request(false);
    request.headers = {{"anthropic-version", "2023-01-01"}};
    QVERIFY(!failureOf(harness.ask(std::move(request))));
    const std::string head = harness.upstream.requests().at(0).head;
    QVERIFY(head.find("vertex-2023-10-16") != std::string::npos);
    QVERIFY(head.find("2023-01-01") == std::string::npos && head.find("2023-06-01") == std::string::npos);
}

void TestAnthropicAdapter::countTokens() {
    Harness harness;
    harness.upstream.enqueue(Reply::json(R"({"input_tokens":77})"));
    UpstreamRequest request = Harness::request(false);
    request.path = "/v1/messages/count_tokens";
    const AdapterAnswer answer = harness.ask(std::move(request));
    QVERIFY(!failureOf(answer));
    QCOMPARE(answer.bytes(), R"({"input_tokens":77})"s);
    QVERIFY((answer.usage == Usage{77, std::nullopt, std::nullopt}));
    QCOMPARE(harness.upstream.requests().at(0).requestLine(), "POST /v1/messages/count_tokens HTTP/1.1"s);
}

void TestAnthropicAdapter::F2_onlyContentCommits_data() {
    QTest::addColumn<QByteArray>("event");
    QTest::addColumn<bool>("commits");
    const auto row = [](const char* name, const char* event, bool commits) { QTest::newRow(name) << QByteArray(event) << commits; };
    row("ping", R"({"type":"ping"})", false);
    row("beginning of a text", R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})", false);
    row("beginning of thinking", R"({"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}})", false);
    row("beginning with a text", R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":"h"}})", true);
    row("beginning of a call", R"({"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"f","input":{}}})", true);
    row("hidden thinking", R"({"type":"content_block_start","index":0,"content_block":{"type":"redacted_thinking","data":"x"}})", true);
    row("empty delta", R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":""}})", false);
    row("text", R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"h"}})", true);
    row("half an emoji", R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\ud83d"}})", true);
    row("thinking", R"({"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"h"}})", true);
    row("arguments", R"({"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{"}})", true);
    row("no arguments yet", R"({"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":""}})", false);
    row("signature", R"({"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}})", false);
    row("event of later", R"({"type":"something_new","text":{"a":[1]}})", false);
}

void TestAnthropicAdapter::F2_onlyContentCommits() {
    QFETCH(QByteArray, event);
    QFETCH(bool, commits);
    Harness harness;
    const AdapterAnswer answer = harness.ask(true, events({kStart, event.toStdString(), kOver, kStop}));
    QVERIFY(!failureOf(answer));
    QCOMPARE(answer.kinds(), commits ? "mcmd"s : "mmmd"s);
}

void TestAnthropicAdapter::F3_errorFrameFirst_data() {
    QTest::addColumn<QString>("type");
    QTest::addColumn<int>("status");
    for (const auto& [type, status] : {std::pair{"invalid_request_error", 400}, {"authentication_error", 401}, {"permission_error", 403},
                                       {"not_found_error", 404}, {"request_too_large", 413}, {"rate_limit_error", 429}, {"api_error", 500},
                                       {"timeout_error", 504}, {"overloaded_error", 529}, {"something_new", 0}})
        QTest::newRow(type) << type << status;
}

void TestAnthropicAdapter::F3_errorFrameFirst() {
    QFETCH(QString, type);
    QFETCH(int, status);
    Harness harness;
    const AdapterAnswer answer = harness.ask(true, events({errorEvent(type.toStdString())}));
    QVERIFY(answer.atCall);
    QVERIFY(answer.atCall->kind == UpstreamFailure::Kind::errorFrame);
    QCOMPARE(answer.atCall->status, status);
    QCOMPARE(answer.atCall->headStatus, 200);
    QCOMPARE(answer.atCall->code, status != 0 ? "error_frame_" + std::to_string(status) : "error_frame"s);
    QVERIFY(answer.atCall->message.find("said so") != std::string::npos);
    QCOMPARE(answer.atCall->body, errorEvent(type.toStdString()));
}

void TestAnthropicAdapter::F2_F7_errorEventAfterMetadata() {
    Harness harness;
    const AdapterAnswer answer = harness.ask(true, events({kStart, kTextStart, kPing, errorEvent("overloaded_error")}));
    QVERIFY(!answer.atCall);
    QCOMPARE(answer.kinds(), "mmm"s);  // nothing that commits, so that another upstream may still answer
    QVERIFY(answer.later);
    QCOMPARE(answer.later->status, 529);
    QCOMPARE(answer.later->headStatus, 200);
}

void TestAnthropicAdapter::F6_F7_errorEventAfterContent() {
    Harness harness;
    const AdapterAnswer answer = harness.ask(true, events({kStart, kTextStart, kText, errorEvent("api_error"), kStop}));
    QCOMPARE(answer.kinds(), "mmc"s);
    QVERIFY(answer.later);
    QCOMPARE(answer.later->status, 500);
    QCOMPARE(answer.later->code, "error_frame_500"s);
}

void TestAnthropicAdapter::F4_endings_data() {
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<QString>("kinds");
    QTest::addColumn<QString>("code");
    const auto bytes = [](const std::string& text) { return QByteArray::fromStdString(text); };
    QTest::newRow("stop left out is put back") << bytes(frame(kText) + frame(kOver)) << "cmd" << "";
    QTest::newRow("stop without a blank line") << bytes(frame(kText) + frame(kOver) + "data: " + kStop) << "cmd" << "";
    QTest::newRow("bytes after the stop") << bytes(frame(kText) + frame(kOver) + frame(kStop) + "data: junk\n\n") << "cmd" << "";
    QTest::newRow("cut off after text") << bytes(frame(kText)) << "c" << "ended_early";
    QTest::newRow("cut off, its reason empty") << bytes(frame(kText) + frame(R"({"type":"message_delta","delta":{"stop_reason":""},"usage":{"output_tokens":4}})")) << "cm" << "ended_early";
    QTest::newRow("cut off after the start") << bytes(frame(kStart)) << "m" << "ended_early";
    QTest::newRow("junk") << bytes(frame(kText) + "data: junk\n\n") << "c" << "malformed_event";
}

void TestAnthropicAdapter::F4_endings() {
    QFETCH(QByteArray, stream);
    QFETCH(QString, kinds);
    QFETCH(QString, code);
    Harness harness;
    const AdapterAnswer answer = harness.ask(true, Reply::stream().chunk(stream.toStdString()).end());
    QVERIFY(!answer.atCall);
    QCOMPARE(QString::fromStdString(answer.kinds()), kinds);
    QCOMPARE(answer.later ? QString::fromStdString(answer.later->code) : QString(), code);
    if (kinds.endsWith(QLatin1Char('d'))) QVERIFY(answer.chunks.back().bytes.ends_with("data: " + kStop + "\n\n"));
}

void TestAnthropicAdapter::F7_headStatusOfWhatBreaks_data() {
    QTest::addColumn<QByteArray>("reply");
    QTest::addColumn<bool>("stream");
    QTest::addColumn<QString>("code");
    QTest::addColumn<int>("head");
    const auto raw = [](const std::string& text) { return QByteArray::fromStdString(text); };
    const std::string ok = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 999\r\n\r\n";
    QTest::newRow("before the first frame") << raw(ok) << true << "disconnected" << 200;
    QTest::newRow("after a frame") << raw(ok + frame(kStart)) << true << "disconnected" << 200;
    QTest::newRow("a cut off body") << raw("HTTP/1.1 201 OK\r\nContent-Length: 99\r\n\r\n{") << false << "disconnected" << 201;
    QTest::newRow("an unusable encoding") << raw("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 1\r\n\r\nx") << false << "unusable_encoding" << 200;
    QTest::newRow("a broken chunk") << raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n") << true << "not_http" << 200;
    QTest::newRow("an error status") << raw("HTTP/1.1 529 Overloaded\r\nContent-Length: 0\r\n\r\n") << true << "status_529" << 529;
    QTest::newRow("no head") << raw("HTTP/1.1 200 OK\r\nConte") << true << "disconnected" << 0;
    QTest::newRow("nothing") << QByteArray() << false << "disconnected" << 0;
}

void TestAnthropicAdapter::F7_headStatusOfWhatBreaks() {
    QFETCH(QByteArray, reply);
    QFETCH(bool, stream);
    QFETCH(QString, code);
    QFETCH(int, head);
    Harness harness;
    const AdapterAnswer answer = harness.ask(stream, Reply::raw(reply.toStdString()).close());
    QVERIFY(failureOf(answer));
    QCOMPARE(QString::fromStdString(failureOf(answer)->code), code);
    QCOMPARE(failureOf(answer)->headStatus, head);
}

void TestAnthropicAdapter::F19_limits_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("code");
    QTest::newRow("nothing comes") << QByteArray() << "timeout_first_byte";
    QTest::newRow("a stall after the start") << QByteArray::fromStdString(frame(kStart)) << "timeout_stream_idle";
    QTest::newRow("a stall after content") << QByteArray::fromStdString(frame(kStart) + frame(kText)) << "timeout_stream_idle";
}

void TestAnthropicAdapter::F19_limits() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, code);
    Harness harness;
    // Only the limit that is to fire is short, so that a busy machine has time for what comes before it.
    (code == QStringLiteral("timeout_first_byte") ? harness.provider.firstByteTimeout : harness.provider.streamIdleTimeout) = 300ms;
    Reply reply = bytes.isEmpty() ? Reply::nothing() : Reply::stream().chunk(bytes.toStdString());
    const AdapterAnswer answer = harness.ask(true, std::move(reply.stall()));
    QVERIFY(failureOf(answer));
    QVERIFY(failureOf(answer)->kind == UpstreamFailure::Kind::timeout);
    QCOMPARE(QString::fromStdString(failureOf(answer)->code), code);
    QCOMPARE(failureOf(answer)->headStatus, bytes.isEmpty() ? 0 : 200);
    QTRY_COMPARE(harness.upstream.openConnections(), std::size_t{0});
}

void TestAnthropicAdapter::F22_toolCallsAreCounted() {
    Harness harness;
    const auto tool = [](const char* index) { return R"({"type":"content_block_start","index":)"s + index + R"(,"content_block":{"type":"tool_use","id":"a","name":"f","input":{}}})"; };
    const std::string ofTheirs = R"({"type":"content_block_start","index":3,"content_block":{"type":"server_tool_use","id":"s","name":"web_search","input":{}}})";
    const AdapterAnswer streamed = harness.ask(true, events({kStart, kTextStart, tool("1"), tool("2"), ofTheirs, kOver, kStop}));
    QCOMPARE(streamed.toolCalls, 2U);
    const AdapterAnswer whole = harness.ask(false, Reply::json(R"({"type":"message","content":[{"type":"tool_use","id":"a","name":"f","input":{"content":[{"type":"tool_use"}]}},{"type":"text","text":"x"},{"type":"tool_use","id":"b","name":"f","input":{}}]})"));
    QVERIFY(!failureOf(whole));
    QCOMPARE(whole.toolCalls, 2U);
}

void TestAnthropicAdapter::F39_identityIsAskedFor() {
    Harness harness;
    harness.upstream.enqueue(wholeStream());
    UpstreamRequest request = Harness::request(true);
    request.headers = {{"Accept-Encoding", "gzip, br"}};
    QVERIFY(!failureOf(harness.ask(std::move(request))));
    const ReceivedRequest got = harness.upstream.requests().at(0);
    QCOMPARE(got.header("Accept-Encoding"), "identity"s);
    QVERIFY(got.head.find("gzip") == std::string::npos);
    QCOMPARE(got.header("Accept"), "text/event-stream"s);
}

void TestAnthropicAdapter::errorStatuses_data() {
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("stream");
    for (const int status : {400, 401, 403, 404, 413, 429, 500, 529})
        for (const bool stream : {false, true}) QTest::addRow("%d%s", status, stream ? " streaming" : "") << status << stream;
}

void TestAnthropicAdapter::errorStatuses() {
    QFETCH(int, status);
    QFETCH(bool, stream);
    Harness harness;
    const std::string body = errorEvent("whatever");
    const AdapterAnswer answer = harness.ask(stream, Reply::json(body, status, "Retry-After: 7\r\n"));
    QVERIFY(answer.atCall);
    QVERIFY(answer.atCall->kind == UpstreamFailure::Kind::status);
    QCOMPARE(answer.atCall->status, status);
    QCOMPARE(answer.atCall->headStatus, status);
    QCOMPARE(answer.atCall->body, body);
    QVERIFY(answer.atCall->message.find("said so") != std::string::npos);
    QVERIFY(answer.atCall->retryAfter == 7s);
}

void TestAnthropicAdapter::wholeAnswerThatIsNone_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("code");
    QTest::newRow("an error under 200 (F4)") << QByteArray::fromStdString(errorEvent("overloaded_error")) << "error_frame_529";
    QTest::newRow("HTML") << QByteArray("<html></html>") << "malformed_body";
    QTest::newRow("empty") << QByteArray() << "malformed_body";
    QTest::newRow("JSON of something else") << QByteArray(R"({"hello":"world"})") << "malformed_body";
    QTest::newRow("a message without content") << QByteArray(R"({"type":"message","content":null,"stop_reason":"end_turn"})") << "malformed_body";
}

void TestAnthropicAdapter::streamsOfSomethingElse() {
    Harness harness;
    const AdapterAnswer none = harness.ask(true, events({R"({"type":"hello","of":"the world"})", kPing, kStop}));
    QVERIFY(failureOf(none));
    QCOMPARE(failureOf(none)->code, "ended_early"s);
    QVERIFY(none.kinds().find('d') == std::string::npos);
    // A message may say nothing, and say so; and some leave out what it began with.
    const std::vector<std::vector<std::string>> messages{{kStart, kOver, kStop}, {kStart, kStop}, {kText, kStop}, {kOver, kStop}};
    for (const std::vector<std::string>& some : messages)
        QVERIFY(!failureOf(harness.ask(true, events(some))));
    QVERIFY(!failureOf(harness.ask(false, Reply::json(R"({"type":"message","content":[],"stop_reason":"end_turn"})"))));
}

void TestAnthropicAdapter::wholeAnswerThatIsNone() {
    QFETCH(QByteArray, body);
    QFETCH(QString, code);
    Harness harness;
    const AdapterAnswer answer = harness.ask(false, Reply::json(body.toStdString()));
    QVERIFY(failureOf(answer));
    QCOMPARE(QString::fromStdString(failureOf(answer)->code), code);
    QVERIFY(answer.chunks.empty());
}

void TestAnthropicAdapter::streamThatIsNone_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("code");
    QTest::newRow("an error in JSON (F3)") << QByteArray::fromStdString(errorEvent("rate_limit_error")) << "error_frame_429";
    QTest::newRow("a whole answer") << QByteArray::fromStdString(kWhole) << "not_a_stream";
    QTest::newRow("HTML") << QByteArray("<html></html>") << "not_a_stream";
    QTest::newRow("nothing") << QByteArray() << "ended_early";
}

void TestAnthropicAdapter::streamThatIsNone() {
    QFETCH(QByteArray, body);
    QFETCH(QString, code);
    Harness harness;
    const AdapterAnswer answer = harness.ask(true, Reply::json(body.toStdString()));
    QVERIFY(answer.atCall);
    QCOMPARE(QString::fromStdString(answer.atCall->code), code);
}

void TestAnthropicAdapter::errorBodiesAreRedacted() {
    Harness harness;
    const AdapterAnswer answer = harness.ask(false, Reply::json("key "s + Harness::kKey + " and sk-ant-abcdef123456", 401));
    QVERIFY(answer.atCall);
    for (const std::string& text : {answer.atCall->message, answer.atCall->body})
        for (const char* secret : {Harness::kKey, "sk-ant"}) QVERIFY(text.find(secret) == std::string::npos);
}

QTEST_APPLESS_MAIN(TestAnthropicAdapter)
#include "tst_anthropic_adapter.moc"
