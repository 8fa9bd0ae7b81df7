// SPDX-License-Identifier: MIT
// What SDKs hide: the bytes of both edges over upstreams of both protocols, as curl would show them.
#include "tests/clients/client_stage.h"
#include "tests/support/raw_http.h"

#include <nlohmann/json.hpp>
#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using namespace Qt::StringLiterals;
using Json = nlohmann::json;

namespace {

struct Event {
    std::string name, data;
};

/// Events without comments; a text that is no event stream gives events that fail the comparisons.
std::vector<Event> eventsOf(const std::string& body) {
    std::vector<Event> out;
    for (std::size_t at = 0; at < body.size();) {
        const std::size_t end = std::min(body.find("\n\n", at), body.size());
        Event event;
        for (std::size_t line = at; line < end;) {
            const std::size_t next = std::min(body.find('\n', line), end);
            const std::string text = body.substr(line, next - line);
            if (text.starts_with("event: ")) event.name = text.substr(7);
            if (text.starts_with("data: ")) event.data += text.substr(6);
            line = next + 1;
        }
        if (!event.name.empty() || !event.data.empty()) out.push_back(event);
        at = end + 2;
    }
    return out;
}

constexpr const char* kTool = R"([{"type":"function","function":{"name":"look_up","parameters":{"type":"object"}}}])";
constexpr const char* kAnthropicTool = R"([{"name":"look_up","input_schema":{"type":"object"}}])";

std::string openAiBody(const std::string& model, const std::string& more) {
    return R"({"model":")" + model + R"(","messages":[{"role":"user","content":"q"}])" + more + "}";
}

std::string anthropicBody(const std::string& model, const std::string& more) {
    return R"({"model":")" + model + R"(","max_tokens":99,"messages":[{"role":"user","content":"q"}])" + more + "}";
}

}  // namespace

class ClientBytes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase() { QCOMPARE(m_stage.stop(), 0); }
    void F23_blocksOfAnAnthropicStream_data() { upstreamRows(); }
    void F23_blocksOfAnAnthropicStream();
    void F22_chunksOfAnOpenAiStream_data() { upstreamRows(); }
    void F22_chunksOfAnOpenAiStream();
    void F10_usageOnlyForWhoAsked_data() { upstreamRows(); }
    void F10_usageOnlyForWhoAsked();
    void F1_F3_errorFrameFirstIsARealStatus_data() { upstreamRows(); }
    void F1_F3_errorFrameFirstIsARealStatus();
    void F4_F6_brokenStreamEndsInTheEdgesOwnError_data() { upstreamRows(); }
    void F4_F6_brokenStreamEndsInTheEdgesOwnError();
    void F33_F39_whatTheUpstreamGets_data() { upstreamRows(); }
    void F33_F39_whatTheUpstreamGets();

private:
    static void upstreamRows();
    [[nodiscard]] RawResponse post(const std::string& path, const std::string& body, const std::vector<std::string>& more = {});
    [[nodiscard]] RawResponse openAi(const std::string& body, const std::vector<std::string>& more = {}) { return post("/v1/chat/completions", body, more); }
    [[nodiscard]] RawResponse anthropic(const std::string& body, const std::vector<std::string>& more = {}) { return post("/v1/messages", body, more); }

    ClientStage m_stage;
};

void ClientBytes::initTestCase() {
    const QString problem = m_stage.start();
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

void ClientBytes::upstreamRows() {
    QTest::addColumn<QString>("upstream");
    QTest::newRow("an OpenAI upstream") << u"oa"_s;
    QTest::newRow("an Anthropic upstream") << u"an"_s;
}

RawResponse ClientBytes::post(const std::string& path, const std::string& body, const std::vector<std::string>& more) {
    std::vector<std::string> headers{"Authorization: Bearer " + m_stage.token(), "Content-Type: application/json", "anthropic-version: 2023-06-01"};
    headers.insert(headers.end(), more.begin(), more.end());
    return fetch(m_stage.port(), {"POST", path, headers, body}).value_or(RawResponse());
}

void ClientBytes::F23_blocksOfAnAnthropicStream() {
    QFETCH(QString, upstream);
    const auto answer = anthropic(anthropicBody("plain-" + upstream.toStdString(), R"(,"stream":true,"tools":)" + std::string(kAnthropicTool)));
    QCOMPARE(answer.status, 200);
    QVERIFY(answer.header("content-type").starts_with("text/event-stream"));
    const auto events = eventsOf(answer.body);
    QVERIFY2(events.size() > 8, answer.body.c_str());
    std::string frame;  // s start, d delta of the message, e end
    std::set<int> open;
    int blocks = 0;
    for (const Event& event : events) {
        const Json data = Json::parse(event.data);
        QCOMPARE(QString::fromStdString(data.at("type").get<std::string>()), QString::fromStdString(event.name));
        if (event.name == "message_start") {
            frame += 's';
            QVERIFY(data.at("message").at("usage").at("input_tokens").get<int>() > 0);  // F20
            QCOMPARE(QString::fromStdString(data.at("message").at("role").get<std::string>()), u"assistant"_s);
        } else if (event.name == "content_block_start") {
            QCOMPARE(data.at("index").get<int>(), blocks);
            open.insert(blocks++);
        } else if (event.name == "content_block_delta") {
            QVERIFY(open.contains(data.at("index").get<int>()));
        } else if (event.name == "content_block_stop") {
            QCOMPARE(open.erase(data.at("index").get<int>()), std::size_t{1});
        } else if (event.name == "message_delta") {
            frame += 'd';
            QVERIFY(open.empty());
            QCOMPARE(data.at("usage").at("output_tokens").get<int>(), 9);
            QCOMPARE(QString::fromStdString(data.at("delta").at("stop_reason").get<std::string>()), u"tool_use"_s);
        } else if (event.name == "message_stop") {
            frame += 'e';
        } else {
            QCOMPARE(QString::fromStdString(event.name), u"ping"_s);
        }
    }
    QCOMPARE(blocks, 3);
    QCOMPARE(QString::fromStdString(frame), u"sde"_s);
}

void ClientBytes::F22_chunksOfAnOpenAiStream() {
    QFETCH(QString, upstream);
    const auto answer = openAi(openAiBody("plain-" + upstream.toStdString(), R"(,"stream":true,"tools":)" + std::string(kTool)));
    QCOMPARE(answer.status, 200);
    const auto events = eventsOf(answer.body);
    QVERIFY2(events.size() > 5, answer.body.c_str());
    QCOMPARE(QString::fromStdString(events.back().data), u"[DONE]"_s);
    std::map<int, std::string> arguments;
    std::map<int, std::set<std::string>> ids;
    std::set<std::string> answers;
    int finishes = 0;
    for (std::size_t i = 0; i + 1 < events.size(); ++i) {
        QVERIFY2(events[i].name.empty(), events[i].name.c_str());
        const Json chunk = Json::parse(events[i].data);
        QCOMPARE(QString::fromStdString(chunk.at("object").get<std::string>()), u"chat.completion.chunk"_s);
        answers.insert(chunk.at("id").get<std::string>());
        const Json& choice = chunk.at("choices").at(0);
        if (i == 0) QCOMPARE(QString::fromStdString(choice.at("delta").at("role").get<std::string>()), u"assistant"_s);
        if (choice.contains("finish_reason") && choice.at("finish_reason").is_string()) ++finishes;
        const Json none = Json::array();
        for (const Json& call : choice.at("delta").value("tool_calls", none)) {
            const int index = call.at("index").get<int>();
            arguments[index] += call.at("function").value("arguments", "");
            if (call.contains("id")) ids[index].insert(call.at("id").get<std::string>());
        }
    }
    QCOMPARE(answers.size(), std::size_t{1});
    QCOMPARE(finishes, 1);
    QCOMPARE(arguments.size(), std::size_t{2});
    QVERIFY2((Json::parse(arguments[0]) == Json{{"dock", 3}}), arguments[0].c_str());
    QCOMPARE(Json::parse(arguments[1]).at("dock").get<int>(), 4);
    QCOMPARE(ids[0].size() + ids[1].size(), std::size_t{2});
}

void ClientBytes::F10_usageOnlyForWhoAsked() {
    QFETCH(QString, upstream);
    const std::string model = "plain-" + upstream.toStdString();
    const auto unasked = openAi(openAiBody(model, R"(,"stream":true)"));
    QCOMPARE(unasked.status, 200);
    QVERIFY2(unasked.body.find("\"prompt_tokens\"") == std::string::npos, unasked.body.c_str());
    const auto asked = eventsOf(openAi(openAiBody(model, R"(,"stream":true,"stream_options":{"include_usage":true})")).body);
    QVERIFY(asked.size() > 3);
    QCOMPARE(QString::fromStdString(asked.back().data), u"[DONE]"_s);
    const Json last = Json::parse(asked[asked.size() - 2].data);
    QVERIFY(last.at("choices").empty());  // F9
    QCOMPARE(last.at("usage").at("prompt_tokens").get<int>(), 21);
    QCOMPARE(last.at("usage").at("completion_tokens").get<int>(), 9);
}

void ClientBytes::F1_F3_errorFrameFirstIsARealStatus() {
    QFETCH(QString, upstream);
    const int wanted = upstream == u"oa"_s ? 503 : 529;
    const std::string model = "solo-frame-" + upstream.toStdString();
    const auto one = openAi(openAiBody(model + "-openai-stream", R"(,"stream":true)"));
    QCOMPARE(one.status, wanted);
    QVERIFY2(Json::parse(one.body).at("error").at("message").is_string(), one.body.c_str());
    const auto other = anthropic(anthropicBody(model + "-anthropic-stream", R"(,"stream":true)"));
    QCOMPARE(other.status, wanted);
    const Json said = Json::parse(other.body);
    QCOMPARE(QString::fromStdString(said.at("type").get<std::string>()), u"error"_s);
    QCOMPARE(QString::fromStdString(said.at("error").at("type").get<std::string>()), u"overloaded_error"_s);
}

void ClientBytes::F4_F6_brokenStreamEndsInTheEdgesOwnError() {
    QFETCH(QString, upstream);
    const std::string model = "duo-late-" + upstream.toStdString();
    const auto one = openAi(openAiBody(model + "-openai-stream", R"(,"stream":true)"));
    QCOMPARE(one.status, 200);
    QVERIFY2(one.body.find(R"("finish_reason":"stop")") == std::string::npos, one.body.c_str());
    const auto chunks = eventsOf(one.body);
    const Event& last = chunks.back().data == "[DONE]" ? chunks.at(chunks.size() - 2) : chunks.back();
    QVERIFY2(Json::parse(last.data).contains("error"), one.body.c_str());
    const auto other = anthropic(anthropicBody(model + "-anthropic-stream", R"(,"stream":true)"));
    QCOMPARE(other.status, 200);
    const auto events = eventsOf(other.body);
    QCOMPARE(QString::fromStdString(events.back().name), u"error"_s);
    QCOMPARE(QString::fromStdString(Json::parse(events.back().data).at("type").get<std::string>()), u"error"_s);
    QVERIFY2(other.body.find("message_stop") == std::string::npos, other.body.c_str());
    QCOMPARE(std::count_if(events.begin(), events.end(), [](const Event& event) { return event.name == "message_start"; }), 1);
}

void ClientBytes::F33_F39_whatTheUpstreamGets() {
    QFETCH(QString, upstream);
    const std::string model = "plain-" + upstream.toStdString();
    const std::vector<std::string> ours{"Accept-Encoding: gzip, br", "X-Signalbox-Category: code", "X-ModelPort-Session-Id: s1", "Cookie: a=b"};
    const std::string hints = R"(,"stream":true,"metadata":{"category":"code","expected_length":"short"})";
    for (const bool isAnthropic : {false, true}) {
        const std::size_t before = m_stage.upstream().requestCount();
        const auto answer = isAnthropic ? anthropic(anthropicBody(model, hints), ours) : openAi(openAiBody(model, hints), ours);
        QVERIFY2(answer.status == 200, answer.body.c_str());
        QVERIFY2(answer.header("content-encoding").empty(), "the answer is as it came");
        const auto requests = m_stage.upstream().requests();
        QCOMPARE(requests.size(), before + 1);
        const ReceivedRequest& got = requests.back();
        QCOMPARE(QString::fromStdString(got.header("accept-encoding")), u"identity"_s);
        for (const char* word : {"X-Signalbox", "X-ModelPort", "Cookie", "gzip"}) QVERIFY2(got.head.find(word) == std::string::npos, got.head.c_str());
        for (const char* word : {"category", "expected_length"}) QVERIFY2(got.body.find(word) == std::string::npos, got.body.c_str());
        QVERIFY2(got.head.find(m_stage.token()) == std::string::npos, "the gateway's own token stays");
    }
}

QTEST_GUILESS_MAIN(ClientBytes)
#include "tst_client_bytes.moc"
