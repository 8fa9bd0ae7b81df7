// SPDX-License-Identifier: MIT
// The Anthropic edge: whole answers, errors in its own shape, models, headers, and what is recorded.
#include "tests/router/gateway/messages_script.h"

#include "router/base/json_document.h"

#include <nlohmann/json.hpp>
#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;
using dispatch::UpstreamFailure;

class AnthropicEdgeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wholeMessageIsServedAndRecorded();
    void headersGoToAnthropicUpstreamsOnly();
    void bodyIsSplicedAndNothingElse();
    void bothWaysOfTheToken();
    void refusalsInItsOwnShape_data();
    void refusalsInItsOwnShape();
    void refusalsWithinTheHeadInItsOwnShape_data();
    void refusalsWithinTheHeadInItsOwnShape();
    void aBrokenFirstLineHasNoEdge();
    void upstreamErrorsInItsOwnShape_data();
    void upstreamErrorsInItsOwnShape();
    void F46_retryAfterIsRelayed();
    void F36_expectIsAnsweredAtOnce();
    void F36_tooLargeIsRefusedBeforeTheBody();
    void F37_largeBodiesPass();
    void F37_beyondTheLimitItsOwn413();
    void F32_cannotBeCarriedIsRefusedWithField();
    void embeddingsNeverGoToAnthropic();
    void modelsInBothShapes();
    void modelsByPage();
    void shadowCountsByEdge();
};

namespace {

OrderedJson jsonOf(const std::optional<RawResponse>& response) {
    return response ? OrderedJson::parse(response->body, nullptr, false) : OrderedJson();
}

void compareError(const std::optional<RawResponse>& response, int status, const std::string& type) {
    QVERIFY(response);
    QCOMPARE(response->status, status);
    const OrderedJson body = jsonOf(response);
    QVERIFY2(body.is_object(), response->body.c_str());
    QCOMPARE(body.value("type", ""), std::string("error"));
    QCOMPARE(body["error"].value("type", ""), type);
    QVERIFY(!body["error"].value("message", "").empty());
    QCOMPARE(body["error"].size(), std::size_t{2});
    QVERIFY(!body.value("request_id", "").empty());
    QCOMPARE(response->header("request-id"), body.value("request_id", ""));
    QCOMPARE(response->header("x-request-id"), response->header("request-id"));
}

} // namespace

void AnthropicEdgeTest::wholeMessageIsServedAndRecorded() {
    GatewayFixture gateway;
    gateway.upstream().setScript(messageReply);
    const auto response = postMessage(gateway, kMessage, {kApiKey, kVersion, "x-request-id: mine-1"});
    QVERIFY(response && response->complete);
    QCOMPARE(response->status, 200);
    QCOMPARE(jsonOf(response).value("type", ""), std::string("message"));
    QCOMPARE(response->header("request-id"), std::string("mine-1"));
    QCOMPARE(response->header("x-signalbox-route"), std::string("up:model-a"));
    QCOMPARE(response->header("x-signalbox-coverage"), std::string("default"));
    const auto sent = gateway.upstream().requests().at(0);
    QVERIFY(sent.dialect == classify::Dialect::anthropic);
    QCOMPARE(sent.path, std::string("/messages"));
    QVERIFY(sent.inputTokens > 0);
    const auto record = gateway.records().at(0);
    QVERIFY(record.edge == evidence::Edge::anthropic);
    QVERIFY(record.features.dialect == classify::Dialect::anthropic);
    QVERIFY(record.outcome == evidence::Outcome::served);
    QVERIFY(record.presetKey == "a-k1");
    QCOMPARE(record.outputTokens, std::optional<std::uint64_t>(7));
}

void AnthropicEdgeTest::headersGoToAnthropicUpstreamsOnly() {
    const std::vector<std::string> headers{kApiKey, kVersion, "anthropic-beta: one", "anthropic-beta: two"};
    GatewayFixture same(anthropicUpstream());
    same.upstream().setScript(messageReply);
    QCOMPARE(postMessage(same, kMessage, headers)->status, 200);
    const auto sent = same.upstream().requests().at(0).headers;
    QCOMPARE(sent.size(), std::size_t{2});
    QCOMPARE(sent[0].name + ": " + sent[0].value, kVersion);
    QCOMPARE(sent[1].name + ": " + sent[1].value, std::string("anthropic-beta: one,two"));
    GatewayFixture other;
    other.upstream().setScript(messageReply);
    QCOMPARE(postMessage(other, kMessage, headers)->status, 200);
    QVERIFY(other.upstream().requests().at(0).headers.empty());
}

// The token limit keeps its name and no usage is asked for, whatever the provider's switches say of its own protocol.
void AnthropicEdgeTest::bodyIsSplicedAndNothingElse() {
    FixtureOptions options;
    options.providerLines = "max_tokens_field = \"max_completion_tokens\"\n";
    GatewayFixture gateway(options);
    gateway.upstream().setScript(messageReply);
    const std::string body = R"({ "model":"a-k1", "max_tokens":5 ,"stream":true,"metadata":{"user_id":"u","category":"code"},)"
                             R"("messages":[{"role":"user","content":"x"}] })";
    QCOMPARE(postMessage(gateway, body)->status, 200);
    QCOMPARE(gateway.upstream().requests().at(0).body,
             std::string(R"({ "model":"model-a", "max_tokens":5 ,"stream":true,"metadata":{"user_id":"u"},)"
                         R"("messages":[{"role":"user","content":"x"}] })"));
    QVERIFY(gateway.records().at(0).features.cell.workload == table::WorkloadClass::codeGen);
}

void AnthropicEdgeTest::bothWaysOfTheToken() {
    GatewayFixture gateway;
    gateway.upstream().setScript(messageReply);
    QCOMPARE(postMessage(gateway, kMessage, {kApiKey})->status, 200);
    QCOMPARE(postMessage(gateway, kMessage, {kAuth})->status, 200);
}

void AnthropicEdgeTest::refusalsInItsOwnShape_data() {
    QTest::addColumn<QString>("header");
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("body");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("type");
    const auto row = [](const char* tag, const std::string& header, const char* target, const std::string& body, int status,
                        const char* type) {
        QTest::newRow(tag) << QString::fromStdString(header) << QString::fromLatin1(target) << QString::fromStdString(body)
                           << status << QString::fromLatin1(type);
    };
    row("no token", "x-other: 1", "/v1/messages", kMessage, 401, "authentication_error");
    row("wrong token", "x-api-key: nobody", "/v1/messages", kMessage, 401, "authentication_error");
    row("no JSON", kApiKey, "/v1/messages", "{", 400, "invalid_request_error");
    row("a duplicate", kApiKey, "/v1/messages", R"({"model":"a","model":"b"})", 400, "invalid_request_error");
    row("no model", kApiKey, "/v1/messages", "{}", 400, "invalid_request_error");
    row("unknown model", kApiKey, "/v1/messages", R"({"model":"modle-a"})", 404, "not_found_error");
    row("unknown path below", kApiKey, "/v1/messages/batches", "{}", 404, "not_found_error");
    row("a pin that means nothing", kApiKey + "\r\nx-signalbox-pin: x", "/v1/messages", kMessage, 400, "invalid_request_error");
    row("an encoding", kApiKey + "\r\ncontent-encoding: zstd", "/v1/messages", kMessage, 415, "invalid_request_error");
    row("a page", kApiKey + "\r\norigin: http://evil.example", "/v1/messages", kMessage, 403, "permission_error");
    row("counting without a model", kApiKey, "/v1/messages/count_tokens", "{}", 400, "invalid_request_error");
    row("another path, asked by such a client", kApiKey + "\r\n" + kVersion, "/v1/nothing", "{}", 404, "not_found_error");
}

void AnthropicEdgeTest::refusalsInItsOwnShape() {
    QFETCH(QString, header);
    QFETCH(QString, target);
    QFETCH(QString, body);
    QFETCH(int, status);
    QFETCH(QString, type);
    GatewayFixture gateway;
    const auto response =
        fetch(gateway.port(), {"POST", target.toStdString(), {header.toStdString()}, body.toStdString()});
    compareError(response, status, type.toStdString());
    QVERIFY(gateway.upstream().requests().empty());
    const std::string metrics = gateway.get("/metrics")->body;
    QVERIFY(metrics.find("signalbox_edge_refusals_total{edge=\"anthropic\"} 1") != std::string::npos);
    QVERIFY(metrics.find("signalbox_edge_refusals_total{edge=\"openai\"} 0") != std::string::npos);
}

void AnthropicEdgeTest::refusalsWithinTheHeadInItsOwnShape_data() {
    QTest::addColumn<QByteArray>("sent");
    QTest::addColumn<int>("status");
    const auto row = [](const char* tag, const QByteArray& lines, int status) {
        QTest::newRow(tag) << "POST /v1/messages HTTP/1.1\r\nHost: localhost\r\n" + lines << status;
    };
    row("too large", "X: " + QByteArray(70'000, 'x') + "\r\n\r\n", 431);
    row("no field", "Bad Header: x\r\n\r\n", 400);
    row("length and chunks", "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n", 400);
    row("never ends", "X: ", 408);
    QTest::newRow("counting, with a query") << QByteArray("POST /v1/messages/count_tokens?beta=true HTTP/1.1\r\nX Y: 1\r\n\r\n") << 400;
}

void AnthropicEdgeTest::refusalsWithinTheHeadInItsOwnShape() {
    QFETCH(QByteArray, sent);
    QFETCH(int, status);
    FixtureOptions options;
    if (status == 408)
        options.server = "header_timeout_ms = 200\n";
    GatewayFixture gateway(options);
    RawClient client(gateway.port());
    QVERIFY(client.send(sent.toStdString()));
    const auto response = client.response();
    compareError(response, status, "invalid_request_error");
    QCOMPARE(response->header("connection"), std::string("close"));
    QVERIFY(client.closedByPeer());
    const std::string metrics = gateway.get("/metrics")->body;
    QVERIFY(metrics.find("signalbox_edge_refusals_total{edge=\"anthropic\"} 1") != std::string::npos);
    QVERIFY(metrics.find("signalbox_edge_refusals_total{edge=\"openai\"} 0") != std::string::npos);
}

/// Nobody knows who it was for, and what came before on the same connection says nothing about it.
void AnthropicEdgeTest::aBrokenFirstLineHasNoEdge() {
    GatewayFixture gateway;
    RawClient client(gateway.port());
    QVERIFY(client.send(requestText({"POST", kMessagesPath, {kApiKey}, "{}"}) + "/v1/messages\r\n\r\n"));
    compareError(client.response(), 400, "invalid_request_error");
    const auto response = client.response();
    QVERIFY(response);
    QCOMPARE(response->status, 400);
    QCOMPARE(jsonOf(response)["error"].value("code", ""), std::string("malformed_request"));
    QVERIFY(gateway.get("/metrics")->body.find("signalbox_edge_refusals_total{edge=\"openai\"} 1") != std::string::npos);
}

void AnthropicEdgeTest::upstreamErrorsInItsOwnShape_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("body");
    QTest::addColumn<int>("expected");
    QTest::addColumn<QString>("type");
    using Kind = UpstreamFailure::Kind;
    const auto row = [](const char* tag, Kind kind, int status, const char* body, int expected, const char* type) {
        QTest::newRow(tag) << static_cast<int>(kind) << status << QString::fromUtf8(body) << expected << QString::fromLatin1(type);
    };
    row("400 keeps its words", Kind::status, 400,
        R"({"type":"error","error":{"type":"invalid_request_error","message":"too long"}})", 400, "invalid_request_error");
    row("a type of that API", Kind::status, 400, R"({"error":{"type":"billing_error","message":"pay"}})", 400, "billing_error");
    row("a type of the other API", Kind::status, 500, R"({"error":{"type":"server_error","message":"oh"}})", 500, "api_error");
    row("413", Kind::status, 413, "", 413, "request_too_large");
    row("429", Kind::status, 429, "", 429, "rate_limit_error");
    row("500", Kind::status, 500, "<html>", 500, "api_error");
    row("529", Kind::status, 529, "", 529, "overloaded_error");
    row("F3 error frame", Kind::errorFrame, 529, R"({"type":"error","error":{"type":"overloaded_error","message":"full"}})", 529,
        "overloaded_error");
    row("our credential", Kind::status, 401, R"({"error":{"type":"authentication_error","message":"bad key"}})", 502, "api_error");
    row("connect", Kind::connect, 0, "", 502, "api_error");
    row("timeout", Kind::timeout, 0, "", 504, "timeout_error");
    row("refused", Kind::refused, 0, "", 503, "overloaded_error");
}

void AnthropicEdgeTest::upstreamErrorsInItsOwnShape() {
    QFETCH(int, kind);
    QFETCH(int, status);
    QFETCH(QString, body);
    QFETCH(int, expected);
    QFETCH(QString, type);
    UpstreamFailure failure = upstreamStatus(status, body.toStdString());
    failure.kind = static_cast<UpstreamFailure::Kind>(kind);
    GatewayFixture gateway;
    gateway.upstream().setScript([&](const auto&) { return FakeReply{.failure = failure}; });
    for (const std::string& request : {kMessage, kMessageStream}) {
        const auto response = postMessage(gateway, request);
        compareError(response, expected, type.toStdString());
        QCOMPARE(response->header("content-type"), std::string("application/json"));
    }
    QCOMPARE(gateway.records().at(0).status, expected);
}

void AnthropicEdgeTest::F46_retryAfterIsRelayed() {
    UpstreamFailure failure = upstreamStatus(429);
    failure.retryAfter = 17s;
    GatewayFixture gateway;
    gateway.upstream().setScript([&](const auto&) { return FakeReply{.failure = failure}; });
    const auto response = postMessage(gateway, kMessage);
    compareError(response, 429, "rate_limit_error");
    QCOMPARE(response->header("retry-after"), std::string("17"));
    // And on our own: beyond what is served at once.
    FixtureOptions options;
    options.server = "max_concurrent_requests = 1\n";
    GatewayFixture busy(options);
    busy.upstream().setScript([](const auto&) {
        FakeReply reply = wholeMessage();
        reply.firstDelay = 60s;
        return reply;
    });
    RawClient first(busy.port());
    QVERIFY(first.send(requestText({"POST", kMessagesPath, {kApiKey}, kMessage})));
    QTRY_COMPARE(busy.upstream().active(), 1);
    QVERIFY(busy.get("/metrics")->body.find("signalbox_edge_in_flight_requests{edge=\"anthropic\"} 1") != std::string::npos);
    const auto refused = postMessage(busy, kMessage);
    compareError(refused, 429, "rate_limit_error");
    QVERIFY(!refused->header("retry-after").empty());
}

void AnthropicEdgeTest::F36_expectIsAnsweredAtOnce() {
    GatewayFixture gateway;
    gateway.upstream().setScript(messageReply);
    RawClient client(gateway.port());
    const std::string head = requestText({"POST", kMessagesPath, {kApiKey, "Expect: 100-continue"}, kMessage});
    const auto bodyAt = head.find("\r\n\r\n") + 4;
    QVERIFY(client.send(head.substr(0, bodyAt)));
    QVERIFY(client.waitFor("100 Continue"));
    QVERIFY(client.send(head.substr(bodyAt)));
    QVERIFY(client.waitFor("200 OK"));
}

void AnthropicEdgeTest::F36_tooLargeIsRefusedBeforeTheBody() {
    FixtureOptions options;
    options.server = "max_request_body_bytes = 2048\n";
    GatewayFixture gateway(options);
    RawClient client(gateway.port());
    QVERIFY(client.send("POST /v1/messages HTTP/1.1\r\nHost: localhost\r\n" + kApiKey +
                        "\r\nExpect: 100-continue\r\nContent-Length: 4096\r\n\r\n"));
    compareError(client.response(), 413, "request_too_large");
}

void AnthropicEdgeTest::F37_largeBodiesPass() {
    GatewayFixture gateway;
    gateway.upstream().setScript(messageReply);
    for (const std::size_t bytes : {std::size_t{200} << 10, std::size_t{2} << 20}) {
        const std::string body = R"({"model":"model-a","max_tokens":9,"messages":[{"role":"user","content":")" +
                                 std::string(bytes, 'x') + "\"}]}";
        QCOMPARE(postMessage(gateway, body)->status, 200);
        QCOMPARE(gateway.records().back().features.inputTokens, bytes / 4);
        QCOMPARE(gateway.upstream().requests().back().body.size(), body.size());
    }
}

void AnthropicEdgeTest::F37_beyondTheLimitItsOwn413() {
    FixtureOptions options;
    options.server = "max_request_body_bytes = 2048\n";
    GatewayFixture gateway(options);
    compareError(postMessage(gateway, std::string(4096, ' ')), 413, "request_too_large");
    RawClient chunked(gateway.port());
    QVERIFY(chunked.send("POST /v1/messages HTTP/1.1\r\nHost: localhost\r\n" + kApiKey +
                         "\r\nTransfer-Encoding: chunked\r\n\r\n1000\r\n" + std::string(4096, ' ') + "\r\n0\r\n\r\n"));
    compareError(chunked.response(), 413, "request_too_large");
}

void AnthropicEdgeTest::F32_cannotBeCarriedIsRefusedWithField() {
    GatewayFixture gateway; // `up` speaks the OpenAI protocol
    const auto response = postMessage(
        gateway, R"({"model":"model-a","max_tokens":9,"top_k":5,"messages":[]})");
    compareError(response, 400, "invalid_request_error");
    const std::string message = jsonOf(response)["error"].value("message", "");
    QVERIFY2(message.find("top_k") != std::string::npos && message.find("\"up\"") != std::string::npos, message.c_str());
    QVERIFY(gateway.upstream().requests().empty());
    GatewayFixture other(anthropicUpstream());
    const auto chat = other.post(R"({"model":"model-a","n":2,"messages":[]})");
    QCOMPARE(chat->status, 400);
    const std::string why = jsonOf(chat)["error"].value("message", "");
    QVERIFY2(why.find(" n ") != std::string::npos && why.find("\"up\"") != std::string::npos, why.c_str());
}

void AnthropicEdgeTest::embeddingsNeverGoToAnthropic() {
    GatewayFixture gateway(anthropicUpstream());
    QCOMPARE(gateway.post(R"({"model":"model-a","input":"x"})", {}, "/v1/embeddings")->status, 400);
    QCOMPARE(gateway.post(R"({"model":"model-a","prompt":"x"})", {}, "/v1/completions")->status, 400);
    // Whatever the body calls it: the path alone says what is asked for.
    QCOMPARE(gateway.post(R"({"model":"model-a","messages":[]})", {}, "/v1/embeddings")->status, 400);
    QVERIFY(gateway.upstream().requests().empty());
    QCOMPARE(gateway.post(R"({"model":"elsewhere","input":"x"})", {}, "/v1/embeddings")->status, 200);
}

void AnthropicEdgeTest::modelsInBothShapes() {
    GatewayFixture gateway;
    const OrderedJson openAis = jsonOf(gateway.get("/v1/models"));
    QCOMPARE(openAis.value("object", ""), std::string("list"));
    const OrderedJson list = jsonOf(fetch(gateway.port(), {"GET", "/v1/models", {kApiKey, kVersion}, {}}));
    QCOMPARE(list["data"].size(), openAis["data"].size());
    QCOMPARE(list.value("has_more", true), false);
    QCOMPARE(list.value("first_id", ""), openAis["data"].front().value("id", ""));
    QCOMPARE(list.value("last_id", ""), openAis["data"].back().value("id", ""));
    for (const OrderedJson& model : list["data"]) {
        QCOMPARE(model.value("type", ""), std::string("model"));
        QVERIFY(model.value("created_at", "").ends_with("Z"));
        QCOMPARE(model.value("display_name", ""), model.value("id", ""));
        const auto one = fetch(gateway.port(), {"GET", "/v1/models/" + model.value("id", ""), {kApiKey, kVersion}, {}});
        QCOMPARE(jsonOf(one), model);
    }
    compareError(fetch(gateway.port(), {"GET", "/v1/models/nothing", {kApiKey, kVersion}, {}}), 404, "not_found_error");
}

void AnthropicEdgeTest::modelsByPage() {
    FixtureOptions options;
    options.models = {"m-1", "m-2", "m-3", "m-4"};
    GatewayFixture gateway(options);
    const auto page = [&](const std::string& query) {
        return fetch(gateway.port(), {"GET", "/v1/models" + query, {kApiKey, kVersion}, {}});
    };
    std::vector<std::string> all;
    const OrderedJson whole = jsonOf(page(""));
    for (const OrderedJson& model : whole["data"])
        all.push_back(model.value("id", ""));
    QVERIFY(all.size() > 3);
    std::vector<std::string> paged;
    std::string query = "?limit=2";
    for (bool more = true; more;) {
        const OrderedJson list = jsonOf(page(query));
        for (const OrderedJson& model : list["data"])
            paged.push_back(model.value("id", ""));
        more = list.value("has_more", false);
        query = "?limit=2&after_id=" + list.value("last_id", "");
        QVERIFY(paged.size() <= all.size());
    }
    QCOMPARE(paged, all);
    const OrderedJson before = jsonOf(page("?limit=1&before_id=" + all.back()));
    QCOMPARE(before["data"].front().value("id", ""), all[all.size() - 2]);
    QCOMPARE(before.value("has_more", false), true);
    compareError(page("?limit=0"), 400, "invalid_request_error");
    compareError(page("?after_id=nothing"), 400, "invalid_request_error");
}

void AnthropicEdgeTest::shadowCountsByEdge() {
    FixtureOptions options;
    options.models = {"plain"};
    options.more = "\n[routing]\nmode = \"shadow\"\n\n[routing.groups.g]\naliases = [\"auto\"]\n"
                   "\n[[routing.groups.g.candidates]]\nprovider = \"up\"\nmodel = \"plain\"\n"
                   "\n[[routing.groups.g.candidates]]\nprovider = \"other\"\nmodel = \"elsewhere\"\n";
    GatewayFixture gateway(options);
    gateway.upstream().setScript(messageReply);
    const auto count = [&](const char* edge) {
        const std::string text = gateway.get("/metrics")->body;
        const std::string start = std::string("signalbox_shadow_decisions_total{edge=\"") + edge + "\"} ";
        const auto at = text.find(start);
        return at == std::string::npos ? std::string("none") : text.substr(at + start.size(), text.find('\n', at) - at - start.size());
    };
    QCOMPARE(count("anthropic"), std::string("0"));
    QCOMPARE(postMessage(gateway, R"({"model":"auto","max_tokens":5,"messages":[]})")->status, 200);
    QCOMPARE(count("anthropic"), std::string("1"));
    QCOMPARE(count("openai"), std::string("0"));
}

QTEST_APPLESS_MAIN(AnthropicEdgeTest)
#include "tst_anthropic_edge.moc"
