// SPDX-License-Identifier: MIT
#include "tests/router/gateway/gateway_fixture.h"

#include "router/base/json_document.h"

#include <nlohmann/json.hpp>
#include <QTest>
#include <algorithm>
#include <thread>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;

namespace {
const std::string kChat = R"({"model":"model-a","messages":[{"role":"user","content":"hi"}]})";

std::string codeOf(const RawResponse& response) {
    const auto json = OrderedJson::parse(response.body, nullptr, false);
    if (!json.is_object() || !json.contains("error"))
        return "not an error: " + response.body;
    const auto& code = json["error"]["code"];
    return code.is_string() ? code.get<std::string>() : "null";
}

std::string percentEncoded(const std::string& text) {
    static constexpr std::string_view kHex = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0)
            out += c;
        else
            out.append({'%', kHex[byte >> 4], kHex[byte & 15]});
    }
    return out;
}
} // namespace

Q_DECLARE_METATYPE(signalbox::gateway::EdgeError)

class GatewayHttpTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void refusals_data();
    void refusals();
    void f33_bodyGoesUpstreamAsSent();
    void f34_everyListedModelCanBeFetchedAndUsed();
    void unknownModel_namesNearOnes();
    void f36_expectIsAnsweredAtOnce();
    void f37_largeBodies();
    void chunkedBodies();
    void bodySplitAtEveryByte();
    void pipelinedRequestsAreAnsweredInOrder();
    void f41_upstreamFramingIsNotRelayed();
    void headHasNoBody();
    void slowHeaderIsCut();
    void http10();
    void smugglingIsRefused_data();
    void smugglingIsRefused();
    void baseUrlOfTheOtherVendor_data();
    void baseUrlOfTheOtherVendor();
    void metricsAndHealth();
    void F46_unavailableSaysWhenToComeAgain_data();
    void F46_unavailableSaysWhenToComeAgain();
    void browsersAreRefused();
    void portTaken();
    void foreignAddress();
};

void GatewayHttpTest::refusals_data() {
    QTest::addColumn<QByteArray>("request");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("code");
    const auto row = [](const char* tag, const RequestLines& lines, int status, const char* code) {
        QTest::newRow(tag) << QByteArray::fromStdString(requestText(lines)) << status
                           << QString::fromUtf8(code);
    };
    row("no token", {"POST", "/v1/chat/completions", {}, kChat}, 401, "missing_token");
    row("wrong token", {"POST", "/v1/chat/completions", {"x-api-key: nope"}, kChat}, 401, "invalid_token");
    row("unknown path", {"GET", "/v2/nothing", {kAuth}, {}}, 404, "unknown_path");
    row("responses are not here", {"POST", "/v1/responses", {kAuth}, kChat}, 404, "unknown_path");
    row("get on a post path", {"GET", "/v1/chat/completions", {kAuth}, {}}, 405, "method_not_allowed");
    row("post on a get path", {"POST", "/v1/models", {kAuth}, "{}"}, 405, "method_not_allowed");
    row("not json", {"POST", "/v1/chat/completions", {kAuth}, "hello"}, 400, "invalid_json");
    row("empty body", {"POST", "/v1/chat/completions", {kAuth}, ""}, 400, "invalid_json");
    row("array", {"POST", "/v1/chat/completions", {kAuth}, "[]"}, 400, "invalid_json");
    row("duplicate key",
        {"POST", "/v1/chat/completions", {kAuth}, R"({"model":"model-a","model":"model-b"})"}, 400,
        "invalid_json");
    row("unknown model", {"POST", "/v1/chat/completions", {kAuth}, R"({"model":"model-z"})"}, 404,
        "model_not_found");
    row("stream is text", {"POST", "/v1/chat/completions", {kAuth}, R"({"model":"model-a","stream":"yes"})"}, 400, "invalid_request");
    row("stream is a number", {"POST", "/v1/chat/completions", {kAuth}, R"({"model":"model-a","stream":1})"}, 400, "invalid_request");
    row("gzip body", {"POST", "/v1/chat/completions", {kAuth, "Content-Encoding: gzip"}, kChat}, 415,
        "unsupported_encoding");
    row("unknown expectation", {"POST", "/v1/chat/completions", {kAuth, "Expect: a-miracle"}, kChat}, 417,
        "unknown_expectation");
    row("model name without end",
        {"POST", "/v1/chat/completions", {kAuth}, R"({"model":"sim:)" + std::string(100'000, 'x') + "\"}"}, 400,
        "model_name_too_long");
    row("body on a path that takes none", {"GET", "/livez", {}, std::string(100'000, 'x')}, 413,
        "request_too_large");
    row("bad pin", {"POST", "/v1/chat/completions", {kAuth, "X-Signalbox-Pin: nonsense"}, kChat}, 400,
        "invalid_pin");
    QTest::newRow("not http") << QByteArray("GARBAGE\r\n\r\n") << 400 << QStringLiteral("malformed_request");
    QTest::newRow("no host") << QByteArray("GET /livez HTTP/1.1\r\n\r\n") << 400
                             << QStringLiteral("invalid_host");
    QTest::newRow("two hosts") << QByteArray(
                                      "GET /livez HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n")
                               << 400 << QStringLiteral("invalid_host");
    QTest::newRow("huge header") << QByteArray("GET /livez HTTP/1.1\r\nHost: localhost\r\nX: " +
                                               QByteArray(80'000, 'x') + "\r\n\r\n")
                                 << 431 << QStringLiteral("header_too_large");
}

void GatewayHttpTest::refusals() {
    QFETCH(QByteArray, request);
    QFETCH(int, status);
    QFETCH(QString, code);
    GatewayFixture gateway;
    RawClient client(gateway.port());
    QVERIFY(client.send(request.toStdString()));
    const auto response = client.response();
    QVERIFY(response && response->complete);
    QCOMPARE(response->status, status);
    QCOMPARE(QString::fromStdString(codeOf(*response)), code);
    QCOMPARE(response->header("content-type"), std::string("application/json"));
    QCOMPARE(gateway.refusals(code.toStdString()), std::uint64_t{1});
    QCOMPARE(gateway.upstream().requests().size(), std::size_t{0});
    // Only what was admitted is recorded: of these, the model that nobody knows.
    QCOMPARE(gateway.records().size(), std::size_t{code == QStringLiteral("model_not_found") ? 1U : 0U});
}

void GatewayHttpTest::baseUrlOfTheOtherVendor_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("advice");
    const QString without = QStringLiteral("Leave /v1 out of the base URL"), with = QStringLiteral("Let the base URL end in /v1");
    QTest::newRow("Anthropic's with /v1") << QStringLiteral("/v1/v1/messages") << without;
    QTest::newRow("Anthropic's models with /v1") << QStringLiteral("/v1/v1/models/claude") << without;
    QTest::newRow("OpenAI's without") << QStringLiteral("/chat/completions") << with;
    QTest::newRow("OpenAI's models without") << QStringLiteral("/models") << with;
    QTest::newRow("responses") << QStringLiteral("/v1/responses") << QStringLiteral("Use the chat completions");
    QTest::newRow("neither") << QStringLiteral("/v2/models") << QStringLiteral("This gateway has POST");
}

void GatewayHttpTest::baseUrlOfTheOtherVendor() {
    QFETCH(QString, path);
    QFETCH(QString, advice);
    GatewayFixture gateway;
    const auto response = gateway.post(kChat, {}, path.toStdString());
    QVERIFY(response);
    QCOMPARE(response->status, 404);
    const std::string said = "There is nothing at " + path.toStdString() + ". " + advice.toStdString();
    QVERIFY2(response->body.find(said) != std::string::npos, response->body.c_str());
}

void GatewayHttpTest::f33_bodyGoesUpstreamAsSent() {
    GatewayFixture gateway;
    const std::string body =
        "{ \"model\":\"model-a\",  \"messages\":[{\"role\":\"user\",\"content\":\"\\u4f60 \xE4\xBD\xA0\"}], "
        "\"x_private\": {\"a\": [1.0, 2e5]} }";
    const auto response = gateway.post(body, {"X-Signalbox-Category: code", "Cookie: a=b", "X-Mine: 1"});
    QVERIFY(response);
    QCOMPARE(response->status, 200);
    const auto sent = gateway.upstream().requests();
    QCOMPARE(sent.size(), std::size_t{1});
    QCOMPARE(sent[0].body, body);
    QCOMPARE(sent[0].path, std::string("/chat/completions"));
    QVERIFY2(sent[0].headers.empty(), "no header of the client travels on");
}

void GatewayHttpTest::f34_everyListedModelCanBeFetchedAndUsed() {
    FixtureOptions options;
    options.models = {"org/sub/model", "name@rev", "with space",         "模型-大",
                      "🚂-train",       "a%2Fb",    "caf\xC3\xA9",        "cafe\xCC\x81",
                      "q?x=1",         "hash#tag", std::string(table::kMaxRequestNameBytes - 3, 'l')}; // "up:" before it is the longest
    GatewayFixture gateway(options);
    const auto list = gateway.get("/v1/models");
    QVERIFY(list);
    const auto data = OrderedJson::parse(list->body)["data"];
    std::vector<std::string> ids;
    for (const auto& model : data)
        ids.push_back(model["id"].get<std::string>());
    for (const std::string& wanted : options.models)
        QVERIFY2(std::find(ids.begin(), ids.end(), wanted) != ids.end(), wanted.c_str());
    for (const std::string& id : ids) {
        const auto one = gateway.get("/v1/models/" + percentEncoded(id));
        QVERIFY(one);
        QCOMPARE(one->status, 200);
        QCOMPARE(OrderedJson::parse(one->body)["id"].get<std::string>(), id);
        const auto used = gateway.post(OrderedJson{{"model", id}, {"messages", OrderedJson::array()}}.dump());
        QVERIFY(used);
        QVERIFY2(used->status == 200, (id + ": " + used->body).c_str());
    }
    // Unescaped slashes and an id that itself holds an escape work as well.
    QCOMPARE(gateway.get("/v1/models/org/sub/model")->status, 200);
    QCOMPARE(gateway.get("/v1/models/a%2Fb")->status, 200);
    QCOMPARE(gateway.get("/v1/models/%")->status, 404);
}

void GatewayHttpTest::unknownModel_namesNearOnes() {
    GatewayFixture gateway;
    const auto fetched = gateway.get("/v1/models/model-aa");
    QCOMPARE(fetched->status, 404);
    QVERIFY(fetched->body.find("model-a") != std::string::npos);
    const auto used = gateway.post(R"({"model":"model-aa"})");
    QCOMPARE(used->status, 404);
    QVERIFY(used->body.find("model-a") != std::string::npos);
    QCOMPARE(OrderedJson::parse(used->body)["error"]["param"].get<std::string>(), std::string("model"));
}

void GatewayHttpTest::f36_expectIsAnsweredAtOnce() {
    GatewayFixture gateway;
    RawClient client(gateway.port());
    const std::string head = "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n" + kAuth +
                             "\r\nExpect: 100-continue\r\nContent-Length: " + std::to_string(kChat.size()) +
                             "\r\n\r\n";
    QVERIFY(client.send(head));
    const auto interim = client.response();
    QVERIFY(interim);
    QCOMPARE(interim->status, 100);
    QVERIFY(client.send(kChat));
    QCOMPARE(client.response()->status, 200);

    RawClient big(gateway.port());
    QVERIFY(big.send("POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n" + kAuth +
                     "\r\nExpect: 100-continue\r\nContent-Length: 99999999999\r\n\r\n"));
    QCOMPARE(big.response()->status, 413);
}

void GatewayHttpTest::f37_largeBodies() {
    GatewayFixture gateway;
    const std::string body = R"({"model":"model-a","messages":[{"role":"user","content":")" +
                             std::string(2'000'000, 'x') + "\"}]}";
    QCOMPARE(gateway.post(body)->status, 200);
    QCOMPARE(gateway.upstream().requests().back().body.size(), body.size());

    FixtureOptions small;
    small.server = "max_request_body_bytes = 100000\n";
    GatewayFixture strict(small);
    // The client sends all of it before it reads; it must get the answer and not a reset.
    const auto response = strict.post(body);
    QVERIFY(response && response->complete);
    QCOMPARE(response->status, 413);
    QCOMPARE(codeOf(*response), std::string("request_too_large"));
    RawClient chunked(strict.port());
    QVERIFY(chunked.send("POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n" + kAuth +
                         "\r\nTransfer-Encoding: chunked\r\n\r\n"));
    const std::string piece(20'000, ' ');
    for (int i = 0; i < 8; ++i)
        static_cast<void>(chunked.send("4e20\r\n" + piece + "\r\n"));
    const auto cut = chunked.response();
    QVERIFY(cut);
    QCOMPARE(cut->status, 413);
}

void GatewayHttpTest::chunkedBodies() {
    GatewayFixture gateway;
    RawClient client(gateway.port());
    QVERIFY(client.send("POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n" + kAuth +
                        "\r\nTransfer-Encoding: chunked\r\n\r\n"));
    for (const char c : kChat)
        QVERIFY(client.send(std::string("1;ext=1\r\n") + c + "\r\n"));
    QVERIFY(client.send("0\r\nTrailer: x\r\n\r\n"));
    QCOMPARE(client.response()->status, 200);
    QCOMPARE(gateway.upstream().requests().back().body, kChat);
}

void GatewayHttpTest::bodySplitAtEveryByte() {
    GatewayFixture gateway;
    const std::string text = requestText({"POST", "/v1/chat/completions", {kAuth}, kChat});
    RawClient client(gateway.port());
    for (std::size_t cut = 1; cut < text.size(); ++cut) {
        QVERIFY(client.send(std::string_view(text).substr(0, cut)));
        std::this_thread::yield();
        QVERIFY(client.send(std::string_view(text).substr(cut)));
        const auto response = client.response();
        QVERIFY(response);
        QCOMPARE(response->status, 200);
    }
    RawClient slow(gateway.port());
    for (const char c : text)
        QVERIFY(slow.send(std::string(1, c)));
    QCOMPARE(slow.response()->status, 200);
}

void GatewayHttpTest::pipelinedRequestsAreAnsweredInOrder() {
    GatewayFixture gateway;
    gateway.upstream().setScript([](const dispatch::UpstreamRequest& request) {
        FakeReply reply = FakeReply::whole("{\"echo\":" + OrderedJson::parse(request.body)["n"].dump() + "}");
        reply.firstDelay = 5ms;
        return reply;
    });
    RawClient client(gateway.port());
    std::string all;
    for (int i = 0; i < 20; ++i)
        all += requestText({"POST",
                            "/v1/chat/completions",
                            {kAuth},
                            "{\"model\":\"model-a\",\"n\":" + std::to_string(i) + "}"});
    QVERIFY(client.send(all));
    for (int i = 0; i < 20; ++i) {
        const auto response = client.response();
        QVERIFY(response);
        QCOMPARE(response->body, "{\"echo\":" + std::to_string(i) + "}");
    }
    QCOMPARE(gateway.records().size(), std::size_t{20});
}

void GatewayHttpTest::f41_upstreamFramingIsNotRelayed() {
    GatewayFixture gateway;
    const auto whole = gateway.post(kChat, {"X-Request-Id: mine-1"});
    QCOMPARE(whole->header("x-request-id"), std::string("mine-1"));
    QVERIFY(whole->header("x-signalbox-decision-id").starts_with("rtd_"));
    QCOMPARE(whole->header("x-signalbox-route"), std::string("up:model-a"));
    QCOMPARE(whole->header("x-signalbox-coverage"), std::string("default"));
    QCOMPARE(whole->header("content-length"), std::to_string(whole->body.size()));
    QVERIFY(!whole->headers.contains("transfer-encoding") &&
            !whole->headers.contains("x-signalbox-simulated"));
    const auto stream = gateway.post(R"({"model":"model-a","stream":true})");
    QCOMPARE(stream->header("content-type"), std::string("text/event-stream"));
    QCOMPARE(stream->header("transfer-encoding"), std::string("chunked"));
    QVERIFY(!stream->headers.contains("content-length") && !stream->headers.contains("connection"));
    const auto unbounded = gateway.post(kChat, {"X-Request-Id: " + std::string(300, 'x')});
    QCOMPARE(unbounded->header("x-request-id"), unbounded->header("x-signalbox-decision-id"));
}

void GatewayHttpTest::headHasNoBody() {
    GatewayFixture gateway;
    RawClient client(gateway.port());
    QVERIFY(client.send(requestText({"HEAD", "/v1/models", {kAuth}, {}}) +
                        requestText({"GET", "/livez", {}, {}})));
    const auto head = client.response(true);
    QCOMPARE(head->status, 200);
    QVERIFY(std::stoul(head->header("content-length")) > 0);
    const auto next = client.response();
    QCOMPARE(next->body, std::string(R"({"status":"alive"})"));
}

void GatewayHttpTest::slowHeaderIsCut() {
    FixtureOptions options;
    options.server = "header_timeout_ms = 200\nidle_timeout_ms = 400\n";
    GatewayFixture gateway(options);
    RawClient slow(gateway.port());
    QVERIFY(slow.send("POST /v1/chat/completions HTTP/1.1\r\nHost: loc"));
    const auto response = slow.response();
    QVERIFY(response);
    QCOMPARE(response->status, 408);
    RawClient body(gateway.port());
    QVERIFY(body.send("POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n" + kAuth +
                      "\r\nContent-Length: 50\r\n\r\n{"));
    const auto cut = body.response();
    QVERIFY(cut);
    QCOMPARE(cut->status, 408);
    RawClient idle(gateway.port());
    QVERIFY(idle.closedByPeer());
    QVERIFY2(idle.pending().empty(), "an idle connection is closed without a word");
}

void GatewayHttpTest::http10() {
    GatewayFixture gateway;
    RawClient client(gateway.port());
    const std::string body = R"({"model":"model-a","stream":true})";
    QVERIFY(client.send("POST /v1/chat/completions HTTP/1.0\r\n" + kAuth +
                        "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body));
    const auto response = client.response();
    QVERIFY(response && response->complete);
    QVERIFY(!response->headers.contains("transfer-encoding"));
    QVERIFY(response->body.ends_with("data: [DONE]\n\n"));
}

void GatewayHttpTest::smugglingIsRefused_data() {
    QTest::addColumn<QByteArray>("framing");
    QTest::addColumn<int>("status");
    QTest::newRow("length and chunks") << QByteArray("Content-Length: 5\r\nTransfer-Encoding: chunked") << 400;
    QTest::newRow("two lengths") << QByteArray("Content-Length: 5\r\nContent-Length: 6") << 400;
    QTest::newRow("length with sign") << QByteArray("Content-Length: +5") << 400;
    QTest::newRow("unknown coding") << QByteArray("Transfer-Encoding: xchunked") << 501;
    QTest::newRow("chunked is not last") << QByteArray("Transfer-Encoding: chunked, identity") << 501;
    QTest::newRow("coded before chunked") << QByteArray("Transfer-Encoding: gzip, chunked") << 501;
    QTest::newRow("two codings") << QByteArray("Transfer-Encoding: identity\r\nTransfer-Encoding: chunked") << 501;
    QTest::newRow("space before the colon") << QByteArray("Transfer-Encoding : chunked") << 400;
}

/// What follows the head must never be taken for a request of its own.
void GatewayHttpTest::smugglingIsRefused() {
    QFETCH(QByteArray, framing);
    QFETCH(int, status);
    GatewayFixture gateway;
    RawClient client(gateway.port());
    QVERIFY(client.send("POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n" + kAuth + "\r\n" +
                        framing.toStdString() +
                        "\r\n\r\n0\r\n\r\nGET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    QCOMPARE(client.response()->status, status);
    QVERIFY(client.closedByPeer());
}

void GatewayHttpTest::metricsAndHealth() {
    GatewayFixture gateway;
    QCOMPARE(fetch(gateway.port(), {"GET", "/livez", {}, {}})->status, 200);
    QCOMPARE(fetch(gateway.port(), {"GET", "/readyz", {}, {}})->status, 200);
    QCOMPARE(gateway.post(kChat)->status, 200);
    QCOMPARE(gateway.post(R"({"model":"model-b","max_tokens":10})")->header("x-signalbox-coverage"),
             std::string("gap"));
    QCOMPARE(gateway.post(R"({"model":"nobody"})")->status, 404);
    const std::string text = fetch(gateway.port(), {"GET", "/metrics", {}, {}})->body;
    for (const char* line :
         {"signalbox_decisions_total{coverage=\"default\",outcome=\"served\",preset=\"a-k1\"} 1",
          "signalbox_gap_hits_total{cell=\"free_chat/short/single_stream\",family=\"fam-b\"} 1",
          "signalbox_refusals_total{code=\"model_not_found\"} 1", "signalbox_decided_total 2",
          "signalbox_dispatched_total 2", "signalbox_served_total 2", "signalbox_in_flight_requests 0"}) {
        QVERIFY2(text.find(line) != std::string::npos, (std::string(line) + " in\n" + text).c_str());
    }
}

void GatewayHttpTest::F46_unavailableSaysWhenToComeAgain_data() {
    QTest::addColumn<gateway::EdgeError>("error");
    dispatch::UpstreamFailure refused;
    refused.kind = dispatch::UpstreamFailure::Kind::refused;
    QTest::newRow("F46 while draining") << gateway::edgeError(503, "draining", "The gateway is stopping.");
    QTest::newRow("F46 no callable endpoint") << gateway::toEdgeError(Error{ErrorKind::unavailable, "nobody", {}, {}});
    QTest::newRow("F46 nobody admitted it") << gateway::toEdgeError(refused);
}

void GatewayHttpTest::F46_unavailableSaysWhenToComeAgain() {
    QFETCH(gateway::EdgeError, error);
    QCOMPARE(error.status, 503);
    QVERIFY(error.retryAfter && *error.retryAfter >= 1s);
}

void GatewayHttpTest::browsersAreRefused() {
    GatewayFixture gateway;
    for (const char* header : {"Origin: https://evil.example", "Sec-Fetch-Site: cross-site"}) {
        const auto response = fetch(gateway.port(), {"POST", "/v1/chat/completions", {kAuth, header}, kChat});
        QCOMPARE(response->status, 403);
    }
    QCOMPARE(fetch(gateway.port(), {"GET", "/livez", {}, {}, "evil.example"})->status, 403);
    QCOMPARE(gateway.records().size(), std::size_t{0});
}

void GatewayHttpTest::portTaken() {
    GatewayFixture first;
    FixtureOptions options;
    auto snapshot = fixtureSnapshot(options);
    auto config = std::make_shared<config::GatewayConfig>(*snapshot->config);
    config->server.port = first.port();
    auto second = policy::makeSnapshot(snapshot->table, snapshot->tableSha256, config);
    const SystemClock clock;
    const auto process = std::make_shared<capacity::ProcessState>(clock);
    auto access = gateway::AccessPolicy::make(*config, {}, kToken);
    const auto server = gateway::Server::start(
        clock, {}, gateway::makeServing({second, std::move(*access), process, {}, {}}, clock).value());
    QVERIFY(!server);
    QVERIFY2(server.error().message.find("another program") != std::string::npos,
             server.error().text().c_str());
    QVERIFY(server.error().where.find(std::to_string(first.port())) != std::string::npos);
    QCOMPARE(fetch(first.port(), {"GET", "/livez", {}, {}})->status, 200);
}

void GatewayHttpTest::foreignAddress() {
    auto snapshot = fixtureSnapshot({});
    auto config = std::make_shared<config::GatewayConfig>(*snapshot->config);
    config->server.host = "192.0.2.77";
    auto moved = policy::makeSnapshot(snapshot->table, snapshot->tableSha256, config);
    const SystemClock clock;
    const auto process = std::make_shared<capacity::ProcessState>(clock);
    auto access = gateway::AccessPolicy::make(*config, {}, kToken);
    const auto server = gateway::Server::start(
        clock, {}, gateway::makeServing({moved, std::move(*access), process, {}, {}}, clock).value());
    QVERIFY(!server);
    QVERIFY2(server.error().message.find("not an address of this machine") != std::string::npos,
             server.error().text().c_str());
}

QTEST_APPLESS_MAIN(GatewayHttpTest)
#include "tst_gateway_http.moc"
