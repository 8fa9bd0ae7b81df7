// SPDX-License-Identifier: MIT
// What an Anthropic answer becomes for an OpenAI client.
#include "tests/router/upstream/answer_rows.h"

using namespace signalbox;
using namespace signalbox::test;
using namespace std::string_literals;

using Events = std::vector<std::string>;
Q_DECLARE_METATYPE(Events)

namespace {

const std::string kStart = R"({"type":"message_start","message":{"id":"msg_7","type":"message","role":"assistant","model":"up","content":[],"usage":{"input_tokens":5,"cache_read_input_tokens":3,"cache_creation_input_tokens":1,"output_tokens":1}}})";
const std::string kPing = R"({"type":"ping"})";
const std::string kStop = R"({"type":"message_stop"})";

std::string begins(int index, const json& block) { return json{{"type", "content_block_start"}, {"index", index}, {"content_block", block}}.dump(); }
std::string delta(int index, const json& said) { return json{{"type", "content_block_delta"}, {"index", index}, {"delta", said}}.dump(); }
std::string ends(int index) { return json{{"type", "content_block_stop"}, {"index", index}}.dump(); }
std::string textStart(int index, const std::string& said = {}) { return begins(index, {{"type", "text"}, {"text", said}}); }
std::string text(int index, const std::string& said) { return delta(index, {{"type", "text_delta"}, {"text", said}}); }
std::string toolStart(int index, const std::string& id, const std::string& name, const json& input = json::object()) {
    return begins(index, {{"type", "tool_use"}, {"id", id}, {"name", name}, {"input", input}});
}
std::string piece(int index, const std::string& arguments) { return delta(index, {{"type", "input_json_delta"}, {"partial_json", arguments}}); }
std::string over(const std::string& reason, int tokens = 4) {
    return json{{"type", "message_delta"}, {"delta", {{"stop_reason", reason}, {"stop_sequence", nullptr}}}, {"usage", {{"output_tokens", tokens}}}}.dump();
}

TranslatedStream stream(const Events& events, bool ended = true) { return translatedStream(classify::Dialect::anthropic, events, ended); }

json call(const std::string& id, const std::string& name, const std::string& arguments) {
    return json{{"id", id}, {"name", name}, {"arguments", arguments}};
}

}  // namespace

class TestAnswerToOpenAi : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void wholeAnswers_data();
    void wholeAnswers();
    void wholeAnswerInFull();
    void wholeAnswersThatAreNone_data();
    void wholeAnswersThatAreNone();
    void F4_blocksWithoutWords_data();
    void F4_blocksWithoutWords();
    void streamInFull();
    void streams_data();
    void streams();
    void F2_onlyContentCommits();
    void F4_streamsThatAreNone_data();
    void F4_streamsThatAreNone();
    void F10_usageIsAChunkOfItsOwn();
    void emojiTornBetweenEvents();
    void boundedMemory();
    void errorBodies_data();
    void errorBodies();
};

void TestAnswerToOpenAi::wholeAnswers_data() {
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<QByteArray>("message");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char* name, const char* answer, const char* message, const char* reason) {
        QTest::newRow(name) << QByteArray(answer) << QByteArray(message) << reason;
    };
    row("text", R"({"content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn"})", R"({"role":"assistant","content":"hi","refusal":null})", "stop");
    row("several texts", R"({"content":[{"type":"text","text":"h"},{"type":"text","text":"i"}],"stop_reason":"end_turn"})", R"({"role":"assistant","content":"hi","refusal":null})", "stop");
    row("stop sequence", R"({"content":[{"type":"text","text":"hi"}],"stop_reason":"stop_sequence"})", R"({"role":"assistant","content":"hi","refusal":null})", "stop");
    row("cut by the limit", R"({"content":[{"type":"text","text":"hi"}],"stop_reason":"max_tokens"})", R"({"role":"assistant","content":"hi","refusal":null})", "length");
    row("context is full", R"({"content":[{"type":"text","text":"hi"}],"stop_reason":"model_context_window_exceeded"})", R"({"role":"assistant","content":"hi","refusal":null})", "length");
    row("refused", R"({"content":[{"type":"text","text":"no"}],"stop_reason":"refusal"})", R"({"role":"assistant","content":"no","refusal":null})", "content_filter");
    row("a reason of later", R"({"content":[{"type":"text","text":"no"}],"stop_reason":"something_new"})", R"({"role":"assistant","content":"no","refusal":null})", "stop");
    row("nothing said, as it came", R"({"content":[],"stop_reason":"end_turn"})", R"({"role":"assistant","content":"","refusal":null})", "stop");
    row("call", R"({"content":[{"type":"tool_use","id":"t","name":"f","input":{"b":1,"a":[true]}}],"stop_reason":"tool_use"})",
        R"({"role":"assistant","content":null,"refusal":null,"tool_calls":[{"id":"t","type":"function","function":{"name":"f","arguments":"{\"b\":1,\"a\":[true]}"}}]})", "tool_calls");
    row("numbers that no double holds", R"({"content":[{"type":"tool_use","id":"t","name":"f","input":{"big":123456789012345678901234567890,"id":18446744073709551617,"r":1.50,"e":[-1E-7,{"d":0.1000000000000000055511151231257827}]}}],"stop_reason":"tool_use"})",
        R"({"role":"assistant","content":null,"refusal":null,"tool_calls":[{"id":"t","type":"function","function":{"name":"f","arguments":"{\"big\":123456789012345678901234567890,\"id\":18446744073709551617,\"r\":1.50,\"e\":[-1E-7,{\"d\":0.1000000000000000055511151231257827}]}"}}]})", "tool_calls");
    row("F22: text and two calls", R"({"content":[{"type":"text","text":"so"},{"type":"tool_use","id":"t","name":"f","input":{}},{"type":"tool_use","id":"u","name":"f","input":{}}],"stop_reason":"tool_use"})",
        R"({"role":"assistant","content":"so","refusal":null,"tool_calls":[{"id":"t","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"u","type":"function","function":{"name":"f","arguments":"{}"}}]})", "tool_calls");
    row("thinking", R"({"content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"redacted_thinking","data":"x"},{"type":"text","text":"hi"}],"stop_reason":"end_turn"})",
        R"({"role":"assistant","content":"hi","refusal":null,"reasoning_content":"hm"})", "stop");
}

void TestAnswerToOpenAi::wholeAnswers() {
    QFETCH(QByteArray, answer);
    QFETCH(QByteArray, message);
    QFETCH(QString, reason);
    const auto told = translate::openAiAnswer(answer.toStdString(), answerFacts());
    QVERIFY2(told, told ? "" : told.error().what.c_str());
    const json choice = json::parse(*told)["choices"][0];
    QCOMPARE(QByteArray::fromStdString(choice["message"].dump(1)), QByteArray::fromStdString(json::parse(message.toStdString()).dump(1)));
    QCOMPARE(QString::fromStdString(choice["finish_reason"]), reason);
}

void TestAnswerToOpenAi::wholeAnswerInFull() {
    const auto told = translate::openAiAnswer(
        R"({"id":"msg_7","type":"message","role":"assistant","model":"up","content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":5,"cache_read_input_tokens":3,"cache_creation_input_tokens":1,"output_tokens":4}})",
        answerFacts());
    QVERIFY(told);
    QCOMPARE(QByteArray::fromStdString(*told),
             QByteArray(R"({"id":"chatcmpl-msg_7","object":"chat.completion","created":1700000000,"model":"up","choices":[{"index":0,"message":{"role":"assistant","content":"hi","refusal":null},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13,"prompt_tokens_details":{"cached_tokens":3}}})"));
}

void TestAnswerToOpenAi::wholeAnswersThatAreNone_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("no JSON") << QByteArray("<html>");
    QTest::newRow("a list") << QByteArray("[]");
    QTest::newRow("no content (F4)") << QByteArray(R"({"type":"message","stop_reason":"end_turn"})");
    QTest::newRow("nested beyond reason") << QByteArray(R"({"content":)" + QByteArray(300, '[') + QByteArray(300, ']') + "}");
}

void TestAnswerToOpenAi::wholeAnswersThatAreNone() {
    QFETCH(QByteArray, body);
    const auto told = translate::openAiAnswer(body.toStdString(), answerFacts());
    QVERIFY(!told);
    QCOMPARE(told.error().code, "malformed_body"s);
}

// F4: what cannot be told is left out beside what can, and alone it is no answer.
void TestAnswerToOpenAi::F4_blocksWithoutWords_data() {
    QTest::addColumn<QByteArray>("block");
    QTest::addColumn<QString>("alone");
    QTest::newRow("a block of later") << QByteArray(R"({"type":"hologram","data":"x"})") << "hologram";
    QTest::newRow("a call of the upstream's own") << QByteArray(R"({"type":"server_tool_use","id":"s","name":"n","input":{}})") << "server_tool_use";
    QTest::newRow("no type") << QByteArray("{}") << "without a type";
    QTest::newRow("a text in a block of later") << QByteArray(R"({"type":"hologram","text":"seen"})") << "";
    QTest::newRow("hidden thinking, of which nothing is missed") << QByteArray(R"({"type":"redacted_thinking","data":"x"})") << "";
}

void TestAnswerToOpenAi::F4_blocksWithoutWords() {
    QFETCH(QByteArray, block);
    QFETCH(QString, alone);
    const json one = json::parse(block.toStdString());
    const std::string said = one.value("text", "");
    const auto whole = [&](const std::string& more) {
        return translate::openAiAnswer(R"({"type":"message","content":[)" + block.toStdString() + more + R"(],"stop_reason":"end_turn"})", answerFacts());
    };
    const auto nothingElse = whole({});
    const TranslatedStream streamed = stream({kStart, begins(0, one), ends(0), over("end_turn"), kStop});
    QCOMPARE(nothingElse.has_value(), alone.isEmpty());
    QCOMPARE(streamed.problem.empty(), alone.isEmpty());
    if (alone.isEmpty()) {
        QCOMPARE(json::parse(*nothingElse)["choices"][0]["message"]["content"].get<std::string>(), said);
        QCOMPARE(ReadCompletion::of(streamed).message["content"].get<std::string>(), said);
    } else {
        QCOMPARE(nothingElse.error().code, "untranslatable_answer"s);
        QVERIFY2(nothingElse.error().what.find(alone.toStdString()) != std::string::npos, nothingElse.error().what.c_str());
        QCOMPARE(streamed.problem, "untranslatable_answer"s);
        QVERIFY(streamed.kinds().find('d') == std::string::npos && streamed.kinds().find('c') == std::string::npos);
    }
    const auto besideText = whole(R"(,{"type":"text","text":" hi"})");
    QVERIFY(besideText);
    QCOMPARE(json::parse(*besideText)["choices"][0]["message"]["content"].get<std::string>(), said + " hi");
    const TranslatedStream both = stream({kStart, begins(0, one), ends(0), textStart(1), text(1, " hi"), ends(1), over("end_turn"), kStop});
    QCOMPARE(both.problem, ""s);
    QCOMPARE(ReadCompletion::of(both).message["content"].get<std::string>(), said + " hi");
}

void TestAnswerToOpenAi::streamInFull() {
    const TranslatedStream told = stream({kStart, textStart(0), kPing, text(0, "h\xC3\xA9"), text(0, "llo"), ends(0), over("end_turn"), kStop});
    QCOMPARE(told.problem, ""s);
    QCOMPARE(told.kinds(), "mmccmud"s);  // role, ping, two texts, finish, usage, DONE
    std::string bytes;
    for (const auto& one : told.pieces) bytes += one.bytes;
    const auto chunk = [](const char* choices) {
        return R"(data: {"id":"chatcmpl-msg_7","object":"chat.completion.chunk","created":1700000000,"model":"up","choices":)"s + choices + "}\n\n";
    };
    QCOMPARE(QByteArray::fromStdString(bytes),
             QByteArray::fromStdString(chunk(R"([{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}])") + ": ping\n\n" +
                                       chunk("[{\"index\":0,\"delta\":{\"content\":\"h\xC3\xA9\"},\"finish_reason\":null}]") +
                                       chunk(R"([{"index":0,"delta":{"content":"llo"},"finish_reason":null}])") +
                                       chunk(R"([{"index":0,"delta":{},"finish_reason":"stop"}])") +
                                       chunk(R"([],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13,"prompt_tokens_details":{"cached_tokens":3}})") +
                                       "data: [DONE]\n\n"));
}

void TestAnswerToOpenAi::streams_data() {
    QTest::addColumn<Events>("events");
    QTest::addColumn<QByteArray>("message");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char* name, Events events, const json& message, const char* reason) {
        json wanted{{"role", "assistant"}, {"content", ""}};
        wanted.update(message);
        QTest::newRow(name) << std::move(events) << QByteArray::fromStdString(wanted.dump(1)) << reason;
    };
    row("call", {kStart, toolStart(0, "t", "f"), piece(0, ""), piece(0, "{\"x\""), piece(0, ": 1}"), ends(0), over("tool_use"), kStop},
        {{"tool_calls", {call("t", "f", "{\"x\": 1}")}}}, "tool_calls");
    row("numbers that no double holds, at the beginning", {kStart, R"({"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"f","input":{"id":12345678901234567890123,"r":1.0}}})", ends(0), over("tool_use"), kStop},
        {{"tool_calls", {call("t", "f", "{\"id\":12345678901234567890123,\"r\":1.0}")}}}, "tool_calls");
    row("F22: text and two calls", {kStart, textStart(0), text(0, "so"), ends(0), toolStart(1, "t", "f"), piece(1, "{}"), ends(1), toolStart(2, "u", "g"), piece(2, "{\"y\":2}"), ends(2), over("tool_use"), kStop},
        {{"content", "so"}, {"tool_calls", {call("t", "f", "{}"), call("u", "g", "{\"y\":2}")}}}, "tool_calls");
    row("interleaved", {kStart, toolStart(0, "t", "f"), toolStart(1, "u", "g"), piece(1, "{\"y\""), piece(0, "{\"x\""), piece(1, ":2}"), piece(0, ":1}"), ends(1), ends(0), over("tool_use"), kStop},
        {{"tool_calls", {call("t", "f", "{\"x\":1}"), call("u", "g", "{\"y\":2}")}}}, "tool_calls");
    row("call without arguments", {kStart, toolStart(0, "t", "f"), piece(0, ""), ends(0), over("tool_use"), kStop}, {{"tool_calls", {call("t", "f", "{}")}}}, "tool_calls");
    row("call that does not stop", {kStart, toolStart(0, "t", "f"), over("tool_use"), kStop}, {{"tool_calls", {call("t", "f", "{}")}}}, "tool_calls");
    row("arguments at the beginning", {kStart, toolStart(0, "t", "f", {{"x", 1}}), piece(0, "{\"x\":1}"), ends(0), over("tool_use"), kStop}, {{"tool_calls", {call("t", "f", "{\"x\":1}")}}}, "tool_calls");
    row("call without an id", {kStart, toolStart(0, "", "f"), ends(0), over("tool_use"), kStop}, {{"tool_calls", {call("toolu_0abc_0", "f", "{}")}}}, "tool_calls");
    row("thinking", {kStart, begins(0, {{"type", "thinking"}, {"thinking", ""}}), delta(0, {{"type", "thinking_delta"}, {"thinking", "hm"}}), delta(0, {{"type", "signature_delta"}, {"signature", "s"}}), ends(0), textStart(1), text(1, "hi"), ends(1), over("end_turn"), kStop},
        {{"content", "hi"}, {"reasoning_content", "hm"}}, "stop");
    row("tools of the upstream's own", {kStart, begins(0, {{"type", "server_tool_use"}, {"id", "s"}, {"name", "web_search"}, {"input", json::object()}}), piece(0, "{\"q\":1}"), ends(0), textStart(1), text(1, "hi"), ends(1), over("end_turn"), kStop}, {{"content", "hi"}}, "stop");
    row("text at the beginning", {kStart, textStart(0, "h"), text(0, "i"), ends(0), over("end_turn"), kStop}, {{"content", "hi"}}, "stop");
    row("events of later", {kStart, R"({"type":"something_new","x":[1]})", textStart(0), delta(0, {{"type", "new_delta"}}), text(0, "hi"), ends(0), over("end_turn"), kStop}, {{"content", "hi"}}, "stop");
    row("start left out", {textStart(0), text(0, "hi"), ends(0), over("end_turn"), kStop}, {{"content", "hi"}}, "stop");
    row("stop left out", {kStart, textStart(0), text(0, "hi"), ends(0), over("max_tokens")}, {{"content", "hi"}}, "length");
    row("reason left out", {kStart, textStart(0), text(0, "hi"), ends(0), kStop}, {{"content", "hi"}}, "stop");
    row("refused", {kStart, textStart(0), text(0, "no"), ends(0), over("refusal"), kStop}, {{"content", "no"}}, "content_filter");
    row("nothing said, as it came", {kStart, over("end_turn"), kStop}, json::object(), "stop");
    row("events after the end", {kStart, textStart(0), text(0, "hi"), over("end_turn"), kStop, text(0, "more"), kStop}, {{"content", "hi"}}, "stop");
}

void TestAnswerToOpenAi::streams() {
    QFETCH(Events, events);
    QFETCH(QByteArray, message);
    QFETCH(QString, reason);
    const TranslatedStream told = stream(events);
    QCOMPARE(told.problem, ""s);
    const ReadCompletion read = ReadCompletion::of(told);
    QCOMPARE(read.broken, ""s);
    QVERIFY(read.done);
    QCOMPARE(QByteArray::fromStdString(read.message.dump(1)), message);
    QCOMPARE(QString::fromStdString(read.finish), reason);
    QVERIFY(read.id.starts_with("chatcmpl-"));
}

void TestAnswerToOpenAi::F2_onlyContentCommits() {
    QCOMPARE(stream({kStart, kPing, textStart(0), ends(0)}, false).kinds(), "mm"s);
    QCOMPARE(stream({kStart, textStart(0), text(0, "")}, false).kinds(), "m"s);
    QCOMPARE(stream({kStart, text(0, "x")}, false).kinds(), "mc"s);
    QCOMPARE(stream({kStart, toolStart(0, "t", "f")}, false).kinds(), "mc"s);
    QCOMPARE(stream({kStart, toolStart(0, "t", "f"), piece(0, "")}, false).kinds(), "mc"s);
}

void TestAnswerToOpenAi::F4_streamsThatAreNone_data() {
    QTest::addColumn<Events>("events");
    QTest::addColumn<QString>("code");
    QTest::newRow("nothing") << Events{} << "ended_early";
    QTest::newRow("start alone") << Events{kStart} << "ended_early";
    QTest::newRow("stop without anything") << Events{kStart, kStop} << "ended_early";
    QTest::newRow("cut off") << Events{kStart, textStart(0), text(0, "hi")} << "ended_early";
    QTest::newRow("junk") << Events{kStart, "junk"} << "malformed_event";
    QTest::newRow("arguments of no call") << Events{kStart, piece(3, "{}")} << "malformed_tool_call";
}

void TestAnswerToOpenAi::F4_streamsThatAreNone() {
    QFETCH(Events, events);
    QFETCH(QString, code);
    const TranslatedStream told = stream(events);
    QCOMPARE(QString::fromStdString(told.problem), code);
    QVERIFY(told.kinds().find('d') == std::string::npos);
}

void TestAnswerToOpenAi::F10_usageIsAChunkOfItsOwn() {
    // Cumulative: the end's figures replace the beginning's.
    const std::string more = R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":6,"cache_read_input_tokens":0,"cache_creation_input_tokens":0,"output_tokens":8}})";
    const ReadCompletion read = ReadCompletion::of(stream({kStart, text(0, "x"), more, kStop}));
    const json wanted{{"prompt_tokens", 6}, {"completion_tokens", 8}, {"total_tokens", 14}, {"prompt_tokens_details", {{"cached_tokens", 0}}}};
    QCOMPARE(QByteArray::fromStdString(read.usage.dump()), QByteArray::fromStdString(wanted.dump()));
    // Nobody counted: no chunk that says zero.
    QCOMPARE(stream({textStart(0), text(0, "x"), R"({"type":"message_delta","delta":{"stop_reason":"end_turn"}})", kStop}).kinds(), "mcmd"s);
}

void TestAnswerToOpenAi::emojiTornBetweenEvents() {
    const auto raw = [](const std::string& said) { return R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":")" + said + R"("}})"; };
    const ReadCompletion read = ReadCompletion::of(stream({kStart, raw(R"(go \uD83D)"), raw(R"(\uDE80!)"), over("end_turn"), kStop}));
    QCOMPARE(read.message["content"].get<std::string>(), "go \xF0\x9F\x9A\x80!"s);
}

void TestAnswerToOpenAi::boundedMemory() {
    Events many{kStart};
    for (int i = 0; i < 2000; ++i) many.push_back(toolStart(i, "t", "f"));
    QCOMPARE(stream(many).problem, "too_many_blocks"s);
    many.resize(1);
    for (int i = 0; i < 2000; ++i) {
        many.push_back(textStart(i));
        many.push_back(ends(i));
    }
    QCOMPARE(stream(many).problem, "ended_early"s);  // what has ended takes no memory
}

void TestAnswerToOpenAi::errorBodies_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("wanted");
    QTest::newRow("overloaded") << QByteArray(R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"r"})") << 529
        << QByteArray(R"({"error":{"type":"server_error","message":"Overloaded","param":null,"code":"overloaded_error"}})");
    QTest::newRow("bad request") << QByteArray(R"({"type":"error","error":{"type":"invalid_request_error","message":"no"}})") << 400
        << QByteArray(R"({"error":{"type":"invalid_request_error","message":"no","param":null,"code":"invalid_request_error"}})");
    QTest::newRow("nothing said") << QByteArray("oops") << 500 << QByteArray();
}

void TestAnswerToOpenAi::errorBodies() {
    QFETCH(QByteArray, body);
    QFETCH(int, status);
    QFETCH(QByteArray, wanted);
    QCOMPARE(QByteArray::fromStdString(translate::errorAnswer(classify::Dialect::openai, body.toStdString(), status)), wanted);
}

QTEST_APPLESS_MAIN(TestAnswerToOpenAi)
#include "tst_answer_to_openai.moc"
