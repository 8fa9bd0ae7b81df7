// SPDX-License-Identifier: MIT
// Calls in a protocol that their upstream does not speak: what arrives there, and what comes back.
#include "tests/router/upstream/adapter_harness.h"

#include <nlohmann/json.hpp>
#include <QTest>

using namespace signalbox;
using namespace signalbox::dispatch;
using namespace signalbox::test;
using namespace std::string_literals;
using classify::Dialect;
using nlohmann::json;

namespace {

const std::string kOpenAiBody = R"({"model":"alias","messages":[{"role":"system","content":"be brief"},{"role":"user","content":"hi"}],"max_completion_tokens":9})";
const std::string kAnthropicBody = R"({"model":"alias","max_tokens":9,"system":"be brief","messages":[{"role":"user","content":"hi"}]})";
const std::string kMessage = R"({"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"ho"},{"type":"tool_use","id":"t","name":"f","input":{"x":1}}],"stop_reason":"tool_use","usage":{"input_tokens":5,"output_tokens":4}})";
const std::string kCompletion = R"({"id":"chatcmpl-1","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"ho","tool_calls":[{"id":"t","type":"function","function":{"name":"f","arguments":)" + json(R"({"x":1})").dump() + R"(}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":5,"completion_tokens":4}})";

Reply messageEvents(const std::vector<std::string>& list) {
    Reply reply = Reply::stream();
    for (const std::string& data : list) reply.chunk("event: " + json::parse(data)["type"].get<std::string>() + "\ndata: " + data + "\n\n");
    return reply.end();
}
const std::string kStart = R"({"type":"message_start","message":{"id":"msg_1","model":"m","content":[],"usage":{"input_tokens":5,"output_tokens":1}}})";
const std::string kDelta = R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ho"}})";
const std::string kOver = R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":4}})";
const std::string kRole = R"({"id":"c","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]})";
const std::string kText = R"({"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"ho"}}]})";
const std::string kFinish = R"({"id":"c","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})";
const std::string kUsage = R"({"id":"c","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":4}})";

UpstreamRequest openAiRequest(bool stream) {
    UpstreamRequest out = AdapterHarness::request(stream, kOpenAiBody);
    if (stream) out.body.insert(out.body.size() - 1, R"(,"stream":true)");
    return out;
}
UpstreamRequest anthropicRequest(bool stream) {
    UpstreamRequest out = AdapterHarness::request(stream, kAnthropicBody);
    if (stream) out.body.insert(out.body.size() - 1, R"(,"stream":true)");
    out.path = "/v1/messages";
    out.dialect = Dialect::anthropic;
    out.inputTokens = 42;
    return out;
}

struct AnthropicHarness : AdapterHarness {
    AnthropicHarness() { provider.protocol = config::Protocol::anthropic; }
};

const std::optional<UpstreamFailure>& failureOf(const AdapterAnswer& answer) { return answer.atCall ? answer.atCall : answer.later; }

/// Names of the events, or `chunk`, `[DONE]` and `comment`.
std::string namesOf(const AdapterAnswer& answer) {
    std::string all;
    for (const Chunk& chunk : answer.chunks) {
        const bool named = chunk.bytes.starts_with("event: ");
        const std::string name = named ? chunk.bytes.substr(7, chunk.bytes.find('\n') - 7) : chunk.bytes == "data: [DONE]\n\n" ? "[DONE]" : chunk.bytes.starts_with(":") ? "comment" : "chunk";
        all += (all.empty() ? "" : " ") + name;
    }
    return all;
}

}  // namespace

class TestTranslatedCalls : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void openAiClientWholeAnswer();
    void openAiClientStream();
    void anthropicClientWholeAnswer();
    void anthropicClientStream();
    void F10_usageIsAskedForWhereItMayBe();
    void F14_streamInPieces();
    void headersOfTheOtherProtocolStay();
    void F2_F7_errorsOfStreams();
    void errorsInTheClientsShape();
    void F3_errorFrameFirst();
    void F4_untranslatableAnswers();
    void F32_whatCannotBeCarriedIsNotSent();
    void stopSequencesGoWhereTheyAreTaken();
    void operationsThatAreNone_data();
    void operationsThatAreNone();
    void simulatedAnswersMessages();
    void heartbeatsBecomePings();
};

void TestTranslatedCalls::openAiClientWholeAnswer() {
    AnthropicHarness harness;
    harness.upstream.enqueue(Reply::json(kMessage));
    const AdapterAnswer answer = harness.ask(openAiRequest(false));
    QVERIFY(!failureOf(answer));
    QCOMPARE(answer.kinds(), "b"s);
    QCOMPARE(answer.head.contentType, "application/json"s);
    const json got = json::parse(answer.bytes());
    QCOMPARE(got["object"].get<std::string>(), "chat.completion"s);
    QCOMPARE(got["choices"][0]["message"]["content"].get<std::string>(), "ho"s);
    QCOMPARE(got["choices"][0]["finish_reason"].get<std::string>(), "tool_calls"s);
    QVERIFY((answer.usage == Usage{5, std::nullopt, 4}));
    QCOMPARE(answer.toolCalls, 1U);
    const ReceivedRequest sent = harness.upstream.requests().at(0);
    QCOMPARE(sent.requestLine(), "POST /v1/messages HTTP/1.1"s);
    QCOMPARE(sent.header("x-api-key"), std::string(AdapterHarness::kKey));
    QCOMPARE(sent.header("Content-Length"), std::to_string(sent.body.size()));
    const json body = json::parse(sent.body);
    QCOMPARE(body["model"].get<std::string>(), "m"s);
    QCOMPARE(body["max_tokens"].get<int>(), 9);
    QVERIFY(body.contains("system"));
}

void TestTranslatedCalls::openAiClientStream() {
    AnthropicHarness harness;
    harness.upstream.enqueue(messageEvents({kStart, R"({"type":"ping"})", kDelta, kOver, R"({"type":"message_stop"})"}));
    const AdapterAnswer answer = harness.ask(openAiRequest(true));
    QVERIFY(!failureOf(answer));
    QCOMPARE(namesOf(answer), "chunk comment chunk chunk chunk [DONE]"s);
    QCOMPARE(answer.kinds(), "mmcmud"s);
    QCOMPARE(answer.head.contentType, "text/event-stream"s);
    QVERIFY((answer.usage == Usage{5, std::nullopt, 4}));
    QVERIFY(json::parse(harness.upstream.requests().at(0).body)["stream"].get<bool>());
}

void TestTranslatedCalls::anthropicClientWholeAnswer() {
    AdapterHarness harness;
    harness.upstream.enqueue(Reply::json(kCompletion));
    const AdapterAnswer answer = harness.ask(anthropicRequest(false));
    QVERIFY(!failureOf(answer));
    QCOMPARE(answer.kinds(), "b"s);
    const json got = json::parse(answer.bytes());
    QCOMPARE(got["type"].get<std::string>(), "message"s);
    QCOMPARE(got["stop_reason"].get<std::string>(), "tool_use"s);
    QCOMPARE(got["content"][1]["input"]["x"].get<int>(), 1);
    QVERIFY((answer.usage == Usage{5, std::nullopt, 4}));
    QCOMPARE(answer.toolCalls, 1U);
    const ReceivedRequest sent = harness.upstream.requests().at(0);
    QCOMPARE(sent.requestLine(), "POST /v1/chat/completions HTTP/1.1"s);
    QCOMPARE(sent.header("Authorization"), "Bearer "s + AdapterHarness::kKey);
    const json body = json::parse(sent.body);
    QCOMPARE(body["messages"][0]["role"].get<std::string>(), "system"s);
    QCOMPARE(body["max_tokens"].get<int>(), 9);
}

void TestTranslatedCalls::anthropicClientStream() {
    AdapterHarness harness;
    harness.upstream.enqueue(Reply::stream().event(kRole).event(kText).event(kFinish).event(kUsage).event("[DONE]").end());
    const AdapterAnswer answer = harness.ask(anthropicRequest(true));
    QVERIFY(!failureOf(answer));
    QCOMPARE(namesOf(answer), "message_start content_block_start content_block_delta content_block_stop message_delta message_stop"s);
    QCOMPARE(answer.kinds(), "mmcmmd"s);
    QVERIFY((answer.usage == Usage{5, std::nullopt, 4}));
    // F20: the estimate of the gateway stands in the start.
    QVERIFY(answer.chunks.front().bytes.find(R"("input_tokens":42)") != std::string::npos);
}

void TestTranslatedCalls::F10_usageIsAskedForWhereItMayBe() {
    for (const bool may : {true, false}) {
        AdapterHarness harness;
        harness.provider.streamUsage = may;
        harness.upstream.enqueue(Reply::stream().event(kText).event(kFinish).event("[DONE]").end());
        QVERIFY(!failureOf(harness.ask(anthropicRequest(true))));
        QCOMPARE(json::parse(harness.upstream.requests().at(0).body).contains("stream_options"), may);
    }
}

void TestTranslatedCalls::F14_streamInPieces() {
    for (const std::size_t pieces : {1, 3, 17}) {
        AdapterHarness harness;
        harness.upstream.enqueue(Reply::stream().inPieces(pieces).event(kRole).event(kText).event(kFinish).event(kUsage).event("[DONE]").end());
        QCOMPARE(harness.ask(anthropicRequest(true)).kinds(), "mmcmmd"s);
    }
}

void TestTranslatedCalls::headersOfTheOtherProtocolStay() {
    AdapterHarness harness;
    harness.upstream.enqueue(Reply::json(kCompletion));
    UpstreamRequest request = anthropicRequest(false);
    request.headers = {{"anthropic-beta", "a-1"}, {"Anthropic-Version", "2023-06-01"}, {"X-Ok", "yes"}};
    QVERIFY(!failureOf(harness.ask(std::move(request))));
    const ReceivedRequest sent = harness.upstream.requests().at(0);
    QVERIFY(sent.header("anthropic-beta").empty() && sent.header("anthropic-version").empty());
    QCOMPARE(sent.header("X-Ok"), "yes"s);
}

void TestTranslatedCalls::F2_F7_errorsOfStreams() {
    AnthropicHarness anthropic;
    anthropic.upstream.enqueue(messageEvents({kStart, R"({"type":"error","error":{"type":"overloaded_error","message":"busy"}})"}));
    const AdapterAnswer early = anthropic.ask(openAiRequest(true));
    QCOMPARE(early.kinds(), "m"s);
    QVERIFY(early.later);
    QCOMPARE(early.later->status, 529);
    QCOMPARE(early.later->headStatus, 200);
    AdapterHarness openAi;
    openAi.upstream.enqueue(Reply::stream().event(kText).event(R"({"error":{"message":"gone","code":503}})").end());
    const AdapterAnswer late = openAi.ask(anthropicRequest(true));
    QCOMPARE(late.kinds(), "mmc"s);
    QVERIFY(late.later);
    QCOMPARE(late.later->status, 503);
    QCOMPARE(late.later->body, R"({"type":"error","error":{"type":"overloaded_error","message":"gone"}})"s);
}

void TestTranslatedCalls::errorsInTheClientsShape() {
    AnthropicHarness anthropic;
    anthropic.upstream.enqueue(Reply::json(R"({"type":"error","error":{"type":"invalid_request_error","message":"no such thing"}})", 400));
    const AdapterAnswer first = anthropic.ask(openAiRequest(false));
    QVERIFY(first.atCall);
    QCOMPARE(first.atCall->body, R"({"error":{"type":"invalid_request_error","message":"no such thing","param":null,"code":"invalid_request_error"}})"s);
    QVERIFY(first.atCall->message.find("no such thing") != std::string::npos);
    AdapterHarness openAi;
    openAi.upstream.enqueue(Reply::json(R"({"error":{"message":"slow","code":"rate_limit_exceeded"}})", 429, "Retry-After: 3\r\n"));
    const AdapterAnswer second = openAi.ask(anthropicRequest(true));
    QVERIFY(second.atCall);
    QCOMPARE(second.atCall->body, R"({"type":"error","error":{"type":"rate_limit_error","message":"slow"}})"s);
    QVERIFY(second.atCall->retryAfter == std::chrono::seconds(3));
}

void TestTranslatedCalls::F3_errorFrameFirst() {
    AdapterHarness harness;
    harness.upstream.enqueue(Reply::stream().event(R"({"error":{"message":"bad","code":400}})").end());
    const AdapterAnswer answer = harness.ask(anthropicRequest(true));
    QVERIFY(answer.atCall);
    QCOMPARE(answer.atCall->status, 400);
    QVERIFY(answer.atCall->kind == UpstreamFailure::Kind::errorFrame);
}

void TestTranslatedCalls::F4_untranslatableAnswers() {
    AdapterHarness whole;
    whole.upstream.enqueue(Reply::json(R"({"choices":[]})"));
    const AdapterAnswer none = whole.ask(anthropicRequest(false));
    QVERIFY(none.later);
    QCOMPARE(none.later->code, "malformed_body"s);
    QCOMPARE(none.later->headStatus, 200);
    QVERIFY(none.later->message.starts_with("Provider local "));
    AdapterHarness stream;
    stream.upstream.enqueue(Reply::stream().event(kRole).event("[DONE]").end());
    const AdapterAnswer empty = stream.ask(anthropicRequest(true));
    QVERIFY(empty.later);
    QCOMPARE(empty.later->code, "ended_early"s);
    QCOMPARE(empty.kinds(), "m"s);
}

void TestTranslatedCalls::F32_whatCannotBeCarriedIsNotSent() {
    AnthropicHarness harness;
    UpstreamRequest request = openAiRequest(false);
    request.body.insert(request.body.size() - 1, R"(,"n":3)");
    const AdapterAnswer answer = harness.ask(std::move(request));
    QVERIFY(answer.atCall);
    QVERIFY(answer.atCall->kind == UpstreamFailure::Kind::refused);
    QCOMPARE(answer.atCall->code, "cannot_be_translated"s);
    QCOMPARE(answer.atCall->status, 400);
    QCOMPARE(answer.atCall->where, "/n"s);
    QVERIFY2(answer.atCall->message.find("(n)") != std::string::npos || answer.atCall->message.find("/n") != std::string::npos, answer.atCall->message.c_str());
    QCOMPARE(harness.upstream.requestCount(), std::size_t{0});
}

void TestTranslatedCalls::stopSequencesGoWhereTheyAreTaken() {
    AdapterHarness harness;
    UpstreamRequest request = anthropicRequest(false);
    request.body.insert(request.body.size() - 1, R"(,"stop_sequences":["a","b","c","d","e"])");
    QCOMPARE(harness.ask(request).atCall.value_or(UpstreamFailure{}).code, "cannot_be_translated"s);
    harness.provider.maxStopSequences = 5;
    harness.upstream.enqueue(Reply::json(kCompletion));
    const AdapterAnswer answer = harness.ask(request);
    QVERIFY(!failureOf(answer));
    QCOMPARE(json::parse(harness.upstream.requests().at(0).body)["stop"].size(), std::size_t{5});
}

void TestTranslatedCalls::operationsThatAreNone_data() {
    QTest::addColumn<bool>("isAnthropic");
    QTest::addColumn<QString>("path");
    QTest::newRow("count_tokens of an OpenAI upstream") << false << "/v1/messages/count_tokens";
    QTest::newRow("embeddings of Anthropic") << true << "/embeddings";
    QTest::newRow("completions of Anthropic") << true << "/completions";
}

void TestTranslatedCalls::operationsThatAreNone() {
    QFETCH(bool, isAnthropic);
    QFETCH(QString, path);
    AdapterHarness harness;
    if (isAnthropic) harness.provider.protocol = config::Protocol::anthropic;
    UpstreamRequest request = isAnthropic ? openAiRequest(false) : anthropicRequest(false);
    request.path = path.toStdString();
    const AdapterAnswer answer = harness.ask(std::move(request));
    QVERIFY(answer.atCall);
    QVERIFY(answer.atCall->kind == UpstreamFailure::Kind::refused);
    QCOMPARE(answer.atCall->code, "operation_not_supported"s);
    QCOMPARE(harness.upstream.requestCount(), std::size_t{0});
}

void TestTranslatedCalls::simulatedAnswersMessages() {
    AdapterHarness harness;
    harness.provider.protocol = config::Protocol::simulated;
    harness.provider.simulated.firstTokenDelay = {};
    harness.provider.simulated.tokensPerSecond = 0;
    harness.provider.simulated.outputTokens = 12;
    const AdapterAnswer streamed = harness.ask(anthropicRequest(true));
    QVERIFY(!failureOf(streamed));
    QCOMPARE(streamed.kinds(), "mm" + std::string(9, 'c') + "mmd");  // max_tokens of the body
    QVERIFY(streamed.head.simulated);
    QVERIFY(streamed.bytes().find(R"("stop_reason":"max_tokens")") != std::string::npos);
    const AdapterAnswer whole = harness.ask(anthropicRequest(false));
    QVERIFY(!failureOf(whole));
    QCOMPARE(json::parse(whole.bytes())["type"].get<std::string>(), "message"s);
    QVERIFY((whole.usage == Usage{42, std::nullopt, 9}));
}

void TestTranslatedCalls::heartbeatsBecomePings() {
    AdapterHarness harness;
    harness.upstream.enqueue(Reply::stream().event(kRole).chunk(": waiting\n\n").event(kText).event(kFinish).event("[DONE]").end());
    const AdapterAnswer answer = harness.ask(anthropicRequest(true));
    QVERIFY(namesOf(answer).starts_with("message_start ping content_block_start"));
}

QTEST_APPLESS_MAIN(TestTranslatedCalls)
#include "tst_translated_calls.moc"
