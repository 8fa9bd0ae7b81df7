// SPDX-License-Identifier: MIT
// A body of Anthropic's Messages API, read into the same features as one of OpenAI's.
#include "router/base/json_document.h"
#include "tests/router/classify/message_bodies.h"

#include <nlohmann/json.hpp>
#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using classify::ClassifiedRequest;
using classify::Dialect;
using classify::FoundBy;
using table::LengthBucket;
using table::WorkloadClass;

namespace {

std::string withoutCuts(std::string body, const ClassifiedRequest& request) {
    for (auto cut = request.map.cuts.rbegin(); cut != request.map.cuts.rend(); ++cut)
        body.erase(cut->begin, cut->end - cut->begin);
    return body;
}

}  // namespace

class TestClassifyMessages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void plainMessage() {
        const auto request = readMessages(R"({"model":"claude","max_tokens":300,"stream":true,"system":"Be kind.",)"
                                          R"("messages":[{"role":"user","content":"Hello there"}]})");
        QVERIFY(request);
        const classify::RequestFeatures& features = request->features;
        QVERIFY(features.dialect == Dialect::anthropic);
        QCOMPARE(features.model, std::string("claude"));
        QVERIFY(features.stream);
        QCOMPARE(features.outputCap, std::optional<std::uint64_t>(300));
        QVERIFY(features.outputCapField == classify::OutputCapField::maxTokens);
        QVERIFY(features.cell.length == LengthBucket::mediumOutput);
        QVERIFY(features.cell.workload == WorkloadClass::freeChat);
        QCOMPARE(features.inputTokens, std::uint64_t{5});  // 8 bytes of the system prompt and 11 of the message
        QVERIFY(features.peculiarities.empty());
        QVERIFY(!features.vision && !features.structuredOutput && features.toolsOffered == 0);
    }

    void everyTextCounts() {
        const auto request = readMessages(
            R"({"model":"m","max_tokens":1,"system":[{"type":"text","text":"1234","cache_control":{"type":"ephemeral"}}],)"
            R"("messages":[{"role":"user","content":[{"type":"text","text":"5678"},)"
            R"({"type":"tool_result","tool_use_id":"t","content":"1234"},)"
            R"({"type":"tool_result","tool_use_id":"u","content":[{"type":"text","text":"5678"}]}]},)"
            R"({"role":"assistant","content":[{"type":"tool_use","id":"t","name":"n","input":{"text":"not said"}}]}]})");
        QVERIFY(request);
        QCOMPARE(request->features.inputTokens, std::uint64_t{4});
        QVERIFY(request->features.peculiarities.empty());
    }

    void workloads_data() {
        QTest::addColumn<QByteArray>("members");
        QTest::addColumn<QString>("workload");
        const auto row = [](const char* tag, QByteArray members, const char* workload) {
            QTest::newRow(tag) << members << QString::fromLatin1(workload);
        };
        const char* tool = R"("tools":[{"name":"n","input_schema":{"type":"object"}}])";
        const char* format = R"("output_config":{"format":{"type":"json_schema","schema":{}}})";
        row("nothing", "", "free_chat");
        row("tools", tool, "tool_call");
        row("F26 empty tools are none", R"("tools":[],"tool_choice":{"type":"auto"})", "free_chat");
        row("a schema", format, "structured_json");
        row("the older name of a schema", R"("output_format":{"type":"json_schema","schema":{}})", "structured_json");
        row("no format", R"("output_config":{"format":null,"effort":"low"})", "free_chat");
        row("tools before schema", QByteArray(tool) + "," + format, "tool_call");
        row("code by hint", R"("metadata":{"category":"code"})", "code_gen");
        row("a long input", R"("metadata":{"input_tokens":"201"})", "summarization");
        row("twice the cap is not more", R"("metadata":{"input_tokens":"200"})", "free_chat");
    }
    void workloads() {
        QFETCH(QByteArray, members);
        QFETCH(QString, workload);
        const auto request = readMessages(messagesWith(members.toStdString()));
        QVERIFY(request);
        QCOMPARE(text(toString(request->features.cell.workload)), workload);
    }

    void capabilities() {
        const auto image = readMessages(userContent(
            R"([{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}])"));
        QVERIFY(image && image->features.vision);
        QCOMPARE(image->features.inputTokens, std::uint64_t{0});
        const auto result = readMessages(userContent(
            R"([{"type":"tool_result","tool_use_id":"t","content":[{"type":"image","source":{"type":"url","url":"x"}}]}])"));
        QVERIFY(result && result->features.vision);
        const std::string tools = R"("tools":[{"name":"a"},{"type":"custom","name":"b"}],"tool_choice":)";
        QCOMPARE(readMessages(messagesWith(tools + R"({"type":"auto"})"))->features.toolsOffered, 2U);
        QVERIFY(!readMessages(messagesWith(tools + R"({"type":"auto"})"))->features.parallelTools);
        QVERIFY(!readMessages(messagesWith(tools + R"({"type":"any","disable_parallel_tool_use":true})"))->features.parallelTools);
        QVERIFY(readMessages(messagesWith(tools + R"({"type":"any","disable_parallel_tool_use":false})"))->features.parallelTools);
    }

    void functionsAreOfferedByAListAlone_data();
    void functionsAreOfferedByAListAlone();
    void stopSequencesAreCounted();

    // F33: what we consume never reaches an upstream; who asks is the upstream's business and stays.
    void hintsAreCutAndTheUserStays() {
        const std::string body = messagesWith(R"("metadata":{"user_id":"u","expected_length":"short","category":"code"})");
        const auto request = readMessages(body);
        QVERIFY(request);
        QVERIFY(request->features.cell.length == LengthBucket::shortOutput);
        QVERIFY(request->features.lengthFoundBy == FoundBy::metadata);
        QCOMPARE(text(withoutCuts(body, *request)), text(messagesWith(R"("metadata":{"user_id":"u"})")));
    }

    // F26
    void emptyToolsGoWithTheirChoice() {
        const std::string body = messagesWith(R"("tool_choice":{"type":"any"},"tools":[])");
        const auto request = readMessages(body);
        QVERIFY(request);
        QCOMPARE(text(withoutCuts(body, *request)), text(messagesWith("")));
        // A member of the other protocol alone is the upstream's to judge.
        const std::string foreign = messagesWith(R"("parallel_tool_calls":true,"tools":[])");
        const auto kept = readMessages(foreign);
        QVERIFY(kept);
        QCOMPARE(text(withoutCuts(foreign, *kept)), text(messagesWith(R"("parallel_tool_calls":true)")));
    }

    void duplicatesAreRefused_data() {
        QTest::addColumn<QString>("key");
        for (const char* key : {"model", "messages", "system", "tools", "tool_choice", "max_tokens", "metadata", "thinking", "top_k",
                                "output_config", "stream"})
            QTest::newRow(key) << QString::fromLatin1(key);
    }
    void duplicatesAreRefused() {
        QFETCH(QString, key);
        const std::string name = key.toStdString();
        const auto request = readMessages("{\"" + name + "\":1,\"a\":[],\"" + name + "\":1}");
        QVERIFY(!request);
        QVERIFY2(request.error().message.find(name) != std::string::npos, request.error().message.c_str());
        QVERIFY(request.error().kind == ErrorKind::badInput);
    }

    // Everything is checked, because it goes upstream byte for byte.
    void malformedValuesAreRefused_data() {
        QTest::addColumn<QByteArray>("body");
        const auto row = [](const char* tag, const char* body) { QTest::newRow(tag) << QByteArray(body); };
        row("in a system block", R"({"system":[{"type":"text","text":"a","x":01}]})");
        row("in a source", R"({"messages":[{"content":[{"type":"image","source":{"data":"\q"}}]}]})");
        row("in a tool", R"({"tools":[{"name":"n","input_schema":{"a":tru}}]})");
        row("in a choice", R"({"tool_choice":{"type":nul}})");
        row("in an output config", R"({"output_config":{"effort":"low","format":{"type":"json_schema","schema":[1,]}}})");
        row("in citations", R"({"messages":[{"content":[{"citations":[-]}]}]})");
        row("second colon in a block", R"({"messages":[{"content":[{"text":"a":"b"}]}]})");
        row("in a list of servers", R"({"mcp_servers":[{"url":"a" "b"}]})");
    }
    void malformedValuesAreRefused() {
        QFETCH(QByteArray, body);
        QVERIFY(!OrderedJson::accept(body.toStdString()));
        const auto request = readMessages(body.toStdString());
        QVERIFY(!request);
    }

    void deepNestingIsRefusedNotFollowed() {
        std::string body = R"({"messages":[{"content":)";
        constexpr int kLevels = 2000;
        for (int i = 0; i < kLevels; ++i) body += R"([{"type":"tool_result","content":)";
        body += "\"x\"";
        for (int i = 0; i < kLevels; ++i) body += "}]";
        QVERIFY(!readMessages(body + "}]}"));
    }
};

void TestClassifyMessages::functionsAreOfferedByAListAlone_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<unsigned>("tools");
    QTest::addColumn<unsigned>("functions");
    const auto row = [](const char* tag, const char* members, unsigned tools, unsigned functions,
                        const char* message = R"({"role":"user","content":"q"})") {
        QTest::newRow(tag) << QByteArray(R"({"model":"m","messages":[)") + message + "]" + members + "}" << tools << functions;
    };
    row("none", "", 0, 0);
    row("some", R"(,"functions":[{"name":"f"},{"name":"g"}])", 0, 2);
    row("whatever they are", R"(,"functions":[null])", 0, 1);
    row("to be called by nobody", R"(,"functions":[{"name":"f"}],"function_call":"none")", 0, 1);
    row("tools to be called by nobody", R"(,"tools":[{"type":"function"}],"tool_choice":"none")", 1, 0);
    row("beside tools", R"(,"functions":[{"name":"f"}],"tools":[{"type":"function"}])", 1, 1);
    row("no member", R"(,"functions":[])", 0, 0);
    row("null", R"(,"functions":null)", 0, 0);
    row("no list", R"(,"functions":{"name":"f"})", 0, 0);
    row("a choice among none", R"(,"function_call":{"name":"f"})", 0, 0);
    row("an earlier call", "", 0, 0, R"({"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}})");
    row("an earlier result", "", 0, 0, R"({"role":"function","name":"f","content":"x"})");
}

void TestClassifyMessages::functionsAreOfferedByAListAlone() {
    QFETCH(QByteArray, body);
    QFETCH(unsigned, tools);
    QFETCH(unsigned, functions);
    const auto request = classify::classify(body.toStdString(), {}, {}, 1);
    QVERIFY(request);
    QCOMPARE(request->features.functionsOffered, functions);
    QCOMPARE(request->features.toolsOffered, tools);
    // Choice T19: the workload class is by `tools` alone.
    QCOMPARE(request->features.cell.workload == WorkloadClass::toolCall, tools > 0);
}

void TestClassifyMessages::stopSequencesAreCounted() {
    const auto count = [](const char* value) {
        const auto request = readMessages(messagesWith(std::string(R"("stop_sequences":)") + value));
        return request ? request->features.stopSequences : 99U;
    };
    QCOMPARE(count("[]"), 0U);
    QCOMPARE(count(R"(["a","",null])"), 3U);
    QCOMPARE(count(R"(["a","b","c","d","e","f"])"), 6U);
    QCOMPARE(count("null"), 0U);
    QCOMPARE(count(R"({"a":1,"b":2})"), 0U);
    // OpenAI's own goes to its own providers as it is.
    QCOMPARE(classify::classify(R"({"stop":["a","b"],"stop_sequences":["a"]})", {}, {}, 1)->features.stopSequences, 0U);
}

QTEST_APPLESS_MAIN(TestClassifyMessages)
#include "tst_classify_messages.moc"
