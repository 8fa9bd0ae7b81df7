// SPDX-License-Identifier: MIT
#include "router/upstream/tool_calls.h"

#include "tests/router/upstream/adapter_harness.h"

#include <QTest>
#include <nlohmann/json.hpp>

using namespace signalbox;
using namespace signalbox::test;
using dispatch::ToolOutcome;
using upstream::ToolCalls;

namespace {

/// `good` accepts {"a":1} only, `free` has no schema; keeps what it was asked.
class Offer final : public dispatch::OfferedTools {
public:
    Verdict check(std::string_view tool, std::string_view arguments) const override {
        asked.emplace_back(tool, arguments);
        if (tool == "free") return Verdict::unchecked;
        if (tool != "good") return Verdict::unknownTool;
        return nlohmann::json::parse(arguments) == nlohmann::json{{"a", 1}} ? Verdict::fits : Verdict::violates;
    }
    mutable std::vector<std::pair<std::string, std::string>> asked;
};

std::string jsonText(std::string_view text) { return nlohmann::json(text).dump(); }

std::string delta(int call, const std::string& name, std::string_view arguments, int choice = 0) {
    const std::string named = name.empty() ? "" : R"("name":")" + name + "\",";
    return R"({"choices":[{"index":)" + std::to_string(choice) + R"(,"delta":{"tool_calls":[{"index":)" + std::to_string(call) +
           R"(,"function":{)" + named + R"("arguments":)" + jsonText(arguments) + "}}]}}]}";
}
const std::string kToolFinish = R"({"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]})";

struct Asked {
    ToolOutcome outcome;
    std::vector<std::pair<std::string, std::string>> asked;
    std::optional<dispatch::UpstreamFailure> failure;
};

boost::asio::awaitable<Asked> toolsOf(std::shared_ptr<dispatch::Adapter> adapter, dispatch::UpstreamRequest request) {
    Asked out;
    const auto offer = std::make_shared<Offer>();
    request.tools = offer;
    auto stream = co_await adapter->call(std::move(request));
    if (!stream) {
        out.failure = std::move(stream.error());
        co_return out;
    }
    while (true) {
        auto chunk = co_await (*stream)->next();
        if (!chunk) out.failure = std::move(chunk.error());
        if (!chunk || !*chunk) break;
    }
    out.outcome = (*stream)->toolOutcome();
    out.asked = offer->asked;
    co_return out;
}

}  // namespace

class TestToolCalls : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void outcomes_data();
    void outcomes();
    void piecesMayEndAnywhere();
    void memoryIsBounded();
    void unfinishedCallsAreUnchecked();
    void F22_F23_interleavedCallsOfAStream();
    void F22_callsOfOneIndex();
    void wholeAnswer();
    void anthropicStream();
    void anthropicWhole();
    void brokenOff();
};

void TestToolCalls::outcomes_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("arguments");
    QTest::addColumn<QList<int>>("expected");  // called, valid, fits, unchecked
    const auto row = [](const char* tag, const char* name, const char* arguments, QList<int> expected) {
        QTest::newRow(tag) << QByteArray(name) << QByteArray(arguments) << expected;
    };
    row("fits", "good", R"({"a":1})", {1, 1, 1, 0});
    row("violates", "good", R"({"a":2})", {1, 1, 0, 0});
    row("a tool that nobody offered", "other", R"({"a":1})", {1, 1, 0, 0});
    row("no schema", "free", R"({"a":1})", {1, 1, 0, 1});
    row("cut off", "good", R"({"a":)", {1, 0, 0, 0});
    row("nothing at all", "good", "", {1, 0, 0, 0});
    row("two values", "good", R"({"a":1}{"a":1})", {1, 0, 0, 0});
    row("single quotes", "good", "{'a':1}", {1, 0, 0, 0});
    row("not an object", "good", "null", {1, 1, 0, 0});
    row("a number beyond 64 bits", "free", R"({"id":123456789012345678901234567890})", {1, 1, 0, 1});
}

void TestToolCalls::outcomes() {
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, arguments);
    QFETCH(QList<int>, expected);
    ToolCalls calls(std::make_shared<Offer>());
    calls.saw({0, 0}, name.toStdString());
    const std::string escaped = jsonText(arguments.toStdString());
    calls.addEscaped({0, 0}, std::string_view(escaped).substr(1, escaped.size() - 2));
    calls.finishAll();
    calls.finishAll();
    const ToolOutcome outcome = calls.outcome();
    QCOMPARE((QList<int>{int(outcome.called), int(outcome.validJson), int(outcome.fitSchema), int(outcome.unchecked)}), expected);
}

void TestToolCalls::piecesMayEndAnywhere() {
    // As it stands in a stream: an escaped quote, and a character outside the first plane as two escapes.
    const std::string escaped = R"({\"a\":1,\"t\":\"\ud83d\ude00 \\\" \u00e9\"})";
    for (std::size_t cut = 0; cut <= escaped.size(); ++cut) {
        const auto offer = std::make_shared<Offer>();
        ToolCalls calls(offer);
        calls.saw({0, 0}, "good");
        calls.addEscaped({0, 0}, std::string_view(escaped).substr(0, cut));
        calls.addEscaped({0, 0}, std::string_view(escaped).substr(cut));
        calls.finishAll();
        QCOMPARE(calls.outcome(), (ToolOutcome{1, 1, 0, 0}));
        QCOMPARE(offer->asked.at(0).second, std::string("{\"a\":1,\"t\":\"\xF0\x9F\x98\x80 \\\" \xC3\xA9\"}"));
    }
}

void TestToolCalls::memoryIsBounded() {
    const auto offer = std::make_shared<Offer>();
    ToolCalls calls(offer);
    calls.saw({0, 0}, "good");
    const std::string piece(64 << 10, ' ');
    calls.addEscaped({0, 0}, "1");
    for (int i = 0; i < 100; ++i) calls.addEscaped({0, 0}, piece);
    for (std::uint64_t call = 1; call <= 8; ++call) {  // each may be kept, all together not
        calls.saw({0, call}, "good");
        calls.addEscaped({0, call}, "1");
        for (int i = 0; i < 3; ++i) calls.addEscaped({0, call}, piece);
    }
    calls.finishAll();
    QCOMPARE(calls.outcome(), (ToolOutcome{9, 5, 0, 4}));
    for (std::uint64_t call = 0; call < 5000; ++call) calls.saw({1, call}, "good");
    QCOMPARE(calls.count(), std::uint32_t{ToolCalls::kMostCalls});
    ToolCalls named(offer);
    named.saw({0, 0}, std::string(ToolCalls::kMostNameBytes + 1, 'n'));
    named.addEscaped({0, 0}, "{}");
    named.finishAll();
    QCOMPARE(named.outcome(), (ToolOutcome{1, 0, 0, 1}));
}

void TestToolCalls::unfinishedCallsAreUnchecked() {
    ToolCalls calls(std::make_shared<Offer>());
    calls.saw({0, 0}, "good");
    calls.addEscaped({0, 0}, R"({\"a\":)");
    QCOMPARE(calls.outcome(), (ToolOutcome{1, 0, 0, 1}));
    calls.finishChoice(1);
    QCOMPARE(calls.outcome(), (ToolOutcome{1, 0, 0, 1}));
    calls.addEscaped({0, 0}, "1}");
    calls.finishChoice(0);
    QCOMPARE(calls.outcome(), (ToolOutcome{1, 1, 1, 0}));
    calls.addEscaped({0, 0}, "later");
    QCOMPARE(calls.outcome(), (ToolOutcome{1, 1, 1, 0}));
    ToolCalls custom(std::make_shared<Offer>());
    custom.saw({0, 0}, "good");
    custom.setUnreadable({0, 0});
    custom.finishAll();
    QCOMPARE(custom.outcome(), (ToolOutcome{1, 0, 0, 1}));
}

void TestToolCalls::F22_F23_interleavedCallsOfAStream() {
    AdapterHarness harness;
    harness.upstream.enqueue(Reply::stream()
        .event(delta(0, "good", "")).event(delta(1, "good", R"({"a)")).event(delta(0, "", R"({"a":)"))
        .event(delta(1, "", R"(":2})")).event(delta(0, "", "1}")).event(delta(0, "free", "[]", 1))
        .event(kToolFinish).event("[DONE]").end());
    const auto adapter = *harness.make();
    const Asked got = runCoroutine(harness.context, toolsOf(adapter, AdapterHarness::request(true)));
    QVERIFY(!got.failure);
    QCOMPARE(got.outcome, (ToolOutcome{3, 3, 1, 1}));
    QCOMPARE(got.asked.size(), std::size_t{3});
}

// Some servers say index 0 of every call.
void TestToolCalls::F22_callsOfOneIndex() {
    const auto call = [](const char* id, int a) {
        return R"({"choices":[{"index":0,"finish_reason":"","delta":{"tool_calls":[{"index":0,"id":")" + std::string(id) +
               R"(","function":{"name":"good","arguments":)" + jsonText("{\"a\":" + std::to_string(a) + "}") + "}}]}}]}";
    };
    AdapterHarness harness;
    harness.upstream.enqueue(Reply::stream().event(call("x", 1)).event(call("y", 2)).event(kToolFinish).event("[DONE]").end());
    const auto adapter = *harness.make();
    const Asked got = runCoroutine(harness.context, toolsOf(adapter, AdapterHarness::request(true)));
    QVERIFY(!got.failure);
    QCOMPARE(got.outcome, (ToolOutcome{2, 2, 1, 0}));
    QCOMPARE(got.asked.at(1).second, std::string(R"({"a":2})"));
}

void TestToolCalls::wholeAnswer() {
    AdapterHarness harness;
    harness.upstream.enqueue(Reply::json(R"({"choices":[{"index":0,"finish_reason":"tool_calls","message":{"content":null,"tool_calls":[)"
        R"({"id":"x","type":"function","function":{"name":"good","arguments":"{\"a\":1}"}},)"
        R"({"id":"y","type":"function","function":{"arguments":"{'a'}","name":"good"}},)"
        R"({"id":"z","type":"custom","custom":{"name":"free","input":"anything"}}]}}]})"));
    const auto adapter = *harness.make();
    const Asked got = runCoroutine(harness.context, toolsOf(adapter, AdapterHarness::request(false)));
    QVERIFY(!got.failure);
    QCOMPARE(got.outcome, (ToolOutcome{3, 1, 1, 1}));
}

void TestToolCalls::anthropicStream() {
    AdapterHarness harness;
    harness.provider.protocol = config::Protocol::anthropic;
    const auto start = [](int index, const std::string& block) {
        return R"({"type":"content_block_start","index":)" + std::to_string(index) + R"(,"content_block":)" + block + "}";
    };
    const auto piece = [](int index, std::string_view json) {
        return R"({"type":"content_block_delta","index":)" + std::to_string(index) + R"(,"delta":{"type":"input_json_delta","partial_json":)" + jsonText(json) + "}}";
    };
    harness.upstream.enqueue(Reply::stream()
        .event(R"({"type":"message_start","message":{"id":"m","usage":{"input_tokens":3}}})")
        .event(start(0, R"({"type":"text","text":""})"))
        .event(start(1, R"({"type":"tool_use","id":"a","name":"good","input":{}})")).event(piece(1, "")).event(piece(1, R"({"a")")).event(piece(1, ":1}"))
        .event(start(2, R"({"type":"tool_use","id":"b","name":"free","input":{}})"))
        .event(start(3, R"({"type":"server_tool_use","id":"c","name":"web_search","input":{}})")).event(piece(3, "{\"q\":"))
        .event(R"({"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":5}})")
        .event(R"({"type":"message_stop"})").end());
    dispatch::UpstreamRequest request = AdapterHarness::request(true);
    request.path = "/messages";
    request.dialect = classify::Dialect::anthropic;
    const auto adapter = *harness.make();
    const Asked got = runCoroutine(harness.context, toolsOf(adapter, std::move(request)));
    QVERIFY2(!got.failure, got.failure ? got.failure->message.c_str() : "");
    QCOMPARE(got.outcome, (ToolOutcome{2, 2, 1, 1}));
    QCOMPARE(got.asked.at(1).second, std::string("{}"));
}

void TestToolCalls::anthropicWhole() {
    AdapterHarness harness;
    harness.provider.protocol = config::Protocol::anthropic;
    harness.upstream.enqueue(Reply::json(R"({"type":"message","content":[{"type":"text","text":"x"},)"
        R"({"type":"tool_use","id":"a","name":"good","input":{"a":1}},{"input":{"a":2},"name":"good","id":"b","type":"tool_use"}],)"
        R"("stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":2}})"));
    dispatch::UpstreamRequest request = AdapterHarness::request(false);
    request.path = "/messages";
    request.dialect = classify::Dialect::anthropic;
    const auto adapter = *harness.make();
    const Asked got = runCoroutine(harness.context, toolsOf(adapter, std::move(request)));
    QVERIFY2(!got.failure, got.failure ? got.failure->message.c_str() : "");
    QCOMPARE(got.outcome, (ToolOutcome{2, 2, 1, 0}));
}

void TestToolCalls::brokenOff() {
    AdapterHarness harness;
    harness.upstream.enqueue(Reply::stream().event(delta(0, "good", R"({"a":)")).close());
    const auto adapter = *harness.make();
    const Asked got = runCoroutine(harness.context, toolsOf(adapter, AdapterHarness::request(true)));
    QVERIFY(got.failure);
    QCOMPARE(got.outcome, (ToolOutcome{1, 0, 0, 1}));
}

QTEST_GUILESS_MAIN(TestToolCalls)
#include "tst_tool_calls.moc"
