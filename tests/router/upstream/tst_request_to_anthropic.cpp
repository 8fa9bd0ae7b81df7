// SPDX-License-Identifier: MIT
// What an OpenAI chat body becomes for an Anthropic upstream.
#include "router/upstream/translate/request_translation.h"
#include "tests/router/upstream/cpu_time.h"
#include "tests/router/upstream/translation_rows.h"

using namespace signalbox;
using namespace signalbox::test;

namespace {

/// The body without model and max_tokens, which every body gets.
Result<std::string> translated(const QByteArray& body) {
    auto out = upstream::anthropicRequest(body.toStdString(), {"up", 77});
    if (!out) return out;
    auto json = nlohmann::ordered_json::parse(*out);
    if (json["model"] != "up") return fail(ErrorKind::internal, "the model is not the upstream's");
    json.erase("model");
    if (json["max_tokens"] == 77) json.erase("max_tokens");
    return json.dump();
}

}  // namespace

class TestRequestToAnthropic : public QObject {
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
    void F33_privateFieldsStay_data();
    void F33_privateFieldsStay() { compare(); }
    void F30_oneTokensField();
    void effortGrowsWithTheConversation_data();
    void effortGrowsWithTheConversation();
    void bytesOfSchemasAndArgumentsStay();

private:
    static void compare() {
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, wanted);
        compareJson(translated(body), wanted);
        QVERIFY(!isPeculiar(classify::Dialect::openai, body));
    }
};

void TestRequestToAnthropic::conversations_data() {
    translationColumns();
    row("one text", R"({"model":"m","messages":[{"role":"user","content":"hi"}]})",
        R"({"messages":[{"role":"user","content":"hi"}]})");
    row("system", R"({"messages":[{"role":"system","content":"be brief"},{"role":"user","content":"hi"}]})",
        R"({"system":"be brief","messages":[{"role":"user","content":"hi"}]})");
    row("several system messages, one later",
        R"({"messages":[{"role":"system","content":"a"},{"role":"developer","content":[{"type":"text","text":"b"}]},
            {"role":"user","content":"hi"},{"role":"system","content":"c"},{"role":"user","content":"there"}]})",
        R"({"system":[{"type":"text","text":"a"},{"type":"text","text":"b"},{"type":"text","text":"c"}],
            "messages":[{"role":"user","content":[{"type":"text","text":"hi"},{"type":"text","text":"there"}]}]})");
    row("neighbours of one role are one turn",
        R"({"messages":[{"role":"user","content":"a"},{"role":"user","content":[{"type":"text","text":"b"},{"type":"text","text":"c"}]},
            {"role":"assistant","content":"d"},{"role":"assistant","content":"e"},{"role":"user","content":"f"}]})",
        R"({"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"},{"type":"text","text":"c"}]},
            {"role":"assistant","content":[{"type":"text","text":"d"},{"type":"text","text":"e"}]},{"role":"user","content":"f"}]})");
    row("calls and results, before what the user says",
        R"({"tools":[{"type":"function","function":{"name":"t"}}],"messages":[{"role":"user","content":"q"},
            {"role":"assistant","content":"wait","tool_calls":[
              {"id":"a","type":"function","function":{"name":"t","arguments":"{\"x\": 1}"}},
              {"id":"b","type":"function","function":{"name":"t","arguments":""}}]},
            {"role":"tool","tool_call_id":"a","name":"t","content":"one"},
            {"role":"tool","tool_call_id":"b","content":[{"type":"text","text":"two"},{"type":"text","text":"three"}]},
            {"role":"user","content":"and?"}]})",
        R"({"tools":[{"name":"t","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"q"},
            {"role":"assistant","content":[{"type":"text","text":"wait"},
              {"type":"tool_use","id":"a","name":"t","input":{"x":1}},{"type":"tool_use","id":"b","name":"t","input":{}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"one"},
              {"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"two"},{"type":"text","text":"three"}]},
              {"type":"text","text":"and?"}]}]})");
    row("a user who speaks before a result comes",
        R"({"messages":[{"role":"user","content":"x"},{"role":"tool","tool_call_id":"a","content":"r"}],"tools":[{"type":"function","function":{"name":"t"}}]})",
        R"({"tools":[{"name":"t","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":[
            {"type":"tool_result","tool_use_id":"a","content":"r"},{"type":"text","text":"x"}]}]})");
    row("names of calls that Anthropic does not take stay distinct",
        R"({"tools":[{"type":"function","function":{"name":"t"}}],"messages":[{"role":"assistant","content":null,"tool_calls":[
              {"id":"t:0","type":"function","function":{"name":"t","arguments":"{}"}},
              {"id":"t.0","type":"function","function":{"name":"t","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"t.0","content":"dot"},{"role":"tool","tool_call_id":"t:0","content":"colon"}]})",
        R"({"tools":[{"name":"t","input_schema":{"type":"object"}}],"messages":[{"role":"assistant","content":[
              {"type":"tool_use","id":"t_0","name":"t","input":{}},{"type":"tool_use","id":"t_0_2","name":"t","input":{}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"t_0_2","content":"dot"},
              {"type":"tool_result","tool_use_id":"t_0","content":"colon"}]}]})");
    // Engines that count calls anew in every answer: Anthropic refuses two calls of one name.
    row("ids of another turn again: results belong to the newest call",
        R"({"tools":[{"type":"function","function":{"name":"t"}}],"messages":[
            {"role":"assistant","tool_calls":[{"id":"call_0","function":{"name":"t","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_0","content":"one"},
            {"role":"assistant","tool_calls":[{"id":"call_0","function":{"name":"t","arguments":"{}"}},{"id":"call_0_3","function":{"name":"t","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"call_0_3","content":"three"},{"role":"tool","tool_call_id":"call_0","content":"two"},
            {"role":"assistant","tool_calls":[{"id":"call_0","function":{"name":"t","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_0","content":"four"}]})",
        R"({"tools":[{"name":"t","input_schema":{"type":"object"}}],"messages":[
            {"role":"assistant","content":[{"type":"tool_use","id":"call_0","name":"t","input":{}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"call_0","content":"one"}]},
            {"role":"assistant","content":[{"type":"tool_use","id":"call_0_2","name":"t","input":{}},{"type":"tool_use","id":"call_0_3","name":"t","input":{}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"call_0_3","content":"three"},{"type":"tool_result","tool_use_id":"call_0_2","content":"two"}]},
            {"role":"assistant","content":[{"type":"tool_use","id":"call_0_4","name":"t","input":{}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"call_0_4","content":"four"}]}]})");
    row("one id twice in a turn: results in the order of the calls",
        R"({"tools":[{"type":"function","function":{"name":"t"}}],"messages":[
            {"role":"assistant","tool_calls":[{"id":"c","function":{"name":"t","arguments":"{\"n\":1}"}}]},
            {"role":"assistant","tool_calls":[{"id":"c","function":{"name":"t","arguments":"{\"n\":2}"}}]},
            {"role":"tool","tool_call_id":"c","content":"one"},{"role":"tool","tool_call_id":"c","content":"two"}]})",
        R"({"tools":[{"name":"t","input_schema":{"type":"object"}}],"messages":[
            {"role":"assistant","content":[{"type":"tool_use","id":"c","name":"t","input":{"n":1}},{"type":"tool_use","id":"c_2","name":"t","input":{"n":2}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"one"},{"type":"tool_result","tool_use_id":"c_2","content":"two"}]}]})");
    row("an answer handed back as the SDK holds it",
        R"({"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a","refusal":null,"annotations":[],"audio":null,
            "function_call":null,"tool_calls":null,"reasoning_content":"hm"},{"role":"user","content":"r"}]})",
        R"({"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"},{"role":"user","content":"r"}]})");
    row("a refusal is what the assistant said",
        R"({"messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"refusal":"no"},
            {"role":"user","content":"r"},{"role":"assistant","content":[{"type":"refusal","refusal":"never"}]}]})",
        R"({"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"no"},
            {"role":"user","content":"r"},{"role":"assistant","content":"never"}]})");
    row("every letter", R"({"messages":[{"role":"user","content":"\u0000 \ud83d\ude82 \"q\" \\ 駅"}]})",
        R"({"messages":[{"role":"user","content":"\u0000 \ud83d\ude82 \"q\" \\ 駅"}]})");
}

void TestRequestToAnthropic::F28_emptyContent_data() {
    translationColumns();
    const char* const calls = R"({"messages":[{"role":"user","content":"q"},{"role":"assistant",%1"tool_calls":[
        {"id":"a","type":"function","function":{"name":"t","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":%2}],
        "tools":[{"type":"function","function":{"name":"t"}}]})";
    const QByteArray wanted = R"({"tools":[{"name":"t","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"q"},
        {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"t","input":{}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}]})";
    for (const char* content : {R"("content":"",)", R"("content":null,)", "", R"("content":[],)", R"("content":" \n",)",
                                R"("content":[{"type":"text","text":""}],)"})
        for (const char* result : {R"("")", "null", "[]", R"([{"type":"text","text":""}])"})
            QTest::addRow("%s beside calls, a result of %s", content, result)
                << QByteArray(calls).replace("%1", content).replace("%2", result) << wanted;
    row("an empty turn is left out",
        R"({"messages":[{"role":"user","content":"a"},{"role":"assistant","content":""},{"role":"user","content":"b"},{"role":"user","content":" "}]})",
        R"({"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]})");
    row("an empty system prompt", R"({"messages":[{"role":"system","content":""},{"role":"user","content":"a"}]})",
        R"({"messages":[{"role":"user","content":"a"}]})");
}

void TestRequestToAnthropic::images_data() {
    translationColumns();
    const auto image = [](const char* name, const char* url, const char* source) {
        QTest::newRow(name) << QByteArray(R"({"messages":[{"role":"user","content":[{"type":"text","text":"what?"},{"type":"image_url","image_url":)") + url + "}]}]}"
                            << QByteArray(R"({"messages":[{"role":"user","content":[{"type":"text","text":"what?"},{"type":"image","source":)") + source + "}]}]}";
    };
    image("data URL", R"({"url":"data:image/png;base64,iVBO+/=","detail":"high"})", R"({"type":"base64","media_type":"image/png","data":"iVBO+/="})");
    image("jpg, in capitals, with a parameter", R"({"url":"DATA:Image/JPG;name=a;BASE64,AA=="})", R"({"type":"base64","media_type":"image/jpeg","data":"AA=="})");
    image("web address", R"({"url":"https://example.com/a.png?x=1"})", R"({"type":"url","url":"https://example.com/a.png?x=1"})");
    image("as a text", R"("http://example.com/a.png")", R"({"type":"url","url":"http://example.com/a.png"})");
    row("in a result",
        R"({"messages":[{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"see"},{"type":"image_url","image_url":{"url":"https://h/a"}}]}]})",
        R"({"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"see"},
            {"type":"image","source":{"type":"url","url":"https://h/a"}}]}]}]})");
}

void TestRequestToAnthropic::tools_data() {
    translationColumns();
    const auto tools = [](const char* name, const char* members, const char* wanted) {
        QTest::newRow(name) << QByteArray(R"({"messages":[{"role":"user","content":"q"}],)") + members + "}"
                            << QByteArray(R"({"messages":[{"role":"user","content":"q"}],)") + wanted + "}";
    };
    tools("everything said",
          R"("tools":[{"type":"function","function":{"name":"t","description":"d","parameters":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},"strict":true}}])",
          R"("tools":[{"name":"t","description":"d","input_schema":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},"strict":true}])");
    tools("a schema without its type", R"("tools":[{"type":"function","function":{"name":"t","parameters":{"properties":{}}}},{"type":"function","function":{"name":"u","parameters":{},"strict":false,"description":""}}])",
          R"("tools":[{"name":"t","input_schema":{"type":"object","properties":{}}},{"name":"u","input_schema":{"type":"object"}}])");
    const char* const t = R"("tools":[{"type":"function","function":{"name":"t"}}],)";
    const char* const w = R"("tools":[{"name":"t","input_schema":{"type":"object"}}])";
    const auto choice = [&](const char* name, const char* said, const QByteArray& wanted) {
        tools(name, (QByteArray(t) + said).constData(), (QByteArray(w) + (wanted.isEmpty() ? "" : R"(,"tool_choice":)") + wanted).constData());
    };
    choice("auto", R"("tool_choice":"auto")", R"({"type":"auto"})");
    choice("none", R"("tool_choice":"none","parallel_tool_calls":false)", R"({"type":"none"})");
    choice("required", R"("tool_choice":"required")", R"({"type":"any"})");
    choice("named", R"("tool_choice":{"type":"function","function":{"name":"t"}})", R"({"type":"tool","name":"t"})");
    choice("one at a time", R"("parallel_tool_calls":false)", R"({"type":"auto","disable_parallel_tool_use":true})");
    choice("one at a time, required", R"("parallel_tool_calls":false,"tool_choice":"required")", R"({"type":"any","disable_parallel_tool_use":true})");
    choice("one at a time, named", R"("parallel_tool_calls":false,"tool_choice":{"type":"function","function":{"name":"t"}})", R"({"type":"tool","name":"t","disable_parallel_tool_use":true})");
    choice("parallel", R"("parallel_tool_calls":true)", "");
    choice("null", R"("parallel_tool_calls":null,"tool_choice":null)", "");
    row("called before, offered no more: offered, but not to be called",
        R"({"messages":[{"role":"user","content":"q"},{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"t","arguments":"{}"}},
            {"id":"b","type":"function","function":{"name":"t","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"r"},{"role":"tool","tool_call_id":"b","content":"s"}]})",
        R"({"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"t","input":{}},{"type":"tool_use","id":"b","name":"t","input":{}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"},{"type":"tool_result","tool_use_id":"b","content":"s"}]}],
            "tools":[{"name":"t","input_schema":{"type":"object"}}],"tool_choice":{"type":"none"}})");
}

void TestRequestToAnthropic::F26_emptyTools_data() {
    translationColumns();
    for (const char* said : {R"("tools":[],"tool_choice":"auto")", R"("tools":[],"tool_choice":"required","parallel_tool_calls":false)", R"("tools":[])",
                             R"("tools":[],"tool_choice":{"type":"any"},"parallel_tool_calls":1)",
                             R"("tools":null,"tool_choice":"none")", R"("tool_choice":"auto")"})
        QTest::newRow(said) << QByteArray(R"({"messages":[{"role":"user","content":"q"}],)") + said + "}"
                            << QByteArray(R"({"messages":[{"role":"user","content":"q"}]})");
}

void TestRequestToAnthropic::settings_data() {
    translationColumns();
    const auto set = [](const char* said, const char* wanted) {
        QTest::newRow(said) << QByteArray(R"({"messages":[{"role":"user","content":"q"}],)") + said + "}"
                            << QByteArray(R"({"messages":[{"role":"user","content":"q"}])") + (*wanted != '\0' ? "," : "") + wanted + "}";
    };
    set(R"("temperature":0.25,"top_p":0.5,"top_k":7)", R"("temperature":0.25,"top_p":0.5,"top_k":7)");
    set(R"("temperature":1)", R"("temperature":1)");
    set(R"("temperature":0.5,"top_p":1.0)", R"("temperature":0.5)");
    set(R"("temperature":0,"top_k":-1)", R"("temperature":0)");
    set(R"("stop":"END")", R"("stop_sequences":["END"])");
    set(R"("stop":["a","b"])", R"("stop_sequences":["a","b"])");
    set(R"("stop":[])", "");
    set(R"("stop":"")", "");
    set(R"("stop":["a","","b\n","c","d","e"])", R"("stop_sequences":["a","b\n","c","d","e"])");
    set(R"("user":"u-1","safety_identifier":"s")", R"("metadata":{"user_id":"u-1"})");
    set(R"("safety_identifier":"s")", R"("metadata":{"user_id":"s"})");
    // Anthropic refuses addresses and names of more than 256 characters: the same user is the same hash. printf %s … | sha256sum
    set(R"("user":"ann@example.com")", R"("metadata":{"user_id":"71d4f55f72fa128dfb468a1a3901507c804b74316488744d769d7f4b16696476"})");
    const QByteArray letters(256, 'u');
    set(QByteArray(R"("user":")" + letters + "\"").constData(), QByteArray(R"("metadata":{"user_id":")" + letters + "\"}").constData());
    set(QByteArray(R"("user":"u)" + letters + "\"").constData(), R"("metadata":{"user_id":"36868c95693f7961e19205254a6e613547eeb4375b384159e91a462f70e8af26"})");
    set(R"("stream":true,"stream_options":{"include_usage":true})", R"("stream":true)");
    set(R"("stream":false)", R"("stream":false)");
    set(R"("max_tokens":5)", R"("max_tokens":5)");
    set(R"("max_completion_tokens":6)", R"("max_tokens":6)");
    set(R"("max_tokens":5,"max_completion_tokens":6)", R"("max_tokens":6)");
    set(R"("max_tokens":5,"max_completion_tokens":null)", R"("max_tokens":5)");
    set(R"("reasoning_effort":"low")", R"("output_config":{"effort":"low"})");
    set(R"("reasoning_effort":"none")", R"("thinking":{"type":"disabled"})");
    set(R"("response_format":{"type":"text"})", "");
    // F32
    set(R"("response_format":{"type":"json_schema","json_schema":{"name":"n","strict":true,"schema":{"type":"object","additionalProperties":false}}})",
        R"("output_config":{"format":{"type":"json_schema","schema":{"type":"object","additionalProperties":false}}})");
    set(R"("response_format":{"type":"json_schema","json_schema":{"name":"n","description":"d","schema":{"type":"object"}}},"reasoning_effort":"high")",
        R"("output_config":{"effort":"high","format":{"type":"json_schema","schema":{"description":"d","type":"object"}}})");
    set(R"("response_format":{"type":"json_schema","json_schema":{"name":"n","description":"d","schema":{"description":"own"}}})",
        R"("output_config":{"format":{"type":"json_schema","schema":{"description":"own"}}})");
    set(R"("n":1,"logprobs":false,"top_logprobs":0,"logit_bias":{},"frequency_penalty":0,"presence_penalty":0.0,"modalities":["text"],"functions":[],"function_call":"auto","seed":null)", "");
    set(R"("store":true,"service_tier":"auto","prompt_cache_key":"k","metadata":{"a":"b"})", "");
}

void TestRequestToAnthropic::F33_privateFieldsStay_data() {
    translationColumns();
    row("hints in metadata, members of messages and parts",
        R"({"metadata":{"category":"code","expected_length":"short","input_tokens":"9","keep":"x"},
            "messages":[{"role":"user","x-route":"secret","content":[{"type":"text","text":"q","cache":1}]}]})",
        R"({"messages":[{"role":"user","content":"q"}]})");
}

void TestRequestToAnthropic::F30_oneTokensField() {
    const auto out = upstream::anthropicRequest(R"({"messages":[{"role":"user","content":"q"}],"max_completion_tokens":9})", {"up", 77});
    QVERIFY(out);
    QCOMPARE(QByteArray::fromStdString(*out), QByteArray(R"({"model":"up","max_tokens":9,"messages":[{"role":"user","content":"q"}]})"));
}

namespace {

/// Seconds of this thread's processor that the translation of an assistant's calls takes, each with its id and its tool.
double cpuSecondsOf(const QStringList& ids, const QStringList& names) {
    QByteArray body = R"({"messages":[{"role":"assistant","tool_calls":[)";
    for (qsizetype i = 0; i < ids.size(); ++i)
        body += QByteArray(i > 0 ? "," : "") + R"({"id":")" + ids[i].toUtf8() + R"(","function":{"name":")" + names[i].toUtf8() + R"("}})";
    body += "]}]}";
    return cpuSeconds([text = body.toStdString()] {
        if (const auto out = upstream::anthropicRequest(text, {"up"}); !out) qFatal("%s", out.error().text().c_str());
    });
}

}  // namespace

void TestRequestToAnthropic::effortGrowsWithTheConversation_data() {
    QTest::addColumn<QStringList>("ids");
    QTest::addColumn<QStringList>("names");
    constexpr int kAlike = 6'000, kCalls = 16'000;
    QStringList ids, alike, names, one;
    for (int i = 0; i < kCalls; ++i) {
        ids << QStringLiteral("id%1").arg(i);
        // Distinct, but one and the same where only letters, digits, _ and - are left.
        QString odd = QStringLiteral("id");
        for (int rest = i; rest > 0; rest /= 8) odd += QStringLiteral(".:;,!?#+").at(rest % 8);
        alike << odd.leftJustified(8, QLatin1Char('.'));
        names << QStringLiteral("tool%1").arg(i);
        one << QStringLiteral("tool");
    }
    QTest::newRow("ids that become one") << alike.mid(0, kAlike) << one;
    QTest::newRow("many tools") << ids << names;
}

/// A body of 1 MB must not hold an I/O thread: who looks through all calls for each of them takes 64 times as long.
void TestRequestToAnthropic::effortGrowsWithTheConversation() {
    QFETCH(QStringList, ids);
    QFETCH(QStringList, names);
    const qsizetype few = ids.size() / 8;
    const double small = cpuSecondsOf(ids.mid(0, few), names.mid(0, few));
    const double large = cpuSecondsOf(ids, names);
    QVERIFY2(large < 20 * small, qPrintable(QStringLiteral("8 times the calls took %1 times as long").arg(large / small)));
}

void TestRequestToAnthropic::bytesOfSchemasAndArgumentsStay() {
    // A number that no double holds is one of a tool's business; a JSON library would round it.
    const auto out = upstream::anthropicRequest(
        R"({"messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"t","arguments":"{\"id\": 12345678901234567890123, \"r\":1.0}"}}]}],
            "tools":[{"type":"function","function":{"name":"t","parameters":{"type":"object", "maximum":1e2}}}]})", {"m\"odel"});
    QVERIFY(out);
    QVERIFY2(out->find(R"("input":{"id": 12345678901234567890123, "r":1.0})") != std::string::npos, out->c_str());
    QVERIFY2(out->find(R"("input_schema":{"type":"object", "maximum":1e2})") != std::string::npos, out->c_str());
    QVERIFY2(out->find(R"("model":"m\"odel","max_tokens":4096)") != std::string::npos, out->c_str());
}

QTEST_APPLESS_MAIN(TestRequestToAnthropic)
#include "tst_request_to_anthropic.moc"
