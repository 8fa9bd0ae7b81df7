// SPDX-License-Identifier: MIT
// A body of Anthropic's Messages API, read into the same features as one of OpenAI's.
#include "router/base/json_document.h"
#include "router/classify/classify.h"

#include <nlohmann/json.hpp>
#include <QTest>

using namespace signalbox;
using classify::ClassifiedRequest;
using classify::Dialect;
using classify::FoundBy;
using classify::Peculiarity;
using table::LengthBucket;
using table::WorkloadClass;

namespace {

Result<ClassifiedRequest> readMessages(std::string_view body, const classify::CallerHints& header = {}) {
    return classify::classifyBody(Dialect::anthropic, body, header, {}, 1);
}

std::string messagesWith(const std::string& members) {
    return R"({"model":"m","max_tokens":100,"messages":[{"role":"user","content":"hi"}])" +
           (members.empty() ? std::string() : "," + members) + "}";
}

std::string userContent(const std::string& blocks) {
    return R"({"model":"m","max_tokens":100,"messages":[{"role":"user","content":)" + blocks + "}]}";
}

/// What a server's tool brought, of that source.
std::string fetched(const std::string& source) {
    return R"({"type":"web_fetch_tool_result","tool_use_id":"t","content":{"type":"web_fetch_result","url":"u","content":)"
           R"({"type":"document","source":)" + source + "}}}";
}

std::string wordsOf(const classify::PeculiaritySet& set) {
    std::string out;
    for (int i = 0; i < classify::kPeculiarities; ++i)
        if (const auto one = static_cast<Peculiarity>(i); set.contains(one))
            out += (out.empty() ? "" : " ") + std::string(classify::toString(one));
    return out;
}

QString text(std::string_view value) { return QString::fromUtf8(value.data(), static_cast<qsizetype>(value.size())); }

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

    void peculiaritiesOfMessages_data() {
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
    void peculiaritiesOfMessages() {
        QFETCH(QByteArray, body);
        QFETCH(QString, words);
        const auto request = readMessages(std::string_view(body.constData(), static_cast<std::size_t>(body.size())));
        QVERIFY(request);
        QCOMPARE(text(wordsOf(request->features.peculiarities)), words);
    }

    // One word stands for many of them, so that the one that it is gets named.
    void fieldsAreNamed_data() {
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
        row("a grammar", R"({"model":"m","messages":[],"guided_regex":"a+"})", false, "grammar", "guided_regex");
        row("a format of an engine", R"({"model":"m","messages":[],"response_format":{"type":"regex"}})", false, "grammar",
            "response_format");
    }
    void fieldsAreNamed() {
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

    void peculiaritiesOfChats_data() {
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
    void partsOfChats_data();
    void partsOfChats() { peculiaritiesOfChats(); }
    void blocksOfMessages_data();
    void blocksOfMessages() { peculiaritiesOfMessages(); }
    void chatsThatAnthropicWouldRefuse_data();
    void chatsThatAnthropicWouldRefuse();
    void functionsAreOfferedByAListAlone_data();
    void functionsAreOfferedByAListAlone();
    void stopSequencesAreCounted();
    void mediaBytesOfChats_data();
    void mediaBytesOfChats();
    void mediaBytesBesideTheContent_data();
    void mediaBytesBesideTheContent();
    void imagesBesideTheContent_data();
    void imagesBesideTheContent();
    void mediaBytesOfMessages_data();
    void mediaBytesOfMessages();
    void peculiaritiesOfChats() {
        QFETCH(QByteArray, body);
        QFETCH(QString, words);
        const auto request = classify::classify(std::string_view(body.constData(), static_cast<std::size_t>(body.size())), {}, {}, 1);
        QVERIFY(request);
        QVERIFY(request->features.dialect == Dialect::openai);
        QCOMPARE(text(wordsOf(request->features.peculiarities)), words);
    }

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

void TestClassifyMessages::chatsThatAnthropicWouldRefuse_data() {
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

void TestClassifyMessages::chatsThatAnthropicWouldRefuse() { peculiaritiesOfChats(); }

// What is no text stands in one protocol where the other has no place for it.
void TestClassifyMessages::partsOfChats_data() {
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

void TestClassifyMessages::blocksOfMessages_data() {
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

void TestClassifyMessages::mediaBytesOfChats_data() {
    QTest::addColumn<QByteArray>("part");
    QTest::addColumn<int>("bytes");
    const auto row = [](const char* part, int bytes) { QTest::newRow(part) << QByteArray(part) << bytes; };
    row(R"({"type":"text","text":"12345678"})", 0);
    row(R"({"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}})", 26);
    row(R"({"image_url":{"url":"data:image\/png;base64,AAAA","detail":"low"},"type":"image_url"})", 29);  // as some languages write a slash
    row(R"({"type":"image_url","image_url":{"url":"https://h/p.png"}})", 15);
    row(R"({"type":"input_image","image_url":"data:image/png;base64,AA=="})", 26);
    row(R"({"type":"image","image":"AAAA","text":"1234"})", 4);
    row(R"({"type":"video","video":["AAAA","BBBB"]})", 8);
    row(R"({"type":"input_audio","input_audio":{"data":"AAAAAAAA","format":"wav"}})", 11);
    row(R"({"type":"audio_url","audio_url":{"url":"AAAA"}})", 4);
    row(R"({"type":"file","file":{"file_data":"data:application/pdf;base64,AAAA"}})", 32);
    row(R"({"type":"file","file":{"file_data":"data:text/csv;base64,AAAA"}})", 0);  // its words are tokens
    row(R"({"type":"document_url","document_url":"data:application/pdf;base64,AAAA"})", 32);
    row(R"({"type":"document_url","document_url":"https://h/d.pdf"})", 15);
    row(R"({"type":"image_embeds","image_embeds":{"image_embeds":"AAAA","image_grid_thw":"BBBB"}})", 8);
    row(R"({"audio_embeds":"AAAA","type":"audio_embeds"})", 4);
    row(R"({"type":"shiny","data":"AAAA"})", 0);
    row(R"({"type":"shiny","note":"1234","shiny":[{"url":"data:image/png;base64,AAAA"}]})", 26);  // it says itself what it is
    row(R"({"type":"shiny","data":"data:text/plain;base64,AAAA"})", 0);
    row(R"({"type":"shiny","data":"data: what we know, ;base64 aside"})", 0);
    row(R"({"type":"text","text":"data:image/png;base64,AAAA"})", 0);
    row(R"({"type":"image","image":[[[[[[[[[[[[[["AAAA"]]]]]]]]]]]]]]})", 0);  // only checked: nobody means it so deep
}

void TestClassifyMessages::mediaBytesOfChats() {
    QFETCH(QByteArray, part);
    QFETCH(int, bytes);
    const auto request = classify::classify(R"({"messages":[{"role":"user","content":[)" + part.toStdString() + "]}]}", {}, {}, 1);
    QVERIFY(request);
    QCOMPARE(request->features.mediaBytes, static_cast<std::uint64_t>(bytes));
}

// As OpenRouter, and Ollama, have them in a message of the history.
void TestClassifyMessages::mediaBytesBesideTheContent_data() {
    QTest::addColumn<QByteArray>("images");
    QTest::addColumn<int>("bytes");
    const auto row = [](const char* images, int bytes) { QTest::newRow(images) << QByteArray(images) << bytes; };
    row(R"([{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}])", 35);
    row(R"(["AAAA","BBBB"])", 8);
    row("[]", 0);
    row("null", 0);
}

void TestClassifyMessages::mediaBytesBesideTheContent() {
    QFETCH(QByteArray, images);
    QFETCH(int, bytes);
    const std::string said = R"({"messages":[{"role":"assistant","content":"x","images":)" + images.toStdString() + "}]}";
    const auto request = classify::classify(said, {}, {}, 1);
    QVERIFY(request);
    QCOMPARE(request->features.mediaBytes, static_cast<std::uint64_t>(bytes));
    // What the history shows asks for no eyes now. The other protocol has no place for it.
    QVERIFY(!request->features.vision);
    QCOMPARE(text(wordsOf(request->features.peculiarities)), bytes > 0 ? QStringLiteral("message_images") : QString());
}

void TestClassifyMessages::imagesBesideTheContent_data() {
    QTest::addColumn<QByteArray>("message");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* message, const char* words) {
        QTest::newRow(message) << QByteArray(message) << QString::fromLatin1(words);
    };
    row(R"({"role":"user","content":"x","images":["AAAA"]})", "message_images");
    row(R"({"role":"tool","tool_call_id":"i","content":"x","images":["AAAA"]})", "message_images");
    row(R"({"images":[null],"role":"assistant"})", "message_images");
    row(R"({"role":"assistant","content":"x","images":"AAAA"})", "message_images");
    row(R"({"role":"assistant","content":"x","images":{}})", "message_images");
    row(R"({"role":"assistant","content":"x","images":[ ]})", "");
    row(R"({"role":"assistant","content":"x","images":null})", "");
    row(R"({"role":"assistant","content":"","images":[]})", "only_system");
}

void TestClassifyMessages::imagesBesideTheContent() {
    QFETCH(QByteArray, message);
    QFETCH(QString, words);
    const auto request = classify::classify(R"({"messages":[)" + message.toStdString() + "]}", {}, {}, 1);
    QVERIFY(request);
    QCOMPARE(text(wordsOf(request->features.peculiarities)), words);
}

void TestClassifyMessages::mediaBytesOfMessages_data() {
    QTest::addColumn<QByteArray>("block");
    QTest::addColumn<int>("bytes");
    const auto row = [](const char* block, int bytes) { QTest::newRow(block) << QByteArray(block) << bytes; };
    row(R"({"type":"text","text":"12345678"})", 0);
    row(R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAAAAAA"}})", 8);
    row(R"({"source":{"data":"AAAAAAAA","type":"base64"},"type":"image"})", 8);
    row(R"({"type":"document","title":"t","source":{"type":"base64","media_type":"application/pdf","data":"AAAA"}})", 4);
    row(R"({"type":"document","source":{"type":"text","media_type":"text/plain","data":"12345678"}})", 0);
    row(R"({"type":"document","source":{"type":"content","content":[{"type":"image","source":{"type":"base64","data":"AAAA"}}]}})", 4);
    row(R"({"type":"tool_result","tool_use_id":"t","content":[{"type":"image","source":{"type":"base64","data":"AAAA"}}]})", 4);
    row(fetched(R"({"type":"base64","media_type":"application/pdf","data":"AAAA"})").c_str(), 4);
    row(fetched(R"({"type":"text","media_type":"text/plain","data":"12345678"})").c_str(), 0);
}

void TestClassifyMessages::mediaBytesOfMessages() {
    QFETCH(QByteArray, block);
    QFETCH(int, bytes);
    const auto request = readMessages(userContent("[" + block.toStdString() + "]"));
    QVERIFY(request);
    QCOMPARE(request->features.mediaBytes, static_cast<std::uint64_t>(bytes));
}

QTEST_APPLESS_MAIN(TestClassifyMessages)
#include "tst_classify_messages.moc"
