// SPDX-License-Identifier: MIT
// What a model of an OpenAI-compatible upstream thought is not told to Anthropic clients: they send blocks of thinking back, and
// Anthropic refuses those that it did not sign. An answer that is nothing else must not look like a finished one (F4).
#include "tests/router/upstream/answer_rows.h"

using namespace signalbox;
using namespace signalbox::test;

namespace {

/// The content of the whole answer and of the stream, or the code of the problem of each.
struct Told {
    std::string whole, stream;
};

Told told(const json& message, const std::string& finish) {
    const json whole{{"choices", json::array({json{{"message", message}, {"finish_reason", finish}}})}};
    Told out;
    const auto answer = translate::anthropicAnswer(whole.dump(), answerFacts());
    out.whole = answer ? json::parse(*answer)["content"].dump() : answer.error().code;
    std::vector<std::string> events;
    for (const auto& [key, value] : message.items())
        events.push_back(json{{"choices", json::array({json{{"delta", {{key, value}}}}})}}.dump());
    events.push_back(json{{"choices", json::array({json{{"delta", json::object()}, {"finish_reason", finish}}})}}.dump());
    events.emplace_back("[DONE]");
    const TranslatedStream stream = translatedStream(classify::Dialect::openai, events);
    out.stream = stream.problem.empty() ? ReadMessage::of(stream).message["content"].dump() : stream.problem;
    return out;
}

}  // namespace

class TestAnswerReasoning : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void answers_data();
    void answers();
    void nothingIsCommittedBefore();
    void aStopSequenceMayEndItUnsaid();
    void theProblemSaysWhat();
};

void TestAnswerReasoning::answers_data() {
    QTest::addColumn<QByteArray>("message");
    QTest::addColumn<QByteArray>("finish");
    QTest::addColumn<QByteArray>("content");
    const auto row = [](const char* name, const char* message, const char* finish, const char* content) {
        QTest::newRow(name) << QByteArray(message) << QByteArray(finish) << QByteArray(content);
    };
    const char* const kNone = "untranslatable_answer";
    row("beside a text", R"({"reasoning_content":"hm","content":"hi"})", "stop", R"([{"text":"hi","type":"text"}])");
    row("beside a call", R"({"reasoning":"hm","tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]})", "tool_calls",
        R"([{"id":"a","input":{},"name":"f","type":"tool_use"}])");
    row("alone", R"({"reasoning_content":"hm"})", "stop", kNone);
    row("alone, under its other name", R"({"reasoning":"hm"})", "stop", kNone);
    row("alone, as a part", R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]})", "stop", kNone);
    row("beside white space", R"({"content":" \n","reasoning_content":"hm"})", "stop", kNone);
    // A limit, a filter and a refusal may end an answer before it begins, and the client is told which it was.
    row("until the limit", R"({"reasoning_content":"hm"})", "length", "[]");
    row("until the filter", R"({"reasoning_content":"hm"})", "content_filter", "[]");
    row("and a refusal", R"({"reasoning_content":"hm","refusal":"no"})", "stop", R"([{"text":"no","type":"text"}])");
    // Nobody thought: the answer is empty, as it came.
    row("none", R"({"content":"","reasoning_content":""})", "stop", "[]");
    row("an empty part", R"({"content":[{"type":"thinking","thinking":[]}]})", "stop", "[]");
    row("null", R"({"content":"","reasoning_content":null,"reasoning":null})", "stop", "[]");
}

void TestAnswerReasoning::answers() {
    QFETCH(const QByteArray, message);
    QFETCH(const QByteArray, finish);
    QFETCH(const QByteArray, content);
    const Told got = told(json::parse(message.toStdString()), finish.toStdString());
    QCOMPARE(QByteArray::fromStdString(got.whole), content);
    QCOMPARE(QByteArray::fromStdString(got.stream), content);
}

/// Another target may still be asked: not a byte of content has gone to the client.
void TestAnswerReasoning::nothingIsCommittedBefore() {
    const std::string thought = R"({"choices":[{"delta":{"reasoning_content":"hm"}}]})";
    const TranslatedStream stream =
        translatedStream(classify::Dialect::openai, {thought, thought, R"({"choices":[{"delta":{},"finish_reason":"stop"}]})", "[DONE]"});
    QCOMPARE(stream.problem, std::string("untranslatable_answer"));
    QVERIFY(stream.kinds().find_first_not_of('m') == std::string::npos);
}

/// The client asked for just that end, and is told which of its words it was.
void TestAnswerReasoning::aStopSequenceMayEndItUnsaid() {
    const auto answer = translate::anthropicAnswer(
        R"({"choices":[{"message":{"reasoning_content":"hm"},"finish_reason":"stop","stop_reason":"END"}]})", answerFacts());
    QVERIFY(answer);
    const json whole = json::parse(*answer);
    QVERIFY2(whole["content"].empty() && whole["stop_reason"] == "stop_sequence" && whole["stop_sequence"] == "END", answer->c_str());
    const TranslatedStream stream = translatedStream(
        classify::Dialect::openai, {R"({"choices":[{"delta":{"reasoning_content":"hm"}}]})",
                                    R"({"choices":[{"delta":{},"finish_reason":"stop","stop_reason":"END"}]})", "[DONE]"});
    QCOMPARE(stream.problem, std::string());
    const json message = ReadMessage::of(stream).message;
    QVERIFY2(message["content"].empty() && message["stop_sequence"] == "END", message.dump().c_str());
    // Engines name a token by its number there, which is no word of the client's.
    const auto byToken = translate::anthropicAnswer(
        R"({"choices":[{"message":{"reasoning_content":"hm"},"finish_reason":"stop","stop_reason":151645}]})", answerFacts());
    QVERIFY(!byToken);
    QCOMPARE(byToken.error().code, std::string("untranslatable_answer"));
}

void TestAnswerReasoning::theProblemSaysWhat() {
    const char* const body = R"({"choices":[{"message":{"reasoning_content":"hm"},"finish_reason":"stop"}]})";
    const auto answer = translate::anthropicAnswer(body, answerFacts());
    QVERIFY(!answer);
    QVERIFY2(answer.error().what.find("reasoning_content") != std::string::npos, answer.error().what.c_str());
}

QTEST_APPLESS_MAIN(TestAnswerReasoning)
#include "tst_answer_reasoning.moc"
