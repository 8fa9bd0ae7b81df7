// SPDX-License-Identifier: MIT
#include "router/upstream/adapters.h"
#include "tests/support/run_coroutine.h"

#include "router/upstream/simulated_value.h"

#include <QByteArray>
#include <QTest>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

using namespace signalbox;
using namespace dispatch;
using namespace std::chrono_literals;
using Json = nlohmann::json;

Q_DECLARE_METATYPE(signalbox::config::SimulatedBehaviour::Fault)

namespace {

using Fault = config::SimulatedBehaviour::Fault;

config::Provider provider() {
    config::Provider out;
    out.id = "sim";
    out.protocol = config::Protocol::simulated;
    out.simulated.firstTokenDelay = 20ms;
    out.simulated.tokensPerSecond = 1000;
    out.simulated.outputTokens = 12;
    return out;
}

UpstreamRequest request(std::string path, bool stream, std::string body = "{}") {
    UpstreamRequest out;
    out.path = std::move(path);
    out.stream = stream;
    out.body = std::move(body);
    out.model = "model \"x\"";
    out.decisionId = *DecisionId::parse("rtd_0193776ab2c0123456789abcdef01234");
    out.inputTokens = 34;
    return out;
}

struct Answer {
    std::optional<UpstreamFailure> failure;
    std::vector<Chunk> chunks;
    Usage usage;
    ToolOutcome tools;
    bool simulated = false;
    [[nodiscard]] std::string bytes() const {
        std::string all;
        for (const Chunk& chunk : chunks) all += chunk.bytes;
        return all;
    }
};

asio::awaitable<Answer> readAll(std::shared_ptr<Adapter> adapter, UpstreamRequest call) {
    Answer answer;
    auto stream = co_await adapter->call(std::move(call));
    if (!stream) {
        answer.failure = std::move(stream.error());
        co_return answer;
    }
    answer.simulated = (*stream)->head().simulated;
    while (true) {
        auto chunk = co_await (*stream)->next();
        if (!chunk) answer.failure = std::move(chunk.error());
        if (!chunk || !*chunk) break;
        answer.chunks.push_back(std::move(**chunk));
    }
    answer.usage = (*stream)->usage();
    answer.tools = (*stream)->toolOutcome();
    co_return answer;
}

Answer ask(const config::Provider& of, UpstreamRequest call) {
    asio::io_context context;
    auto adapter = upstream::makeAdapter(of, [](const std::string&) { return std::nullopt; });
    return test::runCoroutine(context, readAll(*adapter, std::move(call)));
}

std::string said(const Answer& answer) {
    std::string text;
    for (const Chunk& chunk : answer.chunks)
        if (chunk.kind == Chunk::Kind::content)
            text += Json::parse(chunk.bytes.substr(6))["choices"][0]["delta"]["content"].get<std::string>();
    return text;
}

/// The payloads of a stream of either protocol.
std::vector<Json> eventsOf(const Answer& answer) {
    std::vector<Json> out;
    for (const QByteArray& line : QByteArray::fromStdString(answer.bytes()).split('\n'))
        if (line.startsWith("data: {")) out.push_back(Json::parse(line.mid(6).toStdString()));
    return out;
}

/// What was answered, in words that do not depend on protocol and streaming.
struct Told {
    std::string tool, arguments, text, end;
};

Told toldByOpenAi(const Answer& answer, bool stream) {
    Told told;
    const std::vector<Json> events = stream ? eventsOf(answer) : std::vector<Json>{Json::parse(answer.bytes())};
    for (const Json& event : events) {
        if (event["choices"].empty()) continue;
        const Json& choice = event["choices"][0];
        const Json& said = choice[stream ? "delta" : "message"];
        if (choice["finish_reason"].is_string()) told.end = choice["finish_reason"];
        if (said.contains("content") && said["content"].is_string()) told.text += said["content"].get<std::string>();
        for (const Json& call : said.value("tool_calls", Json::array())) {
            told.tool += call["function"].value("name", "");
            told.arguments += call["function"].value("arguments", "");
        }
    }
    return told;
}

Told toldByAnthropic(const Answer& answer, bool stream) {
    Told told;
    if (!stream) {
        const Json message = Json::parse(answer.bytes());
        told.end = message["stop_reason"];
        for (const Json& block : message["content"]) {
            if (block["type"] == "text") told.text += block["text"].get<std::string>();
            if (block["type"] != "tool_use") continue;
            told.tool += block["name"].get<std::string>();
            told.arguments += block["input"].dump();
        }
        return told;
    }
    for (const Json& event : eventsOf(answer)) {
        if (event["type"] == "content_block_start") told.tool += event["content_block"].value("name", "");
        if (event["type"] == "content_block_delta") {
            told.arguments += event["delta"].value("partial_json", "");
            told.text += event["delta"].value("text", "");
        }
        if (event["type"] == "message_delta") told.end = event["delta"]["stop_reason"];
    }
    return told;
}

Told tell(bool anthropic, bool stream, std::string body) {
    UpstreamRequest call = request(anthropic ? "/v1/messages" : "/chat/completions", stream, std::move(body));
    if (anthropic) call.dialect = classify::Dialect::anthropic;
    const Answer answer = ask(provider(), std::move(call));
    return anthropic ? toldByAnthropic(answer, stream) : toldByOpenAi(answer, stream);
}

constexpr const char* kSchema = R"({"type":"object","properties":{"city":{"type":"string"},"unit":{"enum":["c","f"]},"days":{"type":"integer","minimum":3},)"
                                R"("note":{"type":"string"}},"required":["city","unit","days"]})";

}  // namespace

class TestSimulated : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void streamHasTheShapeOfARealOne();
    void wholeAnswer_data();
    void wholeAnswer();
    void sameSeedAndIdSameBytes();
    void honoursTheTokenLimit();
    void reallyWaits();
    void faults_data();
    void faults();
    void faultShareIsKept();
    void demands_data();
    void demands();
    void callIsJudgedAndCounted();
    void callIsWholeWhateverTheLimit();
    void plainValues_data();
    void plainValues();
    void hostileSchemasCostLittle();
    void embeddingsAreOfTheText();
    void embeddingsInBase64();
};

void TestSimulated::streamHasTheShapeOfARealOne() {
    const Answer answer = ask(provider(), request("/chat/completions", true));
    QVERIFY(!answer.failure);
    QVERIFY(answer.simulated);
    QCOMPARE(answer.chunks.size(), std::size_t{12 + 4});
    QVERIFY(answer.chunks.front().kind == Chunk::Kind::metadata);
    QVERIFY(answer.chunks[1].kind == Chunk::Kind::content);
    QVERIFY(answer.chunks[14].kind == Chunk::Kind::usage);
    QVERIFY(answer.chunks[15].kind == Chunk::Kind::done);
    QCOMPARE(answer.chunks[15].bytes, std::string("data: [DONE]\n\n"));
    QVERIFY(said(answer).starts_with("This answer is simulated by Signalbox"));
    const Json finish = Json::parse(answer.chunks[13].bytes.substr(6));
    QCOMPARE(finish["choices"][0]["finish_reason"].get<std::string>(), std::string("stop"));
    QCOMPARE(finish["model"].get<std::string>(), std::string("model \"x\""));
    QVERIFY((answer.usage == Usage{34, std::nullopt, 12}));
}

void TestSimulated::wholeAnswer_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("object");
    QTest::newRow("chat") << "/chat/completions" << "chat.completion";
    QTest::newRow("completion") << "/completions" << "text_completion";
    QTest::newRow("embedding") << "/embeddings" << "list";
}

void TestSimulated::wholeAnswer() {
    QFETCH(QString, path);
    QFETCH(QString, object);
    const Answer answer = ask(provider(), request(path.toStdString(), false, R"({"input":["a","b"],"dimensions":3})"));
    QVERIFY(!answer.failure);
    QCOMPARE(answer.chunks.size(), std::size_t{1});
    QVERIFY(answer.chunks[0].kind == Chunk::Kind::body);
    const Json json = Json::parse(answer.chunks[0].bytes);
    QCOMPARE(QString::fromStdString(json["object"].get<std::string>()), object);
    QCOMPARE(json["usage"]["prompt_tokens"].get<int>(), 34);
    QVERIFY(json.dump().find("simulated") != std::string::npos);
    if (object == QStringLiteral("list")) {
        QCOMPARE(json["data"].size(), std::size_t{2});
        QCOMPARE(json["data"][1]["embedding"].size(), std::size_t{3});
    }
}

void TestSimulated::sameSeedAndIdSameBytes() {
    const Answer first = ask(provider(), request("/chat/completions", true));
    const Answer again = ask(provider(), request("/chat/completions", true));
    QCOMPARE(first.bytes(), again.bytes());
    config::Provider otherSeed = provider();
    otherSeed.simulated.seed = 99;
    QVERIFY(ask(otherSeed, request("/chat/completions", true)).bytes() != first.bytes());
}

void TestSimulated::honoursTheTokenLimit() {
    const Answer answer = ask(provider(), request("/chat/completions", false, R"({"max_completion_tokens":3})"));
    const Json json = Json::parse(answer.chunks[0].bytes);
    QCOMPARE(json["usage"]["completion_tokens"].get<int>(), 3);
    QCOMPARE(json["choices"][0]["finish_reason"].get<std::string>(), std::string("length"));
}

void TestSimulated::reallyWaits() {
    const Steady before = std::chrono::steady_clock::now();
    QVERIFY(!ask(provider(), request("/chat/completions", true)).failure);
    // 20 ms to the first token and 11 more at one a millisecond.
    QVERIFY(std::chrono::steady_clock::now() - before >= 31ms);
}

void TestSimulated::faults_data() {
    QTest::addColumn<Fault>("fault");
    QTest::addColumn<bool>("stream");
    QTest::addColumn<QString>("code");
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("afterContent");
    QTest::newRow("500") << Fault::status500 << false << "status_500" << 500 << false;
    QTest::newRow("429") << Fault::status429 << true << "status_429" << 429 << false;
    QTest::newRow("error frame") << Fault::errorFrame << true << "error_frame_503" << 503 << false;
    QTest::newRow("disconnect, stream") << Fault::disconnect << true << "disconnected" << 0 << true;
    QTest::newRow("disconnect, whole") << Fault::disconnect << false << "disconnected" << 0 << false;
    QTest::newRow("stall, stream") << Fault::stall << true << "timeout_stream_idle" << 0 << true;
    QTest::newRow("stall, whole") << Fault::stall << false << "timeout_first_byte" << 0 << false;
}

void TestSimulated::faults() {
    QFETCH(Fault, fault);
    QFETCH(bool, stream);
    QFETCH(QString, code);
    QFETCH(int, status);
    QFETCH(bool, afterContent);
    config::Provider faulty = provider();
    faulty.simulated.faultRate = 1.0;
    faulty.simulated.fault = fault;
    faulty.firstByteTimeout = 60ms;
    faulty.streamIdleTimeout = 40ms;
    const Answer answer = ask(faulty, request("/chat/completions", stream));
    QVERIFY(answer.failure);
    QCOMPARE(QString::fromStdString(answer.failure->code), code);
    QCOMPARE(answer.failure->status, status);
    QCOMPARE(answer.failure->retryAfter.has_value(), status == 429);
    QCOMPARE(said(answer).empty(), !afterContent);
}

void TestSimulated::faultShareIsKept() {
    config::Provider faulty = provider();
    faulty.simulated.faultRate = 0.5;
    faulty.simulated.firstTokenDelay = 0ms;
    faulty.simulated.tokensPerSecond = 0;
    FastRandom random(5);
    int failed = 0;
    for (int i = 0; i < 200; ++i) {
        UpstreamRequest call = request("/chat/completions", false);
        call.decisionId = DecisionId::make(Timestamp(std::chrono::seconds(1'764'400'000 + i)), random);
        failed += ask(faulty, std::move(call)).failure.has_value() ? 1 : 0;
    }
    QVERIFY2(failed > 70 && failed < 130, qPrintable(QString::number(failed)));
}

void TestSimulated::demands_data() {
    QTest::addColumn<bool>("anthropic");
    QTest::addColumn<QByteArray>("members");
    QTest::addColumn<QByteArray>("messages");
    QTest::addColumn<QString>("tool");
    QTest::addColumn<QString>("json");
    const QByteArray schema(kSchema);
    const QByteArray value = R"({"city":"simulated","unit":"c","days":3})";
    const QByteArray asked = R"([{"role":"user","content":"Hi"}])";
    const QByteArray tools = R"("tools":[{"type":"function","function":{"name":"now","parameters":{"type":"object","properties":{}}}},)"
                             R"({"type":"function","function":{"name":"weather","parameters":)" + schema + "}}]";
    const auto openai = [&](const char* name, const QByteArray& members, const char* tool, const QByteArray& json) {
        QTest::newRow(name) << false << members << asked << QString::fromLatin1(tool) << QString::fromUtf8(json);
    };
    openai("required", tools + R"(,"tool_choice":"required")", "now", "{}");
    openai("named", tools + R"(,"tool_choice":{"type":"function","function":{"name":"weather"}})", "weather", value);
    openai("allowed and required", tools + R"(,"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"required",)"
           R"("tools":[{"type":"function","function":{"name":"weather"}}]}})", "weather", value);
    openai("auto", tools + R"(,"tool_choice":"auto")", "", "");
    openai("none", tools + R"(,"tool_choice":"none")", "", "");
    openai("only offered", tools, "", "");
    openai("a tool that is not there", tools + R"(,"tool_choice":{"type":"function","function":{"name":"other"}})", "", "");
    openai("json_schema", R"("response_format":{"type":"json_schema","json_schema":{"name":"a","schema":)" + schema + "}}", "", value);
    openai("json_object", R"("response_format":{"type":"json_object"})", "", R"({"simulated":true})");
    openai("text", R"("response_format":{"type":"text"})", "", "");
    QTest::newRow("after a result") << false << tools + R"(,"tool_choice":"required")"
        << QByteArray(R"([{"role":"user","content":"Hi"},{"role":"tool","tool_call_id":"c","content":"7"}])") << QString() << QString();

    const QByteArray own = R"("max_tokens":64,"tools":[{"name":"now","input_schema":{"type":"object"}},{"name":"weather","input_schema":)" + schema + "}]";
    const auto anthropic = [&](const char* name, const QByteArray& members, const char* tool, const QByteArray& json) {
        QTest::newRow(name) << true << members << asked << QString::fromLatin1(tool) << QString::fromUtf8(json);
    };
    anthropic("Anthropic: any", own + R"(,"tool_choice":{"type":"any"})", "now", "{}");
    anthropic("Anthropic: named", own + R"(,"tool_choice":{"type":"tool","name":"weather"})", "weather", value);
    anthropic("Anthropic: auto", own + R"(,"tool_choice":{"type":"auto"})", "", "");
    anthropic("Anthropic: output_config", R"("max_tokens":64,"output_config":{"format":{"type":"json_schema","schema":)" + schema + "}}", "", value);
    QTest::newRow("Anthropic: after a result") << true << own + R"(,"tool_choice":{"type":"any"})"
        << QByteArray(R"([{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"7"}]}])") << QString() << QString();
}

void TestSimulated::demands() {
    QFETCH(bool, anthropic);
    QFETCH(QByteArray, members);
    QFETCH(QByteArray, messages);
    QFETCH(QString, tool);
    QFETCH(QString, json);
    for (const bool stream : {false, true}) {
        const Told told = tell(anthropic, stream, "{\"messages\":" + messages.toStdString() + ',' + members.toStdString() + '}');
        QCOMPARE(QString::fromStdString(told.tool), tool);
        const bool called = !tool.isEmpty();
        const std::string end = called ? (anthropic ? "tool_use" : "tool_calls") : anthropic ? "end_turn" : "stop";
        QCOMPARE(told.end, end);
        if (!called && json.isEmpty()) {
            QVERIFY2(told.text.starts_with("This answer is simulated"), told.text.c_str());
            continue;
        }
        const std::string& said = called ? told.arguments : told.text;
        // An empty object may be left unsaid in Anthropic's stream.
        QVERIFY2(Json::parse(said.empty() ? "{}" : said) == Json::parse(json.toStdString()), said.c_str());
        QVERIFY2((called ? told.text : told.arguments).empty(), (told.text + told.arguments).c_str());
    }
}

void TestSimulated::callIsJudgedAndCounted() {
    struct Offered final : OfferedTools {
        [[nodiscard]] Verdict check(std::string_view tool, std::string_view arguments) const override {
            return tool == "now" && arguments == "{}" ? Verdict::fits : Verdict::violates;
        }
    };
    for (const bool stream : {false, true}) {
        UpstreamRequest call = request("/chat/completions", stream,
                                       R"({"messages":[],"tools":[{"type":"function","function":{"name":"now"}}],"tool_choice":"required"})");
        call.tools = std::make_shared<Offered>();
        QVERIFY((ask(provider(), std::move(call)).tools == ToolOutcome{1, 1, 1, 0}));
    }
    QVERIFY(ask(provider(), request("/chat/completions", true)).tools == ToolOutcome{});
}

void TestSimulated::callIsWholeWhateverTheLimit() {
    const std::string body = std::string(R"({"max_tokens":2,"tools":[{"name":"weather","input_schema":)") + kSchema + R"(}],"tool_choice":{"type":"any"}})";
    QCOMPARE(Json::parse(tell(true, false, body).arguments)["days"].get<int>(), 3);
    // JSON that is only said is cut as it is elsewhere.
    const std::string json = std::string(R"({"max_tokens":2,"response_format":{"type":"json_schema","json_schema":{"schema":)") + kSchema + "}}}";
    QCOMPARE(tell(false, true, json).end, std::string("length"));
}

void TestSimulated::plainValues_data() {
    QTest::addColumn<QByteArray>("schema");
    QTest::addColumn<QByteArray>("value");
    const auto row = [](const char* name, const char* schema, const char* value) { QTest::newRow(name) << QByteArray(schema) << QByteArray(value); };
    row("anything", "true", R"("simulated")");
    row("const", R"({"const":{"a":1}})", R"({"a":1})");
    row("nullable", R"({"type":["null","integer"]})", "0");
    row("boolean", R"({"type":"boolean"})", "true");
    row("only required", R"({"type":"object","properties":{"a":{"type":"null"},"b":{}},"required":["a"]})", R"({"a":null})");
    row("required and not described", R"({"required":["a"],"additionalProperties":{"type":"integer"}})", R"({"a":0})");
    row("array", R"({"type":"array","items":{"type":"integer"},"minItems":2})", "[0,0]");
    row("tuple", R"({"type":"array","prefixItems":[{"type":"integer"}],"items":{"type":"boolean"},"minItems":2})", "[0,true]");
    row("short text", R"({"type":"string","maxLength":3})", R"("sim")");
    row("long text", R"({"type":"string","minLength":11})", R"("simulatedxx")");
    row("format", R"({"type":"string","format":"date"})", R"("2026-01-01")");
    row("below", R"({"type":"integer","maximum":-3})", "-3");
    row("above", R"({"type":"integer","exclusiveMinimum":3})", "4");
    row("draft 4", R"({"type":"integer","minimum":3,"exclusiveMinimum":true})", "4");
    row("multiple", R"({"type":"integer","minimum":3,"multipleOf":5})", "5");
    row("number", R"({"type":"number","minimum":0.25})", "0.25");
    row("between", R"({"type":"number","exclusiveMinimum":0,"exclusiveMaximum":0.5})", "0.25");
    row("reference", R"({"$defs":{"a":{"enum":["x"]}},"type":"object","properties":{"b":{"$ref":"#/$defs/a"}},"required":["b"]})", R"({"b":"x"})");
    row("all of", R"({"allOf":[{"required":["a"]},{"properties":{"a":{"type":"integer"}}}]})", R"({"a":0})");
    row("any of", R"({"anyOf":[{"type":"integer"},{"type":"string"}]})", "0");
}

void TestSimulated::plainValues() {
    QFETCH(QByteArray, schema);
    QFETCH(QByteArray, value);
    QCOMPARE(QByteArray::fromStdString(upstream::plainValue(nlohmann::ordered_json::parse(schema.toStdString())).dump()), value);
}

void TestSimulated::hostileSchemasCostLittle() {
    const auto bytes = [](const std::string& schema) { return upstream::plainValue(nlohmann::ordered_json::parse(schema)).dump().size(); };
    QVERIFY(bytes(R"({"$ref":"#"})") < 100);
    QVERIFY(bytes(R"({"type":"object","properties":{"a":{"$ref":"#"},"b":{"$ref":"#"}},"required":["a","b"]})") < 100'000);
    QVERIFY(bytes(R"({"type":"array","items":{"type":"array","items":{"const":")" + std::string(9000, 'x') + R"("},"minItems":900},"minItems":900000000})") < 200'000);
    QVERIFY(bytes(R"({"type":"string","minLength":900000000})") < 100'000);
    QVERIFY(bytes(R"({"type":"integer","minimum":1e300,"multipleOf":1e-300})") < 400);
}

void TestSimulated::embeddingsAreOfTheText() {
    const auto vectors = [](const char* body) {
        const Json json = Json::parse(ask(provider(), request("/embeddings", false, body)).bytes());
        std::vector<std::vector<double>> out;
        for (const Json& one : json["data"]) out.push_back(one["embedding"].get<std::vector<double>>());
        return out;
    };
    const auto both = vectors(R"({"input":["a","b"]})");
    QCOMPARE(both.size(), std::size_t{2});
    QCOMPARE(both[0].size(), std::size_t{768});
    QVERIFY(both[0] != both[1]);
    double squares = 0;
    for (const double one : both[0]) squares += one * one;
    QVERIFY2(std::abs(squares - 1) < 1e-3, std::to_string(squares).c_str());
    // The same text is the same vector, alone and however it is written.
    QVERIFY(vectors(R"({"input":"a"})").front() == both[0]);
    QVERIFY(vectors(R"({"input" : "\u0061" , "user":"x"})").front() == both[0]);
    QCOMPARE(vectors(R"({"input":[[1,2],[3]],"dimensions":5})").size(), std::size_t{2});
    QCOMPARE(vectors(R"({"input":[1,2,3],"dimensions":5})").size(), std::size_t{1});
}

void TestSimulated::embeddingsInBase64() {
    for (const int dimensions : {1, 2, 3, 256}) {
        const std::string rest = R"("input":"a","dimensions":)" + std::to_string(dimensions) + '}';
        const Json plain = Json::parse(ask(provider(), request("/embeddings", false, '{' + rest)).bytes());
        const Json packed = Json::parse(ask(provider(), request("/embeddings", false, R"({"encoding_format":"base64",)" + rest)).bytes());
        const QByteArray bytes = QByteArray::fromBase64(QByteArray::fromStdString(packed["data"][0]["embedding"].get<std::string>()),
                                                        QByteArray::AbortOnBase64DecodingErrors);
        std::vector<float> numbers(static_cast<std::size_t>(dimensions));
        QCOMPARE(static_cast<std::size_t>(bytes.size()), numbers.size() * sizeof(float));
        std::memcpy(numbers.data(), bytes.constData(), numbers.size() * sizeof(float));
        QVERIFY(plain["data"][0]["embedding"].get<std::vector<float>>() == numbers);
    }
}

QTEST_APPLESS_MAIN(TestSimulated)
#include "tst_simulated.moc"
