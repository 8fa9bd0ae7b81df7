// SPDX-License-Identifier: MIT
// What cannot be carried to the other protocol is refused by name and place; so is what is no request at all.
#include "router/upstream/translate/request_translation.h"
#include "tests/router/upstream/translation_rows.h"

using namespace signalbox;
using namespace signalbox::test;

namespace {

constexpr const char* kTurn = R"("messages":[{"role":"user","content":"q"}])";

/// Every value of a document replaced by one of another type, one at a time.
void forEachWrongType(const nlohmann::ordered_json& document, const std::function<void(const std::string&)>& visit) {
    const auto flat = document.flatten();
    for (const auto& [pointer, value] : flat.items())
        for (const nlohmann::ordered_json& other : {nlohmann::ordered_json(true), nlohmann::ordered_json(-1.5), nlohmann::ordered_json(""),
                                                    nlohmann::ordered_json::array({nullptr}), nlohmann::ordered_json::object({{"type", 3}})}) {
            auto changed = document;
            // The value itself, and every container above it.
            for (std::string at = pointer; !at.empty(); at = at.substr(0, at.rfind('/'))) {
                changed[nlohmann::ordered_json::json_pointer(at)] = other;
                visit(changed.dump());
            }
        }
}

/// Refused for a peculiarity and not for what is wrong with a value.
bool hasNoWords(const Result<std::string>& refused) {
    return !refused && refused.error().message.find("has no words for this (") != std::string::npos;
}

}  // namespace

class TestRequestRefusals : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void onlyOpenAi_data();
    void onlyOpenAi();
    void onlyAnthropic_data();
    void onlyAnthropic();
    void malformed_data();
    void malformed();
    void wrongTypesEverywhere();
    void everyPrefix();
};

void TestRequestRefusals::onlyOpenAi_data() {
    refusalColumns();
    const auto set = [](const char* said, const char* where, const char* says) {
        QTest::newRow(said) << QByteArray("{").append(said).append(",").append(kTurn).append("}") << where << says;
    };
    set(R"("n":2)", "/n", "n");
    set(R"("logprobs":true)", "/logprobs", "logprobs");
    set(R"("top_logprobs":3)", "/top_logprobs", "logprobs");
    set(R"("logit_bias":{"50256":-100})", "/logit_bias", "logit_bias");
    set(R"("frequency_penalty":0.5)", "/frequency_penalty", "frequency_penalty");
    set(R"("presence_penalty":-1)", "/presence_penalty", "presence_penalty");
    set(R"("seed":7)", "/seed", "seed");
    set(R"("audio":{"voice":"a"})", "/audio", "audio");
    set(R"("modalities":["text","audio"])", "/modalities/1", "audio");
    set(R"("prediction":{"type":"content"})", "/prediction", "prediction");
    set(R"("functions":[{"name":"f"}])", "/functions", "functions");
    set(R"("function_call":{"name":"f"})", "/function_call", "function_call");
    set(R"("web_search_options":{})", "/web_search_options", "web_search_options");
    set(R"("guided_regex":"a+")", "/guided_regex", "guided decoding");
    set(R"("structured_outputs":{"choice":["a"]})", "/structured_outputs", "guided decoding");
    set(R"("response_format":{"type":"json_object"})", "/response_format", "json_object");
    set(R"("response_format":{"type":"grammar"})", "/response_format/type", "guided decoding");
    set(R"("tools":[{"type":"custom","custom":{"name":"t"}}])", "/tools/0", "no function");
    set(R"("tool_choice":{"type":"allowed_tools","allowed_tools":{}})", "/tool_choice", "tool_choice");
    set(R"("temperature":1.2)", "/temperature", "temperature above 1");
    set(R"("reasoning_effort":"minimal")", "/reasoning_effort", "reasoning_effort");
    set(R"("stop":"\n")", "/stop", "stop words");
    set(R"("stop":["a"," \u000a"])", "/stop/1", "stop words");
    set(R"("verbosity":"low")", "/verbosity", "only one protocol");
    set(R"("repetition_penalty":1.1)", "/repetition_penalty", "only one protocol");
    const auto message = [](const char* said, const char* where, const char* says) {
        QTest::newRow(said) << QByteArray(R"({"messages":[)").append(said).append("]}") << where << says;
    };
    message(R"({"role":"user","name":"ann","content":"q"})", "/messages/0/name", "name");
    message(R"({"role":"user","content":[{"type":"input_audio","input_audio":{}}]})", "/messages/0/content/0", "audio");
    message(R"({"role":"user","content":[{"type":"file","file":{}}]})", "/messages/0/content/0", "file");
    message(R"({"role":"user","content":[{"type":"audio_url"}]})", "/messages/0/content/0", "audio");
    message(R"({"role":"user","content":[{"type":"video_url"}]})", "/messages/0/content/0", "file");
    message(R"({"role":"user","content":[{"type":"hologram"}]})", "/messages/0/content/0/type", "part of this type");
    message(R"({"role":"assistant","content":[{"type":"image_url"}]})", "/messages/0/content/0/type", "part of this type");
    const auto part = [&](const char* role, const char* said) {
        const QByteArray parts = QByteArray(R"({"type":"text","text":"x"},)") + said;
        message((R"({"tool_call_id":"a","content":[)" + parts + R"(],"role":")" + role + "\"}").constData(), "/messages/0/content/1/type",
                "part of this type");
    };
    part("user", R"({"type":"document_url","document_url":"https://h/d.pdf"})");
    part("user", R"({"type":"input_image","image_url":"https://h/a"})");
    part("tool", R"({"type":"hologram"})");
    for (const char* role : {"system", "developer", "assistant"}) part(role, R"({"type":"image_url","image_url":{"url":"https://h/a"}})");
    for (const char* role : {"user", "assistant", "system", "tool"})
        for (const char* images : {R"([{"type":"image_url","image_url":{"url":"https://h/a"}}])", R"(["AA=="])", R"("AA==")", "{}", "[null]"})
            message((QByteArray(R"({"content":"x","tool_call_id":"a","images":)") + images + R"(,"role":")" + role + "\"}").constData(),
                    "/messages/0/images", "images");
    message(R"({"role":"assistant","images":["AA=="]})", "/messages/0/images", "images");
    message(R"({"role":"assistant","audio":{"id":"a"}})", "/messages/0/audio", "audio");
    message(R"({"role":"assistant","function_call":{"name":"f","arguments":"{}"}})", "/messages/0/function_call", "function_call");
    message(R"({"role":"function","name":"f","content":"x"})", "/messages/0", "functions");
    message(R"({"role":"assistant","tool_calls":[{"id":"a","type":"custom","custom":{}}]})", "/messages/0/tool_calls/0/type", "no function");
    message(R"({"role":"assistant","tool_calls":[{"id":"a","function":{"name":"t","arguments":"{\"x\":"}}]})", "/messages/0/tool_calls/0/function/arguments", "JSON object");
    message(R"({"role":"assistant","tool_calls":[{"id":"a","function":{"name":"t","arguments":"[1]"}}]})", "/messages/0/tool_calls/0/function/arguments", "JSON object");
    message(R"({"role":"user","content":[{"type":"image_url","image_url":{"url":"data:application/pdf;base64,AA=="}}]})", "/messages/0/content/0/image_url/url", "application/pdf");
}

void TestRequestRefusals::onlyOpenAi() {
    QFETCH(QByteArray, body);
    QFETCH(QString, where);
    QFETCH(QString, says);
    const auto refused = upstream::anthropicRequest(body.toStdString(), {"up"});
    compareRefusal(refused, where, says);
    QCOMPARE(isPeculiar(classify::Dialect::openai, body), hasNoWords(refused));
}

void TestRequestRefusals::onlyAnthropic_data() {
    refusalColumns();
    const auto set = [](const char* said, const char* where, const char* says) {
        QTest::newRow(said) << QByteArray("{").append(said).append(",").append(kTurn).append("}") << where << says;
    };
    set(R"("top_k":5)", "/top_k", "top_k");
    set(R"("thinking":{"type":"together"})", "/thinking", "thinking");
    set(R"("mcp_servers":[{"type":"url"}])", "/mcp_servers", "(mcp_servers)");
    set(R"("container":"c")", "/container", "(container)");
    for (const char* edits : {R"({"edits":[]})", R"({"edits":[{"type":"clear_tool_uses_20250919"}]})", "3", "{}", R"({"edits":{"type":"clear_thinking_20251015"}})",
                              R"({"edits":[{"type":"clear_thinking_20251015"},{"type":"clear_tool_uses_20250919"}]})", R"({"edits":["clear_thinking_20251015"]})", R"({"edits":null})",
                              R"({"edits":[{"type":"clear_thinking_20251015"}],"more":1})"})
        set((QByteArray(R"("context_management":)") + edits).constData(), "/context_management", "context_management");
    set(R"("stop_sequences":["a","b","c","d","e"])", "/stop_sequences", "stop words");
    set(R"("inference_geo":"eu")", "/inference_geo", "only one protocol");
    set(R"("output_config":{"effort":"max"})", "/output_config/effort", "output_config.effort");
    set(R"("output_config":{"task_budget":{}})", "/output_config/task_budget", "only one protocol");
    set(R"("output_config":{"format":{"type":"grammar"}})", "/output_config/format/type", "json_schema");
    set(R"("temperature":1.5)", "/temperature", "0 to 1");
    set(R"("tools":[{"type":"web_search_20250305","name":"web_search"}])", "/tools/0", "upstream runs");
    set(R"("tools":[{"type":"bash_20250124","name":"bash"}])", "/tools/0", "upstream runs");
    set(R"("system":[{"type":"document"}])", "/system/0", "document");
    const auto block = [](const char* said, const char* where, const char* says) {
        QTest::newRow(said) << QByteArray(R"({"messages":[{"role":"user","content":[)").append(said).append("]}]}") << where << says;
    };
    block(R"({"type":"thinking","thinking":"hm","signature":"s"})", "/messages/0/content/0/type", "block of this type");  // of a user
    block(R"({"type":"document","source":{}})", "/messages/0/content/0", "document");
    block(R"({"type":"search_result"})", "/messages/0/content/0", "document");
    block(R"({"type":"server_tool_use"})", "/messages/0/content/0", "upstream runs");
    block(R"({"type":"web_search_tool_result"})", "/messages/0/content/0", "upstream runs");
    block(R"({"type":"hologram"})", "/messages/0/content/0/type", "block of this type");
    block(R"({"type":"tool_use","id":"a","name":"t","input":{}})", "/messages/0/content/0/type", "block of this type");  // of a user
    const auto inResult = [&](const char* said) {
        block((QByteArray(R"({"content":[)") + said + R"(],"type":"tool_result","tool_use_id":"a"})").constData(),
              "/messages/0/content/0/content/0/type", "block of this type");
    };
    inResult(R"({"type":"hologram"})");
    inResult(R"({"type":"tool_use"})");
    const auto ofAssistant = [](const char* said) {
        QTest::newRow(said) << QByteArray(R"({"messages":[{"content":[)").append(said).append(R"(],"role":"assistant"}]})")
                            << "/messages/0/content/0/type" << "block of this type";
    };
    ofAssistant(R"({"type":"image","source":{"type":"url","url":"https://h/a"}})");
    ofAssistant(R"({"tool_use_id":"a","type":"tool_result"})");
    ofAssistant(R"({"type":"hologram","of":"the assistant"})");
    set(R"("system":[{"type":"image","source":{"type":"url","url":"https://h/a"}}])", "/system/0/type", "block of this type");
    set(R"("system":[{"type":"hologram"}])", "/system/0/type", "block of this type");
    block(R"({"type":"text","text":"a","citations":[{"type":"char_location"}]})", "/messages/0/content/0/citations", "citations");
    block(R"({"type":"image","source":{"type":"base64","media_type":"image/g,f","data":""}})", "/messages/0/content/0/source/media_type", "no type of an image");
    block(R"({"type":"image","source":{"type":"file","file_id":"f"}})", "/messages/0/content/0/source", "file");
    block(R"({"type":"tool_result","tool_use_id":"a","content":[{"type":"document"}]})", "/messages/0/content/0/content/0", "document");
}

void TestRequestRefusals::onlyAnthropic() {
    QFETCH(QByteArray, body);
    QFETCH(QString, where);
    QFETCH(QString, says);
    const auto refused = upstream::openAiRequest(body.toStdString(), {"up"});
    compareRefusal(refused, where, says);
    QCOMPARE(isPeculiar(classify::Dialect::anthropic, body), hasNoWords(refused));
}

void TestRequestRefusals::malformed_data() {
    refusalColumns();
    const auto bad = [](const char* body, const char* where, const char* says) { QTest::newRow(body) << QByteArray(body) << where << says; };
    bad("", "", "no JSON value");
    bad("[]", "", "must be an object, not a list");
    bad("{}", "", "has no messages");
    bad(R"({"messages":[]})", "/messages", "no turn");
    bad(R"({"messages":[{"role":"user","content":" "}]})", "/messages", "no turn");
    bad(R"({"messages":{"role":"user"}})", "/messages", "must be a list, not an object");
    bad(R"({"messages":[3]})", "/messages/0", "must be an object, not a number");
    bad(R"({"messages":[{"content":"x"}]})", "/messages/0", "has no role");
    bad(R"({"messages":[{"role":"user"}]})", "/messages/0", "has no content");
    bad(R"({"messages":[{"role":"judge","content":"x"}]})", "/messages/0/role", "no role");
    bad(R"({"messages":[{"role":"user","content":3}]})", "/messages/0/content", "must be a text or a list");
    bad(R"({"messages":[{"role":"user","content":[{"text":"x"}]}]})", "/messages/0/content/0", "has no type");
    bad(R"({"messages":[{"role":"user","content":"x"}],"messages":[]})", "/messages", "messages");
    bad(R"({"messages":[{"role":"user","content":"x"}],"max_tokens":0})", "/max_tokens", "at least 1");
    bad(R"({"messages":[{"role":"user","content":"x"}],"max_tokens":1.5})", "/max_tokens", "whole number");
    bad(R"({"messages":[{"role":"user","content":"x"}],"max_tokens":"9"})", "/max_tokens", "must be a number, not a text");
    bad(R"({"messages":[{"role":"user","content":"x"}],"max_tokens":1e400})", "/max_tokens", "whole number");
    bad(R"({"messages":[{"role":"user","content":"x"}],"temperature":-1})", "/temperature", "must lie in 0");
    bad(R"({"messages":[{"role":"user","content":"\ud83d"}]})", "/messages/0/content", "surrogate");
    bad("{\"messages\":[{\"role\":\"user\",\"content\":\"\xff\"}]}", "", "not UTF-8");
}

void TestRequestRefusals::malformed() {
    QFETCH(QByteArray, body);
    QFETCH(QString, where);
    QFETCH(QString, says);
    compareRefusal(upstream::anthropicRequest(body.toStdString(), {"up"}), where, says);
    compareRefusal(upstream::openAiRequest(body.toStdString(), {"up"}), where, says);
}

namespace {

// Here and not above the class: moc loses its way in texts of several lines.
constexpr const char* kFullOpenAi = R"({"model":"m","messages":[{"role":"system","content":[{"type":"text","text":"s"}]},
    {"role":"user","content":[{"type":"text","text":"q"},{"type":"image_url","image_url":{"url":"https://h/a","detail":"low"}}]},
    {"role":"assistant","content":null,"refusal":"r","tool_calls":[{"id":"a","type":"function","function":{"name":"t","arguments":"{}"}}]},
    {"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"x"}]}],
    "tools":[{"type":"function","function":{"name":"t","description":"d","parameters":{"type":"object"},"strict":true}}],
    "tool_choice":{"type":"function","function":{"name":"t"}},"parallel_tool_calls":false,"max_tokens":3,"max_completion_tokens":4,
    "temperature":0.5,"top_p":0.5,"top_k":3,"stop":["a"],"user":"u","safety_identifier":"s","stream":true,"stream_options":{"include_usage":true},"n":1,
    "logprobs":false,"top_logprobs":0,"logit_bias":{},"modalities":["text"],"frequency_penalty":0,"presence_penalty":0,"functions":[],
    "function_call":"none","reasoning_effort":"low","response_format":{"type":"json_schema","json_schema":{"name":"n","description":"d","schema":{"type":"object"}}}})";

constexpr const char* kFullAnthropic = R"({"model":"m","system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}],"messages":[
    {"role":"user","content":[{"type":"text","text":"q","citations":[]},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}}]},
    {"role":"assistant","content":[{"type":"text","text":"w"},{"type":"tool_use","id":"a","name":"t","input":{"x":1}}]},
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","is_error":true,"content":[{"type":"text","text":"x"},
      {"type":"image","source":{"type":"url","url":"https://h/a"}}]}]}],
    "tools":[{"type":"custom","name":"t","description":"d","input_schema":{"type":"object"},"strict":true}],
    "tool_choice":{"type":"tool","name":"t","disable_parallel_tool_use":true},"max_tokens":3,"temperature":0.5,"top_p":0.5,
    "stop_sequences":["a"],"metadata":{"user_id":"u"},"stream":true,"thinking":{"type":"disabled"},"mcp_servers":[],
    "output_config":{"effort":"low","format":{"type":"json_schema","schema":{"type":"object"}}}})";

}  // namespace

void TestRequestRefusals::wrongTypesEverywhere() {
    int refused = 0;
    const auto look = [&](const Result<std::string>& got) {
        if (got) {
            QVERIFY2(nlohmann::json::accept(*got), got->c_str());
            return;
        }
        ++refused;
        QVERIFY(got.error().kind == ErrorKind::badInput);
        QVERIFY2(!got.error().where.empty(), got.error().text().c_str());
        QVERIFY(!got.error().message.empty());
    };
    QVERIFY(upstream::anthropicRequest(kFullOpenAi, {"up"}));
    QVERIFY(upstream::openAiRequest(kFullAnthropic, {"up"}));
    forEachWrongType(nlohmann::ordered_json::parse(kFullOpenAi), [&](const std::string& body) { look(upstream::anthropicRequest(body, {"up"})); });
    forEachWrongType(nlohmann::ordered_json::parse(kFullAnthropic), [&](const std::string& body) { look(upstream::openAiRequest(body, {"up"})); });
    QVERIFY(refused > 500);
}

void TestRequestRefusals::everyPrefix() {
    for (const std::string_view whole : {std::string_view(kFullOpenAi), std::string_view(kFullAnthropic)})
        for (std::size_t size = 0; size < whole.size(); ++size) {
            QVERIFY(!upstream::anthropicRequest(whole.substr(0, size), {"up"}));
            QVERIFY(!upstream::openAiRequest(whole.substr(0, size), {"up"}));
        }
}

QTEST_APPLESS_MAIN(TestRequestRefusals)
#include "tst_request_refusals.moc"
