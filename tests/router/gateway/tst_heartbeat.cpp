// SPDX-License-Identifier: MIT
// F17, F18: a client of a stream hears something while nothing comes.
#include "tests/router/gateway/messages_script.h"

#include "router/base/json_document.h"

#include <nlohmann/json.hpp>
#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;
using dispatch::UpstreamFailure;

namespace {

constexpr const char* kComment = ": waiting for the model\n\n";
constexpr const char* kPing = "event: ping\ndata: {\"type\": \"ping\"}\n\n";
const std::string kChatStream = R"({"model":"model-a","stream":true})";

FixtureOptions beating(const char* every = "heartbeat_ms = 30\n") {
    FixtureOptions options;
    options.server = every;
    return options;
}

struct EdgeCase {
    std::string path, body, beat;
};
EdgeCase edgeCase(bool anthropic) {
    return anthropic ? EdgeCase{kMessagesPath, kMessageStream, kPing} : EdgeCase{"/v1/chat/completions", kChatStream, kComment};
}
FakeReply streamOf(bool anthropic, const std::vector<std::string>& pieces) {
    return anthropic ? messageStream(pieces) : FakeReply::stream(pieces);
}

std::size_t countOf(const std::string& text, const std::string& what) {
    std::size_t count = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
    return count;
}

} // namespace

class HeartbeatTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void F17_F18_beatsBeforeTheUpstreamAnswers_data() { edges(); }
    void F17_F18_beatsBeforeTheUpstreamAnswers();
    void beatsBetweenChunks_data() { edges(); }
    void beatsBetweenChunks();
    void laterFailuresAreEventsOfTheStream_data() { edges(); }
    void laterFailuresAreEventsOfTheStream();
    void failsOverAfterABeat();
    void offByDefaultAndForWholeAnswers();
    void wholeBodyAfterABeatIsAnError();
    void F45_clientLeavesBetweenBeats_data() { edges(); }
    void F45_clientLeavesBetweenBeats();
    void readerThatTakesNothingIsCut();

private:
    static void edges() {
        QTest::addColumn<bool>("anthropic");
        QTest::newRow("openai") << false;
        QTest::newRow("anthropic") << true;
    }
};

void HeartbeatTest::F17_F18_beatsBeforeTheUpstreamAnswers() {
    QFETCH(bool, anthropic);
    const EdgeCase edge = edgeCase(anthropic);
    GatewayFixture gateway(beating());
    gateway.upstream().setScript([&](const auto&) {
        FakeReply reply = streamOf(anthropic, {"a"});
        reply.firstDelay = 60s;
        return reply;
    });
    RawClient client(gateway.port());
    QVERIFY(client.send(requestText({"POST", edge.path, {kAuth}, edge.body})));
    QVERIFY(client.waitFor("200 OK"));
    QVERIFY(client.waitFor(edge.beat));
    QVERIFY(client.pending().find("content-type: text/event-stream") != std::string::npos);
    QVERIFY(client.pending().find("x-request-id: ") != std::string::npos);
    QCOMPARE(gateway.upstream().active(), 1);
}

void HeartbeatTest::beatsBetweenChunks() {
    QFETCH(bool, anthropic);
    const EdgeCase edge = edgeCase(anthropic);
    GatewayFixture gateway(beating());
    gateway.upstream().setScript([&](const auto&) {
        FakeReply reply = streamOf(anthropic, {"first", "second"});
        reply.chunkDelay = 150ms;
        return reply;
    });
    RawClient client(gateway.port());
    QVERIFY(client.send(requestText({"POST", edge.path, {kAuth}, edge.body})));
    const auto response = client.response();
    QVERIFY(response && response->complete);
    const auto first = response->body.find("first"), second = response->body.find("second");
    QVERIFY(first != std::string::npos && second != std::string::npos);
    QVERIFY(countOf(response->body.substr(first, second - first), edge.beat) >= 2);
    // Every event is whole: what is left without the beats is what was sent.
    std::string rest = response->body;
    for (auto at = rest.find(edge.beat); at != std::string::npos; at = rest.find(edge.beat)) rest.erase(at, edge.beat.size());
    std::string sent;
    for (const dispatch::Chunk& chunk : streamOf(anthropic, {"first", "second"}).chunks)
        if (anthropic || chunk.kind != dispatch::Chunk::Kind::usage) sent += chunk.bytes;
    QCOMPARE(rest, sent);
    QVERIFY(gateway.records().at(0).outcome == evidence::Outcome::served);
}

void HeartbeatTest::laterFailuresAreEventsOfTheStream() {
    QFETCH(bool, anthropic);
    const EdgeCase edge = edgeCase(anthropic);
    GatewayFixture gateway(beating());
    gateway.upstream().setScript([](const auto&) { return FakeReply{.failure = upstreamStatus(500), .firstDelay = 200ms}; });
    RawClient client(gateway.port());
    QVERIFY(client.send(requestText({"POST", edge.path, {kAuth}, edge.body})));
    const auto response = client.response();
    QVERIFY(response);
    QCOMPARE(response->status, 200);
    QVERIFY(response->body.starts_with(edge.beat));
    QVERIFY(response->body.find(anthropic ? "event: error\ndata: {\"type\":\"error\"" : "data: {\"error\":") != std::string::npos);
    QVERIFY2(response->body.find(anthropic ? "message_stop" : "[DONE]") == std::string::npos, "success is never invented (F4)");
    const auto record = gateway.records().at(0);
    QVERIFY(record.outcome == evidence::Outcome::failed);
    QCOMPARE(record.status, 500);  // F7: the true one
}

void HeartbeatTest::failsOverAfterABeat() {
    FixtureOptions options = beating();
    options.models = {"plain"};
    options.more = "\n[routing]\nmode = \"off\"\n\n[routing.groups.g]\naliases = [\"auto\"]\n"
                   "\n[[routing.groups.g.candidates]]\nprovider = \"up\"\nmodel = \"plain\"\n"
                   "\n[[routing.groups.g.candidates]]\nprovider = \"other\"\nmodel = \"elsewhere\"\n";
    GatewayFixture gateway(options);
    gateway.upstream().setScript([](const auto&) { return FakeReply{.failure = upstreamStatus(500), .firstDelay = 200ms}; });
    gateway.other().setScript([](const auto&) { return FakeReply::stream({"served"}); });
    RawClient client(gateway.port());
    QVERIFY(client.send(requestText({"POST", "/v1/chat/completions", {kAuth}, R"({"model":"auto","stream":true})"})));
    const auto response = client.response();
    QVERIFY(response && response->complete);
    QVERIFY(response->body.starts_with(kComment));
    QVERIFY(response->body.find("served") != std::string::npos && response->body.ends_with("[DONE]\n\n"));
    QCOMPARE(gateway.records().at(0).endpointId, std::string("other:elsewhere"));
}

void HeartbeatTest::offByDefaultAndForWholeAnswers() {
    GatewayFixture silent;
    silent.upstream().setScript([](const auto&) {
        FakeReply reply = FakeReply::stream({"a"});
        reply.firstDelay = 100ms;
        return reply;
    });
    QVERIFY(silent.post(kChatStream)->body.find(kComment) == std::string::npos);
    GatewayFixture whole(beating("heartbeat_ms = 10\n"));
    whole.upstream().setScript([](const auto&) {
        FakeReply reply = FakeReply::whole("{\"object\":\"chat.completion\"}");
        reply.firstDelay = 100ms;
        return reply;
    });
    const auto response = whole.post(R"({"model":"model-a"})");
    QCOMPARE(response->body, std::string("{\"object\":\"chat.completion\"}"));
    QCOMPARE(response->header("content-type"), std::string("application/json"));
}

void HeartbeatTest::wholeBodyAfterABeatIsAnError() {
    GatewayFixture gateway(beating());
    gateway.upstream().setScript([](const auto&) {
        FakeReply reply = FakeReply::whole("{\"object\":\"chat.completion\"}");
        reply.firstDelay = 200ms;
        return reply;
    });
    RawClient client(gateway.port());
    QVERIFY(client.send(requestText({"POST", "/v1/chat/completions", {kAuth}, kChatStream})));
    const auto response = client.response();
    QVERIFY(response && response->complete);
    QVERIFY(response->body.find("data: {\"error\":") != std::string::npos);
    QVERIFY(response->body.find("chat.completion") == std::string::npos);
    QCOMPARE(gateway.records().at(0).errorCode, std::string("not_a_stream"));
}

void HeartbeatTest::F45_clientLeavesBetweenBeats() {
    QFETCH(bool, anthropic);
    const EdgeCase edge = edgeCase(anthropic);
    GatewayFixture gateway(beating());
    gateway.upstream().setScript([&](const auto&) {
        FakeReply reply = streamOf(anthropic, {"a"});
        reply.firstDelay = 60s;
        return reply;
    });
    RawClient client(gateway.port());
    QVERIFY(client.send(requestText({"POST", edge.path, {kAuth}, edge.body})));
    QVERIFY(client.waitFor(edge.beat));
    client.close();
    QTRY_COMPARE(gateway.upstream().active(), 0);
    QTRY_COMPARE(gateway.records().size(), std::size_t{1});
    QVERIFY(gateway.records().front().outcome == evidence::Outcome::cancelled);
    QCOMPARE(gateway.records().front().errorCode, std::string("client_gone"));
    QTRY_COMPARE(gateway.server().counters().inFlight, 0U);
}

void HeartbeatTest::readerThatTakesNothingIsCut() {
    FixtureOptions options = beating("heartbeat_ms = 20\nidle_timeout_ms = 300\n");
    GatewayFixture gateway(options);
    gateway.upstream().setScript([](const auto&) {
        FakeReply reply = FakeReply::stream(std::vector<std::string>(20'000, std::string(1000, 'x')));
        return reply;
    });
    RawClient client(gateway.port());
    client.setReceiveBuffer(256 << 10);
    QVERIFY(client.send(requestText({"POST", "/v1/chat/completions", {kAuth}, kChatStream})));
    QTRY_COMPARE(gateway.records().size(), std::size_t{1});
    QVERIFY(gateway.records().front().outcome == evidence::Outcome::cancelled);
    QTRY_COMPARE(gateway.upstream().active(), 0);
}

QTEST_APPLESS_MAIN(HeartbeatTest)
#include "tst_heartbeat.moc"
