// SPDX-License-Identifier: MIT
// Streams of the Anthropic edge: what commits them, how they end, and clients that leave.
#include "tests/router/gateway/messages_script.h"

#include "router/base/json_document.h"

#include <nlohmann/json.hpp>
#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;
using dispatch::Chunk;
using dispatch::UpstreamFailure;

class AnthropicStreamTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void F10_usageBelongsToTheAnswer();
    void F2_onlyContentCommits();
    void F6_errorAfterContentIsItsOwnEvent();
    void F28_nothingIsAddedBesideToolCalls();
    void F45_clientLeavesWhileWaiting_data();
    void F45_clientLeavesWhileWaiting();
    void F45_clientLeavesWhileStreaming();
    void F45_clientLeavesWhileCounting();
};

namespace {

std::string messageStreamText() {
    return requestText({"POST", kMessagesPath, {kApiKey, kVersion}, kMessageStream});
}

UpstreamFailure cutOff() {
    UpstreamFailure failure;
    failure.kind = UpstreamFailure::Kind::disconnected;
    failure.code = "disconnected";
    failure.message = "The upstream closed the connection.";
    return failure;
}

FakeReply slowly(FakeReply reply) {
    reply.firstDelay = 60s;
    return reply;
}

} // namespace

void AnthropicStreamTest::F10_usageBelongsToTheAnswer() {
    GatewayFixture gateway;
    const FakeReply reply = messageStream({"a", "b"});
    gateway.upstream().setScript([&](const auto&) { return reply; });
    const auto response = postMessage(gateway, kMessageStream);
    QVERIFY(response && response->complete);
    QCOMPARE(response->header("content-type"), std::string("text/event-stream"));
    std::string all;
    for (const Chunk& chunk : reply.chunks)
        all += chunk.bytes;
    QCOMPARE(response->body, all);
    QVERIFY(gateway.records().at(0).edge == evidence::Edge::anthropic);
    QVERIFY(gateway.records().at(0).firstContentMs.has_value());
}

void AnthropicStreamTest::F2_onlyContentCommits() {
    FixtureOptions options;
    options.models = {"plain"};
    options.more = "\n[routing]\nmode = \"off\"\n\n[routing.groups.g]\naliases = [\"auto\"]\n"
                   "\n[[routing.groups.g.candidates]]\nprovider = \"up\"\nmodel = \"plain\"\n"
                   "\n[[routing.groups.g.candidates]]\nprovider = \"other\"\nmodel = \"elsewhere\"\n";
    GatewayFixture gateway(options);
    gateway.upstream().setScript([](const auto&) {
        FakeReply reply = messageStream({});
        reply.chunks.resize(2); // message_start and the start of a block
        reply.endsWith = cutOff();
        return reply;
    });
    gateway.other().setScript(messageReply);
    const auto response =
        postMessage(gateway, R"({"model":"auto","max_tokens":5,"stream":true,"messages":[{"role":"user","content":"x"}]})");
    QCOMPARE(response->status, 200);
    QCOMPARE(response->header("x-signalbox-route"), std::string("other:elsewhere"));
    QCOMPARE(response->body.find("message_start"), std::string("event: ").size());
    QVERIFY2(response->body.find("message_start", 60) == std::string::npos, "the first attempt left no trace");
}

void AnthropicStreamTest::F6_errorAfterContentIsItsOwnEvent() {
    GatewayFixture gateway;
    gateway.upstream().setScript([](const auto&) {
        FakeReply reply = messageStream({"a"});
        reply.chunks.resize(3);
        reply.endsWith = cutOff();
        return reply;
    });
    RawClient client(gateway.port());
    QVERIFY(client.send(messageStreamText()));
    const auto response = client.response();
    QVERIFY(response);
    QCOMPARE(response->status, 200);
    const auto at = response->body.find("event: error\ndata: ");
    QVERIFY(at != std::string::npos && response->body.ends_with("\n\n"));
    const auto error = OrderedJson::parse(response->body.substr(at + std::string("event: error\ndata: ").size()));
    QCOMPARE(error.value("type", ""), std::string("error"));
    QCOMPARE(error["error"].value("type", ""), std::string("api_error"));
    QCOMPARE(error.value("request_id", ""), response->header("request-id"));
    QVERIFY2(response->body.find("message_stop") == std::string::npos, "success is never invented (F4)");
    // The head announced no close: a client that pools its connections sends its next request here.
    QVERIFY(client.send(messageStreamText()));
    QVERIFY(client.response().value_or(RawResponse{}).complete);
    const auto record = gateway.records().at(0);
    QVERIFY(record.outcome == evidence::Outcome::failed);
    QCOMPARE(record.status, 502);
    QCOMPARE(record.errorCode, std::string("disconnected"));
}

// The edge relays what the adapter says and adds no block of its own.
void AnthropicStreamTest::F28_nothingIsAddedBesideToolCalls() {
    GatewayFixture gateway;
    const std::string whole = R"({"type":"message","role":"assistant","content":[{"type":"tool_use","id":"t","name":"n","input":{}}]})";
    FakeReply stream = messageStream({});
    stream.chunks[1] = {Chunk::Kind::content,
                        messageEvent("content_block_start", R"("index":0,"content_block":{"type":"tool_use","id":"t","name":"n","input":{}})")};
    gateway.upstream().setScript([&](const auto& request) { return request.stream ? stream : FakeReply::whole(whole); });
    QCOMPARE(postMessage(gateway, kMessage)->body, whole);
    const auto response = postMessage(gateway, kMessageStream);
    QVERIFY(response->complete);
    QVERIFY(response->body.find("\"text\"") == std::string::npos);
}

void AnthropicStreamTest::F45_clientLeavesWhileWaiting_data() {
    QTest::addColumn<QString>("body");
    QTest::newRow("streaming") << QString::fromStdString(kMessageStream);
    QTest::newRow("whole") << QString::fromStdString(kMessage);
}

void AnthropicStreamTest::F45_clientLeavesWhileWaiting() {
    QFETCH(QString, body);
    GatewayFixture gateway;
    gateway.upstream().setScript([](const auto& request) { return slowly(messageReply(request)); });
    RawClient client(gateway.port());
    QVERIFY(client.send(requestText({"POST", kMessagesPath, {kApiKey, kVersion}, body.toStdString()})));
    QTRY_COMPARE(gateway.upstream().active(), 1);
    client.close();
    QTRY_COMPARE(gateway.upstream().active(), 0);
    QCOMPARE(gateway.upstream().dropped(), 1);
    QTRY_COMPARE(gateway.records().size(), std::size_t{1});
    const auto record = gateway.records().front();
    QVERIFY(record.edge == evidence::Edge::anthropic);
    QVERIFY(record.outcome == evidence::Outcome::cancelled);
    QCOMPARE(record.errorCode, std::string("client_gone"));
    QTRY_COMPARE(gateway.server().counters().inFlight, 0U);
}

void AnthropicStreamTest::F45_clientLeavesWhileStreaming() {
    GatewayFixture gateway;
    gateway.upstream().setScript([](const auto&) {
        FakeReply reply = messageStream(std::vector<std::string>(1000, "piece"));
        reply.chunkDelay = 20ms;
        return reply;
    });
    RawClient client(gateway.port());
    QVERIFY(client.send(messageStreamText()));
    QVERIFY(client.waitFor("piece"));
    client.close();
    QTRY_COMPARE(gateway.upstream().dropped(), 1);
    QTRY_COMPARE(gateway.records().size(), std::size_t{1});
    QVERIFY(gateway.records().front().outcome == evidence::Outcome::cancelled);
    QTRY_COMPARE(gateway.server().counters().inFlight, 0U);
}

void AnthropicStreamTest::F45_clientLeavesWhileCounting() {
    GatewayFixture gateway(anthropicUpstream());
    gateway.upstream().setScript([](const auto&) { return slowly(FakeReply::whole(R"({"input_tokens":5})")); });
    RawClient client(gateway.port());
    QVERIFY(client.send(requestText({"POST", kMessagesPath + "/count_tokens", {kApiKey, kVersion}, kMessage})));
    QTRY_COMPARE(gateway.upstream().active(), 1);
    client.close();
    QTRY_COMPARE(gateway.upstream().active(), 0);
    QTRY_COMPARE(gateway.server().counters().inFlight, 0U);
    QVERIFY(gateway.records().empty());
}

QTEST_APPLESS_MAIN(AnthropicStreamTest)
#include "tst_anthropic_stream.moc"
