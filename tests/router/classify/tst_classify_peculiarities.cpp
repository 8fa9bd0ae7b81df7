// SPDX-License-Identifier: MIT
// What of a body only one protocol or engine has words for.
#include "tests/router/classify/message_bodies.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using classify::Dialect;

class TestClassifyPeculiarities : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void peculiaritiesOfMessages_data();
    void peculiaritiesOfMessages();
    void blocksOfMessages_data();
    void blocksOfMessages();
    void peculiaritiesOfChats_data();
    void peculiaritiesOfChats();
    void partsOfChats_data();
    void partsOfChats();
    void chatsThatAnthropicWouldRefuse_data();
    void chatsThatAnthropicWouldRefuse();
    void fieldsAreNamed_data();
    void fieldsAreNamed();
};

void TestClassifyPeculiarities::peculiaritiesOfMessages_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* tag, const std::string& body, const char* words) {
        QTest::newRow(tag) << QByteArray::fromStdString(body) << QString::fromLatin1(words);
    };
    row("all that is carried",
        messagesWith(R"("system":"s","stop_sequences":["x"],"temperature":1,"top_p":0.5,"stream":false,)"
                     R"("metadata":{"user_id":"u"},"output_config":{"effort":"high"},"service_tier":"auto")"),
        "");
    row("top_k", messagesWith(R"("top_k":40)"), "top_k");
    row("null is nothing", messagesWith(R"("top_k":null,"thinking":null,"container":null,"shiny":null)"), "");
    row("thinking", messagesWith(R"("thinking":{"budget_tokens":1024,"type":"enabled"})"), "");
    row("adaptive thinking", messagesWith(R"("thinking":{"type":"adaptive"})"), "");
    row("thinking of a kind that nobody knows", messagesWith(R"("thinking":{"type":"together"})"), "thinking");
    row("thinking disabled", messagesWith(R"("thinking":{"type":"disabled"})"), "");
    row("a block of thinking",
        R"({"model":"m","messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"}]}]})",
        "");
    row("redacted thinking",
        R"({"model":"m","messages":[{"role":"assistant","content":[{"data":"x","type":"redacted_thinking"}]}]})", "");
    row("a document",
        userContent(R"([{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AA"}}])"),
        "documents");
    row("a search result", userContent(R"([{"type":"search_result","source":"s","title":"t","content":[]}])"), "documents");
    row("citations of a document",
        userContent(R"([{"type":"document","source":{"type":"text","data":"d"},"citations":{"enabled":true}}])"),
        "documents citations");
    row("no citations", userContent(R"([{"type":"text","text":"t","citations":[]}])"), "");
    row("an image in a file", userContent(R"([{"type":"image","source":{"type":"file","file_id":"f"}}])"), "files");
    row("a server's tool", messagesWith(R"("tools":[{"type":"web_search_20250305","name":"web_search"}])"), "server_tools");
    row("a server's result",
        R"({"model":"m","messages":[{"role":"assistant","content":[{"type":"server_tool_use","id":"i","name":"n","input":{}}]}]})",
        "server_tools");
    row("four stop words", messagesWith(R"("stop_sequences":["a","b","c","\n"])"), "");
    row("more stop words", messagesWith(R"("stop_sequences":["a","b","c","d","e"])"), "stop_words");
    row("MCP", messagesWith(R"("mcp_servers":[{"type":"url","url":"u","name":"n"}])"), "mcp_servers");
    row("a fetched page", userContent("[" + fetched(R"({"type":"text","data":"x"})") + "]"), "documents server_tools");
    row("no MCP", messagesWith(R"("mcp_servers":[])"), "");
    row("a container", messagesWith(R"("container":"c")"), "container");
    row("context management", messagesWith(R"("context_management":{"edits":[]})"), "context_management");
    row("clearing of thinking", messagesWith(R"("context_management":{"edits":[{"keep":{"n":[1]},"type":"clear_thinking_20251015"}]})"), "");
    row("clearing of thinking and nothing", messagesWith(R"("context_management":{"x":null,"edits":[{"type":"clear_thinking_20251015"}]})"), "");
    row("clearing of more", messagesWith(R"("context_management":{"edits":[{"type":"clear_thinking_20251015"},{"type":"clear_tool_uses_20250919"}]})"),
        "context_management");
    row("context management that is none", messagesWith(R"("context_management":[{"edits":[]}])"), "context_management");
    row("an effort of its own", messagesWith(R"("output_config":{"effort":"max"})"), "effort");
    row("an output of its own", messagesWith(R"("output_config":{"shape":1})"), "other_fields");
    row("a field newer than us", messagesWith(R"("shiny":1)"), "other_fields");
    row("the other protocol's field", messagesWith(R"("seed":1)"), "other_fields");
}

void TestClassifyPeculiarities::peculiaritiesOfMessages() {
    QFETCH(QByteArray, body);
    QFETCH(QString, words);
    const auto request = readMessages(std::string_view(body.constData(), static_cast<std::size_t>(body.size())));
    QVERIFY(request);
    QCOMPARE(text(wordsOf(request->features.peculiarities)), words);
}

void TestClassifyPeculiarities::blocksOfMessages_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* tag, const std::string& body, const char* words) {
        QTest::newRow(tag) << QByteArray::fromStdString(body) << QString::fromLatin1(words);
    };
    row("a block that nobody knows", userContent(R"([{"type":"hologram"}])"), "other_parts");
    row("in a block that nobody knows", userContent(R"([{"content":[{"type":"document"}],"type":"hologram"}])"),
        "documents other_parts");
    row("a block without a type", userContent(R"([{"text":"t"}])"), "");
    const std::string picture = R"({"type":"image","source":{"type":"url","url":"https://h/a"}})";
    const auto saidBy = [](const char* role, const std::string& blocks) {
        return R"({"messages":[{"content":[)" + blocks + R"(],"role":")" + role + "\"}]}";
    };
    row("a picture that the assistant shows", saidBy("assistant", picture), "other_parts");
    row("a picture for the system", messagesWith(R"("system":[{"type":"text","text":"s"},)" + picture + "]"), "other_parts");
    row("a message of the system with a call", saidBy("system", R"({"type":"tool_use","id":"t"})"), "other_parts");
    row("a call of the user", userContent(R"([{"type":"tool_use","id":"t","name":"n","input":{}}])"), "other_parts");
    row("a thought of the user", userContent(R"([{"type":"thinking","thinking":"t"}])"), "other_parts");
    row("a call and a thought", saidBy("assistant", R"({"type":"thinking","thinking":"t"},{"type":"tool_use","id":"t"})"), "");
    row("a result of the assistant", saidBy("assistant", R"({"type":"tool_result","tool_use_id":"t"})"), "other_parts");
    const auto resultOf = [](const std::string& blocks) {
        return userContent(R"([{"content":[)" + blocks + R"(],"type":"tool_result","tool_use_id":"t"}])");
    };
    row("a result that nobody knows", resultOf(R"({"type":"hologram"})"), "other_parts");
    row("a result in a result", resultOf(R"({"type":"tool_result","tool_use_id":"u"})"), "other_parts");
    row("a result with a picture", resultOf(R"({"type":"text","text":"x"},)" + picture), "");
    row("what stands beside a text",
        userContent(R"([{"type":"text","text":"t","content":[{"type":"hologram"},{"type":"tool_result","content":[{"type":"x"}]}]}])"),
        "");
}

void TestClassifyPeculiarities::blocksOfMessages() { peculiaritiesOfMessages(); }

void TestClassifyPeculiarities::peculiaritiesOfChats_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("words");
    const auto chat = [](const char* tag, const std::string& members, const char* words) {
        QTest::newRow(tag) << QByteArray::fromStdString(R"({"model":"m","messages":[{"role":"user","content":"hi"}],)" + members + "}")
                           << QString::fromLatin1(words);
    };
    const auto message = [](const char* tag, const std::string& one, const char* words) {
        QTest::newRow(tag) << QByteArray::fromStdString(R"({"model":"m","messages":[)" + one + "]}")
                           << QString::fromLatin1(words);
    };
    chat("all that is carried", R"("n":1,"temperature":1,"stop":["x"],"user":"u","max_tokens":5,"stream":true,)"
         R"("stream_options":{"include_usage":true},"tools":[{"type":"function","function":{"name":"n"}}],)"
         R"("tool_choice":"auto","parallel_tool_calls":true,"response_format":{"type":"json_schema","json_schema":{}},)"
         R"("frequency_penalty":0,"presence_penalty":0.0,"logprobs":false,"logit_bias":{},"modalities":["text"],)"
         R"("reasoning_effort":"low","metadata":{"a":"b"},"store":true,"seed":null)", "");
    chat("n", R"("n":2)", "several_choices");
    chat("logprobs", R"("logprobs":true,"top_logprobs":5)", "logprobs");
    chat("logit_bias", R"("logit_bias":{"50256":-100})", "logit_bias");
    chat("penalties", R"("presence_penalty":0.5)", "penalties");
    chat("seed", R"("seed":0)", "seed");
    chat("audio", R"("modalities":["text","audio"],"audio":{"voice":"v","format":"wav"})", "audio");
    chat("prediction", R"("prediction":{"type":"content","content":"x"})", "prediction");
    chat("json_object", R"("response_format":{"type":"json_object"})", "json_object");
    chat("functions", R"("functions":[{"name":"f"}],"function_call":"auto")", "legacy_functions");
    chat("a forced function", R"("function_call":{"name":"f"})", "legacy_functions");
    chat("a custom tool", R"("tools":[{"type":"custom","custom":{"name":"n"}}])", "custom_tools");
    chat("a choice of a function", R"("tool_choice":{"type":"function","function":{"name":"n","type":"custom"}})", "");
    chat("a choice of a custom tool", R"("tool_choice":{"custom":{"name":"n"},"type":"custom"})", "custom_tools");
    chat("a choice among some tools", R"("tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto"}})", "other_fields");
    chat("F26 a choice among no tools", R"("tools":[],"tool_choice":{"type":"any"})", "");
    chat("F26 a custom choice before no tools", R"("tool_choice":{"type":"custom","custom":{"name":"n"}},"tools":[ ])", "");
    chat("a custom choice before tools", R"("tool_choice":{"type":"custom"},"tools":[{"type":"function","function":{"name":"n"}}])",
         "custom_tools");
    chat("a choice that is none", R"("tool_choice":[{"type":"custom"}])", "");
    chat("guided decoding", R"("guided_json":{})", "grammar");
    chat("a format of an engine", R"("response_format":{"type":"structural_tag"})", "grammar");
    chat("web search", R"("web_search_options":{})", "web_search");
    chat("a warm answer", R"("temperature":1.5)", "temperature");
    chat("an effort of its own", R"("reasoning_effort":"minimal")", "effort");
    chat("a stop word of white space", R"("stop":"\n")", "stop_words");
    chat("stop words, one of white space", R"("stop":["x","\u0020"])", "stop_words");
    chat("stop words", R"("stop":["x","","\nx",null,{"a":[" "]}])", "");
    chat("a field of an engine", R"("repetition_penalty":1.1)", "other_fields");
    chat("the other protocol's field", R"("system":"s")", "other_fields");
    message("audio in a message", R"({"role":"user","content":[{"type":"input_audio","input_audio":{"data":"x"}}]})", "audio");
    message("a file", R"({"role":"user","content":[{"type":"file","file":{"file_id":"f"}}]})", "files");
    message("a video", R"({"role":"user","content":[{"type":"video_url","video_url":{"url":"data:video/mp4;base64,AA=="}}]})", "files");
    message("a recording by its address", R"({"role":"user","content":[{"audio_url":{"url":"x"},"type":"audio_url"}]})", "audio");
    message("a name", R"({"role":"user","name":"ann","content":"x"})", "participant_names");
    message("a tool's name says nothing new", R"({"name":"f","role":"tool","tool_call_id":"i","content":"x"})", "");
    message("a call of a function", R"({"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}})",
            "legacy_functions");
    message("a function's answer", R"({"role":"function","name":"f","content":"x"})", "legacy_functions participant_names");
    message("a call of a custom tool", R"({"role":"assistant","tool_calls":[{"id":"i","type":"custom","custom":{}}]})",
            "custom_tools");
    message("a call", R"({"role":"assistant","content":null,"tool_calls":[{"id":"i","type":"function","function":{"name":"n"}}]})", "");
    QTest::newRow("embeddings") << QByteArray(R"({"model":"m","input":"x"})") << QStringLiteral("embeddings");
    QTest::newRow("a prompt") << QByteArray(R"({"model":"m","prompt":"x"})") << QStringLiteral("legacy_completion");
}

void TestClassifyPeculiarities::peculiaritiesOfChats() {
    QFETCH(QByteArray, body);
    QFETCH(QString, words);
    const auto request = classify::classify(std::string_view(body.constData(), static_cast<std::size_t>(body.size())), {}, {}, 1);
    QVERIFY(request);
    QVERIFY(request->features.dialect == Dialect::openai);
    QCOMPARE(text(wordsOf(request->features.peculiarities)), words);
}

// What is no text stands in one protocol where the other has no place for it.
void TestClassifyPeculiarities::partsOfChats_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("words");
    const auto message = [](const char* tag, const std::string& one, const char* words) {
        QTest::newRow(tag) << QByteArray::fromStdString(R"({"model":"m","messages":[)" + one + "]}") << QString::fromLatin1(words);
    };
    const auto part = [&](const char* tag, const char* role, const char* one, const char* words) {
        message(tag, std::string(R"({"content":[)") + one + R"(],"role":")" + role + "\"}", words);
    };
    const char* picture = R"({"type":"image_url","image_url":{"url":"https://h/p.png"}})";
    part("a document by its address", "user", R"({"type":"document_url","document_url":"https://h/d.pdf"})", "other_parts");
    part("a part that nobody knows", "tool", R"({"shiny":1,"type":"shiny"})", "other_parts");
    part("a picture of another API", "user", R"({"type":"input_image","image_url":"https://h/p.png"})", "other_parts");
    part("parts without a type", "user", R"({"image_url":{"url":"https://h/p.png"}},{"type":3})", "");
    part("a refusal that is told again", "assistant", R"({"type":"refusal","refusal":"no"})", "");
    part("a picture in a result", "tool", picture, "");
    part("a picture of the user", "user", picture, "");
    part("a picture that the assistant shows", "assistant", picture, "other_parts");
    message("a picture for the system", R"({"role":"user","content":"x"},{"role":"developer","content":[{"type":"image_url"}]})",
            "other_parts");
    message("a picture, and the assistant's text", std::string(R"({"role":"user","content":[)") + picture +
            R"(]},{"role":"assistant","content":"x"})", "");
}

void TestClassifyPeculiarities::partsOfChats() { peculiaritiesOfChats(); }

void TestClassifyPeculiarities::chatsThatAnthropicWouldRefuse_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("words");
    const auto message = [](const char* tag, const std::string& one, const char* words) {
        QTest::newRow(tag) << QByteArray::fromStdString(R"({"model":"m","messages":[)" + one + "]}") << QString::fromLatin1(words);
    };
    // Anthropic wants a turn of somebody, and arguments that are JSON and an object.
    message("the system alone", R"({"role":"system","content":"Be kind."},{"content":"x","role":"developer"})", "only_system");
    message("a turn of white space", R"({"role":"system","content":"x"},{"role":"user","content":" \n"})", "only_system");
    message("a turn of nothing", R"({"role":"assistant","content":null,"refusal":"","tool_calls":[]})", "only_system");
    message("a turn of a blank part", R"({"role":"user","content":[{"type":"text","text":"\t "}]})", "only_system");
    message("the system and a user", R"({"role":"system","content":"x"},{"role":"user","content":"y"})", "");
    message("a picture", R"({"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,eA=="}}]})", "");
    message("a refusal", R"({"role":"assistant","refusal":"no"})", "");
    message("a tool's empty result", R"({"role":"tool","tool_call_id":"i","content":""})", "");
    QTest::newRow("no messages") << QByteArray(R"({"model":"m","messages":[]})") << QString();
    const auto called = [&](const char* tag, const std::string& arguments, const char* words) {
        message(tag, R"({"role":"assistant","tool_calls":[{"id":"i","type":"function","function":{"arguments":)" + arguments +
                         R"(,"name":"n"}}]})", words);
    };
    called("arguments", R"("{\"a\": [1, {\"b\": \"\\u00e9\\n\"}], \"big\": 123456789012345678901234567890}")", "");
    called("no arguments", R"("")", "");
    called("blank arguments", R"(" \n ")", "");
    called("null", "null", "");
    called("a word", R"("paris")", "call_arguments");
    called("a list", R"("[1]")", "call_arguments");
    called("half an object", R"("{\"a\":")", "call_arguments");
    called("an object and more", R"("{} {}")", "call_arguments");
    called("bad numbers", R"("{\"a\":01}")", "call_arguments");
    called("bad strings", R"("{\"a\":\"\\x\"}")", "call_arguments");
    called("a comma too many", R"("{\"a\":1,}")", "call_arguments");
    called("an object as it is", R"({"a":1})", "call_arguments");
}

void TestClassifyPeculiarities::chatsThatAnthropicWouldRefuse() { peculiaritiesOfChats(); }

// One word stands for many of them, so that the one that it is gets named.
void TestClassifyPeculiarities::fieldsAreNamed_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("isMessages");
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("field");
    const auto row = [](const char* tag, const std::string& body, bool isMessages, const char* word, const char* field) {
        QTest::newRow(tag) << QByteArray::fromStdString(body) << isMessages << word << QString::fromUtf8(field);
    };
    row("of a message", messagesWith(R"("shiny":1)"), true, "other_fields", "shiny");
    row("the first of two", messagesWith(R"("shiny":1,"newer":[2])"), true, "other_fields", "shiny");
    row("not the one that says nothing", messagesWith(R"("shiny":null,"newer":[2])"), true, "other_fields", "newer");
    row("inside of another", messagesWith(R"("output_config":{"shape":1})"), true, "other_fields", "output_config.shape");
    row("written with an escape", messagesWith(R"("sh\u0069ny":1)"), true, "other_fields", "shiny");
    row("the other protocol's", messagesWith(R"("seed":1)"), true, "other_fields", "seed");
    row("words", messagesWith(R"("a field of mine":1)"), true, "other_fields", "");
    row("longer than any field", messagesWith("\"" + std::string(4000, 'x') + "\":1"), true, "other_fields", "");
    row("of a chat", R"({"model":"m","messages":[],"repetition_penalty":1.1})", false, "other_fields", "repetition_penalty");
    row("a choice of tools", R"({"model":"m","messages":[],"tool_choice":{"type":"allowed_tools"}})", false, "other_fields", "tool_choice");
    row("a grammar", R"({"model":"m","messages":[],"guided_regex":"a+"})", false, "grammar", "guided_regex");
    row("a format of an engine", R"({"model":"m","messages":[],"response_format":{"type":"regex"}})", false, "grammar",
        "response_format");
}

void TestClassifyPeculiarities::fieldsAreNamed() {
    QFETCH(QByteArray, body);
    QFETCH(bool, isMessages);
    QFETCH(QString, word);
    QFETCH(QString, field);
    const std::string_view read(body.constData(), static_cast<std::size_t>(body.size()));
    const auto request = isMessages ? readMessages(read) : classify::classify(read, {}, {}, std::nullopt);
    QVERIFY(request);
    const classify::PeculiaritySet& found = request->features.peculiarities;
    QCOMPARE(text(wordsOf(found)), word);
    const auto one = word == QLatin1String("grammar") ? classify::Peculiarity::grammar : classify::Peculiarity::otherFields;
    QCOMPARE(QString::fromUtf8(found.fieldNamed(one).data(), static_cast<qsizetype>(found.fieldNamed(one).size())), field);
    QVERIFY(found.fieldNamed(classify::Peculiarity::seed).empty());
}

QTEST_APPLESS_MAIN(TestClassifyPeculiarities)
#include "tst_classify_peculiarities.moc"
