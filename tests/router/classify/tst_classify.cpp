// SPDX-License-Identifier: MIT
#include "router/base/json_document.h"
#include "router/classify/classify.h"

#include <nlohmann/json.hpp>
#include <QTest>
#include <limits>
#include <malloc.h>

using namespace signalbox;
using classify::CallerHints;
using classify::ClassifiedRequest;
using classify::FoundBy;
using table::LengthBucket;
using table::WorkloadClass;

namespace {

Result<ClassifiedRequest> read(std::string_view body, const CallerHints& header = {}, const CallerHints& principal = {}) {
    return classify::classify(body, header, principal, 1);
}

std::string textAt(std::string_view body, const std::optional<classify::BodyMap::Range>& range) {
    return range ? std::string(body.substr(range->begin, range->end - range->begin)) : "(none)";
}

std::string withCuts(std::string body, const ClassifiedRequest& request) {
    for (auto cut = request.map.cuts.rbegin(); cut != request.map.cuts.rend(); ++cut)
        body.erase(cut->begin, cut->end - cut->begin);
    return body;
}

QString text(std::string_view value) { return QString::fromUtf8(value.data(), static_cast<qsizetype>(value.size())); }

}  // namespace

class TestClassify : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void mapNamesEveryRange() {
        const std::string body = "  { \"model\" : \"a\\u00e9\" ,\n \"max_tokens\":5, \"max_completion_tokens\" : 6 , "
                                 "\"metadata\" : {\"x\": [1, {}] } , \"tools\" : [ ] , \"tool_choice\": {\"a\":1} ,"
                                 "\"stream_options\" : { \"b\":[], \"include_usage\" : false } }\r\n";
        const auto request = read(body);
        QVERIFY(request);
        const classify::BodyMap& map = request->map;
        QCOMPARE(text(textAt(body, map.modelValue)), QStringLiteral("\"a\\u00e9\""));
        QCOMPARE(text(textAt(body, map.maxTokensKey)), QStringLiteral("\"max_tokens\""));
        QCOMPARE(text(textAt(body, map.maxCompletionTokensKey)), QStringLiteral("\"max_completion_tokens\""));
        QCOMPARE(text(textAt(body, map.metadataValue)), QStringLiteral("{\"x\": [1, {}] }"));
        QCOMPARE(text(textAt(body, map.metadataMember)), QStringLiteral("\"metadata\" : {\"x\": [1, {}] }"));
        QCOMPARE(text(textAt(body, map.emptyToolsMember)), QStringLiteral("\"tools\" : [ ]"));
        QCOMPARE(text(textAt(body, map.toolChoiceMember)), QStringLiteral("\"tool_choice\": {\"a\":1}"));
        QCOMPARE(text(textAt(body, map.streamOptionsValue)), QStringLiteral("{ \"b\":[], \"include_usage\" : false }"));
        QCOMPARE(text(textAt(body, map.includeUsageValue)), QStringLiteral("false"));
        QCOMPARE(map.objectEnd, body.rfind('}'));
        QCOMPARE(text(request->features.model), QStringLiteral("aé"));
        QCOMPARE(request->features.outputCap, std::optional<std::uint64_t>(6));
        QVERIFY(request->features.outputCapField == classify::OutputCapField::maxCompletionTokens);
    }

    // Servers disagree about what "yes" means: some stream then, some refuse.
    void onlyABooleanSaysWhetherToStream_data() {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<bool>("streams");
        QTest::addColumn<bool>("unclear");
        QTest::newRow("true") << QByteArray("true") << true << false;
        QTest::newRow("false") << QByteArray("false") << false << false;
        QTest::newRow("null") << QByteArray("null") << false << false;
        for (const char* other : {"\"true\"", "\"yes\"", "1", "0", "[]", "{\"a\":[true]}", "[true]"})
            QTest::newRow(other) << QByteArray(other) << false << true;
    }
    void onlyABooleanSaysWhetherToStream() {
        QFETCH(QByteArray, value);
        const std::string body = "{\"model\":\"m\",\"stream\": " + value.toStdString() + " }";
        for (const auto dialect : {classify::Dialect::openai, classify::Dialect::anthropic}) {
            const auto request = classify::classifyBody(dialect, body, {}, {}, 1);
            QVERIFY(request);
            QTEST(request->features.stream, "streams");
            QTEST(request->streamUnclear, "unclear");
        }
    }

    // F26: an empty tools array goes, and its tool_choice and parallel_tool_calls with it. F33: what we consumed never reaches an upstream.
    void cutsLeaveAWellFormedBody_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* tag, const char* body, const char* expected) {
            QTest::newRow(tag) << QString::fromUtf8(body) << QString::fromUtf8(expected);
        };
        row("nothing to cut", R"({"model":"m","tools":[1],"tool_choice":"auto","metadata":{"a":1}})",
            R"({"model":"m","tools":[1],"tool_choice":"auto","metadata":{"a":1}})");
        row("empty tools first", R"({"tools":[],"model":"m"})", R"({"model":"m"})");
        row("empty tools last", R"({"model":"m","tools":[]})", R"({"model":"m"})");
        row("choice before tools", R"({"model":"m","tool_choice":"none","tools":[],"n":1})", R"({"model":"m","n":1})");
        row("choice and tools apart", R"({"tool_choice":"none","model":"m","tools":[]})", R"({"model":"m"})");
        row("all that speaks of tools", R"({"parallel_tool_calls":true,"model":"m","tools":[],"tool_choice":"auto"})", R"({"model":"m"})");
        row("parallel calls without tools", R"({"parallel_tool_calls":true,"model":"m"})", R"({"parallel_tool_calls":true,"model":"m"})");
        row("only empty tools", R"({"tools":[]})", R"({})");
        row("everything goes", R"({"tools":[],"metadata":{"category":"code"},"tool_choice":1})", R"({})");
        row("hints beside foreign metadata", R"({"metadata":{"category":"code","x":"y"},"tools":[],"model":"m"})",
            R"({"metadata":{"x":"y"},"model":"m"})");
        row("hints around foreign metadata",
            R"({"metadata":{"category":"code","x":"y","input_tokens":"9","expected_length":"short"},"model":"m"})",
            R"({"metadata":{"x":"y"},"model":"m"})");
        row("no hint, for it is no text", R"({"metadata":{"category":5},"model":"m"})", R"({"metadata":{"category":5},"model":"m"})");
        row("no hint, for it is a container", R"({"metadata":{"category":{"a":[1]},"x":1},"model":"m"})",
            R"({"metadata":{"category":{"a":[1]},"x":1},"model":"m"})");
        row("a hint beside one that is none", R"({"metadata":{"category":5,"expected_length":"short"},"model":"m"})",
            R"({"metadata":{"category":5},"model":"m"})");
        row("text that says nothing we know", R"({"metadata":{"category":"novel"},"model":"m"})", R"({"model":"m"})");
        row("a number of tokens", R"({"metadata":{"input_tokens":12,"x":1},"model":"m"})", R"({"metadata":{"x":1},"model":"m"})");
        row("half a token", R"({"metadata":{"input_tokens":1.5},"model":"m"})", R"({"metadata":{"input_tokens":1.5},"model":"m"})");
        row("a hint, and one of its name that is none", R"({"metadata":{"category":"code","category":5},"model":"m"})",
            R"({"metadata":{"category":5},"model":"m"})");
        row("empty metadata is not ours", R"({"metadata":{},"model":"m"})", R"({"metadata":{},"model":"m"})");
        row("metadata of another type", R"({"metadata":null,"model":"m"})", R"({"metadata":null,"model":"m"})");
        row("tools of another type", R"({"tools":null,"tool_choice":"auto"})", R"({"tools":null,"tool_choice":"auto"})");
    }
    void cutsLeaveAWellFormedBody() {
        QFETCH(QString, body);
        QFETCH(QString, expected);
        const std::string bytes = body.toStdString();
        const auto request = read(bytes);
        QVERIFY(request);
        const std::string cut = withCuts(bytes, *request);
        QVERIFY(OrderedJson::accept(cut));
        QCOMPARE(text(cut), expected);
    }

    void malformedBodiesAreRefusedWithTheirPlace_data() {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("byte");
        const auto row = [](const char* tag, QByteArray body, int byte) { QTest::newRow(tag) << body << byte; };
        row("empty", "", 0);
        row("blank", "   ", 0);
        row("array", "[1]", 0);
        row("text", "\"x\"", 0);
        row("truncated", R"({"model":"m","messages":[{"role":"user")", 39);
        row("truncated text", "{\"model\":\"mo", 9);
        row("trailing text", R"({"a":1}x)", 8);
        row("second brace", R"({"a":1}})", 7);
        row("second document", R"({"a":1}{})", 7);
        row("trailing comma", R"({"a":1,})", 7);
        row("no comma", R"({"a":[1 2]})", 8);
        row("no colon", R"({"a" 1})", 5);
        row("bare key", "{a:1}", 1);
        row("colon in an array", R"({"a":["b":1]})", 9);
        row("second colon", R"({"a":"b":1})", 8);
        row("second colon in a message", R"({"messages":[{"content":"a":"b"}]})", 27);
        row("colon in a prompt", R"({"prompt":["a":"b"]})", 14);
        row("literal", R"({"a":tru})", 5);
        row("NaN", R"({"a":NaN})", 5);
        row("leading zero", R"({"a":01})", 5);
        row("bare minus", R"({"a":{"b":-}})", 10);
        row("half a fraction", R"({"a":1.})", 5);
        row("escape", R"({"a":"\q"})", 6);
        row("escape in skipped part", R"({"tools":[{"a":{"b":"x\q"}}]})", 22);
        row("escape in message", R"({"messages":[{"content":"a\q"}]})", 26);
        row("short unicode escape", R"({"a":"\u12"})", 6);
        row("half a surrogate pair", R"({"a":"\ud83dx"})", 6);
        row("low surrogate alone", R"({"a":"\ude00"})", 6);
        row("not UTF-8", "{\"a\":\"x\xff\"}", 7);
        row("overlong UTF-8", "{\"a\":\"b\",\"c\":\"\xc0\xaf\"}", 14);
        row("raw control character", "{\"a\":\"x\x01\"}", 7);
        row("byte order mark", "\xef\xbb\xbf{}", 0);
    }
    void malformedBodiesAreRefusedWithTheirPlace() {
        QFETCH(QByteArray, body);
        QFETCH(int, byte);
        const auto request = read(std::string_view(body.constData(), static_cast<std::size_t>(body.size())));
        QVERIFY(!request);
        QVERIFY(request.error().kind == ErrorKind::badInput);
        QCOMPARE(text(request.error().where), QStringLiteral("byte %1").arg(byte));
        QVERIFY(!request.error().message.empty() && !request.error().hint.empty());
    }

    // Whatever stands in front of it, a prefix of a body is never taken for a body.
    void everyPrefixIsRefused() {
        const std::string body = R"({"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"h\u00e9\n"}]}],)"
                                 R"("tools":[{"a":[true,null,-1.5e3]}],"metadata":{"category":"code"},"stream":true})";
        QVERIFY(read(body));
        for (std::size_t length = 0; length < body.size(); ++length) {
            const auto request = read(std::string_view(body).substr(0, length));
            QVERIFY2(!request, std::to_string(length).c_str());
            QVERIFY(request.error().kind == ErrorKind::badInput);
        }
    }

    void duplicateKeysThatWeReadAreRefused_data() {
        QTest::addColumn<QString>("key");
        for (const char* key : {"model", "messages", "prompt", "input", "tools", "tool_choice", "response_format",
                                "max_tokens", "max_completion_tokens", "stream", "stream_options", "metadata",
                                "parallel_tool_calls", "n", "seed", "logprobs", "temperature", "reasoning_effort"})
            QTest::newRow(key) << QString::fromUtf8(key);
    }
    void duplicateKeysThatWeReadAreRefused() {
        QFETCH(QString, key);
        const std::string name = key.toStdString();
        const auto request = read("{\"" + name + "\":1,\"other\":1,\"" + name + "\":2}");
        QVERIFY(!request);
        QVERIFY(request.error().kind == ErrorKind::badInput);
        QVERIFY(request.error().message.find('"' + name + '"') != std::string::npos);
    }
    void duplicateKeyHiddenInAnEscapeIsRefused() {
        const auto request = read(R"({"model":"a","mod\u0065l":"b"})");
        QVERIFY(!request);
        QVERIFY(request.error().message.find("\"model\"") != std::string::npos);
    }
    void duplicateKeysThatWeDoNotReadPass() { QVERIFY(read(R"({"model":"m","top_p":1,"top_p":0.5})")); }

    void hintsHeaderThenMetadataThenPrincipal() {
        const std::string body = R"({"model":"m","metadata":{"expected_length":"medium","category":"code","input_tokens":"7"}})";
        const CallerHints principal{"long", "code", "9"};
        auto request = read(body, {"short", std::nullopt, "5"}, principal);
        QVERIFY(request);
        QVERIFY(request->features.cell.length == LengthBucket::shortOutput);
        QVERIFY(request->features.lengthFoundBy == FoundBy::header);
        QVERIFY(request->features.cell.workload == WorkloadClass::codeGen);
        QVERIFY(request->features.workloadFoundBy == FoundBy::metadata);
        QCOMPARE(request->features.inputTokens, std::uint64_t{5});
        QVERIFY(request->features.inputTokensFoundBy == FoundBy::header);

        // A malformed hint is no hint, so the weaker source speaks.
        request = read(body, {"tiny", "chat", "-5"}, principal);
        QVERIFY(request);
        QVERIFY(request->features.cell.length == LengthBucket::mediumOutput);
        QVERIFY(request->features.workloadFoundBy == FoundBy::metadata);
        QCOMPARE(request->features.inputTokens, std::uint64_t{7});

        request = read(R"({"model":"m"})", {}, principal);
        QVERIFY(request);
        QVERIFY(request->features.cell.length == LengthBucket::longOutput);
        QVERIFY(request->features.lengthFoundBy == FoundBy::principal);
        QVERIFY(request->features.workloadFoundBy == FoundBy::principal);
        QCOMPARE(request->features.inputTokens, std::uint64_t{9});
    }

    void weakerHintsFillWhatSaysNothing() {
        CallerHints hints{"tiny", std::nullopt, "3"};
        hints.fillFrom({"short", "code", "9"});
        QVERIFY(hints == (CallerHints{"short", "code", "3"}));
    }

    void legacyAndEmbeddingsBodies() {
        auto request = read(R"({"model":"m","prompt":["abcd","e"],"max_tokens":1})");
        QVERIFY(request);
        QCOMPARE(request->features.inputTokens, std::uint64_t{2});
        request = read(R"({"model":"m","prompt":[[11,12],[13]]})");
        QVERIFY(request);
        QCOMPARE(request->features.inputTokens, std::uint64_t{3});
        request = read(R"({"model":"m","input":"hé"})");
        QVERIFY(request);
        QCOMPARE(request->features.inputTokens, std::uint64_t{1});
    }

    void escapesCountAsWhatTheyStandFor() {
        // "é", "字", an emoji as a pair and a newline: 2 + 3 + 4 + 1 bytes of text, and 2 tokens are 8 of them.
        const auto request = read(R"({"prompt":"\u00e9\u5b57\ud83d\ude00\n"})");
        QVERIFY(request);
        QCOMPARE(request->features.inputTokens, std::uint64_t{3});
    }

    void capabilitiesAreSeen() {
        const auto request = read(
            R"({"model":"m","stream":true,"stream_options":{"include_usage":true},"parallel_tool_calls":true,)"
            R"("tools":[{},{"a":1}],"response_format":{"type":"json_schema"},)"
            R"("messages":[{"content":[{"type":"image_url","image_url":{"url":"data:"}},{"type":"text","text":"abcd"}]}]})");
        QVERIFY(request);
        const classify::RequestFeatures& features = request->features;
        QVERIFY(features.stream && features.includeUsage && features.parallelTools && features.structuredOutput && features.vision);
        QCOMPARE(features.toolsOffered, std::uint32_t{2});
        QCOMPARE(features.inputTokens, std::uint64_t{1});
        QVERIFY(features.cell.workload == WorkloadClass::toolCall);
    }

    void numbersOfAnySizeAreJson() {
        const auto request = read(R"({"max_tokens":123456789012345678901234567890,"seed":1e999,"x":-0.0E-12})");
        QVERIFY(request);
        QCOMPARE(request->features.outputCap, std::optional<std::uint64_t>(std::numeric_limits<std::uint64_t>::max()));
        QVERIFY(request->features.cell.length == LengthBucket::longOutput);
    }

    void modelThatIsNotTextIsNoModel() {
        for (const char* body : {R"({"model":null})", R"({"model":5})", R"({"model":{"a":1}})", R"({"model":""})", "{}"}) {
            const auto request = read(body);
            QVERIFY(request);
            QVERIFY(request->features.model.empty());
        }
    }

    void deepNestingIsRefusedNotCrashed() {
        for (const std::size_t depth : {std::size_t{300}, std::size_t{5'000}, std::size_t{1'000'000}}) {
            const std::string body = "{\"a\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
            const auto request = read(body);
            QVERIFY(!request);
            QVERIFY(request.error().kind == ErrorKind::badInput);
        }
        QVERIFY(read("{\"a\":" + std::string(200, '[') + std::string(200, ']') + "}"));
    }

    // F37: coding agents send megabytes; the reader gives the memory back and still reads small ones afterwards.
    void hugeBodies() {
        const std::string filler(std::size_t{12} << 20, 'x');
        const std::string body = "{\"messages\":[{\"content\":\"" + filler + "\"}],\"model\":\"m\"}";
        const auto request = read(body);
        QVERIFY(request);
        QCOMPARE(request->features.inputTokens, std::uint64_t{filler.size() / 4});
        QCOMPARE(text(textAt(body, request->map.modelValue)), QStringLiteral("\"m\""));
        QVERIFY(read(R"({"model":"m"})"));
    }

    // Whoever may use the gateway may send 32 MiB of anything, and every I/O thread has a reader. Under sanitizers nothing is counted.
    void whatLargeBodiesTookIsGivenBack_data() {
        QTest::addColumn<QByteArray>("body");
        const auto row = [](const char* tag, const char* front, const char* one, const char* back) {
            QTest::newRow(tag) << QByteArray(front).append(QByteArray(one).repeated(600'000)).append(back);
        };
        row("members", "{", "\"\":0,", "\"model\":\"m\"}");
        row("metadata", "{\"metadata\":{", "\"\":0,", "\"x\":0}}");
        row("no object", "[", "123456789,", "1]");
        row("not UTF-8", "{\"a\":[", "123456789,", "\"\xff\"]}");
        row("refused at its end", "{\"a\":[", "123456789,", "tru]}");
    }
    void whatLargeBodiesTookIsGivenBack() {
        QFETCH(QByteArray, body);
        const auto held = [] {
            const struct mallinfo2 now = mallinfo2();
            return static_cast<std::ptrdiff_t>(now.uordblks + now.hblkhd);
        };
        (void)read(R"({"model":"m"})");
        const std::ptrdiff_t before = held();
        (void)read(std::string_view(body.constData(), static_cast<std::size_t>(body.size())));
        QVERIFY2(held() - before < (std::ptrdiff_t{4} << 20), std::to_string(held() - before).c_str());
    }

    void videosNeedEyes() {
        const auto request = read(R"({"model":"m","messages":[{"content":[{"type":"video_url","video_url":{"url":"x"}}]}]})");
        QVERIFY(request && request->features.vision);
    }

    // F34
    void oddModelNamesSurvive() {
        for (const std::string name : {"org/name:tag@rev", "a b", "字", "😀", "a%2Fb", "e\u0301", "\u00e9", "x"}) {
            const auto request = read(OrderedJson{{"model", name}}.dump());
            QVERIFY(request);
            QCOMPARE(text(request->features.model), text(name));
        }
    }
};

QTEST_APPLESS_MAIN(TestClassify)
#include "tst_classify.moc"
