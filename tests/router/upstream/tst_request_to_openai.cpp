// SPDX-License-Identifier: MIT
// What an Anthropic body becomes for an OpenAI-compatible upstream.
#include "router/upstream/translate/request_translation.h"
#include "tests/router/upstream/translation_rows.h"

#include <sys/resource.h>

using namespace signalbox;
using namespace signalbox::test;
using config::TokensField;

namespace {

Result<std::string> translated(const QByteArray& body) {
    auto out = upstream::openAiRequest(body.toStdString(), {"up"});
    if (!out) return out;
    auto json = nlohmann::ordered_json::parse(*out);
    if (json["model"] != "up") return fail(ErrorKind::internal, "the model is not the upstream's");
    json.erase("model");
    return json.dump();
}

/// Of this process so far; its own measure, on macOS in bytes.
long mostMemoryKiB() {
    rusage use{};
    getrusage(RUSAGE_SELF, &use);
#ifdef __APPLE__
    return use.ru_maxrss / 1024;
#else
    return use.ru_maxrss;
#endif
}

/// An object of so many properties, each of which is null and required; `more` goes on at its end.
QByteArray manyProperties(int count, const QByteArray& more = R"(,"additionalProperties":false)") {
    QByteArray properties, required;
    for (int i = 0; i < count; ++i) {
        const QByteArray name = "\"p" + QByteArray::number(i) + '"';
        properties += (i == 0 ? "" : ",") + name + R"(:{"type":"null"})";
        required += (i == 0 ? "" : ",") + name;
    }
    return R"({"type":"object","properties":{)" + properties + R"(},"required":[)" + required + "]" + more + "}";
}

}  // namespace

class TestRequestToOpenAi : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void conversations_data();
    void conversations() { compare(); }
    void F28_emptyContent_data();
    void F28_emptyContent() { compare(); }
    void images_data();
    void images() { compare(); }
    void tools_data();
    void tools() { compare(); }
    void F26_emptyTools_data();
    void F26_emptyTools() { compare(); }
    void settings_data();
    void settings() { compare(); }
    void strictSchemas_data();
    void strictSchemas();
    void openSchemasAreClosedForStrict_data();
    void openSchemasAreClosedForStrict();
    void noArgumentsAreClosedForStrict();
    void whatIsNotToldIsSaid_data();
    void whatIsNotToldIsSaid();
    void strictUpToSoManyProperties();
    void longNamesAroundManyPropertiesTakeNoMemory();
    void F33_privateFieldsStay_data();
    void F33_privateFieldsStay() { compare(); }
    void F30_tokensFieldOfTheProvider_data();
    void F30_tokensFieldOfTheProvider();
    void stopSequencesUpToTheProvidersLimit();
    void F10_usageIsAskedForInStreamsOnly();
    void bytesOfInputsStay();

private:
    static void compare() {
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, wanted);
        compareJson(translated(body), wanted);
        QVERIFY(!isPeculiar(classify::Dialect::anthropic, body));
    }
};

void TestRequestToOpenAi::conversations_data() {
    translationColumns();
    row("one text", R"({"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}]})",
        R"({"max_tokens":9,"messages":[{"role":"user","content":"hi"}]})");
    row("system as a text", R"({"system":"be brief","messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]})",
        R"({"messages":[{"role":"system","content":"be brief"},{"role":"user","content":"hi"}]})");
    row("system as blocks",
        R"({"system":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}},{"type":"text","text":""},{"type":"text","text":"b"}],
            "messages":[{"role":"user","content":"hi"}]})",
        R"({"messages":[{"role":"system","content":"a\n\nb"},{"role":"user","content":"hi"}]})");
    row("several texts are one: not every engine reads lists",
        R"({"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},
            {"role":"assistant","content":[{"type":"text","text":"c","citations":null},{"type":"text","text":"d","citations":[]}]},{"role":"user","content":"e"}]})",
        R"({"messages":[{"role":"user","content":"a\n\nb"},{"role":"assistant","content":"c\n\nd"},{"role":"user","content":"e"}]})");
    row("calls and results",
        R"({"tools":[{"name":"t","input_schema":{"type":"object","properties":{}}}],"messages":[{"role":"user","content":"q"},
            {"role":"assistant","content":[{"type":"text","text":"wait"},{"type":"tool_use","id":"a","name":"t","input":{"x":1},"caller":{"type":"direct"}},
              {"type":"tool_use","id":"b","name":"t","input":{}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"one"},
              {"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"two"},{"type":"text","text":"three"}]},
              {"type":"text","text":"and?"}]}]})",
        R"({"tools":[{"type":"function","function":{"name":"t","parameters":{"type":"object","properties":{}}}}],"messages":[{"role":"user","content":"q"},
            {"role":"assistant","content":"wait","tool_calls":[{"id":"a","type":"function","function":{"name":"t","arguments":"{\"x\":1}"}},
              {"id":"b","type":"function","function":{"name":"t","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"a","content":"one"},
            {"role":"tool","tool_call_id":"b","content":"two\n\nthree"},
            {"role":"user","content":"and?"}]})");
    row("what the assistant thought is left out",
        R"({"thinking":{"type":"enabled","budget_tokens":1024},"messages":[{"role":"user","content":"q"},
            {"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"redacted_thinking","data":"x"},{"type":"text","text":"a"},
              {"type":"tool_use","id":"a","name":"t","input":{}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"}]},
            {"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"}]},{"role":"user","content":"so?"}]})",
        R"({"messages":[{"role":"user","content":"q"},
            {"role":"assistant","content":"a","tool_calls":[{"id":"a","type":"function","function":{"name":"t","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"a","content":"r"},{"role":"user","content":"so?"}]})");
    row("a failed call says so",
        R"({"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"no such dock","is_error":true},
            {"type":"tool_result","tool_use_id":"b","is_error":true},{"type":"tool_result","tool_use_id":"c","content":"fine","is_error":false},
            {"type":"tool_result","tool_use_id":"d","is_error":true,"content":[{"type":"text","text":"no"},{"type":"text","text":"quay"}]}]}]})",
        R"({"messages":[{"role":"tool","tool_call_id":"a","content":"Error: no such dock"},{"role":"tool","tool_call_id":"b","content":"Error"},
            {"role":"tool","tool_call_id":"c","content":"fine"},{"role":"tool","tool_call_id":"d","content":"Error: no\n\nquay"}]})");
    row("every letter", R"({"messages":[{"role":"user","content":"\u0000 \ud83d\ude82 \"q\" \\ 駅"}]})",
        R"({"messages":[{"role":"user","content":"\u0000 \ud83d\ude82 \"q\" \\ 駅"}]})");
}

void TestRequestToOpenAi::F28_emptyContent_data() {
    translationColumns();
    row("empty texts beside calls and results",
        R"({"messages":[{"role":"user","content":[{"type":"text","text":" "},{"type":"text","text":"q"}]},
            {"role":"assistant","content":[{"type":"text","text":""},{"type":"tool_use","id":"a","name":"t","input":{}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":""}]},{"type":"text","text":""}]}]})",
        R"({"messages":[{"role":"user","content":"q"},
            {"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"t","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"a","content":""}]})");
    row("turns and a system prompt without content",
        R"({"system":" ","messages":[{"role":"user","content":"a"},{"role":"assistant","content":[]},{"role":"user","content":""},{"role":"user","content":"b"}]})",
        R"({"messages":[{"role":"user","content":"a"},{"role":"user","content":"b"}]})");
}

void TestRequestToOpenAi::images_data() {
    translationColumns();
    row("both sources",
        R"({"messages":[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO+/="}},
            {"type":"text","text":"what?"},{"type":"image","source":{"type":"url","url":"https://h/a.png"}}]}]})",
        R"({"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO+/="}},
            {"type":"text","text":"what?"},{"type":"image_url","image_url":{"url":"https://h/a.png"}}]}]})");
    row("inside results: behind all of them, before what the user says",
        R"({"messages":[{"role":"user","content":[
            {"type":"tool_result","tool_use_id":"a","content":[{"type":"image","source":{"type":"url","url":"https://h/a"}}]},
            {"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"see"},{"type":"image","source":{"type":"url","url":"https://h/b"}}]},
            {"type":"text","text":"well?"}]}]})",
        R"({"messages":[{"role":"tool","tool_call_id":"a","content":""},{"role":"tool","tool_call_id":"b","content":"see"},
            {"role":"user","content":[{"type":"text","text":"Image in the result of the call a:"},{"type":"image_url","image_url":{"url":"https://h/a"}},
              {"type":"text","text":"Image in the result of the call b:"},{"type":"image_url","image_url":{"url":"https://h/b"}},
              {"type":"text","text":"well?"}]}]})");
}

void TestRequestToOpenAi::tools_data() {
    translationColumns();
    const auto tools = [](const char* name, const char* members, const char* wanted) {
        QTest::newRow(name) << QByteArray(R"({"messages":[{"role":"user","content":"q"}],)") + members + "}"
                            << QByteArray(R"({"messages":[{"role":"user","content":"q"}],)") + wanted + "}";
    };
    tools("everything said",
          R"("tools":[{"type":"custom","name":"t","description":"d","input_schema":{"type":"object","properties":{},"additionalProperties":false},"strict":true,"cache_control":{"type":"ephemeral"}}])",
          R"("tools":[{"type":"function","function":{"name":"t","description":"d","parameters":{"type":"object","properties":{},"additionalProperties":false},"strict":true}}])");
    // OpenAI refuses an object without properties, and strict for a schema that leaves something open.
    tools("no properties", R"("tools":[{"name":"t","input_schema":{"type":"object", "maximum":1e2}},{"name":"u","input_schema":{}}])",
          R"("tools":[{"type":"function","function":{"name":"t","parameters":{"type":"object","maximum":1e2,"properties":{}}}},
              {"type":"function","function":{"name":"u","parameters":{"type":"object","properties":{}}}}])");
    tools("strict, but with an optional property",
          R"("tools":[{"name":"t","input_schema":{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false},"strict":true}])",
          R"("tools":[{"type":"function","function":{"name":"t","parameters":{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}}}])");
    tools("examples of input",
          R"("tools":[{"name":"t","description":"d","input_schema":{"type":"object","properties":{}},"input_examples":[{"a": 1e2},{}]},
              {"name":"u","input_schema":{"type":"object","properties":{}},"input_examples":[{"b":"\"x\""}]},
              {"name":"v","description":"d","input_schema":{"type":"object","properties":{}},"input_examples":[]}])",
          R"("tools":[{"type":"function","function":{"name":"t","description":"d\n\nExamples of its input:\n{\"a\": 1e2}\n{}","parameters":{"type":"object","properties":{}}}},
              {"type":"function","function":{"name":"u","description":"Examples of its input:\n{\"b\":\"\\\"x\\\"\"}","parameters":{"type":"object","properties":{}}}},
              {"type":"function","function":{"name":"v","description":"d","parameters":{"type":"object","properties":{}}}}])");
    const auto choice = [&](const char* name, const char* said, const char* wanted) {
        tools(name, (QByteArray(R"("tools":[{"name":"t","input_schema":{"type":"object","properties":{}}}],"tool_choice":)") + said).constData(),
              (QByteArray(R"("tools":[{"type":"function","function":{"name":"t","parameters":{"type":"object","properties":{}}}}])") + wanted).constData());
    };
    choice("auto", R"({"type":"auto"})", R"(,"tool_choice":"auto")");
    choice("any", R"({"type":"any"})", R"(,"tool_choice":"required")");
    choice("none", R"({"type":"none"})", R"(,"tool_choice":"none")");
    choice("named", R"({"type":"tool","name":"t"})", R"(,"tool_choice":{"type":"function","function":{"name":"t"}})");
    choice("one at a time", R"({"type":"any","disable_parallel_tool_use":true})", R"(,"tool_choice":"required","parallel_tool_calls":false)");
    choice("parallel", R"({"type":"auto","disable_parallel_tool_use":false})", R"(,"tool_choice":"auto")");
    choice("null", "null", "");
}

void TestRequestToOpenAi::F26_emptyTools_data() {
    translationColumns();
    for (const char* said : {R"("tools":[],"tool_choice":{"type":"any","disable_parallel_tool_use":true})", R"("tools":[])", R"("tool_choice":{"type":"none"})",
                             R"("tools":[],"tool_choice":"auto")"})
        QTest::newRow(said) << QByteArray(R"({"messages":[{"role":"user","content":"q"}],)") + said + "}"
                            << QByteArray(R"({"messages":[{"role":"user","content":"q"}]})");
}

void TestRequestToOpenAi::settings_data() {
    translationColumns();
    const auto set = [](const char* said, const char* wanted) {
        QTest::newRow(said) << QByteArray(R"({"messages":[{"role":"user","content":"q"}],)") + said + "}"
                            << QByteArray(R"({"messages":[{"role":"user","content":"q"}])") + (*wanted != '\0' ? "," : "") + wanted + "}";
    };
    set(R"("temperature":0.25,"top_p":0.5)", R"("temperature":0.25,"top_p":0.5)");
    set(R"("stop_sequences":["a","b"])", R"("stop":["a","b"])");
    set(R"("stop_sequences":[])", "");
    set(R"("stop_sequences":["a","b","c","\n"])", R"("stop":["a","b","c","\n"])");
    set(R"("stream":true)", R"("stream":true)");
    set(R"("thinking":{"type":"disabled"},"mcp_servers":[],"service_tier":"auto")", "");
    set(R"("output_config":{"effort":"medium"})", R"("reasoning_effort":"medium")");
    set(R"("thinking":{"type":"adaptive"},"output_config":{"effort":"high"})", R"("reasoning_effort":"high")");
    set(R"("thinking":{"type":"enabled","budget_tokens":31999},"context_management":{"edits":[{"type":"clear_thinking_20251015","keep":"all"}]})", "");
    // F32
    set(R"("output_config":{"format":{"type":"json_schema","schema":{"type":"object","additionalProperties":false}}})",
        R"("response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"object","additionalProperties":false},"strict":true}})");
    set(R"("output_format":{"type":"json_schema","schema":{"type":"object","additionalProperties":false}})",
        R"("response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"object","additionalProperties":false},"strict":true}})");
    // OpenAI refuses names of users of more than 64 characters: the same user is the same hash. printf %s … | sha256sum
    const QByteArray letters(64, 'u');
    set((R"("metadata":{"user_id":")" + letters + "\"}").constData(), (R"("user":")" + letters + "\"").constData());
    set((R"("metadata":{"user_id":"u)" + letters + "\"}").constData(),
        R"("user":"f20e249d15fa4b9f44ba21d154f62e1efa76ddfdce5d25139a33a4787cee5a8b")");
}

void TestRequestToOpenAi::strictSchemas_data() {
    QTest::addColumn<QByteArray>("schema");
    QTest::addColumn<bool>("strict");
    const auto schema = [](const char* name, const char* json, bool strict) { QTest::newRow(name) << QByteArray(json) << strict; };
    schema("closed", R"({"type":"object","properties":{"a":{"type":"string","enum":["x"]},"b":{"type":["string","null"]}},"required":["b","a"],"additionalProperties":false})", true);
    schema("nothing in it", R"({"type":"object","additionalProperties":false})", true);
    schema("a map", R"({"type":"object"})", false);
    schema("a map inside", R"({"type":"object","properties":{"a":{"type":"object"}},"required":["a"]})", false);
    schema("open, with an optional property", R"({"type":"object","properties":{"a":{"type":"null"}}})", false);
    schema("open by word", R"({"type":"object","properties":{},"additionalProperties":true})", false);
    schema("further properties of a kind", R"({"type":"object","additionalProperties":{"type":"string"}})", false);
    schema("an optional property", R"({"type":"object","properties":{"a":{"type":"null"},"b":{"type":"null"}},"required":["a"],"additionalProperties":false})", false);
    schema("all optional", R"({"type":"object","properties":{"a":{"type":"null"}},"additionalProperties":false})", false);
    const auto within = [&](const char* name, const QByteArray& inner, bool strict) {
        schema(name, (R"({"type":"object","properties":{"a":)" + inner + R"(},"required":["a"],"additionalProperties":false})").constData(), strict);
    };
    const QByteArray closed = R"({"type":"object","properties":{"type":{"type":"integer"}},"required":["type"],"additionalProperties":false})";
    const QByteArray open = R"({"type":"object","properties":{"type":{"type":"integer"}},"additionalProperties":false})";
    for (const bool strict : {true, false}) {
        const QByteArray& inner = strict ? closed : open;
        within(strict ? "closed inside" : "open inside", inner, strict);
        within(strict ? "closed items" : "open items", R"({"type":"array","items":)" + inner + "}", strict);
        within(strict ? "closed choices" : "an open choice", R"({"anyOf":[{"type":"null"},)" + inner + "]}", strict);
        schema(strict ? "closed definition" : "open definition",
               (R"({"type":"object","properties":{"a":{"$ref":"#/$defs/d"}},"required":["a"],"additionalProperties":false,"$defs":{"d":)" + inner + "}}").constData(), strict);
        within(strict ? "closed or null" : "open or null", QByteArray(inner).replace(R"("type":"object")", R"("type":["object","null"])"), strict);
    }
    within("an object without a type", R"({"anyOf":[{"type":"null"}],"properties":{"x":{"type":"null"}}})", false);
    within("what stands in an enum is no schema", R"({"type":"string","enum":[{"type":"object"}]})", true);
    // Anthropic takes it as any object; closed it would always be empty.
    within("a map with empty properties", R"({"type":"object","properties":{}})", false);
    within("an empty object that is closed", R"({"type":"object","properties":{},"additionalProperties":false})", true);
    const char* const kOpenWith = R"({"type":"object","properties":{"x":{"type":"null"}},"required":["x"],)";
    within("open beside a choice", QByteArray(kOpenWith) + R"("anyOf":[)" + closed + "]}", false);
    within("open beside a reference", QByteArray(kOpenWith) + R"("$ref":"#"})", false);
    for (const char* word : {R"("dependencies":{})", R"("dependentRequired":{})", R"("dependentSchemas":{})", R"("minProperties":1)", R"("maxProperties":1)"})
        within(word, QByteArray(kOpenWith) + word + "}", false);
    schema("requires what is no property", R"({"type":"object","properties":{"a":{"type":"null"}},"required":["a","b"]})", false);
    schema("closed, requires what is no property", R"({"type":"object","properties":{"a":{"type":"null"}},"required":["a","b"],"additionalProperties":false})", false);
    schema("a choice at the top beside properties", R"({"type":"object","properties":{},"additionalProperties":false,"anyOf":[{"type":"object","properties":{},"additionalProperties":false}]})", false);
    for (const int levels : {10, 11}) {
        QByteArray nested = R"({"type":"null"})";
        for (int i = 0; i < levels; ++i)
            nested = R"({"type":"object","properties":{"a":)" + nested + R"(},"required":["a"],"additionalProperties":false})";
        schema(("levels: " + QByteArray::number(levels)).constData(), nested.constData(), levels == 10);
    }
    within("anything", "{}", false);
    within("a list of anything", R"({"type":"array"})", false);
    within("one of", R"({"oneOf":[{"type":"null"}]})", false);
    within("a default", R"({"type":"string","default":""})", false);
    within("no schema", "true", false);
    within("items that are none", R"({"type":"array","items":3})", false);
    schema("a choice at the top", R"({"anyOf":[{"type":"object","additionalProperties":false}]})", false);
    schema("properties that are none", R"({"type":"object","properties":[],"additionalProperties":false})", false);
    schema("required that is none", R"({"type":"object","properties":{"a":{"type":"null"}},"required":"a","additionalProperties":false})", false);
}

/// OpenAI refuses a request that says strict of a schema that is not; without it the same schema is taken.
void TestRequestToOpenAi::strictSchemas() {
    QFETCH(QByteArray, schema);
    QFETCH(bool, strict);
    const auto format = translated(R"({"messages":[{"role":"user","content":"q"}],"output_config":{"format":{"type":"json_schema","schema":)" + schema + "}}}");
    QVERIFY2(format, format ? "" : format.error().text().c_str());
    const auto told = nlohmann::json::parse(*format)["response_format"]["json_schema"];
    QCOMPARE(told["strict"].get<bool>(), strict);
    QVERIFY(told["schema"] == nlohmann::json::parse(schema.toStdString()));
    const auto tool = translated(R"({"messages":[{"role":"user","content":"q"}],"tools":[{"name":"t","strict":true,"input_schema":)" + schema + "}]}");
    QVERIFY2(tool, tool ? "" : tool.error().text().c_str());
    QCOMPARE(nlohmann::json::parse(*tool)["tools"][0]["function"].contains("strict"), strict);
}

void TestRequestToOpenAi::openSchemasAreClosedForStrict_data() {
    translationColumns();
    row("at the top", R"({"type":"object","properties":{"a":{"type":"null"}},"required":["a"]})",
        R"({"type":"object","properties":{"a":{"type":"null"}},"required":["a"],"additionalProperties":false})");
    row("inside, in lists, in choices and in definitions",
        R"({"type":"object","$defs":{"d":{"properties":{"k":{"type":"null"}},"required":["k"],"type":"object"}},"properties":{"a":{"type":["object","null"],"properties":{"k":{"type":"null"}},"required":["k"]},)"
        R"("b":{"type":"array","items":{"type":"object","properties":{"x":{"$ref":"#/$defs/d"}},"required":["x"]}},)"
        R"("c":{"anyOf":[{"type":"null"},{"type":"object","properties":{"k":{"type":"null"}},"required":["k"]}]}},"required":["a","b","c"]})",
        R"({"type":"object","$defs":{"d":{"properties":{"k":{"type":"null"}},"required":["k"],"type":"object","additionalProperties":false}},"properties":{"a":{"type":["object","null"],"properties":{"k":{"type":"null"}},"required":["k"],"additionalProperties":false},)"
        R"("b":{"type":"array","items":{"type":"object","properties":{"x":{"$ref":"#/$defs/d"}},"required":["x"],"additionalProperties":false}},)"
        R"("c":{"anyOf":[{"type":"null"},{"type":"object","properties":{"k":{"type":"null"}},"required":["k"],"additionalProperties":false}]}},"required":["a","b","c"],"additionalProperties":false})");
    row("what stands in an enum is no schema", R"({"type":"object","properties":{"a":{"enum":[{"type":"object","properties":{}}],"type":"object","additionalProperties":false}},"required":["a"]})",
        R"({"type":"object","properties":{"a":{"enum":[{"type":"object","properties":{}}],"type":"object","additionalProperties":false}},"required":["a"],"additionalProperties":false})");
    row("numbers keep their digits", R"({"type":"object","properties":{"a":{"type":"number","maximum":1.50e2}},"required":["a"]})",
        R"({"type":"object","properties":{"a":{"type":"number","maximum":1.50e2}},"required":["a"],"additionalProperties":false})");
}

/// A model that may add nothing writes what the client's own schema allows, and Anthropic asks for closed objects as well. Byte by
/// byte, but for what is added.
void TestRequestToOpenAi::openSchemasAreClosedForStrict() {
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, wanted);
    const auto tool = translated(R"({"messages":[{"role":"user","content":"q"}],"tools":[{"name":"t","strict":true,"input_schema":)" + body + "}]}");
    QVERIFY2(tool, tool ? "" : tool.error().text().c_str());
    QVERIFY(nlohmann::json::parse(*tool)["tools"][0]["function"]["strict"] == true);
    const auto format = translated(R"({"messages":[{"role":"user","content":"q"}],"output_config":{"format":{"type":"json_schema","schema":)" + body + "}}}");
    QVERIFY2(format, format ? "" : format.error().text().c_str());
    QVERIFY(nlohmann::json::parse(*format)["response_format"]["json_schema"]["strict"] == true);
    const std::string asked = R"({"messages":[{"role":"user","content":"q"}],"tools":[{"name":"t","strict":true,"input_schema":)" + body.toStdString() + "}]}";
    const auto bytes = upstream::openAiRequest(asked, {"up"});  // as it is sent, not read again
    QVERIFY2(bytes && bytes->find("\"parameters\":" + wanted.toStdString()) != std::string::npos, bytes ? bytes->c_str() : "");
    QVERIFY(nlohmann::json::parse(*format)["response_format"]["json_schema"]["schema"] == nlohmann::json::parse(wanted.toStdString()));
    // Without strict nothing is promised, and nothing is changed.
    const auto loose = translated(R"({"messages":[{"role":"user","content":"q"}],"tools":[{"name":"t","input_schema":)" + body + "}]}");
    QVERIFY(nlohmann::json::parse(*loose)["tools"][0]["function"]["parameters"] == nlohmann::json::parse(body.toStdString()));
}

/// At the root of a tool an object without properties is a call without arguments; at that of an answer it is a map, as it is
/// everywhere below, and closed it would make every answer empty.
void TestRequestToOpenAi::noArgumentsAreClosedForStrict() {
    const auto tool = upstream::openAiRequest(
        R"({"messages":[{"role":"user","content":"q"}],"tools":[{"name":"t","strict":true,"input_schema":{ "type":"object", "properties":{} }}]})", {"up"});
    QVERIFY2(tool && tool->find(R"("parameters":{ "type":"object", "properties":{} ,"additionalProperties":false},"strict":true)") != std::string::npos,
             tool ? tool->c_str() : "");
    const auto format = translated(
        R"({"messages":[{"role":"user","content":"q"}],"output_config":{"format":{"type":"json_schema","schema":{"type":"object","properties":{}}}}})");
    QVERIFY(format);
    const auto told = nlohmann::json::parse(*format)["response_format"]["json_schema"];
    QVERIFY2(told["strict"] == false && !told["schema"].contains("additionalProperties"), format->c_str());
}

void TestRequestToOpenAi::whatIsNotToldIsSaid_data() {
    QTest::addColumn<QByteArray>("asked");
    QTest::addColumn<bool>("strict");
    const QByteArray open = R"({"type":"object","properties":{"a":{"type":"null"}}})";  // an optional property
    const QByteArray closed = R"({"type":"object","properties":{"a":{"type":"null"}},"required":["a"]})";
    const auto tool = [](const QByteArray& schema, const QByteArray& more) { return R"({"name":"t","input_schema":)" + schema + more + "}"; };
    const QByteArray strict = R"(,"strict":true)";
    const auto row = [](const char* name, const QByteArray& asked, bool leftOut) { QTest::newRow(name) << asked << leftOut; };
    row("nothing of it", R"("temperature":0)", false);
    row("a tool that is told so", R"("tools":[)" + tool(closed, strict) + "]", false);
    row("a tool that is not", R"("tools":[)" + tool(open, strict) + "]", true);
    row("one of several", R"("tools":[)" + tool(open, strict) + "," + tool(closed, strict) + "," + tool(open, "") + "]", true);
    row("a tool that does not ask for it", R"("tools":[)" + tool(open, "") + "," + tool(open, R"(,"strict":false)") + "]", false);
    const auto format = [](const char* member, const QByteArray& schema) {
        const QByteArray said = R"({"type":"json_schema","schema":)" + schema + "}";
        return member == QByteArray("output_config") ? R"("output_config":{"format":)" + said + "}" : R"("output_format":)" + said;
    };
    for (const char* member : {"output_config", "output_format"}) {
        row(member, format(member, open), true);
        row((QByteArray(member) + ", closed").constData(), format(member, closed), false);
    }
}

void TestRequestToOpenAi::whatIsNotToldIsSaid() {
    QFETCH(QByteArray, asked);
    QFETCH(bool, strict);
    upstream::LeftOut leftOut;
    const std::string body = (R"({"messages":[{"role":"user","content":"q"}],)" + asked + "}").toStdString();
    QVERIFY(upstream::openAiRequest(body, {"up"}, &leftOut));
    QCOMPARE(leftOut.strict, strict);
}

/// OpenAI counts those of the whole schema.
void TestRequestToOpenAi::strictUpToSoManyProperties() {
    for (const int inner : {2'000, 2'001}) {
        const QByteArray schema = R"({"type":"object","properties":{"a":)" + manyProperties(inner) + R"(,"b":)" + manyProperties(2'998) +
                                  R"(},"required":["a","b"],"additionalProperties":false})";
        const QByteArray body = R"({"messages":[{"role":"user","content":"q"}],"tools":[{"name":"t","strict":true,"input_schema":)" + schema + "}]}";
        const auto out = upstream::openAiRequest(body.toStdString(), {"up"});
        QVERIFY(out && out->find(schema.toStdString()) != std::string::npos);
        QCOMPARE(out->ends_with(R"("strict":true}}]})"), inner == 2'000);
    }
}

/// Each of 4,900 properties would have its place with it, with a name of 200 KB in it: 1 GB. The most that this process has taken
/// so far does not grow by a tenth of that.
void TestRequestToOpenAi::longNamesAroundManyPropertiesTakeNoMemory() {
    const QByteArray name = '"' + QByteArray(200'000, 'k') + '"';
    const QByteArray schema = R"({"type":"object","properties":{)" + name + ':' + manyProperties(4'900, {}) + R"(},"required":[)" + name + "]}";
    const std::string body = (R"({"messages":[{"role":"user","content":"q"}],"tools":[{"name":"t","strict":true,"input_schema":)" + schema + "}]}").toStdString();
    const long before = mostMemoryKiB();
    const auto out = upstream::openAiRequest(body, {"up"});
    const long grown = mostMemoryKiB() - before;
    QVERIFY(out && out->ends_with(R"(,"additionalProperties":false},"strict":true}}]})"));
    QVERIFY2(grown < 100'000, std::to_string(grown).c_str());
}

void TestRequestToOpenAi::F33_privateFieldsStay_data() {
    translationColumns();
    row("of metadata only who asks", R"({"metadata":{"user_id":"u","category":"code","x":1},"messages":[{"role":"user","content":"q","x":1}]})",
        R"({"user":"u","messages":[{"role":"user","content":"q"}]})");
    row("metadata of ours alone", R"({"metadata":{"expected_length":"short"},"messages":[{"role":"user","content":"q"}]})",
        R"({"messages":[{"role":"user","content":"q"}]})");
}

void TestRequestToOpenAi::F30_tokensFieldOfTheProvider_data() {
    QTest::addColumn<int>("field");
    QTest::addColumn<QByteArray>("wanted");
    const auto field = [](const char* name, TokensField value, const char* wanted) {
        QTest::newRow(name) << static_cast<int>(value) << QByteArray(R"({"model":"up","messages":[{"role":"user","content":"q"}],)") + wanted + "}";
    };
    field("as sent", TokensField::asSent, R"("max_tokens":9)");
    field("max_tokens", TokensField::maxTokens, R"("max_tokens":9)");
    field("max_completion_tokens", TokensField::maxCompletionTokens, R"("max_completion_tokens":9)");
    field("both", TokensField::both, R"("max_tokens":9,"max_completion_tokens":9)");
}

void TestRequestToOpenAi::F30_tokensFieldOfTheProvider() {
    QFETCH(int, field);
    QFETCH(QByteArray, wanted);
    compareJson(upstream::openAiRequest(R"({"messages":[{"role":"user","content":"q"}],"max_tokens":9})", {"up", static_cast<TokensField>(field)}), wanted);
}

void TestRequestToOpenAi::stopSequencesUpToTheProvidersLimit() {
    const auto told = [](std::uint32_t most) {
        return upstream::openAiRequest(R"({"messages":[{"role":"user","content":"q"}],"stop_sequences":["a","b","c","d","e"]})",
                                       {"up", TokensField::asSent, false, most});
    };
    compareJson(told(5), R"({"model":"up","messages":[{"role":"user","content":"q"}],"stop":["a","b","c","d","e"]})");
    const auto refused = told(2);
    QVERIFY(!refused);
    QCOMPARE(refused.error().where, std::string("/stop_sequences"));
    QVERIFY2(refused.error().message.find("more than 2 stop words") != std::string::npos, refused.error().message.c_str());
}

void TestRequestToOpenAi::F10_usageIsAskedForInStreamsOnly() {
    const auto asked = [](const char* stream) {
        const auto out = upstream::openAiRequest(QByteArray(R"({"messages":[{"role":"user","content":"q"}])").append(stream).append('}').toStdString(),
                                                 {"up", TokensField::asSent, true});
        return out && out->find(R"("stream_options":{"include_usage":true})") != std::string::npos;
    };
    QVERIFY(asked(R"(,"stream":true)"));
    QVERIFY(!asked(R"(,"stream":false)"));
    QVERIFY(!asked(""));
}

void TestRequestToOpenAi::bytesOfInputsStay() {
    const auto out = upstream::openAiRequest(
        R"({"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"t","input":{"id": 12345678901234567890123, "r":1.0}}]}],
            "tools":[{"name":"t","input_schema":{"type":"object", "properties":{}, "maximum":1e2}}]})", {"m"});
    QVERIFY(out);
    QVERIFY2(out->find(R"("arguments":"{\"id\": 12345678901234567890123, \"r\":1.0}")") != std::string::npos, out->c_str());
    QVERIFY2(out->find(R"("parameters":{"type":"object", "properties":{}, "maximum":1e2})") != std::string::npos, out->c_str());
}

QTEST_APPLESS_MAIN(TestRequestToOpenAi)
#include "tst_request_to_openai.moc"
