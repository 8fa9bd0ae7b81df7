// SPDX-License-Identifier: MIT
// What an OpenAI-compatible answer becomes for an Anthropic client.
#include "tests/router/upstream/answer_rows.h"
#include "tests/router/upstream/cpu_time.h"

using namespace signalbox;
using namespace signalbox::test;
using namespace std::string_literals;

namespace {

std::string delta(const json& said, int choice = 0) {
    return json{{"id", "chatcmpl-1"}, {"model", "up"}, {"choices", json::array({json{{"index", choice}, {"delta", said}, {"finish_reason", nullptr}}})}}.dump();
}
std::string text(const std::string& said) { return delta({{"content", said}}); }
json callOf(const json& index, const std::string& id, const std::string& name, const std::string& arguments) {
    json call{{"function", {{"arguments", arguments}}}};
    if (!index.is_null()) call["index"] = index;
    if (!id.empty()) call["id"] = id;
    if (!name.empty()) call["function"]["name"] = name;
    return call;
}
std::string calls(const std::vector<json>& list) { return delta({{"tool_calls", json(list)}}); }
std::string finish(const std::string& reason, const json& more = json::object()) {
    json choice{{"index", 0}, {"delta", json::object()}, {"finish_reason", reason}};
    choice.update(more);
    return json{{"choices", json::array({choice})}}.dump();
}
const std::string kRole = delta({{"role", "assistant"}, {"content", ""}});
const std::string kUsage = R"({"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":2}}})";
const std::string kDone = "[DONE]";

TranslatedStream stream(const std::vector<std::string>& events, bool ends = true) {
    return translatedStream(classify::Dialect::openai, events, ends);
}

json toolBlock(const std::string& id, const std::string& name, const json& input) {
    return json{{"type", "tool_use"}, {"id", id}, {"name", name}, {"input", input}};
}
json textBlock(const std::string& said) { return json{{"type", "text"}, {"text", said}}; }

}  // namespace

class TestAnswerToAnthropic : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void wholeAnswers_data();
    void wholeAnswers();
    void wholeAnswerInFull();
    void wholeAnswersThatAreNone_data();
    void wholeAnswersThatAreNone();
    void streamInFull();
    void streams_data();
    void streams();
    void F2_onlyContentCommits();
    void F4_streamsThatAreNone_data();
    void F4_streamsThatAreNone();
    void F20_usageOfTheStart();
    void F23_interleavedArgumentsReachTheirBlocks();
    void F23_oneBlockAfterTheOtherInTheUsualStream();
    void emojiTornBetweenEvents();
    void boundedMemory();
    void effortGrowsWithTheAnswer();
    void errorBodies_data();
    void errorBodies();
};

void TestAnswerToAnthropic::wholeAnswers_data() {
    QTest::addColumn<QByteArray>("choice");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char* name, const char* choice, const char* content, const char* reason) {
        QTest::newRow(name) << QByteArray(choice) << QByteArray(content) << reason;
    };
    row("text", R"({"message":{"content":"hi"},"finish_reason":"stop"})", R"([{"type":"text","text":"hi"}])", "end_turn");
    row("text in parts", R"({"message":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"h"},{"type":"text","text":"i"}]},"finish_reason":"stop"})",
        R"([{"type":"text","text":"hi"}])", "end_turn");
    row("cut by the limit", R"({"message":{"content":"hi"},"finish_reason":"length"})", R"([{"type":"text","text":"hi"}])", "max_tokens");
    row("filtered", R"({"message":{"content":"hi"},"finish_reason":"content_filter"})", R"([{"type":"text","text":"hi"}])", "refusal");
    row("refused in words", R"({"message":{"content":null,"refusal":"I will not"},"finish_reason":"stop"})", R"([{"type":"text","text":"I will not"}])", "refusal");
    row("stop sequence", R"({"message":{"content":"hi"},"finish_reason":"stop","stop_reason":"END"})", R"([{"type":"text","text":"hi"}])", "stop_sequence");
    row("stopped by a token", R"({"message":{"content":"hi"},"finish_reason":"stop","stop_reason":128001})", R"([{"type":"text","text":"hi"}])", "end_turn");
    row("nothing said, as it came", R"({"message":{"content":""},"finish_reason":"stop"})", "[]", "end_turn");
    row("a picture beside a text", R"({"message":{"content":"hi","images":[{"type":"image_url"}]},"finish_reason":"stop"})", R"([{"type":"text","text":"hi"}])", "end_turn");
    row("thinking alone, as it came", R"({"message":{"content":[{"type":"thinking","thinking":[]}],"reasoning_content":"hm","images":[]},"finish_reason":"length"})", "[]", "max_tokens");
    row("thinking stays behind", R"({"message":{"content":"hi","reasoning_content":"hm"},"finish_reason":"stop"})", R"([{"type":"text","text":"hi"}])", "end_turn");
    row("F28: null beside a call", R"({"message":{"content":null,"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}]},"finish_reason":"tool_calls"})",
        R"([{"type":"tool_use","id":"a","name":"f","input":{"x":1}}])", "tool_use");
    row("F28: empty beside a call", R"({"message":{"content":"","tool_calls":[{"id":"a","function":{"name":"f","arguments":""}}]},"finish_reason":"tool_calls"})",
        R"([{"type":"tool_use","id":"a","name":"f","input":{}}])", "tool_use");
    row("F22: parallel calls", R"({"message":{"content":"so","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}},{"id":"b","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"})",
        R"([{"type":"text","text":"so"},{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"b","name":"f","input":{}}])", "tool_use");
    row("call ended by stop", R"({"message":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":{"x":1}}}]},"finish_reason":"stop"})",
        R"([{"type":"tool_use","id":"a","name":"f","input":{"x":1}}])", "tool_use");
    row("call without an id", R"({"message":{"tool_calls":[{"function":{"name":"f"}},{"function":{"name":"g"}}]},"finish_reason":"tool_calls"})",
        R"([{"type":"tool_use","id":"toolu_0abc_0","name":"f","input":{}},{"type":"tool_use","id":"toolu_0abc_1","name":"g","input":{}}])", "tool_use");
    row("id that Anthropic would not take back", R"({"message":{"tool_calls":[{"id":"functions.f:a7","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"})",
        R"([{"type":"tool_use","id":"functions_f_a7","name":"f","input":{}}])", "tool_use");
    row("function call of old", R"({"message":{"function_call":{"name":"f","arguments":"{\"x\":1}"}},"finish_reason":"function_call"})",
        R"([{"type":"tool_use","id":"toolu_0abc_0","name":"f","input":{"x":1}}])", "tool_use");
    // F28: what the client sends back must not be white space; Anthropic refuses it.
    row("white space beside a call", R"({"message":{"content":"\n\n ","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"})",
        R"([{"type":"tool_use","id":"a","name":"f","input":{}}])", "tool_use");
    row("white space alone", R"({"message":{"content":" \n","refusal":" "},"finish_reason":"stop"})", "[]", "refusal");
    // Ids that count begin anew in every answer, and Anthropic refuses two alike in a conversation; others go back as they came.
    row("ids that count", R"({"message":{"tool_calls":[{"id":"call_0","function":{"name":"f"}},{"id":"functions.f:1","function":{"name":"f"}},{"id":"2","function":{"name":"f"}}]},"finish_reason":"tool_calls"})",
        R"([{"type":"tool_use","id":"toolu_0abc_0","name":"f","input":{}},{"type":"tool_use","id":"toolu_0abc_1","name":"f","input":{}},{"type":"tool_use","id":"toolu_0abc_2","name":"f","input":{}}])", "tool_use");
    row("ids that are one when they are written for Anthropic", R"({"message":{"tool_calls":[{"id":"x:y","function":{"name":"f"}},{"id":"x.y","function":{"name":"f"}},{"id":"x:y","function":{"name":"f"}}]},"finish_reason":"tool_calls"})",
        R"([{"type":"tool_use","id":"x_y","name":"f","input":{}},{"type":"tool_use","id":"toolu_0abc_1","name":"f","input":{}},{"type":"tool_use","id":"toolu_0abc_2","name":"f","input":{}}])", "tool_use");
    row("an id that is ours", R"({"message":{"tool_calls":[{"id":"toolu_0abc_x","function":{"name":"f"}},{"id":"toolu_0abc_12345","function":{"name":"f"}},{"id":"toolu_0abc_12345","function":{"name":"f"}}]},"finish_reason":"tool_calls"})",
        R"([{"type":"tool_use","id":"toolu_0abc_x","name":"f","input":{}},{"type":"tool_use","id":"toolu_0abc_12345","name":"f","input":{}},{"type":"tool_use","id":"toolu_0abc_2","name":"f","input":{}}])", "tool_use");
    row("ids that are random", R"({"message":{"tool_calls":[{"id":"D681PevKs","function":{"name":"f"}},{"id":"123456789","function":{"name":"f"}},{"id":"call_84fa1b2c","function":{"name":"f"}},{"id":"call-x9","function":{"name":"f"}}]},"finish_reason":"tool_calls"})",
        R"([{"type":"tool_use","id":"D681PevKs","name":"f","input":{}},{"type":"tool_use","id":"123456789","name":"f","input":{}},{"type":"tool_use","id":"call_84fa1b2c","name":"f","input":{}},{"type":"tool_use","id":"call-x9","name":"f","input":{}}])", "tool_use");
    row("members that stand there twice: the last counts", R"({"message":{"content":"no"},"message":{"content":"no","content":"hi"},"finish_reason":"length","finish_reason":"stop"})",
        R"([{"type":"text","text":"hi"}])", "end_turn");
    row("call that the limit cut off", R"({"message":{"content":"so","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\"x\":"}}]},"finish_reason":"length"})",
        R"([{"type":"text","text":"so"}])", "max_tokens");
    row("half an emoji", R"({"message":{"content":"a\ud83d"},"finish_reason":"length"})", R"([{"type":"text","text":"a"}])", "max_tokens");
    row("half an emoji in the middle", R"({"message":{"content":"a\ud83db \ud83d\ude80"},"finish_reason":"length"})", "[{\"type\":\"text\",\"text\":\"a\xEF\xBF\xBD" "b \xF0\x9F\x9A\x80\"}]", "max_tokens");
}

void TestAnswerToAnthropic::wholeAnswers() {
    QFETCH(QByteArray, choice);
    QFETCH(QByteArray, content);
    QFETCH(QString, reason);
    const auto told = translate::anthropicAnswer(R"({"choices":[)" + choice.toStdString() + "]}", answerFacts());
    QVERIFY2(told, told ? "" : told.error().what.c_str());
    const json message = json::parse(*told);
    QCOMPARE(QByteArray::fromStdString(message["content"].dump(1)), QByteArray::fromStdString(json::parse(content.toStdString()).dump(1)));
    QCOMPARE(QString::fromStdString(message["stop_reason"]), reason);
    QCOMPARE(message["stop_sequence"].is_null(), reason != QStringLiteral("stop_sequence"));
}

void TestAnswerToAnthropic::wholeAnswerInFull() {
    const auto told = translate::anthropicAnswer(
        R"({"id":"chatcmpl-7","object":"chat.completion","model":"up","choices":[{"index":0,"message":{"role":"assistant","content":"hi","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"n\": 1.50, \"big\":123456789012345678901234567890}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":2}}})",
        answerFacts());
    QVERIFY(told);
    // Arguments keep their bytes, numbers included.
    QCOMPARE(QByteArray::fromStdString(*told),
             QByteArray(R"({"id":"msg_chatcmpl-7","type":"message","role":"assistant","model":"up","content":[{"type":"text","text":"hi"},{"type":"tool_use","id":"a","name":"f","input":{"n": 1.50, "big":123456789012345678901234567890}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":7,"cache_creation_input_tokens":0,"cache_read_input_tokens":2,"output_tokens":4}})"));
    // So do their digits where a server forgot to write them as text.
    const auto object = translate::anthropicAnswer(
        R"({"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":{"n":1.50,"big":123456789012345678901234567890}}}]},"finish_reason":"tool_calls"}]})",
        answerFacts());
    QVERIFY(object);
    QVERIFY2(object->find(R"("input":{"n":1.50,"big":123456789012345678901234567890})") != std::string::npos, object->c_str());
}

void TestAnswerToAnthropic::wholeAnswersThatAreNone_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("code");
    QTest::newRow("no JSON") << QByteArray("<html>") << "malformed_body";
    QTest::newRow("no choice (F4)") << QByteArray(R"({"choices":[]})") << "malformed_body";
    QTest::newRow("no message (F4)") << QByteArray(R"({"choices":[{"finish_reason":"stop"}]})") << "malformed_body";
    QTest::newRow("another choice only") << QByteArray(R"({"choices":[{"index":1,"message":{"content":"x"}}]})") << "malformed_body";
    QTest::newRow("failed generation (F4)") << QByteArray(R"({"choices":[{"message":{"content":""},"finish_reason":"error"}]})") << "failed_generation";
    QTest::newRow("a picture alone (F4)") << QByteArray(R"({"choices":[{"message":{"content":"","images":[{"type":"image_url","image_url":{"url":"https://h/a"}}]},"finish_reason":"stop"}]})") << "untranslatable_answer";
    QTest::newRow("a recording alone (F4)") << QByteArray(R"({"choices":[{"message":{"content":null,"audio":{"id":"a","data":"AA=="}},"finish_reason":"stop"}]})") << "untranslatable_answer";
    QTest::newRow("a part of another type alone (F4)") << QByteArray(R"({"choices":[{"message":{"content":[{"type":"hologram"}]},"finish_reason":"stop"}]})") << "untranslatable_answer";
    QTest::newRow("arguments that are no JSON") << QByteArray(R"({"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{'x'}"}}]},"finish_reason":"tool_calls"}]})") << "malformed_tool_arguments";
    // Readers that end at a NUL or skip a byte order mark would let the rest through to the client.
    QTest::newRow("arguments with more after a NUL") << QByteArray(R"({"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}\u0000,\"x\":1"}}]},"finish_reason":"tool_calls"}]})") << "malformed_tool_arguments";
    QTest::newRow("arguments behind a byte order mark") << QByteArray(R"({"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"\ufeff{}"}}]},"finish_reason":"tool_calls"}]})") << "malformed_tool_arguments";
    QTest::newRow("arguments that are a list") << QByteArray(R"({"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"[1]"}}]},"finish_reason":"tool_calls"}]})") << "malformed_tool_arguments";
    QTest::newRow("call without a name") << QByteArray(R"({"choices":[{"message":{"tool_calls":[{"id":"a","function":{"arguments":"{}"}}]},"finish_reason":"tool_calls"}]})") << "malformed_tool_call";
    for (const QByteArray& named : {QByteArray(R"("id":"%1","function":{"name":"f"})"), QByteArray(R"("id":"a","function":{"name":"%1"})")})
        QTest::newRow(named.constData()) << R"({"choices":[{"message":{"tool_calls":[{)" + QByteArray(named).replace("%1", QByteArray(1025, 'n')) + "}]}}]}" << "malformed_tool_call";
    QTest::newRow("more values than a machine has memory for") << R"({"choices":[{"message":{"content":"x"}}],"x":[)" + QByteArray("0,").repeated(1'000'000) + "0]}" << "malformed_body";
    QTest::newRow("nested beyond reason") << QByteArray(R"({"choices":)" + QByteArray(300, '[') + QByteArray(300, ']') + "}") << "malformed_body";
}

void TestAnswerToAnthropic::wholeAnswersThatAreNone() {
    QFETCH(QByteArray, body);
    QFETCH(QString, code);
    const auto told = translate::anthropicAnswer(body.toStdString(), answerFacts());
    QVERIFY(!told);
    QCOMPARE(QString::fromStdString(told.error().code), code);
    QVERIFY(!told.error().what.empty());
}

void TestAnswerToAnthropic::streamInFull() {
    const TranslatedStream told = stream({kRole, text("h\xC3\xA9"), text("llo"), finish("stop"), kUsage, kDone});
    const ReadMessage read = ReadMessage::of(told);
    QCOMPARE(read.broken, ""s);
    QCOMPARE(told.problem, ""s);
    QCOMPARE(told.kinds(), "mmccmmd"s);  // start, block, two texts, block's end, delta, stop
    const json wanted{{"id", "msg_chatcmpl-1"}, {"type", "message"}, {"role", "assistant"}, {"model", "up"},
                      {"content", json::array({textBlock("h\xC3\xA9llo")})}, {"stop_reason", "end_turn"}, {"stop_sequence", nullptr},
                      {"usage", {{"input_tokens", 7}, {"cache_creation_input_tokens", 0}, {"cache_read_input_tokens", 2}, {"output_tokens", 4}}}};
    QCOMPARE(QByteArray::fromStdString(read.message.dump(1)), QByteArray::fromStdString(wanted.dump(1)));
}

using Events = std::vector<std::string>;
Q_DECLARE_METATYPE(Events)

void TestAnswerToAnthropic::streams_data() {
    QTest::addColumn<Events>("events");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char* name, Events events, const json& content, const char* reason) {
        QTest::newRow(name) << std::move(events) << QByteArray::fromStdString(content.dump(1)) << reason;
    };
    const json both = json::array({toolBlock("a", "f", {{"x", 1}}), toolBlock("b", "g", json::object())});
    row("one call", {kRole, calls({callOf(0, "a", "f", "")}), calls({callOf(0, "", "", "{\"x\"")}), calls({callOf(0, "", "", ":1}")}), finish("tool_calls"), kDone},
        json::array({toolBlock("a", "f", {{"x", 1}})}), "tool_use");
    row("F22: two calls", {calls({callOf(0, "a", "f", "{\"x\":1}")}), calls({callOf(1, "b", "g", "{}")}), finish("tool_calls"), kDone}, both, "tool_use");
    row("F22: two calls in one event", {calls({callOf(0, "a", "f", "{\"x\":1}"), callOf(1, "b", "g", "{}")}), finish("stop"), kDone}, both, "tool_use");
    row("F22: two calls with one index", {calls({callOf(0, "a", "f", "{\"x\":1}")}), calls({callOf(0, "b", "g", "{}")}), finish("stop"), kDone}, both, "tool_use");
    row("F22: one index, the next event says more of the second", {calls({callOf(0, "a", "f", "{\"x\":1}")}), calls({callOf(0, "b", "g", "{")}), calls({callOf(0, "", "", "}")}), finish("stop"), kDone}, both, "tool_use");
    row("F22: one index and no ids", {calls({callOf(0, "", "f", "{\"x\":1}")}), calls({callOf(0, "", "g", "")}), calls({callOf(0, "", "", "{}")}), calls({callOf(0, "", "g", "{}")}), finish("stop"), kDone},
        json::array({toolBlock("toolu_0abc_0", "f", {{"x", 1}}), toolBlock("toolu_0abc_1", "g", json::object()), toolBlock("toolu_0abc_2", "g", json::object())}), "tool_use");
    row("id and name again after the arguments", {calls({callOf(0, "a", "f", "{\"x\":1}")}), calls({callOf(0, "a", "f", " ")}), calls({callOf(0, "", "f", "")}), finish("stop"), kDone},
        json::array({toolBlock("a", "f", {{"x", 1}})}), "tool_use");
    row("all of a long call in one event", {calls({callOf(0, "a", "f", "{\"x\":\"" + std::string(100'000, 'y') + "\"}")}), finish("stop"), kDone},
        json::array({toolBlock("a", "f", {{"x", std::string(100'000, 'y')}})}), "tool_use");
    row("ids that count", {calls({callOf(0, "call_0", "f", "{}")}), calls({callOf(1, "call_1", "f", "{}")}), finish("stop"), kDone},
        json::array({toolBlock("toolu_0abc_0", "f", json::object()), toolBlock("toolu_0abc_1", "f", json::object())}), "tool_use");
    row("F24: no index, one event", {calls({callOf(nullptr, "a", "f", "{\"x\":1}"), callOf(nullptr, "b", "g", "{}")}), finish("tool_calls"), kDone}, both, "tool_use");
    row("F24: no index, two events", {calls({callOf(nullptr, "a", "f", "{\"x\":1}")}), calls({callOf(nullptr, "b", "g", "{}")}), finish("tool_calls"), kDone}, both, "tool_use");
    row("F24: no index, in pieces", {calls({callOf(nullptr, "a", "f", "{\"x\"")}), calls({callOf(nullptr, "", "", ":1}")}), finish("tool_calls"), kDone},
        json::array({toolBlock("a", "f", {{"x", 1}})}), "tool_use");
    row("id and name again in every piece", {calls({callOf(0, "a", "f", "{\"x\"")}), calls({callOf(0, "a", "f", ":1}")}), finish("tool_calls"), kDone},
        json::array({toolBlock("a", "f", {{"x", 1}})}), "tool_use");
    row("name after the arguments began", {calls({callOf(0, "a", "", "{\"x\"")}), calls({callOf(0, "", "f", ":1}")}), finish("tool_calls"), kDone},
        json::array({toolBlock("a", "f", {{"x", 1}})}), "tool_use");
    row("call without an id", {calls({callOf(0, "", "f", "{}")}), finish("tool_calls"), kDone}, json::array({toolBlock("toolu_0abc_0", "f", json::object())}), "tool_use");
    row("call without arguments", {calls({callOf(0, "a", "f", "")}), finish("tool_calls"), kDone}, json::array({toolBlock("a", "f", json::object())}), "tool_use");
    row("white space after arguments", {calls({callOf(0, "a", "f", "{\"x\":1}")}), calls({callOf(1, "b", "g", "{}")}), calls({callOf(0, "", "", " \n")}), finish("tool_calls"), kDone}, both, "tool_use");
    row("braces in texts", {calls({callOf(0, "a", "f", "{\"x\":\"}\\\"")}), calls({callOf(1, "b", "g", "{}")}), calls({callOf(0, "", "", "{\"}")}), finish("tool_calls"), kDone},
        json::array({toolBlock("a", "f", {{"x", "}\"{"}}), toolBlock("b", "g", json::object())}), "tool_use");
    row("F28: empty text beside a call", {delta({{"content", ""}, {"tool_calls", json::array({callOf(0, "a", "f", "{}")})}}), delta({{"content", nullptr}}), finish("tool_calls"), kDone},
        json::array({toolBlock("a", "f", json::object())}), "tool_use");
    row("F28: white space beside calls", {text("\n"), text("\n "), calls({callOf(0, "a", "f", "{\"x\":1}")}), text("\n"), calls({callOf(1, "b", "g", "{}")}), text("\n"), finish("tool_calls"), kDone}, both, "tool_use");
    row("white space before a text belongs to it", {text("\n"), text(" "), text("so "), text(" \n"), calls({callOf(0, "a", "f", "{}")}), text("\n"), text("on"), finish("tool_calls"), kDone},
        json::array({textBlock("\n so  \n"), toolBlock("a", "f", json::object()), textBlock("\non")}), "tool_use");
    row("white space alone", {kRole, text(" \n"), finish("stop"), kDone}, json::array(), "end_turn");
    row("white space without end is told", {text(std::string(4096, ' ')), text(" "), finish("length"), kDone}, json::array({textBlock(std::string(4097, ' '))}), "max_tokens");
    row("text, call, text", {text("so"), calls({callOf(0, "a", "f", "{}")}), text("on"), finish("tool_calls"), kDone},
        json::array({textBlock("so"), toolBlock("a", "f", json::object()), textBlock("on")}), "tool_use");
    row("function call of old", {delta({{"function_call", {{"name", "f"}, {"arguments", "{\"x\""}}}}), delta({{"function_call", {{"arguments", ":1}"}}}}), finish("function_call"), kDone},
        json::array({toolBlock("toolu_0abc_0", "f", {{"x", 1}})}), "tool_use");
    row("refusal", {delta({{"refusal", "I "}}), delta({{"refusal", "will not"}}), finish("stop"), kDone}, json::array({textBlock("I will not")}), "refusal");
    row("filtered", {text("hi"), finish("content_filter"), kDone}, json::array({textBlock("hi")}), "refusal");
    row("cut by the limit", {text("hi"), finish("length"), kDone}, json::array({textBlock("hi")}), "max_tokens");
    row("thinking stays behind", {delta({{"reasoning_content", "hm"}}), text("hi"), finish("stop"), kDone}, json::array({textBlock("hi")}), "end_turn");
    row("only thought until the limit", {delta({{"reasoning_content", "hm"}}), finish("length"), kDone}, json::array(), "max_tokens");
    row("stop sequence", {text("hi"), finish("stop", {{"stop_reason", "END"}}), kDone}, json::array({textBlock("hi")}), "stop_sequence");
    row("DONE left out", {text("hi"), finish("stop")}, json::array({textBlock("hi")}), "end_turn");
    row("finish left out", {text("hi"), kDone}, json::array({textBlock("hi")}), "end_turn");
    row("bytes after DONE", {text("hi"), finish("stop"), kDone, text("more"), kDone}, json::array({textBlock("hi")}), "end_turn");
    row("other choices", {text("hi"), delta({{"content", "no"}}, 1), finish("stop"), kDone}, json::array({textBlock("hi")}), "end_turn");
    row("F9: usage without choices", {text("hi"), R"({"usage":{"prompt_tokens":9}})", finish("stop"), R"({"choices":null,"usage":null})", kDone}, json::array({textBlock("hi")}), "end_turn");
    row("nothing said, as it came", {kRole, finish("stop"), kDone}, json::array(), "end_turn");
}

void TestAnswerToAnthropic::streams() {
    QFETCH(Events, events);
    QFETCH(QByteArray, content);
    QFETCH(QString, reason);
    const TranslatedStream told = stream(events);
    QCOMPARE(told.problem, ""s);
    const ReadMessage read = ReadMessage::of(told);
    QCOMPARE(read.broken, ""s);
    QCOMPARE(QByteArray::fromStdString(read.message["content"].dump(1)), content);
    QCOMPARE(QString::fromStdString(read.message["stop_reason"]), reason);
    QCOMPARE(told.kinds().back(), 'd');
    QVERIFY(read.message["usage"]["output_tokens"].is_number_unsigned());
}

void TestAnswerToAnthropic::F2_onlyContentCommits() {
    QCOMPARE(stream({kRole}, false).kinds(), "m"s);
    QCOMPARE(stream({kRole, delta({{"reasoning_content", "hm"}})}, false).kinds(), "m"s);
    QCOMPARE(stream({kRole, text("")}, false).kinds(), "m"s);
    QCOMPARE(stream({kRole, text("\n")}, false).kinds(), "m"s);
    QCOMPARE(stream({kRole, text("x")}, false).kinds(), "mmc"s);
    QCOMPARE(stream({kRole, calls({callOf(0, "a", "f", "")})}, false).kinds(), "mc"s);
    QCOMPARE(stream({kUsage}, false).kinds(), "m"s);
}

void TestAnswerToAnthropic::F4_streamsThatAreNone_data() {
    QTest::addColumn<Events>("events");
    QTest::addColumn<QString>("code");
    QTest::newRow("nothing") << Events{} << "ended_early";
    QTest::newRow("DONE alone") << Events{kDone} << "ended_early";
    QTest::newRow("role and DONE") << Events{kRole, kDone} << "ended_early";
    QTest::newRow("cut off") << Events{text("hi")} << "ended_early";
    QTest::newRow("failed generation") << Events{text("hi"), finish("error"), kDone} << "failed_generation";
    QTest::newRow("junk") << Events{text("hi"), "junk"} << "malformed_event";
    QTest::newRow("a picture alone")
        << Events{kRole, R"({"choices":[{"index":0,"delta":{"content":"","images":[{"type":"image_url"}]}}]})", finish("stop"), kDone} << "untranslatable_answer";
    QTest::newRow("call without a name") << Events{calls({callOf(0, "a", "", "{}")}), finish("tool_calls"), kDone} << "malformed_tool_call";
    QTest::newRow("arguments that go on after their end") << Events{calls({callOf(0, "a", "f", "{}")}), calls({callOf(1, "b", "g", "{}")}), calls({callOf(0, "", "", "{}")})} << "malformed_tool_arguments";
}

void TestAnswerToAnthropic::F4_streamsThatAreNone() {
    QFETCH(Events, events);
    QFETCH(QString, code);
    const TranslatedStream told = stream(events);
    QCOMPARE(QString::fromStdString(told.problem), code);
    QVERIFY(told.kinds().find('d') == std::string::npos);
}

void TestAnswerToAnthropic::F20_usageOfTheStart() {
    const auto startOf = [](const TranslatedStream& told) { return json::parse(told.events().front().data)["message"]["usage"]; };
    QCOMPARE(startOf(stream({kRole}, false))["input_tokens"].get<int>(), 42);
    // Servers that count in every chunk are believed at once.
    QCOMPARE(startOf(stream({R"({"choices":[{"delta":{"role":"assistant"}}],"usage":{"prompt_tokens":9,"completion_tokens":0}})"}, false))["input_tokens"].get<int>(), 9);
    // Without any count the end says what the start did, and about what was written.
    const ReadMessage read = ReadMessage::of(stream({text("twelve bytes"), finish("stop"), kDone}));
    QCOMPARE(read.message["usage"]["input_tokens"].get<int>(), 42);
    QCOMPARE(read.message["usage"]["output_tokens"].get<int>(), 3);
}

void TestAnswerToAnthropic::F23_interleavedArgumentsReachTheirBlocks() {
    const TranslatedStream told = stream({calls({callOf(0, "a", "f", "{\"x\"")}), calls({callOf(1, "b", "g", "{\"y\"")}), calls({callOf(0, "", "", ":")}),
                                          calls({callOf(1, "", "", ":2}"), callOf(0, "", "", "1}")}), calls({callOf(2, "c", "h", "{}")}), finish("tool_calls"), kDone});
    const ReadMessage read = ReadMessage::of(told);
    QCOMPARE(read.broken, ""s);
    const json wanted = json::array({toolBlock("a", "f", {{"x", 1}}), toolBlock("b", "g", {{"y", 2}}), toolBlock("c", "h", json::object())});
    QCOMPARE(QByteArray::fromStdString(read.message["content"].dump(1)), QByteArray::fromStdString(wanted.dump(1)));
}

void TestAnswerToAnthropic::F23_oneBlockAfterTheOtherInTheUsualStream() {
    const TranslatedStream told = stream({text("so"), calls({callOf(0, "a", "f", "")}), calls({callOf(0, "", "", "{\"x\":1}")}), calls({callOf(1, "b", "g", "{}")}), finish("tool_calls"), kDone});
    std::string order;
    for (const upstream::SseEvent& event : told.events()) {
        const json data = json::parse(event.data);
        if (data["type"] == "content_block_start") order += "(" + data["index"].dump();
        if (data["type"] == "content_block_stop") order += data["index"].dump() + ")";
    }
    QCOMPARE(order, "(00)(11)(22)"s);
}

void TestAnswerToAnthropic::emojiTornBetweenEvents() {
    const auto raw = [](const std::string& said) { return R"({"choices":[{"delta":{"content":")" + said + R"("}}]})"; };
    const ReadMessage read = ReadMessage::of(stream({raw(R"(go \ud83d)"), raw(R"(\ude80!)"), raw(R"(\ude80 and \\ud83d)"), finish("stop"), kDone}));
    QCOMPARE(read.broken, ""s);
    QCOMPARE(read.message["content"][0]["text"].get<std::string>(), "go \xF0\x9F\x9A\x80!\xEF\xBF\xBD and \\ud83d"s);
}

void TestAnswerToAnthropic::boundedMemory() {
    Events many;
    for (int i = 0; i < 2000; ++i) many.push_back(calls({callOf(i, "i" + std::to_string(i), "f", "")}));
    QCOMPARE(stream(many).problem, "too_many_blocks"s);
    many.clear();
    for (int i = 0; i < 200; ++i) many.push_back(calls({callOf(0, "a", "", std::string(1000, 'x'))}));
    QCOMPARE(stream(many).problem, "malformed_tool_call"s);
    // Of all calls together, too.
    many.clear();
    for (int i = 0; i < 200; ++i) many.push_back(calls({callOf(i, "a", "", std::string(1000, 'x'))}));
    QCOMPARE(stream(many).problem, "malformed_tool_call"s);
    QCOMPARE(stream({calls({callOf(0, std::string(1025, 'i'), "f", "{}")})}).problem, "malformed_tool_call"s);
    QCOMPARE(stream({calls({callOf(0, "a", std::string(1025, 'n'), "{}")})}).problem, "malformed_tool_call"s);
}

namespace {

json manyMembers(int count) {
    json object = json::object();
    for (int i = 0; i < count; ++i) object["member" + std::to_string(i)] = nullptr;
    return object;
}

/// Seconds to read an event, and a whole answer with arguments, of an object with so many members.
double readingOf(int members) {
    const std::string object = manyMembers(members).dump();
    const std::string event = R"({"choices":[],"more":)" + object + "}";
    const std::string whole = json{{"choices", {{{"message", {{"tool_calls", {{{"id", "a"}, {"function", {{"name", "f"}, {"arguments", object}}}}}}}}}}}}.dump();
    return cpuSeconds([&] {
        QCOMPARE(stream({event}, false).problem, ""s);
        QVERIFY(translate::anthropicAnswer(whole, answerFacts()));
    });
}

}  // namespace

/// An event of 1 MiB must not hold an I/O thread: who looks through all members for each new one takes 64 times as long.
void TestAnswerToAnthropic::effortGrowsWithTheAnswer() {
    const double small = readingOf(4'000);
    const double large = readingOf(32'000);
    QVERIFY2(large < 20 * small, qPrintable(QStringLiteral("8 times the members took %1 times as long").arg(large / small)));
}

void TestAnswerToAnthropic::errorBodies_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("wanted");
    QTest::newRow("rate limit") << QByteArray(R"({"error":{"message":"slow","type":"requests","code":"rate_limit_exceeded"}})") << 429 << QByteArray(R"({"type":"error","error":{"type":"rate_limit_error","message":"slow"}})");
    QTest::newRow("flat") << QByteArray(R"({"object":"error","message":"no","code":400})") << 400 << QByteArray(R"({"type":"error","error":{"type":"invalid_request_error","message":"no"}})");
    QTest::newRow("overloaded") << QByteArray(R"({"error":{"message":"busy"}})") << 503 << QByteArray(R"({"type":"error","error":{"type":"overloaded_error","message":"busy"}})");
    QTest::newRow("unknown status") << QByteArray(R"({"error":{"message":"oh"}})") << 0 << QByteArray(R"({"type":"error","error":{"type":"api_error","message":"oh"}})");
    QTest::newRow("nothing said") << QByteArray("<html>") << 502 << QByteArray();
}

void TestAnswerToAnthropic::errorBodies() {
    QFETCH(QByteArray, body);
    QFETCH(int, status);
    QFETCH(QByteArray, wanted);
    QCOMPARE(QByteArray::fromStdString(translate::errorAnswer(classify::Dialect::anthropic, body.toStdString(), status)), wanted);
}

QTEST_APPLESS_MAIN(TestAnswerToAnthropic)
#include "tst_answer_to_anthropic.moc"
