// SPDX-License-Identifier: MIT
#include "tests/router/gateway/gateway_fixture.h"
#include "tests/router/gateway/pool_scene.h"
#include "tests/support/scripted_upstream.h"

#include <QTest>
#include <nlohmann/json.hpp>

using namespace signalbox;
using namespace signalbox::test;

namespace {

const std::string kPlanted = "planted-content-4711";

FixtureOptions over(const ScriptedUpstream& upstream) {
    FixtureOptions options;
    options.upstreams["up"] = upstream.baseUrl();
    return options;
}

std::string request(bool stream, const std::string& extra = {}) {
    return R"({"model":"model-a","stream":)" + std::string(stream ? "true" : "false") +
           R"(,"messages":[{"role":"user","content":")" + kPlanted +
           R"("}],"tools":[{"type":"function","function":{"name":"planted_tool_4712","description":"planted-content-4713","parameters":)"
           R"({"type":"object","properties":{"planted_member_4714":{"type":"integer"}},"required":["planted_member_4714"]}}}])" +
           extra + "}";
}

std::string jsonText(std::string_view text) { return nlohmann::json(text).dump(); }

std::string call(int index, const std::string& name, std::string_view arguments) {
    return R"({"index":)" + std::to_string(index) + R"(,"id":"c","type":"function","function":{"name":")" + name + R"(","arguments":)" +
           jsonText(arguments) + "}}";
}

std::string whole(const std::string& calls) {
    return R"({"choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":null,"tool_calls":[)" + calls +
           R"(]}}],"usage":{"prompt_tokens":9,"completion_tokens":4}})";
}

/// OpenAI takes `strict` of the first of these alone.
constexpr std::string_view kClosedSchema = R"({"type":"object","properties":{"a":{"type":"null"}},"required":["a"]})";
constexpr std::string_view kOpenSchema = R"({"type":"object","properties":{"a":{"type":"null"}}})";

/// Of a client of Anthropic's protocol.
std::string strictRequest(bool stream, std::string_view schema) {
    return R"({"model":"model-a","max_tokens":9,"stream":)" + std::string(stream ? "true" : "false") +
           R"(,"messages":[{"role":"user","content":"q"}],"tools":[{"name":"t","strict":true,"input_schema":)" + std::string(schema) + "}]}";
}

} // namespace

class GatewayToolsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anAnswersCallsAreRecorded_data();
    void anAnswersCallsAreRecorded();
    void F45_aClientThatLeavesSaysNothingAboutTheTool();
    void nothingOfferedNothingJudged_data();
    void nothingOfferedNothingJudged();
    void olderFunctionsAreOffered();
    void clientsOfTheOtherProtocolAreJudgedTheSame();
    void aStrictThatIsNotToldIsSaid_data();
    void aStrictThatIsNotToldIsSaid();
    void whatFailedBeforeItsHeadSaysIt_data();
    void whatFailedBeforeItsHeadSaysIt();
    void F45_whatAClientLeftBeforeItsHeadSaysIt();
};

void GatewayToolsTest::anAnswersCallsAreRecorded_data() {
    QTest::addColumn<bool>("stream");
    QTest::newRow("whole") << false;
    QTest::newRow("stream") << true;
}

void GatewayToolsTest::anAnswersCallsAreRecorded() {
    QFETCH(bool, stream);
    ScriptedUpstream upstream;
    const std::string good = R"({"planted_member_4714":4715})";
    const std::vector<std::string> calls{call(0, "planted_tool_4712", good), call(1, "planted_tool_4712", R"({"planted_member_4714":"4716"})"),
                                         call(2, "planted_tool_4712", "{planted-content-4717"), call(3, "planted_tool_4718", "{}")};
    if (stream) {
        Reply reply = Reply::stream();
        for (const std::string& one : calls)
            reply.event(R"({"choices":[{"index":0,"delta":{"tool_calls":[)" + one + "]}}]}");
        upstream.enqueue(reply.event(R"({"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]})").event("[DONE]").end());
    } else {
        upstream.enqueue(Reply::json(whole(calls[0] + "," + calls[1] + "," + calls[2] + "," + calls[3])));
    }
    GatewayFixture gateway(over(upstream));
    QCOMPARE(gateway.post(request(stream))->status, 200);
    const auto record = gateway.records().at(0);
    QCOMPARE(record.features.toolsOffered, 1U);
    QCOMPARE(record.toolsCalled, 4U);
    QCOMPARE(record.toolsValidJson, 3U);
    QCOMPARE(record.toolsFitSchema, 1U);
    QCOMPARE(record.toolsUnchecked, 0U);
    const std::string page = gateway.get("/metrics")->body;
    for (const char* line : {R"(signalbox_tool_calls_total{provider="up",verdict="fits"} 1)",
                             R"(signalbox_tool_calls_total{provider="up",verdict="violates"} 3)",
                             R"(signalbox_tool_calls_total{provider="up",verdict="unchecked"} 0)"})
        QVERIFY2(page.find(line) != std::string::npos, (std::string(line) + " in\n" + page).c_str());
    const std::string kept = evidence::encodeRecord(record) + page;
    QVERIFY(kept.find("planted") == std::string::npos);
}

void GatewayToolsTest::F45_aClientThatLeavesSaysNothingAboutTheTool() {
    ScriptedUpstream upstream;
    upstream.enqueue(Reply::stream()
                         .event(R"({"choices":[{"index":0,"delta":{"tool_calls":[)" + call(0, "planted_tool_4712", "{\"planted") + "]}}]}")
                         .stall());
    GatewayFixture gateway(over(upstream));
    {
        RawClient client(gateway.port());
        const std::string body = request(true);
        QVERIFY(client.send("POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n" + kAuth +
                            "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body));
        QTRY_COMPARE(upstream.requestCount(), std::size_t{1});
        QVERIFY(client.waitFor("tool_calls"));
    }
    QTRY_COMPARE(gateway.records().size(), std::size_t{1});
    const auto record = gateway.records().at(0);
    QVERIFY(record.outcome == evidence::Outcome::cancelled);
    QCOMPARE(record.toolsCalled, 1U);
    QCOMPARE(record.toolsValidJson, 0U);
    QCOMPARE(record.toolsUnchecked, 1U);
}

void GatewayToolsTest::nothingOfferedNothingJudged_data() {
    QTest::addColumn<QString>("body");
    QTest::newRow("nothing") << QStringLiteral(R"({"model":"model-a","messages":[]})");
    QTest::newRow("an earlier call of a function")
        << QStringLiteral(R"({"model":"model-a","functions":[],"messages":[{"role":"assistant","content":null,)"
                          R"("function_call":{"name":"f","arguments":"{}"}}]})");
}

void GatewayToolsTest::nothingOfferedNothingJudged() {
    QFETCH(QString, body);
    ScriptedUpstream upstream;
    upstream.enqueue(Reply::json(whole(call(0, "f", "{}"))));
    GatewayFixture gateway(over(upstream));
    QCOMPARE(gateway.post(body.toStdString())->status, 200);
    const auto record = gateway.records().at(0);
    QCOMPARE(record.toolsCalled, 1U);
    QCOMPARE(record.toolsValidJson, 1U);
    QCOMPARE(record.toolsFitSchema, 0U);
    QCOMPARE(record.toolsUnchecked, 1U);
}

void GatewayToolsTest::olderFunctionsAreOffered() {
    ScriptedUpstream upstream;
    upstream.enqueue(Reply::json(R"({"choices":[{"index":0,"finish_reason":"function_call","message":{"role":"assistant","content":null,)"
                                 R"("function_call":{"name":"f","arguments":"{\"n\":1}"}}}]})"));
    GatewayFixture gateway(over(upstream));
    QCOMPARE(gateway.post(R"({"model":"model-a","messages":[{"role":"user","content":"x"}],"functions":[{"name":"f","parameters":)"
                          R"({"type":"object","properties":{"n":{"type":"integer"}}}},{"name":"g"}]})")
                 ->status,
             200);
    const std::string receipt = evidence::encodeRecord(gateway.records().at(0));
    const auto record = evidence::decodeRecord(receipt);
    QVERIFY2(record.has_value(), receipt.c_str());
    QCOMPARE(record->features.toolsOffered, 0U);
    QCOMPARE(record->features.functionsOffered, 2U);
    QCOMPARE(record->toolsCalled, 1U);
    QCOMPARE(record->toolsFitSchema, 1U);
}

void GatewayToolsTest::clientsOfTheOtherProtocolAreJudgedTheSame() {
    ScriptedUpstream upstream;
    upstream.enqueue(Reply::json(whole(call(0, "t", R"({"n":1})") + "," + call(1, "t", R"({"n":"1"})"))));
    GatewayFixture gateway(over(upstream));
    const auto response = gateway.post(
        R"({"model":"model-a","max_tokens":9,"messages":[{"role":"user","content":"x"}],"tools":[{"name":"t","input_schema":{"type":"object","properties":{"n":{"type":"integer"}}}}]})",
        {"anthropic-version: 2023-06-01"}, "/v1/messages");
    QVERIFY2(response->status == 200 && response->body.find("tool_use") != std::string::npos, response->body.c_str());
    const auto record = gateway.records().at(0);
    QVERIFY(record.edge == evidence::Edge::anthropic);
    QCOMPARE(record.toolsCalled, 2U);
    QCOMPARE(record.toolsValidJson, 2U);
    QCOMPARE(record.toolsFitSchema, 1U);
    QCOMPARE(record.toolsUnchecked, 0U);
}

void GatewayToolsTest::aStrictThatIsNotToldIsSaid_data() {
    QTest::addColumn<bool>("stream");
    QTest::addColumn<bool>("closed");
    for (const bool stream : {false, true}) {
        const QByteArray kind = stream ? "stream" : "whole";
        QTest::newRow((kind + ", an optional property").constData()) << stream << false;
        QTest::newRow((kind + ", told").constData()) << stream << true;
    }
}

/// OpenAI would refuse the request for it. The client's answer says so, and so does the receipt, of the call that it was left out in.
void GatewayToolsTest::aStrictThatIsNotToldIsSaid() {
    QFETCH(const bool, stream);
    QFETCH(const bool, closed);
    const std::string leftOut = closed ? "" : "strict";
    ScriptedUpstream upstream;
    if (stream)
        upstream.enqueue(Reply::stream()
                             .event(R"({"choices":[{"index":0,"delta":{"role":"assistant","content":"ho"}}]})")
                             .event(R"({"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})")
                             .event("[DONE]")
                             .end());
    else
        upstream.enqueue(Reply::json(R"({"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"ho"}}]})"));
    GatewayFixture gateway(over(upstream));
    const auto response = gateway.post(strictRequest(stream, closed ? kClosedSchema : kOpenSchema), {}, "/v1/messages");
    QCOMPARE(response->status, 200);
    QCOMPARE(response->header("x-signalbox-left-out"), leftOut);
    const auto record = gateway.records().at(0);
    QCOMPARE(record.attempts.size(), std::size_t{1});
    QCOMPARE(record.attempts[0].leftOut, leftOut);
    const auto sent = nlohmann::json::parse(upstream.requests().at(0).body);
    QCOMPARE(sent["tools"][0]["function"].contains("strict"), closed);
}

namespace {

/// How an upstream breaks before it answers; none: nobody listens.
const std::vector<std::pair<const char*, std::optional<Reply>>>& breaks() {
    static const std::vector<std::pair<const char*, std::optional<Reply>>> all{
        {"a status", Reply::json(R"({"error":{"message":"it broke"}})", 500)},
        {"closed", Reply::nothing().close()},
        {"an error in the stream's place", Reply::stream().event(R"({"error":{"message":"it broke"}})").end()},
        {"refused", std::nullopt}};
    return all;
}

} // namespace

void GatewayToolsTest::whatFailedBeforeItsHeadSaysIt_data() {
    QTest::addColumn<std::size_t>("how");
    QTest::addColumn<bool>("closed");
    for (std::size_t how = 0; how < breaks().size(); ++how)
        for (const bool closed : {false, true})
            QTest::addRow("%s, %s", breaks()[how].first, closed ? "told" : "not told") << how << closed;
}

/// What was left out was left out, whatever came back. Whom nothing reached was told nothing, and so not less.
void GatewayToolsTest::whatFailedBeforeItsHeadSaysIt() {
    QFETCH(const std::size_t, how);
    QFETCH(const bool, closed);
    const std::optional<Reply>& reply = breaks()[how].second;
    ScriptedUpstream upstream;
    const DeadPort nobody(DeadPort::Manner::refuses);
    if (reply)
        upstream.setStandingReply(*reply);
    FixtureOptions options = over(upstream);
    if (!reply)
        options.upstreams["up"] = nobody.baseUrl();
    GatewayFixture gateway(options);
    const auto response = gateway.post(strictRequest(true, closed ? kClosedSchema : kOpenSchema), {}, "/v1/messages");
    QVERIFY(response && response->status >= 500);
    const auto record = gateway.records().at(0);
    QCOMPARE(record.attempts.size(), std::size_t{1});
    QVERIFY(record.attempts[0].outcome == evidence::AttemptOutcome::failed);
    QCOMPARE(record.attempts[0].leftOut, std::string(reply && !closed ? "strict" : ""));
}

void GatewayToolsTest::F45_whatAClientLeftBeforeItsHeadSaysIt() {
    ScriptedUpstream upstream;
    upstream.setStandingReply(Reply::nothing().stall());
    GatewayFixture gateway(over(upstream));
    {
        RawClient client(gateway.port());
        QVERIFY(client.send(requestText({.target = "/v1/messages", .headers = {kAuth}, .body = strictRequest(true, kOpenSchema)})));
        QTRY_COMPARE(upstream.requestCount(), std::size_t{1});
    }
    QTRY_COMPARE(gateway.records().size(), std::size_t{1});
    const auto record = gateway.records().at(0);
    QVERIFY(record.attempts.at(0).outcome == evidence::AttemptOutcome::cancelled);
    QCOMPARE(record.attempts.at(0).leftOut, std::string("strict"));
}

QTEST_GUILESS_MAIN(GatewayToolsTest)
#include "tst_gateway_tools.moc"
