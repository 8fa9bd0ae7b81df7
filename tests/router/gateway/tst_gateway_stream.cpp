// SPDX-License-Identifier: MIT
#include "tests/router/gateway/gateway_fixture.h"

#include "router/base/json_document.h"

#include <nlohmann/json.hpp>
#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;
using dispatch::Chunk;
using dispatch::UpstreamFailure;

namespace {
const std::string kStream = R"({"model":"model-a","stream":true})";
const std::string kWithUsage = R"({"model":"model-a","stream":true,"stream_options":{"include_usage":true}})";
const std::string kWhole = R"({"model":"model-a"})";

std::string streamText() {
    return requestText({"POST", "/v1/chat/completions", {kAuth}, kStream});
}

UpstreamFailure disconnected() {
    UpstreamFailure failure;
    failure.kind = UpstreamFailure::Kind::disconnected;
    failure.code = "disconnected";
    failure.message = "The upstream closed the connection.";
    return failure;
}
} // namespace

class GatewayStreamTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void f10_usageOnlyForThoseWhoAsked();
    void eventsArriveAsTheyCome();
    void f6_errorAfterContentIsAnEvent();
    void f3_errorBeforeContentIsHttp();
    void upstreamErrors_data();
    void upstreamErrors();
    void f45_clientLeavesWhileWaiting_data();
    void f45_clientLeavesWhileWaiting();
    void f45_clientLeavesWhileStreaming();
    void f45_pipelinedRequestIsNoLeaving();
    void slowReaderHoldsTheUpstreamBack();
    void stalledReaderIsCut();
    void simulatedIsLabelled();
};

void GatewayStreamTest::f10_usageOnlyForThoseWhoAsked() {
    GatewayFixture gateway;
    const auto plain = gateway.post(kStream);
    QVERIFY(plain && plain->complete);
    QVERIFY(plain->body.find("usage") == std::string::npos);
    QVERIFY(plain->body.ends_with("data: [DONE]\n\n"));
    const auto asked = gateway.post(kWithUsage);
    QVERIFY(asked->body.find("\"usage\"") != std::string::npos);
    QVERIFY2(gateway.upstream().requests()[0].body.find("include_usage") != std::string::npos,
             "it is always counted inside");
    for (const auto& record : gateway.records())
        QCOMPARE(record.outputTokens.value_or(0), std::uint64_t{7});
}

void GatewayStreamTest::eventsArriveAsTheyCome() {
    GatewayFixture gateway;
    gateway.upstream().setScript([](const auto&) {
        FakeReply reply = FakeReply::stream({"first", "second"});
        reply.chunkDelay = 150ms;
        return reply;
    });
    RawClient client(gateway.port());
    QVERIFY(client.send(streamText()));
    QVERIFY(client.waitFor("first"));
    QVERIFY2(client.pending().find("second") == std::string::npos, "the second piece was not sent by then");
    QVERIFY2(gateway.records().empty(), "nothing is recorded before the end");
    const auto response = client.response();
    QVERIFY(response->complete);
    QCOMPARE(gateway.records().size(), std::size_t{1});
    const auto record = gateway.records().front();
    QVERIFY(record.firstContentMs.value() < record.totalMs);
}

void GatewayStreamTest::f6_errorAfterContentIsAnEvent() {
    GatewayFixture gateway;
    gateway.upstream().setScript([](const auto&) {
        FakeReply reply;
        reply.chunks = {{Chunk::Kind::content, "data: {\"x\":1}\n\n"}};
        reply.endsWith = disconnected();
        return reply;
    });
    RawClient client(gateway.port());
    QVERIFY(client.send(streamText()));
    const auto response = client.response();
    QVERIFY(response);
    QCOMPARE(response->status, 200);
    QVERIFY(response->body.starts_with("data: {\"x\":1}\n\ndata: {\"error\":{\"message\":"));
    QVERIFY2(response->body.find("[DONE]") == std::string::npos, "success is never invented (F4)");
    // The head announced no close: a client that pools its connections sends its next request here.
    QVERIFY(client.send(streamText()));
    QVERIFY(client.response().value_or(RawResponse{}).complete);
    const auto record = gateway.records().at(0);
    QVERIFY(record.outcome == evidence::Outcome::failed);
    QCOMPARE(record.status, 502);
    QCOMPARE(record.errorCode, std::string("disconnected"));
    QCOMPARE(record.endpointId, std::string("up:model-a"));
}

void GatewayStreamTest::f3_errorBeforeContentIsHttp() {
    GatewayFixture gateway;
    gateway.upstream().setScript([](const auto&) {
        FakeReply reply;
        reply.chunks = {{Chunk::Kind::metadata, "data: {\"role\":1}\n\n"}};
        reply.endsWith = disconnected();
        return reply;
    });
    const auto response = gateway.post(kStream);
    QCOMPARE(response->status, 502);
    QCOMPARE(response->header("content-type"), std::string("application/json"));
}

void GatewayStreamTest::upstreamErrors_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("body");
    QTest::addColumn<int>("expected");
    QTest::addColumn<QString>("code");
    using Kind = UpstreamFailure::Kind;
    const auto row = [](const char* tag, Kind kind, int status, const char* body, int expected,
                        const char* code) {
        QTest::newRow(tag) << static_cast<int>(kind) << status << QString::fromUtf8(body) << expected
                           << QString::fromUtf8(code);
    };
    row("400 keeps its words", Kind::status, 400,
        R"({"error":{"message":"too long","type":"t","code":"context_length_exceeded","param":"messages"}})",
        400, "context_length_exceeded");
    row("422", Kind::status, 422, "", 422, "status_422");
    row("429", Kind::status, 429, "", 429, "status_429");
    row("500", Kind::status, 500, "<html>", 500, "status_500");
    row("529", Kind::status, 529, "", 529, "status_529");
    row("our credential", Kind::status, 401, R"({"error":{"message":"bad key"}})", 502,
        "upstream_credential_refused");
    row("redirect", Kind::status, 302, "", 502, "status_302");
    row("F3 error frame", Kind::errorFrame, 400, "", 400, "status_400");
    row("error frame without code", Kind::errorFrame, 0, "", 502, "status_0");
    row("connect", Kind::connect, 0, "", 502, "status_0");
    row("timeout", Kind::timeout, 0, "", 504, "status_0");
    row("protocol", Kind::protocol, 0, "", 502, "status_0");
    row("refused", Kind::refused, 0, "", 503, "status_0");
    row("composition", Kind::composition, 0, "", 500, "composition_error");
}

void GatewayStreamTest::upstreamErrors() {
    QFETCH(int, kind);
    QFETCH(int, status);
    QFETCH(QString, body);
    QFETCH(int, expected);
    QFETCH(QString, code);
    UpstreamFailure failure = upstreamStatus(status, body.toStdString());
    failure.kind = static_cast<UpstreamFailure::Kind>(kind);
    GatewayFixture gateway;
    gateway.upstream().setScript([&](const auto&) { return FakeReply{.failure = failure}; });
    for (const std::string& request : {kWhole, kStream}) {
        const auto response = gateway.post(request);
        QCOMPARE(response->status, expected);
        const auto error = OrderedJson::parse(response->body)["error"];
        QCOMPARE(error["code"].get<std::string>(), code.toStdString());
        QVERIFY(!error["message"].get<std::string>().empty() && error.contains("type") &&
                error.contains("param"));
        QCOMPARE(response->headers.contains("retry-after"), expected == 429 || expected == 503);
        QCOMPARE(response->header("x-should-retry"), std::string(code == QStringLiteral("upstream_credential_refused") ? "false" : ""));
        QCOMPARE(response->header("x-signalbox-route"), std::string("up:model-a"));
    }
    QCOMPARE(gateway.records().size(), std::size_t{2});
    QCOMPARE(gateway.records()[0].status, expected);
    QCOMPARE(gateway.records()[0].attempts.size(), std::size_t{1});
}

void GatewayStreamTest::f45_clientLeavesWhileWaiting_data() {
    QTest::addColumn<QString>("body");
    QTest::newRow("streaming") << QString::fromStdString(kStream);
    QTest::newRow("whole") << QString::fromStdString(kWhole);
}

void GatewayStreamTest::f45_clientLeavesWhileWaiting() {
    QFETCH(QString, body);
    GatewayFixture gateway;
    gateway.upstream().setScript([](const auto&) {
        FakeReply reply = FakeReply::whole("{}");
        reply.firstDelay = 60s;
        return reply;
    });
    RawClient client(gateway.port());
    QVERIFY(client.send(requestText({"POST", "/v1/chat/completions", {kAuth}, body.toStdString()})));
    QTRY_COMPARE(gateway.upstream().active(), 1);
    QCOMPARE(gateway.server().counters().inFlight, 1U);
    client.close();
    QTRY_COMPARE(gateway.upstream().active(), 0);
    QCOMPARE(gateway.upstream().dropped(), 1);
    QTRY_COMPARE(gateway.records().size(), std::size_t{1});
    const auto record = gateway.records().front();
    QVERIFY(record.outcome == evidence::Outcome::cancelled);
    QCOMPARE(record.errorCode, std::string("client_gone"));
    QCOMPARE(record.attempts.size(), std::size_t{1});
    QVERIFY(record.attempts[0].outcome == evidence::AttemptOutcome::cancelled);
    QTRY_COMPARE(gateway.server().counters().inFlight, 0U);
}

void GatewayStreamTest::f45_clientLeavesWhileStreaming() {
    GatewayFixture gateway;
    gateway.upstream().setScript([](const auto&) {
        FakeReply reply = FakeReply::stream(std::vector<std::string>(1000, "piece"));
        reply.chunkDelay = 20ms;
        return reply;
    });
    RawClient client(gateway.port());
    QVERIFY(client.send(streamText()));
    QVERIFY(client.waitFor("piece"));
    client.close();
    QTRY_COMPARE(gateway.upstream().dropped(), 1);
    QTRY_COMPARE(gateway.records().size(), std::size_t{1});
    const auto record = gateway.records().front();
    QVERIFY(record.outcome == evidence::Outcome::cancelled);
    QCOMPARE(record.endpointId, std::string("up:model-a"));
    QVERIFY(record.firstContentMs.has_value());
    QTRY_COMPARE(gateway.server().counters().inFlight, 0U);
}

void GatewayStreamTest::f45_pipelinedRequestIsNoLeaving() {
    GatewayFixture gateway;
    gateway.upstream().setScript([](const auto&) {
        FakeReply reply = FakeReply::whole("{}");
        reply.firstDelay = 100ms;
        return reply;
    });
    const std::string request = requestText({"POST", "/v1/chat/completions", {kAuth}, kWhole});
    RawClient client(gateway.port());
    QVERIFY(client.send(request));
    QTRY_COMPARE(gateway.upstream().active(), 1);
    QVERIFY(client.send(request));
    QCOMPARE(client.response()->status, 200);
    QCOMPARE(client.response()->status, 200);
    // And one that leaves behind a pipelined request is noticed all the same.
    gateway.upstream().setScript([](const auto&) {
        FakeReply reply = FakeReply::whole("{}");
        reply.firstDelay = 60s;
        return reply;
    });
    QVERIFY(client.send(request + request));
    QTRY_COMPARE(gateway.upstream().active(), 1);
    client.close();
    QTRY_COMPARE(gateway.upstream().active(), 0);
}

void GatewayStreamTest::slowReaderHoldsTheUpstreamBack() {
    GatewayFixture gateway;
    constexpr int kPieces = 20'000;
    gateway.upstream().setScript([](const auto&) {
        return FakeReply::stream(std::vector<std::string>(kPieces, std::string(1000, 'x')));
    });
    RawClient client(gateway.port());
    client.setReceiveBuffer(256 << 10);
    QVERIFY(client.send(streamText()));
    QVERIFY(client.waitFor("xxx"));
    QVERIFY2(gateway.records().empty(), "20 MB cannot be done while the client has read next to nothing");
    QCOMPARE(gateway.upstream().active(), 1);
    const auto response = client.response();
    QVERIFY(response->complete);
    QVERIFY(response->body.size() > std::size_t{kPieces} * 1000);
}

void GatewayStreamTest::stalledReaderIsCut() {
    FixtureOptions options;
    options.server = "idle_timeout_ms = 300\n";
    GatewayFixture gateway(options);
    gateway.upstream().setScript([](const auto&) {
        return FakeReply::stream(std::vector<std::string>(20'000, std::string(1000, 'x')));
    });
    RawClient client(gateway.port());
    client.setReceiveBuffer(256 << 10);
    QVERIFY(client.send(streamText()));
    QTRY_COMPARE(gateway.records().size(), std::size_t{1});
    QVERIFY(gateway.records().front().outcome == evidence::Outcome::cancelled);
    QTRY_COMPARE(gateway.upstream().active(), 0);
}

void GatewayStreamTest::simulatedIsLabelled() {
    GatewayFixture gateway;
    gateway.upstream().setScript([](const auto&) {
        FakeReply reply = FakeReply::whole("{}");
        reply.simulated = true;
        return reply;
    });
    QCOMPARE(gateway.post(kWhole)->header("x-signalbox-simulated"), std::string("true"));
    QVERIFY(gateway.records().front().simulated);
}

QTEST_APPLESS_MAIN(GatewayStreamTest)
#include "tst_gateway_stream.moc"
