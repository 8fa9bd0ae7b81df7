// SPDX-License-Identifier: MIT
// What the adapter makes of error statuses, and of a 200 that is no answer.
#include "tests/router/upstream/adapter_harness.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::dispatch;
using namespace signalbox::test;
using namespace std::string_literals;

class TestOpenAiFailures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void errorStatuses_data();
    void errorStatuses();
    void F46_retryAfterIsRead_data();
    void F46_retryAfterIsRead();
    void errorBodiesAreRedactedAndBounded();
    void wholeAnswerThatIsNone_data();
    void wholeAnswerThatIsNone();
    void onlyCompletionsHaveChoices_data();
    void onlyCompletionsHaveChoices();
    void streamThatIsNone_data();
    void streamThatIsNone();
    void whatCameInsteadIsShown_data();
    void whatCameInsteadIsShown();
};

void TestOpenAiFailures::errorStatuses_data() {
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("stream");
    for (const int status : {301, 400, 401, 403, 404, 408, 409, 422, 429, 500, 502, 503, 504})
        for (const bool stream : {false, true})
            QTest::addRow("%d%s", status, stream ? " streaming" : "") << status << stream;
}

void TestOpenAiFailures::errorStatuses() {
    QFETCH(int, status);
    QFETCH(bool, stream);
    AdapterHarness harness;
    const std::string body = R"({"error":{"message":"said so","type":"t"}})";
    const AdapterAnswer answer = harness.ask(stream, Reply::json(body, status));
    QVERIFY(answer.atCall);
    QVERIFY(answer.atCall->kind == UpstreamFailure::Kind::status);
    QCOMPARE(answer.atCall->status, status);
    QCOMPARE(answer.atCall->code, "status_" + std::to_string(status));
    QCOMPARE(answer.atCall->body, body);
    QVERIFY(answer.atCall->message.find("said so") != std::string::npos);
    QVERIFY(answer.atCall->message.find("local") != std::string::npos);
    // What is not there may be the path, of which the upstream cannot know who put it together.
    QCOMPARE(answer.atCall->message.find("check base_url of [providers.local]") != std::string::npos, status == 404);
}

void TestOpenAiFailures::F46_retryAfterIsRead_data() {
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<int>("least");
    QTest::addColumn<int>("most");
    QTest::newRow("seconds") << QByteArray("Retry-After: 17\r\n") << 17 << 17;
    QTest::newRow("date long past") << QByteArray("Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n") << 0 << 0;
    QTest::newRow("date far ahead") << QByteArray("retry-after: Fri, 01 Jan 2100 00:00:00 GMT\r\n") << 86400 << 86400;
    QTest::newRow("none") << QByteArray() << -1 << -1;
    QTest::newRow("nonsense") << QByteArray("Retry-After: later\r\n") << -1 << -1;
}

void TestOpenAiFailures::F46_retryAfterIsRead() {
    QFETCH(QByteArray, header);
    QFETCH(int, least);
    QFETCH(int, most);
    AdapterHarness harness;
    const AdapterAnswer answer = harness.ask(false, Reply::json("{}", 429, header.toStdString()));
    QVERIFY(answer.atCall);
    const int got = answer.atCall->retryAfter ? static_cast<int>(answer.atCall->retryAfter->count()) : -1;
    QVERIFY(got >= least && got <= most);
}

void TestOpenAiFailures::errorBodiesAreRedactedAndBounded() {
    AdapterHarness harness;
    const std::string leak = "key "s + AdapterHarness::kKey + " and sk-abcdef123456 and Bearer zzzzzzzz ";
    const AdapterAnswer answer = harness.ask(false, Reply::json(leak + std::string(100'000, 'x'), 401));
    QVERIFY(answer.atCall);
    for (const std::string& text : {answer.atCall->message, answer.atCall->body}) {
        QVERIFY(text.size() <= 2048 + 3);
        for (const char* secret : {AdapterHarness::kKey, "sk-abc", "zzzz"}) QVERIFY(text.find(secret) == std::string::npos);
    }
}

void TestOpenAiFailures::wholeAnswerThatIsNone_data() {
    QTest::addColumn<QByteArray>("reply");
    QTest::addColumn<QString>("code");
    QTest::newRow("an error under 200 (F4)") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 34\r\n\r\n{\"error\":{\"code\":503,\"message\":1}}") << "error_frame_503";
    QTest::newRow("HTML") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n<html></html>") << "malformed_body";
    QTest::newRow("JSON of something else") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 17\r\n\r\n{\"hello\":\"world\"}") << "malformed_body";
    QTest::newRow("choices that are no list") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n{\"choices\":null}") << "malformed_body";
    QTest::newRow("empty") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") << "malformed_body";
    QTest::newRow("cut off") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"choices\":") << "disconnected";
    QTest::newRow("cut off chunk") << QByteArray("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"a\"") << "disconnected";
    QTest::newRow("broken chunk") << QByteArray("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n") << "not_http";
    QTest::newRow("no HTTP") << QByteArray("SSH-2.0-OpenSSH_9.2p1\r\n\r\n") << "not_http";
    QTest::newRow("half a head") << QByteArray("HTTP/1.1 200 OK\r\nConte") << "disconnected";
    QTest::newRow("nothing") << QByteArray() << "disconnected";
    QTest::newRow("upgrade") << QByteArray("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n") << "unexpected_upgrade";
}

void TestOpenAiFailures::wholeAnswerThatIsNone() {
    QFETCH(QByteArray, reply);
    QFETCH(QString, code);
    AdapterHarness harness;
    const AdapterAnswer answer = harness.ask(false, Reply::raw(reply.toStdString()).close());
    const std::optional<UpstreamFailure>& failure = answer.atCall ? answer.atCall : answer.later;
    QVERIFY(failure);
    QCOMPARE(QString::fromStdString(failure->code), code);
    QVERIFY(answer.chunks.empty());
}

// Of a completion something is chosen; what other operations answer nobody judges.
void TestOpenAiFailures::onlyCompletionsHaveChoices_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<bool>("fails");
    QTest::newRow("chat") << "/chat/completions" << true;
    QTest::newRow("the older one") << "/completions" << true;
    QTest::newRow("embeddings") << "/embeddings" << false;
}

void TestOpenAiFailures::onlyCompletionsHaveChoices() {
    QFETCH(QString, path);
    QFETCH(bool, fails);
    for (const bool stream : {false, true}) {
        AdapterHarness harness;
        const std::string body = R"({"object":"list","data":[]})";
        harness.upstream.enqueue(stream ? Reply::stream().event(body).event("[DONE]").end() : Reply::json(body));
        UpstreamRequest request = AdapterHarness::request(stream);
        request.path = path.toStdString();
        const AdapterAnswer answer = harness.ask(std::move(request));
        QVERIFY(!answer.atCall);
        QCOMPARE(answer.later.has_value(), fails);
        if (!fails) continue;
        QCOMPARE(answer.later->code, stream ? "ended_early"s : "malformed_body"s);
        QVERIFY2(answer.later->message.find("choices") != std::string::npos, answer.later->message.c_str());
        QVERIFY(answer.later->kind == UpstreamFailure::Kind::protocol);
        QCOMPARE(answer.later->headStatus, 200);
    }
}

void TestOpenAiFailures::streamThatIsNone_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("code");
    QTest::newRow("an error in JSON (F3)") << QByteArray(R"({"error":{"code":429,"message":"slow"}})") << "error_frame_429";
    QTest::newRow("a whole answer") << QByteArray(R"({"choices":[{"message":{"content":"hi"}}]})") << "not_a_stream";
    QTest::newRow("HTML") << QByteArray("<html></html>") << "not_a_stream";
    QTest::newRow("nothing") << QByteArray() << "ended_early";
    QTest::newRow("JSON of something else") << QByteArray(R"({"hello":"world"})") << "not_a_stream";
}

void TestOpenAiFailures::streamThatIsNone() {
    QFETCH(QByteArray, body);
    QFETCH(QString, code);
    AdapterHarness harness;
    const AdapterAnswer answer = harness.ask(true, Reply::json(body.toStdString()));
    QVERIFY(answer.atCall);
    QCOMPARE(QString::fromStdString(answer.atCall->code), code);
}

void TestOpenAiFailures::whatCameInsteadIsShown_data() {
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("stream");
    QTest::addColumn<QByteArray>("shown");
    QTest::addColumn<bool>("hint");
    const QByteArray html("text/html; charset=utf-8");
    for (const bool stream : {false, true}) {
        const auto row = [&](const char* name, const QByteArray& type, const QByteArray& body, const QByteArray& shown, bool hint) {
            QTest::addRow("%s%s", name, stream ? ", streamed" : "") << type << body << stream << shown << hint;
        };
        row("a page", html, "<html>\r\n\t<title>Welcome</title>", "(content type text/html; charset=utf-8, beginning with <html> <title>Welcome</title>)", true);
        row("a page that quotes our key", html, QByteArray("<p>") + AdapterHarness::kKey + "</p>", "beginning with <p>[redacted]</p>)", true);
        row("a key where it is cut", html, "<" + QByteArray(150, 'a') + " " + AdapterHarness::kKey, "a [redacte…)", true);
        row("control characters", html, "<a\x1b[2J\x7f\x9b\xc2\x9b>", "beginning with <a [2J \xEF\xBF\xBD >)", true);
        row("no type", "", "<p>", "(no content type, beginning with <p>)", true);
    }
    // Of a stream they are taken for its lines, and end it before its time.
    const auto whole = [](const char* name, const char* type, const char* body, const char* shown, bool hint) {
        QTest::newRow(name) << QByteArray(type) << QByteArray(body) << false << QByteArray(shown) << hint;
    };
    whole("a plain text", "text/plain", "for nobody else", "(content type text/plain, a text of 15 bytes)", true);
    whole("thoughts of a model", "text/plain", "<think>for nobody else</think>", "(content type text/plain, a text of 30 bytes)", true);
    whole("a JSON string", "", "\"for nobody else\"", "(no content type, a JSON text)", false);
    QTest::newRow("nothing") << html << QByteArray() << false << QByteArray("(content type text/html; charset=utf-8, nothing in it)") << true;
    QTest::newRow("a stream that was not asked for") << QByteArray("text/event-stream") << QByteArray("data: {\"choices\":[{\"delta\":{\"content\":\"for nobody else\"}}]}\n\n") << false << QByteArray("(content type text/event-stream, an event stream)") << false;
    QTest::newRow("half a JSON object") << QByteArray("application/json") << QByteArray("{\"choices\":[") << false << QByteArray("(content type application/json, a JSON text)") << false;
    QTest::newRow("a whole answer, streamed") << QByteArray("application/json") << QByteArray(R"({"choices":[{"message":{"content":"for nobody else"}}]})") << true << QByteArray("(content type application/json, a JSON text)") << false;
}

void TestOpenAiFailures::whatCameInsteadIsShown() {
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, body);
    QFETCH(bool, stream);
    QFETCH(QByteArray, shown);
    QFETCH(bool, hint);
    QByteArray reply = "HTTP/1.1 200 OK\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n";
    if (!type.isEmpty()) reply += "Content-Type: " + type + "\r\n";
    AdapterHarness harness;
    const AdapterAnswer answer = harness.ask(stream, Reply::raw((reply + "\r\n" + body).toStdString()).close());
    const std::optional<UpstreamFailure>& failure = answer.atCall ? answer.atCall : answer.later;
    QVERIFY(failure);
    const QByteArray message = QByteArray::fromStdString(failure->message);
    QVERIFY2(message.contains(shown), message.constData());
    QCOMPARE(message.contains("Check base_url of [providers.local]"), hint);
    QVERIFY(!message.contains("hunter2") && !message.contains("nobody else") && message.size() < 500);
}

QTEST_APPLESS_MAIN(TestOpenAiFailures)
#include "tst_openai_failures.moc"
