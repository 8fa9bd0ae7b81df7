// SPDX-License-Identifier: MIT
// Every field of a request in either protocol, and what becomes of it in the other one: it is carried, or it is refused by name
// before anything is sent, or it is left out on purpose. router/upstream/README.md has the same table in words.
#include "router/classify/peculiar_words.h"
#include "router/upstream/translate/request_translation.h"
#include "tests/router/upstream/translation_rows.h"

#include <set>

using namespace signalbox;
using namespace signalbox::test;
using classify::Dialect;
using nlohmann::json;

Q_DECLARE_METATYPE(Dialect)
Q_DECLARE_METATYPE(std::string)

// Before the tables: moc loses its way in texts of several lines.
class TestRequestFields : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void carried_data();
    void carried();
    void refused_data();
    void refused();
    void leftOut_data();
    void leftOut();
    void choicesOfTools_data();
    void choicesOfTools();
    void everyFieldOfTheReferences();
};

namespace {

/// `said` is what the other protocol is told, a JSON object without braces.
struct Carried {
    const char* member;
    const char* said;
};
/// `word` is the peculiarity's, `named` the field where one word stands for many.
struct Refused {
    const char* member;
    const char* word;
    const char* named = "";
};

const char* const kOpenAiTools = R"("tools":[{"type":"function","function":{"name":"t","parameters":{"type":"object","properties":{}}}}])";
const char* const kAnthropicTools = R"("tools":[{"name":"t","input_schema":{"type":"object","properties":{}}}])";

// Of the reference of chat completions, and of engines that speak it.
constexpr Carried kCarriedToAnthropic[] = {
    {R"("max_tokens":7)", R"("max_tokens":7)"},
    {R"("max_completion_tokens":7)", R"("max_tokens":7)"},
    {R"("stop":"x")", R"("stop_sequences":["x"])"},
    {R"("stop":["a","b","c","d"])", R"("stop_sequences":["a","b","c","d"])"},
    {R"("temperature":0.5)", R"("temperature":0.5)"},
    {R"("top_p":0.5)", R"("top_p":0.5)"},
    {R"("top_k":5)", R"("top_k":5)"},
    {R"("user":"u")", R"("metadata":{"user_id":"u"})"},
    {R"("safety_identifier":"u")", R"("metadata":{"user_id":"u"})"},
    {R"("stream":true,"stream_options":{"include_usage":true})", R"("stream":true)"},
    {R"("reasoning_effort":"high")", R"("output_config":{"effort":"high"})"},
    {R"("reasoning_effort":"none")", R"("thinking":{"type":"disabled"})"},
    {R"("response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"},"strict":true}})",
     R"("output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}})"},
    {R"("tools":[{"type":"function","function":{"name":"t","description":"d","parameters":{"type":"object"},"strict":true}}])",
     R"("tools":[{"name":"t","description":"d","input_schema":{"type":"object"},"strict":true}])"},
    // What says what is so anyway.
    {R"("n":1)", ""}, {R"("logprobs":false)", ""}, {R"("top_logprobs":0)", ""}, {R"("logit_bias":{})", ""},
    {R"("frequency_penalty":0)", ""}, {R"("presence_penalty":0)", ""}, {R"("modalities":["text"])", ""},
    {R"("functions":[])", ""}, {R"("function_call":"auto")", ""}, {R"("response_format":{"type":"text"})", ""},
    {R"("top_p":1)", ""}, {R"("top_k":-1)", ""}, {R"("stop":"")", ""},
    {R"("tools":[],"tool_choice":"auto","parallel_tool_calls":false)", ""}, {R"("tools":[],"tool_choice":{"type":"any"})", ""},
    {R"("tool_choice":{"type":"custom","custom":{"name":"t"}},"tools":[])", ""},
    {R"("audio":null,"seed":null,"service_tier":null,"verbosity":null)", ""},
};
constexpr Refused kNotToAnthropic[] = {
    {R"("n":2)", "several_choices"},
    {R"("logprobs":true)", "logprobs"},
    {R"("top_logprobs":2)", "logprobs"},
    {R"("logit_bias":{"1":1})", "logit_bias"},
    {R"("frequency_penalty":0.1)", "penalties"},
    {R"("presence_penalty":0.1)", "penalties"},
    {R"("seed":1)", "seed"},
    {R"("audio":{"voice":"v"})", "audio"},
    {R"("modalities":["audio"])", "audio"},
    {R"("prediction":{"type":"content"})", "prediction"},
    {R"("functions":[{"name":"f"}])", "legacy_functions"},
    {R"("function_call":{"name":"f"})", "legacy_functions"},
    {R"("response_format":{"type":"json_object"})", "json_object"},
    {R"("response_format":{"type":"regex"})", "grammar", "response_format"},
    {R"("tools":[{"type":"custom","custom":{"name":"t"}}])", "custom_tools"},
    {R"("tool_choice":{"type":"custom","custom":{"name":"t"}})", "custom_tools"},
    {R"("tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[]}})", "other_fields", "tool_choice"},
    {R"("web_search_options":{})", "web_search"},
    {R"("temperature":1.1)", "temperature"},
    {R"("reasoning_effort":"minimal")", "effort"},
    {R"("stop":"\n")", "stop_words"},
    {R"("verbosity":"low")", "other_fields", "verbosity"},
    {R"("min_p":0.1)", "other_fields", "min_p"},
    {R"("repetition_penalty":1.1)", "other_fields", "repetition_penalty"},
    {R"("guided_json":{})", "grammar", "guided_json"},
};
constexpr const char* kLeftOutToAnthropic[] = {
    R"("metadata":{"a":"b"})", R"("store":true)", R"("service_tier":"flex")", R"("prompt_cache_key":"k")",
    R"("prompt_cache_retention":"24h")", R"("stream_options":{"include_obfuscation":false})",
};

// Of the reference of messages and its betas.
constexpr Carried kCarriedToOpenAi[] = {
    {R"("max_tokens":7)", R"("max_tokens":7)"},
    {R"("system":"s")", ""},  // in the messages, which others compare
    {R"("stop_sequences":["a","b","c","d"])", R"("stop":["a","b","c","d"])"},
    {R"("temperature":0.5)", R"("temperature":0.5)"},
    {R"("top_p":0.5)", R"("top_p":0.5)"},
    {R"("metadata":{"user_id":"u"})", R"("user":"u")"},
    {R"("stream":true)", R"("stream":true)"},
    {R"("output_config":{"effort":"high"})", R"("reasoning_effort":"high")"},
    {R"("output_config":{"format":{"type":"json_schema","schema":{"type":"object","additionalProperties":false}}})",
     R"("response_format":{"type":"json_schema","json_schema":{"name":"answer","strict":true,)"
     R"("schema":{"type":"object","additionalProperties":false}}})"},
    {R"("output_format":{"type":"json_schema","schema":{"type":"object","additionalProperties":false}})",
     R"("response_format":{"type":"json_schema","json_schema":{"name":"answer","strict":true,)"
     R"("schema":{"type":"object","additionalProperties":false}}})"},
    {R"("tools":[{"type":"custom","name":"t","description":"d","input_schema":{"type":"object","properties":{}},)"
     R"("input_examples":[{"a":1}],"strict":true}])",
     R"("tools":[{"type":"function","function":{"name":"t","description":"d\n\nExamples of its input:\n{\"a\":1}","strict":true,)"
     R"("parameters":{"type":"object","properties":{},"additionalProperties":false}}}])"},
    {R"("tools":[{"name":"t","input_schema":{"type":"object","properties":{}},"cache_control":{"type":"ephemeral"},"defer_loading":true,)"
     R"("allowed_callers":["direct"],"eager_input_streaming":true}])",
     R"("tools":[{"type":"function","function":{"name":"t","parameters":{"type":"object","properties":{}}}}])"},
    // What says what is so anyway.
    {R"("mcp_servers":[])", ""}, {R"("stop_sequences":[])", ""}, {R"("tools":[],"tool_choice":{"type":"auto"})", ""},
    {R"("top_k":null,"container":null,"inference_geo":null,"speed":null)", ""},
};
constexpr Refused kNotToOpenAi[] = {
    {R"("top_k":5)", "top_k"},
    {R"("stop_sequences":["a","b","c","d","e"])", "stop_words"},
    {R"("container":"c")", "container"},
    {R"("mcp_servers":[{"type":"url"}])", "mcp_servers"},
    {R"("context_management":{"edits":[{"type":"clear_tool_uses_20250919"}]})", "context_management"},
    {R"("thinking":{"type":"together"})", "thinking"},
    {R"("output_config":{"effort":"max"})", "effort"},
    {R"("output_config":{"task_budget":{}})", "other_fields", "output_config.task_budget"},
    {R"("tools":[{"type":"web_search_20250305","name":"w"}])", "server_tools"},
    {R"("inference_geo":"eu")", "other_fields", "inference_geo"},
    {R"("speed":"fast")", "other_fields", "speed"},
    {R"("diagnostics":{})", "other_fields", "diagnostics"},
    {R"("user_profile_id":"p")", "other_fields", "user_profile_id"},
    {R"("betas":["b"])", "other_fields", "betas"},
};
constexpr const char* kLeftOutToOpenAi[] = {
    R"("thinking":{"type":"enabled","budget_tokens":1024})", R"("thinking":{"type":"adaptive"})", R"("service_tier":"standard_only")",
    R"("cache_control":{"type":"ephemeral"})", R"("context_management":{"edits":[{"type":"clear_thinking_20251015"}]})",
    R"("metadata":{"other":"x"})",
};

/// As the SDKs of both companies list them.
const std::set<std::string> kOpenAiReference{
    "messages", "model", "audio", "frequency_penalty", "function_call", "functions", "logit_bias", "logprobs", "max_completion_tokens",
    "max_tokens", "metadata", "modalities", "n", "parallel_tool_calls", "prediction", "presence_penalty", "prompt_cache_key",
    "prompt_cache_retention", "reasoning_effort", "response_format", "safety_identifier", "seed", "service_tier", "stop", "store", "stream",
    "stream_options", "temperature", "tool_choice", "tools", "top_logprobs", "top_p", "user", "verbosity", "web_search_options"};
const std::set<std::string> kAnthropicReference{
    "max_tokens", "messages", "model", "cache_control", "container", "context_management", "diagnostics", "inference_geo", "mcp_servers",
    "metadata", "output_config", "output_format", "service_tier", "speed", "stop_sequences", "stream", "system", "temperature", "thinking",
    "tool_choice", "tools", "top_k", "top_p", "user_profile_id", "betas"};

QTestData& newRow(Dialect from, const char* member) { return QTest::addRow("from %s: %s", toString(from).data(), member); }

std::string bodyWith(const std::string& member) {
    return R"({"model":"m","messages":[{"role":"user","content":"q"}])" + (member.empty() ? "" : "," + member) + "}";
}

Result<std::string> translated(Dialect from, const std::string& body) {
    return from == Dialect::openai ? upstream::anthropicRequest(body, {"up"}) : upstream::openAiRequest(body, {"up"});
}

json parsed(Dialect from, const std::string& body) {
    auto out = json::parse(translated(from, body).value());
    out.erase("messages");
    return out;
}

classify::PeculiaritySet peculiaritiesOf(Dialect dialect, const std::string& body) {
    return classify::classifyBody(dialect, body, {}, {}, 1).value().features.peculiarities;
}

}  // namespace

void TestRequestFields::carried_data() {
    QTest::addColumn<Dialect>("from");
    QTest::addColumn<std::string>("member");
    QTest::addColumn<std::string>("said");
    const auto row = [](Dialect from, const Carried& one) {
        newRow(from, one.member) << from << std::string(one.member) << std::string(one.said);
    };
    for (const Carried& one : kCarriedToAnthropic) row(Dialect::openai, one);
    for (const Carried& one : kCarriedToOpenAi) row(Dialect::anthropic, one);
}

void TestRequestFields::carried() {
    QFETCH(const Dialect, from);
    QFETCH(const std::string, member);
    QFETCH(const std::string, said);
    const std::string body = bodyWith(member);
    QVERIFY(peculiaritiesOf(from, body).empty());
    json wanted = parsed(from, bodyWith({}));
    wanted.update(json::parse("{" + said + "}"));
    QCOMPARE(QByteArray::fromStdString(parsed(from, body).dump(1)), QByteArray::fromStdString(wanted.dump(1)));
}

void TestRequestFields::refused_data() {
    QTest::addColumn<Dialect>("from");
    QTest::addColumn<std::string>("member");
    QTest::addColumn<std::string>("word");
    QTest::addColumn<std::string>("named");
    const auto row = [](Dialect from, const Refused& one) {
        newRow(from, one.member) << from << std::string(one.member) << std::string(one.word) << std::string(one.named);
    };
    for (const Refused& one : kNotToAnthropic) row(Dialect::openai, one);
    for (const Refused& one : kNotToOpenAi) row(Dialect::anthropic, one);
}

/// Planning knows it and names it, so that a candidate is passed over with the reason; translation would refuse it all the same.
void TestRequestFields::refused() {
    QFETCH(const Dialect, from);
    QFETCH(const std::string, member);
    QFETCH(const std::string, word);
    QFETCH(const std::string, named);
    const std::string body = bodyWith(member);
    const classify::PeculiaritySet set = peculiaritiesOf(from, body);
    QCOMPARE(classify::wordsOf(set), std::vector<std::string>{word});
    for (const auto one : {classify::Peculiarity::otherFields, classify::Peculiarity::grammar})
        if (toString(one) == word) QCOMPARE(std::string(set.fieldNamed(one)), named);
    const auto told = translated(from, body);
    QVERIFY(!told);
    QVERIFY2(told.error().message.find("has no words for this (") != std::string::npos, told.error().text().c_str());
}

void TestRequestFields::leftOut_data() {
    QTest::addColumn<Dialect>("from");
    QTest::addColumn<std::string>("member");
    for (const char* member : kLeftOutToAnthropic) newRow(Dialect::openai, member) << Dialect::openai << std::string(member);
    for (const char* member : kLeftOutToOpenAi) newRow(Dialect::anthropic, member) << Dialect::anthropic << std::string(member);
}

void TestRequestFields::leftOut() {
    QFETCH(const Dialect, from);
    QFETCH(const std::string, member);
    const std::string body = bodyWith(member);
    QVERIFY(peculiaritiesOf(from, body).empty());
    QCOMPARE(QByteArray::fromStdString(parsed(from, body).dump(1)), QByteArray::fromStdString(parsed(from, bodyWith({})).dump(1)));
}

void TestRequestFields::choicesOfTools_data() {
    QTest::addColumn<Dialect>("from");
    QTest::addColumn<std::string>("members");
    QTest::addColumn<std::string>("said");
    const auto toAnthropic = [](const char* members, const char* said) {
        newRow(Dialect::openai, members) << Dialect::openai << std::string(members) << std::string(said);
    };
    const auto toOpenAi = [](const char* members, const char* said) {
        newRow(Dialect::anthropic, members) << Dialect::anthropic << std::string(members) << std::string(said);
    };
    toAnthropic(R"("tool_choice":"auto")", R"("tool_choice":{"type":"auto"})");
    toAnthropic(R"("tool_choice":"none")", R"("tool_choice":{"type":"none"})");
    toAnthropic(R"("tool_choice":"required")", R"("tool_choice":{"type":"any"})");
    toAnthropic(R"("tool_choice":{"type":"function","function":{"name":"t"}})", R"("tool_choice":{"type":"tool","name":"t"})");
    toAnthropic(R"("parallel_tool_calls":false)", R"("tool_choice":{"type":"auto","disable_parallel_tool_use":true})");
    toAnthropic(R"("parallel_tool_calls":true)", "");
    toOpenAi(R"("tool_choice":{"type":"auto"})", R"("tool_choice":"auto")");
    toOpenAi(R"("tool_choice":{"type":"none"})", R"("tool_choice":"none")");
    toOpenAi(R"("tool_choice":{"type":"any"})", R"("tool_choice":"required")");
    toOpenAi(R"("tool_choice":{"type":"tool","name":"t"})", R"("tool_choice":{"type":"function","function":{"name":"t"}})");
    toOpenAi(R"("tool_choice":{"type":"any","disable_parallel_tool_use":true})", R"("tool_choice":"required","parallel_tool_calls":false)");
    toOpenAi(R"("tool_choice":{"type":"auto","disable_parallel_tool_use":false})", R"("tool_choice":"auto")");
}

void TestRequestFields::choicesOfTools() {
    QFETCH(const Dialect, from);
    QFETCH(const std::string, members);
    QFETCH(const std::string, said);
    const std::string tools = from == Dialect::openai ? kOpenAiTools : kAnthropicTools;
    QVERIFY(peculiaritiesOf(from, bodyWith(tools + "," + members)).empty());
    json wanted = parsed(from, bodyWith(tools));
    wanted.update(json::parse("{" + said + "}"));
    QCOMPARE(QByteArray::fromStdString(parsed(from, bodyWith(tools + "," + members)).dump(1)), QByteArray::fromStdString(wanted.dump(1)));
}

/// Each has a row above; a field that a reference gets must be decided about.
void TestRequestFields::everyFieldOfTheReferences() {
    std::set<std::string> ofOpenAi{"messages", "model"}, ofAnthropic{"messages", "model"};
    const auto note = [](std::set<std::string>& fields, const std::string& member) {
        const json read = json::parse("{" + member + "}");
        for (const auto& [key, value] : read.items()) fields.insert(key);
    };
    for (const Carried& one : kCarriedToAnthropic) note(ofOpenAi, one.member);
    for (const Refused& one : kNotToAnthropic) note(ofOpenAi, one.member);
    for (const char* one : kLeftOutToAnthropic) note(ofOpenAi, one);
    for (const Carried& one : kCarriedToOpenAi) note(ofAnthropic, one.member);
    for (const Refused& one : kNotToOpenAi) note(ofAnthropic, one.member);
    for (const char* one : kLeftOutToOpenAi) note(ofAnthropic, one);
    for (const std::string& field : kOpenAiReference) QVERIFY2(ofOpenAi.contains(field), field.c_str());
    for (const std::string& field : kAnthropicReference) QVERIFY2(ofAnthropic.contains(field), field.c_str());
    // What translation knows nothing of is refused, whatever it is called.
    for (const Dialect dialect : {Dialect::openai, Dialect::anthropic}) QVERIFY(!classify::knowsField(dialect, "invented_later"));
}

QTEST_APPLESS_MAIN(TestRequestFields)
#include "tst_request_fields.moc"
