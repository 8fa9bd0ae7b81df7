// SPDX-License-Identifier: MIT
#include "router/gateway/splice.h"

#include <nlohmann/json.hpp>
#include <QTest>

using namespace signalbox;
using config::TokensField;

/// F26, F30, F33: the outgoing body is what the client sent, less what we consumed, byte for byte.
class SpliceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bytes_data();
    void bytes();
    void cutsAreThoseOfClassification();
    void result_isJson();
};

namespace {
struct Case {
    const char* tag;
    const char* body;
    TokensField field;
    bool askUsage;
    const char* expected;
};

const Case kCases[] = {
    {"nothing to do", R"({"model":"up","messages":[ ]})", TokensField::asSent, false,
     R"({"model":"up","messages":[ ]})"},
    {"model only, odd spacing kept",
     "{ \"model\" :\t\"a\" ,\n \"x\": 1.50e3, \"messages\":[{\"role\":\"user\",\"content\":\"\\u00e9 "
     "{\\\"\"}]}",
     TokensField::asSent, false,
     "{ \"model\" :\t\"up\" ,\n \"x\": 1.50e3, \"messages\":[{\"role\":\"user\",\"content\":\"\\u00e9 "
     "{\\\"\"}]}"},
    {"F26 empty tools first", R"({"tools":[],"tool_choice":"auto","model":"a"})", TokensField::asSent, false,
     R"({"model":"up"})"},
    {"F26 parallel calls of no tools", R"({"parallel_tool_calls":true,"tools":[],"model":"a"})", TokensField::asSent, false,
     R"({"model":"up"})"},
    {"F26 empty tools last", R"({"model":"a", "tools": [ ] ,"tool_choice":{"type":"function"}})",
     TokensField::asSent, false, R"({"model":"up"})"},
    {"F26 apart", R"({"tools":[],"model":"a","tool_choice":"none","n":1})", TokensField::asSent, false,
     R"({"model":"up","n":1})"},
    {"tools kept", R"({"model":"a","tools":[{"type":"function"}],"tool_choice":"auto"})", TokensField::asSent,
     false, R"({"model":"up","tools":[{"type":"function"}],"tool_choice":"auto"})"},
    {"F30 to old name", R"({"model":"a","max_completion_tokens":9})", TokensField::maxTokens, false,
     R"({"model":"up","max_tokens":9})"},
    {"F30 to new name", R"({"model":"a","max_tokens":9,"n":1})", TokensField::maxCompletionTokens, false,
     R"({"model":"up","max_completion_tokens":9,"n":1})"},
    {"F30 both present, old wanted", R"({"model":"a","max_tokens":5,"max_completion_tokens":9})",
     TokensField::maxTokens, false, R"({"model":"up","max_tokens":9})"},
    {"F30 both present, new wanted", R"({"max_completion_tokens":9,"max_tokens":5,"model":"a"})",
     TokensField::maxCompletionTokens, false, R"({"max_completion_tokens":9,"model":"up"})"},
    {"F30 newer is null", R"({"model":"a","max_tokens":5,"max_completion_tokens":null})",
     TokensField::maxCompletionTokens, false, R"({"model":"up","max_completion_tokens":5})"},
    {"F30 both wanted", R"({"model":"a","max_tokens": 5})", TokensField::both, false,
     R"({"model":"up","max_tokens": 5,"max_completion_tokens":5})"},
    {"F30 as sent", R"({"model":"a","max_tokens":5,"max_completion_tokens":9})", TokensField::asSent, false,
     R"({"model":"up","max_tokens":5,"max_completion_tokens":9})"},
    {"usage added", R"({"model":"a","stream":true})", TokensField::asSent, true,
     R"({"stream_options":{"include_usage":true},"model":"up","stream":true})"},
    {"usage into options", R"({"model":"a","stream":true,"stream_options":{"x":1}})", TokensField::asSent,
     true, R"({"model":"up","stream":true,"stream_options":{"include_usage":true,"x":1}})"},
    {"usage into empty options", R"({"model":"a","stream":true,"stream_options":{ }})", TokensField::asSent,
     true, R"({"model":"up","stream":true,"stream_options":{"include_usage":true }})"},
    {"usage turned on", R"({"model":"a","stream":true,"stream_options":{"include_usage":false}})",
     TokensField::asSent, true, R"({"model":"up","stream":true,"stream_options":{"include_usage":true}})"},
    {"usage for null", R"({"model":"a","stream":true,"stream_options":null})", TokensField::asSent, true,
     R"({"model":"up","stream":true,"stream_options":{"include_usage":true}})"},
    {"usage already asked", R"({"model":"a","stream":true,"stream_options":{"include_usage": true}})",
     TokensField::asSent, true, R"({"model":"up","stream":true,"stream_options":{"include_usage": true}})"},
    {"F33 metadata ours and theirs",
     R"({"model":"a","metadata":{"user":"u1","expected_length":"short","trace":"t"}})", TokensField::asSent,
     false, R"({"model":"up","metadata":{"user":"u1","trace":"t"}})"},
    {"F33 metadata ours at both ends",
     R"({"model":"a","metadata":{ "category":"code", "user":"u1", "input_tokens":"12" }})",
     TokensField::asSent, false, R"({"model":"up","metadata":{ "user":"u1" }})"},
    {"F33 metadata only ours", R"({"metadata":{"expected_length":"short","category":"code"},"model":"a"})",
     TokensField::asSent, false, R"({"model":"up"})"},
    {"F33 key written with an escape", R"({"model":"a","metadata":{"expected\u005flength":"short","k":"v"}})",
     TokensField::asSent, false, R"({"model":"up","metadata":{"k":"v"}})"},
    {"F33 a number of tokens", R"({"model":"a","metadata":{"input_tokens":12,"k":"v"}})", TokensField::asSent,
     false, R"({"model":"up","metadata":{"k":"v"}})"},
    {"half a token is no hint", R"({"model":"a","metadata":{"input_tokens":1.5}})", TokensField::asSent, false,
     R"({"model":"up","metadata":{"input_tokens":1.5}})"},
    {"metadata theirs", R"({"model":"a","metadata":{"user":"u1"}})", TokensField::asSent, false,
     R"({"model":"up","metadata":{"user":"u1"}})"},
    {"empty metadata stays", R"({"model":"a","metadata":{}})", TokensField::asSent, false,
     R"({"model":"up","metadata":{}})"},
    {"a hint that is no text is not ours",
     R"({"model":"a","metadata":{"category":5,"expected_length":"short"}})", TokensField::asSent, false,
     R"({"model":"up","metadata":{"category":5}})"},
    {"a hint, and one of its name that is none", R"({"model":"a","metadata":{"category":"code","category":5}})", TokensField::asSent, false,
     R"({"model":"up","metadata":{"category":5}})"},
    {"two hints of one name, of which one is none", R"({"metadata":{"input_tokens":"9","k":"v","input_tokens":1.5},"model":"a"})",
     TokensField::asSent, false, R"({"metadata":{"k":"v","input_tokens":1.5},"model":"up"})"},
    {"a hint that is a container is not ours", R"({"model":"a","metadata":{"category":{"a":["code"]},"input_tokens":[1]}})",
     TokensField::asSent, false, R"({"model":"up","metadata":{"category":{"a":["code"]},"input_tokens":[1]}})"},
    {"text that says nothing we know", R"({"model":"a","metadata":{"category":"novel","expected_length":" "}})", TokensField::asSent, false,
     R"({"model":"up"})"},
    {"hints side by side at the end", R"({"metadata":{"k":"v" , "category":"code" , "expected_length":"long" },"tools":[],"model":"a"})",
     TokensField::asSent, false, R"({"metadata":{"k":"v" },"model":"up"})"},
    {"no model (a pin needs none)", R"({ "n":1})", TokensField::asSent, false, R"({ "model":"up","n":1})"},
    {"no model and no members", R"({ })", TokensField::asSent, false, R"({ "model":"up"})"},
    {"no model, all members go", R"({ "tool_choice":"none","tools":[]})", TokensField::asSent, false,
     R"({ "model":"up"})"},
    {"no model, first members go", R"({"tool_choice":"none","tools":[], "n":1})", TokensField::asSent, false,
     R"({"model":"up","n":1})"},
    {"no model, only our hints", R"({"metadata":{"category":"code"}})", TokensField::asSent, false,
     R"({"model":"up"})"},
    {"usage asked where all members go", R"({"tools":[]})", TokensField::asSent, true,
     R"({"model":"up","stream_options":{"include_usage":true}})"},
    {"usage asked of no members", "{\t}", TokensField::asSent, true,
     "{\t\"model\":\"up\",\"stream_options\":{\"include_usage\":true}}"},
    {"usage asked before a space", R"({ "model":"a","stream":true})", TokensField::asSent, true,
     R"({ "stream_options":{"include_usage":true},"model":"up","stream":true})"},
    {"a limit for both beside empty tools", R"({"max_tokens":5,"tools":[]})", TokensField::both, false,
     R"({"model":"up","max_tokens":5,"max_completion_tokens":5})"},
    {"everything at once",
     R"({"tools":[],"metadata":{"category":"code"},"stream":true,"model":"a","max_tokens":5,"max_completion_tokens":7,"tool_choice":"auto"})",
     TokensField::maxTokens, true,
     R"({"stream_options":{"include_usage":true},"stream":true,"model":"up","max_tokens":7})"},
};
} // namespace

void SpliceTest::bytes_data() {
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < std::size(kCases); ++i)
        QTest::newRow(kCases[i].tag) << static_cast<int>(i);
}

void SpliceTest::bytes() {
    QFETCH(int, index);
    const Case& row = kCases[index];
    const auto request = classify::classify(row.body, {}, {}, std::nullopt);
    QVERIFY2(request.has_value(), request ? "" : request.error().text().c_str());
    const auto result = gateway::spliceBody(row.body, *request, {"up", row.field, row.askUsage});
    QVERIFY(result.has_value());
    QCOMPARE(QString::fromStdString(*result), QString::fromUtf8(row.expected));
}

/// What is cut of the hints and of empty tools alone: classification says it, and the gateway does it.
void SpliceTest::cutsAreThoseOfClassification() {
    for (const Case& row : kCases) {
        const std::string body = row.body;
        const auto request = classify::classify(body, {}, {}, std::nullopt);
        if (!request->map.modelValue || row.askUsage || row.field != TokensField::asSent) continue;
        std::string cut = body;
        for (auto range = request->map.cuts.rbegin(); range != request->map.cuts.rend(); ++range)
            cut.erase(range->begin, range->end - range->begin);
        const auto again = classify::classify(cut, {}, {}, std::nullopt);
        QVERIFY2(again && again->map.modelValue, row.tag);
        cut.replace(again->map.modelValue->begin, again->map.modelValue->end - again->map.modelValue->begin, "\"up\"");
        QCOMPARE(QString::fromStdString(cut), QString::fromUtf8(row.expected));
    }
}

void SpliceTest::result_isJson() {
    for (const Case& row : kCases) {
        const auto request = classify::classify(row.body, {}, {}, std::nullopt);
        for (const TokensField field : {TokensField::asSent, TokensField::maxTokens,
                                        TokensField::maxCompletionTokens, TokensField::both}) {
            const auto result =
                gateway::spliceBody(row.body, *request, {"an \"odd\" 模型", field, request->features.stream});
            QVERIFY2(result && OrderedJson::accept(*result), row.tag);
            QCOMPARE(OrderedJson::parse(*result)["model"].get<std::string>(), std::string("an \"odd\" 模型"));
        }
    }
}

QTEST_APPLESS_MAIN(SpliceTest)
#include "tst_splice.moc"
