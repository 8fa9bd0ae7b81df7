// SPDX-License-Identifier: MIT
#include "router/upstream/base_url.h"
#include "router/upstream/call_indices.h"
#include "router/upstream/failures.h"
#include "router/upstream/http_parser.h"
#include "router/upstream/payload.h"
#include "router/upstream/retry_after.h"
#include "router/base/text.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::upstream;
using namespace std::string_literals;

using Texts = std::vector<std::string>;
Q_DECLARE_METATYPE(Texts)

class TestUpstreamParts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void baseUrls_data();
    void baseUrls();
    void badBaseUrls_data();
    void badBaseUrls();
    void noPasswordIsRepeated_data();
    void noPasswordIsRepeated();
    void F46_retryAfter_data();
    void F46_retryAfter();
    void redaction_data();
    void redaction();
    void redactedTextIsBounded();
    void secretsInJsonAreFoundHoweverTheyAreWritten_data();
    void secretsInJsonAreFoundHoweverTheyAreWritten();
    void F14_httpParserAtEverySplit();
    void httpParserKeepsNoBodyBack_data();
    void httpParserKeepsNoBodyBack();
    void httpParserSkipsInterimAnswers();
    void httpParserSeesTruncation();
    void httpParserRefusesGarbage();
    void httpParserReusability_data();
    void httpParserReusability();
    void payloads_data();
    void payloads();
    void F24_toolCallIndices();
    void F24_missingIndicesAreWritten_data();
    void F24_missingIndicesAreWritten();
    void usageOfEveryShape();
    void errorsOfEveryShape_data();
    void errorsOfEveryShape();
    void brokenJsonIsNoPayload_data();
    void brokenJsonIsNoPayload();
};

void TestUpstreamParts::baseUrls_data() {
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("origin");
    QTest::addColumn<QString>("host");
    QTest::addColumn<QString>("path");
    QTest::newRow("plain") << "http://localhost:8000/v1" << "http://localhost:8000" << "localhost:8000" << "/v1";
    QTest::newRow("default ports") << "HTTPS://API.Example.com/v1/" << "https://api.example.com:443" << "api.example.com" << "/v1";
    QTest::newRow("no path") << "http://h" << "http://h:80" << "h" << "";
    QTest::newRow("deep path") << "https://h:444/a/b//" << "https://h:444" << "h:444" << "/a/b";
    QTest::newRow("IPv6") << "http://[::1]:81/v1" << "http://[::1]:81" << "[::1]:81" << "/v1";
}

void TestUpstreamParts::baseUrls() {
    QFETCH(QString, url);
    QFETCH(QString, origin);
    QFETCH(QString, host);
    QFETCH(QString, path);
    const auto parsed = parseBaseUrl(url.toStdString());
    QVERIFY(parsed);
    QCOMPARE(QString::fromStdString(parsed->origin.text()), origin);
    QCOMPARE(QString::fromStdString(parsed->origin.hostHeader()), host);
    QCOMPARE(QString::fromStdString(parsed->path), path);
}

void TestUpstreamParts::badBaseUrls_data() {
    QTest::addColumn<QString>("url");
    for (const char* url : {"", "localhost:8000", "ftp://h/", "http://", "http:///v1", "http://h:0", "http://h:65536",
                            "http://h:x", "http://u:p@h/", "http://h/?key=1", "http://h/#f", "http://h/a b",
                            "http://::1/", "http://[::1", "http://[::1]x", "http://h/\r\nX: y"})
        QTest::newRow(*url != '\0' ? url : "empty") << QString::fromLatin1(url);
}

void TestUpstreamParts::badBaseUrls() {
    QFETCH(QString, url);
    const auto parsed = parseBaseUrl(url.toStdString());
    QVERIFY(!parsed);
    QVERIFY(!parsed.error().message.empty());
    QVERIFY(!parsed.error().hint.empty());
}

/// What stands where a port belongs may be a part of a password.
void TestUpstreamParts::noPasswordIsRepeated_data() {
    QTest::addColumn<QString>("url");
    for (const char* url : {"https://ada:planted/x@cloud.example", "https://ada:planted%40cloud.example", "https://ada:planted@cloud.example",
                            "https://[::1]:planted", "https://[::1]planted", "ada:planted@cloud.example"})
        QTest::newRow(url) << QString::fromLatin1(url);
}

void TestUpstreamParts::noPasswordIsRepeated() {
    QFETCH(QString, url);
    const auto parsed = parseBaseUrl(url.toStdString());
    QVERIFY(!parsed);
    QVERIFY2(parsed.error().text().find("planted") == std::string::npos, parsed.error().text().c_str());
    const auto proxy = parseProxy(url.toStdString());
    QVERIFY(!proxy);
    QVERIFY2(proxy.error().text().find("planted") == std::string::npos, proxy.error().text().c_str());
}

void TestUpstreamParts::F46_retryAfter_data() {
    QTest::addColumn<QString>("value");
    QTest::addColumn<int>("seconds");
    QTest::newRow("seconds") << "30" << 30;
    QTest::newRow("zero") << "0" << 0;
    QTest::newRow("spaces") << "  7 " << 7;
    QTest::newRow("longer than a day") << "999999999999999999999" << 86400;
    QTest::newRow("IMF-fixdate") << "Sun, 29 Nov 2026 17:00:45 GMT" << 45;
    QTest::newRow("RFC 850") << "Sunday, 29-Nov-26 17:01:00 GMT" << 60;
    QTest::newRow("asctime") << "Sun Nov 29 17:02:00 2026" << 120;
    QTest::newRow("asctime, one-digit day") << "Tue Dec  1 17:00:00 2026" << 86400;
    QTest::newRow("in the past") << "Sun, 29 Nov 2026 16:59:00 GMT" << 0;
    QTest::newRow("empty") << "" << -1;
    QTest::newRow("words") << "soon" << -1;
    QTest::newRow("negative") << "-5" << -1;
    QTest::newRow("fraction") << "1.5" << -1;
    QTest::newRow("no such day") << "Sun, 31 Nov 2026 17:00:45 GMT" << -1;
    QTest::newRow("no time") << "29 Nov 2026" << -1;
}

void TestUpstreamParts::F46_retryAfter() {
    QFETCH(QString, value);
    QFETCH(int, seconds);
    const Timestamp now = *parseIso8601("2026-11-29T17:00:00Z");
    const auto parsed = parseRetryAfter(value.toStdString(), now);
    QCOMPARE(parsed ? static_cast<int>(parsed->count()) : -1, seconds);
}

void TestUpstreamParts::redaction_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("redacted");
    QTest::newRow("nothing") << "plain words" << "plain words";
    QTest::newRow("configured key") << "bad key hunter2hunter2!" << "bad key [redacted]!";
    QTest::newRow("twice") << "hunter2hunter2 hunter2hunter2" << "[redacted] [redacted]";
    QTest::newRow("sk") << "Incorrect API key provided: sk-abcd1234***wxyz. You" << "Incorrect API key provided: [redacted] You";
    QTest::newRow("bearer") << "got 'Authorization: Bearer abc.def-1'" << "got 'Authorization: Bearer [redacted]'";
    QTest::newRow("a word with sk-") << "task-force and risk-averse" << "task-force and risk-averse";
    QTest::newRow("a bare sk-") << "starts with sk- please" << "starts with sk- please";
}

void TestUpstreamParts::redaction() {
    QFETCH(QString, text);
    QFETCH(QString, redacted);
    QCOMPARE(QString::fromStdString(upstream::redacted(text.toStdString(), {"hunter2hunter2", ""})), redacted);
}

void TestUpstreamParts::redactedTextIsBounded() {
    const std::string out = redacted(std::string(10'000, 'x') + "\xE4\xBF\xA1", {});
    QVERIFY(out.size() <= kMaxUpstreamText + 4);
    QVERIFY(isValidUtf8(out));
}

void TestUpstreamParts::secretsInJsonAreFoundHoweverTheyAreWritten_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("redacted");
    const auto row = [](const char* tag, const char* body, const char* wanted) { QTest::newRow(tag) << QByteArray(body) << QByteArray(wanted); };
    row("as it is", R"({"error": {"message": "bad AbC/dEf\"1=="}})", R"({"error":{"message":"bad [redacted]"}})");
    row("a slash escaped", R"({"error":{"message":"bad AbC\/dEf\"1=="}})", R"({"error":{"message":"bad [redacted]"}})");
    row("as numbers", R"({"error":{"message":"\u0041bC\u002fdEf\u00221=="}})", R"({"error":{"message":"[redacted]"}})");
    row("a key like any", R"({"e":["sk\u002dabcd1234"]})", R"({"e":["[redacted]"]})");
    row("a member's name", R"({"AbC\/dEf\"1==":1})", R"({"[redacted]":1})");
    row("cut off", R"({"error":{"message":"bad AbC\/dEf\u00221\u003d\u003D, ask)", R"({"error":{"message":"bad [redacted], ask)");
    row("a string in a string", R"({"e":"{\"message\":\"AbC\\/dEf\\\"1==\"}"})", R"({"e":"{\"message\":\"[redacted]\"}"})");
    row("half of it", R"(AbC\/dEf\"1=)", R"(AbC\/dEf\"1=)");
    row("nothing of the kind", R"({ "error" : "a\/b" })", R"({ "error" : "a\/b" })");
    row("no JSON", R"(bad AbC/dEf"1==)", "bad [redacted]");
    const QByteArray deep = QByteArray(40, '[') + R"("AbC\/dEf\"1==")" + QByteArray(40, ']');
    QTest::newRow("deep") << deep << QByteArray(QByteArray(32, '[') + R"("[redacted]")" + QByteArray(32, ']'));
}

void TestUpstreamParts::secretsInJsonAreFoundHoweverTheyAreWritten() {
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, redacted);
    QCOMPARE(QByteArray::fromStdString(redactedBody(body.toStdString(), {R"(AbC/dEf"1==)"})), redacted);
}

void TestUpstreamParts::F14_httpParserAtEverySplit() {
    const std::string all = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                            "5\r\nhello\r\n7;x=y\r\n w\xC3\xB6rld\r\n0\r\nTrailer: t\r\n\r\n";
    for (std::size_t at = 0; at <= all.size(); ++at) {
        HttpParser parser;
        std::string body;
        QVERIFY(!parser.feed(all.substr(0, at), body));
        QVERIFY(!parser.feed(all.substr(at), body));
        QVERIFY2(body == "hello w\xC3\xB6rld", qPrintable(QString::number(at)));
        QVERIFY(parser.complete());
        QVERIFY(parser.reusable());
        QCOMPARE(parser.head().status, 200);
        QCOMPARE(parser.head().header("content-TYPE"), std::string_view("text/event-stream"));
    }
}

void TestUpstreamParts::httpParserKeepsNoBodyBack_data() {
    QTest::addColumn<QByteArray>("chunks");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("the end of an event") << QByteArray("b\r\ndata: x\r\n\r\n\r\n") << QByteArray("data: x\r\n\r\n");
    QTest::newRow("a line end alone") << QByteArray("5\r\n\r\n") << QByteArray("\r\n");
    QTest::newRow("digits") << QByteArray("4\r\n000") << QByteArray("000");
    QTest::newRow("what looks like a last chunk") << QByteArray("7\r\n0\r\n\r\n") << QByteArray("0\r\n\r\n");
    QTest::newRow("after another chunk") << QByteArray("1\r\na\r\n9\r\n\r\n0") << QByteArray("a\r\n0");
}

/// F14: however the bytes of a chunk are cut, they are told as they come: a stream's client may wait for just these.
void TestUpstreamParts::httpParserKeepsNoBodyBack() {
    QFETCH(QByteArray, chunks);
    QFETCH(QByteArray, body);
    const std::string all = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks.toStdString();
    for (std::size_t at = 0; at <= all.size(); ++at) {
        HttpParser parser;
        std::string got;
        QVERIFY(!parser.feed(all.substr(0, at), got));
        QVERIFY(!parser.feed(all.substr(at), got));
        QVERIFY2(got == body.toStdString(), qPrintable(QString::number(at)));
        QVERIFY(!parser.complete());
    }
    HttpParser inBytes;
    std::string got;
    for (const char one : all) QVERIFY(!inBytes.feed({&one, 1}, got));
    QCOMPARE(QByteArray::fromStdString(got), body);
}

void TestUpstreamParts::httpParserSkipsInterimAnswers() {
    HttpParser parser;
    std::string body;
    QVERIFY(!parser.feed("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
                         "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", body));
    QCOMPARE(parser.head().status, 200);
    QCOMPARE(body, "ok"s);
    QVERIFY(parser.reusable());
}

void TestUpstreamParts::httpParserSeesTruncation() {
    HttpParser parser;
    std::string body;
    QVERIFY(!parser.feed("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", body));
    QVERIFY(!parser.complete());
    QVERIFY(parser.close());
    HttpParser silent;
    QVERIFY(silent.close());
    QVERIFY(!silent.started());
}

void TestUpstreamParts::httpParserRefusesGarbage() {
    HttpParser parser;
    std::string body;
    QVERIFY(parser.feed("SSH-2.0-OpenSSH_9.2\r\n\r\n", body));
    HttpParser endless;
    QVERIFY(endless.feed("HTTP/1.1 200 OK\r\nX: " + std::string(100'000, 'x'), body));
}

void TestUpstreamParts::httpParserReusability_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("closed");
    QTest::addColumn<bool>("reusable");
    QTest::newRow("kept alive") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") << false << true;
    QTest::newRow("announced close") << QByteArray("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n") << false << false;
    QTest::newRow("HTTP/1.0") << QByteArray("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n") << false << false;
    QTest::newRow("bytes nobody asked for") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1") << false << false;
    QTest::newRow("read until close") << QByteArray("HTTP/1.1 200 OK\r\n\r\nbody") << true << false;
}

void TestUpstreamParts::httpParserReusability() {
    QFETCH(QByteArray, bytes);
    QFETCH(bool, closed);
    QFETCH(bool, reusable);
    HttpParser parser;
    std::string body;
    QVERIFY(!parser.feed(bytes.toStdString(), body));
    if (closed) QVERIFY(!parser.close());
    QVERIFY(parser.complete());
    QCOMPARE(parser.reusable(), reusable);
}

void TestUpstreamParts::payloads_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("facts");  // c content, h choices, f finish, u usage, e error
    QTest::newRow("text") << QByteArray(R"({"choices":[{"delta":{"content":"a"}}]})") << "ch";
    QTest::newRow("half a surrogate pair") << QByteArray(R"({"choices":[{"delta":{"content":"\ud83d"}}]})") << "ch";
    QTest::newRow("role only") << QByteArray(R"({"choices":[{"delta":{"role":"assistant","content":""}}]})") << "h";
    QTest::newRow("null content") << QByteArray(R"({"choices":[{"delta":{"content":null}}]})") << "h";
    QTest::newRow("reasoning") << QByteArray(R"({"choices":[{"delta":{"reasoning_content":"hm"}}]})") << "ch";
    QTest::newRow("refusal") << QByteArray(R"({"choices":[{"delta":{"refusal":"no"}}]})") << "ch";
    QTest::newRow("tool call") << QByteArray(R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a"}]}}]})") << "ch";
    QTest::newRow("empty tool calls") << QByteArray(R"({"choices":[{"delta":{"tool_calls":[]}}]})") << "h";
    QTest::newRow("function call") << QByteArray(R"({"choices":[{"delta":{"function_call":{"name":"f"}}}]})") << "ch";
    QTest::newRow("completion text") << QByteArray(R"({"choices":[{"text":"a","finish_reason":null}]})") << "ch";
    QTest::newRow("not finished, said by an empty text") << QByteArray(R"({"choices":[{"delta":{"content":"a"},"finish_reason":""}]})") << "ch";
    QTest::newRow("finish") << QByteArray(R"({"choices":[{"delta":{},"finish_reason":"stop"}]})") << "hf";
    QTest::newRow("F9 empty choices") << QByteArray(R"({"choices":[],"usage":{"prompt_tokens":1}})") << "u";
    QTest::newRow("F9 absent choices") << QByteArray(R"({"usage":{"prompt_tokens":1}})") << "u";
    QTest::newRow("F9 null choices") << QByteArray(R"({"choices":null,"usage":{"prompt_tokens":1}})") << "u";
    QTest::newRow("usage null") << QByteArray(R"({"choices":[{"delta":{"content":"a"}}],"usage":null})") << "ch";
    QTest::newRow("choices of another type") << QByteArray(R"({"choices":"none"})") << "";
    QTest::newRow("a choice of another type") << QByteArray(R"({"choices":[null,3]})") << "h";
    QTest::newRow("error") << QByteArray(R"({"error":{"message":"m"}})") << "e";
    QTest::newRow("error null") << QByteArray(R"({"error":null,"choices":[]})") << "";
    QTest::newRow("parts as content") << QByteArray(R"({"choices":[{"message":{"content":[{"type":"text"}]}}]})") << "ch";
    QTest::newRow("empty object") << QByteArray("{}") << "";
    QTest::newRow("second choice has it") << QByteArray(R"({"choices":[{"delta":{}},{"delta":{"content":"x"}}]})") << "ch";
}

void TestUpstreamParts::payloads() {
    QFETCH(QByteArray, json);
    QFETCH(QString, facts);
    std::string text = json.toStdString();
    const auto payload = readPayload(text);
    QVERIFY(payload);
    QString got;
    if (payload->hasContent) got += QLatin1Char('c');
    if (payload->hasChoices) got += QLatin1Char('h');
    if (payload->hasFinish) got += QLatin1Char('f');
    if (payload->usage) got += QLatin1Char('u');
    if (payload->error) got += QLatin1Char('e');
    QCOMPARE(got, facts);
    QCOMPARE(QByteArray::fromStdString(text), json);
}

void TestUpstreamParts::F24_toolCallIndices() {
    // F22: indices are per choice; F24: a missing index is the place in the array.
    std::string json = R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":0},{"index":1}]}},)"
                       R"({"index":1,"delta":{"tool_calls":[{"id":"a"},{"id":"b"},{"index":null}]}}]})";
    const auto payload = readPayload(json);
    QVERIFY(payload);
    using Pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
    Pairs indices;
    for (const ToolPiece& piece : payload->tools) indices.emplace_back(piece.choice, piece.call);
    QVERIFY((indices == Pairs{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {1, 2}}));
}

namespace {
/// A chunk with these elements of `tool_calls`, for one choice.
std::string toolChunk(const std::string& calls, int choice = 0) {
    return R"({"choices":[{"index":)" + std::to_string(choice) + R"(,"delta":{"tool_calls":[)" + calls + "]}}]}";
}
}  // namespace

void TestUpstreamParts::F24_missingIndicesAreWritten_data() {
    QTest::addColumn<Texts>("events");   // elements of tool_calls, an event each
    QTest::addColumn<Texts>("written");
    const auto row = [](const char* tag, const Texts& events, const Texts& written) {
        QTest::newRow(tag) << events << written;
    };
    const std::string a = R"({"id":"a","function":{"name":"f","arguments":"{\"x\""}})";
    const std::string aAt0 = R"({"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}})";
    const std::string b = R"({ "id":"b","function":{"name":"g","arguments":"{}"}})";
    const std::string more = R"({"function":{"arguments":":1}"}})";
    const std::string moreAt0 = R"({"index":0,"function":{"arguments":":1}"}})";
    row("as they should be", {R"({"index":1,"id":"a"},{"id":"b" , "index": 0})"}, {R"({"index":1,"id":"a"},{"id":"b" , "index": 0})"});
    row("one event", {a + "," + b}, {aAt0 + R"(,{"index":1, "id":"b","function":{"name":"g","arguments":"{}"}})"});
    row("in pieces", {a, more}, {aAt0, moreAt0});
    row("two events are two calls", {a, more, b},
        {aAt0, moreAt0, R"({"index":1, "id":"b","function":{"name":"g","arguments":"{}"}})"});
    row("the same id again", {a, R"({"id":"a","function":{"name":"f","arguments":":1}"}})"},
        {aAt0, R"({"index":0,"id":"a","function":{"name":"f","arguments":":1}"}})"});
    row("after one that has an index", {R"({"index":0,"id":"z","function":{"name":"f"}})", b},
        {R"({"index":0,"id":"z","function":{"name":"f"}})", R"({"index":1, "id":"b","function":{"name":"g","arguments":"{}"}})"});
    const std::string c = R"({"index":0,"id":"c","function":{"name":"g","arguments":"{}"}})";
    row("F22: 0 of each", {R"({"index":0,"id":"z","function":{"name":"f"}})", moreAt0, c, moreAt0, R"({"index": 1 ,"id":"y","function":{"name":"f"}})", R"({"index":1,"function":{}})"},
        {R"({"index":0,"id":"z","function":{"name":"f"}})", moreAt0, R"({"index":1,"id":"c","function":{"name":"g","arguments":"{}"}})",
         R"({"index":1,"function":{"arguments":":1}"}})", R"({"index": 2 ,"id":"y","function":{"name":"f"}})", R"({"index":2,"function":{}})"});
    row("F22: 0 of each in one event", {R"({"index":0,"id":"z","function":{"name":"f"}},)" + c}, {R"({"index":0,"id":"z","function":{"name":"f"}},{"index":1,"id":"c","function":{"name":"g","arguments":"{}"}})"});
    row("an id that is an attack", {R"({"index":0,"id":"z","function":{"name":"f"}},{"index":0,"id":")" + std::string(1025, 'i') + R"(","function":{"name":"f"}})"},
        {R"({"index":0,"id":"z","function":{"name":"f"}},{"index":0,"id":")" + std::string(1025, 'i') + R"(","function":{"name":"f"}})"});
    row("null", {R"({"id":"a","index": null ,"type":"function"})"}, {R"({"id":"a","index": 0 ,"type":"function"})"});
    row("a text", {R"({"index":"0","id":"a"})"}, {R"({"index":0,"id":"a"})"});
    row("nothing but a call", {"{},{ }"}, {R"({"index":0},{"index":1 })"});
    row("no object", {"null,7"}, {"null,7"});
}

void TestUpstreamParts::F24_missingIndicesAreWritten() {
    QFETCH(Texts, events);
    QFETCH(Texts, written);
    CallIndices indices;
    for (std::size_t i = 0; i < events.size(); ++i) {
        std::string json = toolChunk(events[i]);
        auto payload = readPayload(json);
        QVERIFY(payload);
        indices.settle(payload->tools);
        writeIndices(json, payload->tools);
        QCOMPARE(QString::fromStdString(json), QString::fromStdString(toolChunk(written[i])));
        // F22: indices are per choice.
        json = toolChunk(events[i], 3);
        payload = readPayload(json);
        indices.settle(payload->tools);
        writeIndices(json, payload->tools);
        QCOMPARE(QString::fromStdString(json), QString::fromStdString(toolChunk(written[i], 3)));
    }
}

void TestUpstreamParts::usageOfEveryShape() {
    std::string full = R"({"usage":{"prompt_tokens":10,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":4}}})";
    QVERIFY((*readPayload(full)->usage == dispatch::Usage{10, 4, 5}));
    std::string bare = R"({"usage":{"prompt_tokens":10,"prompt_tokens_details":null,"completion_tokens":"many"}})";
    QVERIFY((*readPayload(bare)->usage == dispatch::Usage{10, std::nullopt, std::nullopt}));
}

void TestUpstreamParts::errorsOfEveryShape_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<int>("status");
    QTest::newRow("number") << QByteArray(R"({"error":{"message":"m","code":400}})") << 400;
    QTest::newRow("digits") << QByteArray(R"({"error":{"message":"m","code":"429"}})") << 429;
    QTest::newRow("word") << QByteArray(R"({"error":{"message":"m","code":"rate_limit_exceeded"}})") << 429;
    QTest::newRow("type") << QByteArray(R"({"error":{"message":"m","type":"invalid_request_error","code":null}})") << 400;
    QTest::newRow("code before type") << QByteArray(R"({"error":{"type":"server_error","message":"m","code":400}})") << 400;
    QTest::newRow("status") << QByteArray(R"({"error":{"message":"m","status":503}})") << 503;
    QTest::newRow("string") << QByteArray(R"({"error":"m"})") << 0;
    QTest::newRow("unknown word") << QByteArray(R"({"error":{"message":"m","code":"odd"}})") << 0;
    QTest::newRow("not an error status") << QByteArray(R"({"error":{"message":"m","code":200}})") << 0;
    QTest::newRow("flat") << QByteArray(R"({"object":"error","message":"m","code":404})") << 404;
}

void TestUpstreamParts::errorsOfEveryShape() {
    QFETCH(QByteArray, json);
    QFETCH(int, status);
    std::string text = json.toStdString();
    const auto payload = readPayload(text);
    QVERIFY(payload && payload->error);
    QCOMPARE(payload->error->status, status);
    QCOMPARE(payload->error->message, "m"s);
}

void TestUpstreamParts::brokenJsonIsNoPayload_data() {
    QTest::addColumn<QByteArray>("json");
    for (const char* json : {"", "x", "[]", "\"text\"", "{", "{\"choices\":[", "{\"a\":1}{", "{\"a\":1} x", "{\"choices\":[{\"delta\":{\"content\":\"a}]}"})
        QTest::newRow(*json != '\0' ? json : "empty") << QByteArray(json);
    QTest::newRow("bad UTF-8") << QByteArray("{\"a\":\"\xC3\x28\"}");
}

void TestUpstreamParts::brokenJsonIsNoPayload() {
    QFETCH(QByteArray, json);
    std::string text = json.toStdString();
    QVERIFY(!readPayload(text));
}

QTEST_APPLESS_MAIN(TestUpstreamParts)
#include "tst_upstream_parts.moc"
