// SPDX-License-Identifier: MIT
// What is turned away before it becomes a decision: told to a log, bounded, and of every kind.
#include "router/gateway/refusal_feed.h"
#include "tests/router/gateway/gateway_fixture.h"
#include "tests/support/fakes.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;
using gateway::RefusalFeed;
using gateway::TurnedAway;

namespace {

const std::string kAsked = R"({"model":"model-a","messages":[{"role":"user","content":"planted"}]})";

TurnedAway refusedAt(const ManualClock& clock, const char* code, const char* peer = "192.0.2.1") {
    return {clock.now(), evidence::Edge::openai, 401, code, "no", peer};
}

} // namespace

class RefusalFeedTest : public QObject {
    Q_OBJECT

    /// A second gateway over the fixture's policy, whose feed is ours.
    struct Scene {
        explicit Scene(FixtureOptions options = {}, std::size_t connections = 0) : fixture(std::move(options)) {
            gateway::ServerOptions own;
            own.turnedAway = feed;
            own.maxConnections = connections;
            server = gateway::Server::start(clock, std::move(own), fixture.makeServing()).value();
        }
        SystemClock clock;
        std::shared_ptr<RefusalFeed> feed = std::make_shared<RefusalFeed>();
        GatewayFixture fixture;
        std::unique_ptr<gateway::Server> server;
    };

private Q_SLOTS:
    void theFirstOfAKindIsToldAtOnceAndAFloodOnceASecond() {
        ManualClock clock;
        RefusalFeed feed;
        feed.add(refusedAt(clock, "invalid_token"));
        const auto first = feed.take(clock.steady());
        QCOMPARE(first.size(), std::size_t{1});
        QCOMPARE(first[0].more, std::uint64_t{0});
        std::size_t lines = 0;
        std::uint64_t told = 0;
        for (int ms = 0; ms < 10'000; ++ms) {
            clock.advance(1ms);
            feed.add(refusedAt(clock, "invalid_token", ms % 2 == 0 ? "192.0.2.1" : "192.0.2.2"));
            for (const TurnedAway& line : feed.take(clock.steady()))
                ++lines, told += 1 + line.more;
        }
        QCOMPARE(lines, std::size_t{10});
        QCOMPARE(told, std::uint64_t{10'000});
    }

    void theNewestStandsForTheOthers() {
        ManualClock clock;
        RefusalFeed feed;
        for (const char* peer : {"192.0.2.1", "192.0.2.2", "192.0.2.3"})
            feed.add(refusedAt(clock, "invalid_token", peer));
        const auto lines = feed.take(clock.steady());
        QCOMPARE(lines.size(), std::size_t{1});
        QCOMPARE(lines[0].peer, std::string("192.0.2.3"));
        QCOMPARE(lines[0].more, std::uint64_t{2});
    }

    void kindsDoNotHideOneAnother() {
        ManualClock clock;
        RefusalFeed feed;
        feed.add(refusedAt(clock, "invalid_token"));
        clock.advance(1us);
        feed.add(refusedAt(clock, "invalid_json"));
        clock.advance(1us);
        TurnedAway other = refusedAt(clock, "invalid_token");
        other.edge = evidence::Edge::anthropic;
        feed.add(other);
        const auto lines = feed.take(clock.steady());
        QCOMPARE(lines.size(), std::size_t{3});
        QCOMPARE(lines[0].code, std::string("invalid_token"));
        QCOMPARE(lines[1].code, std::string("invalid_json"));
        QVERIFY(lines[2].edge == evidence::Edge::anthropic);
    }

    void theEndTellsTheRest() {
        ManualClock clock;
        RefusalFeed feed;
        feed.add(refusedAt(clock, "invalid_token"));
        QCOMPARE(feed.take(clock.steady()).size(), std::size_t{1});
        feed.add(refusedAt(clock, "invalid_token"));
        QVERIFY(feed.take(clock.steady()).empty());
        QCOMPARE(feed.takeAll().size(), std::size_t{1});
        QVERIFY(feed.takeAll().empty());
    }

    void everyRefusalOfTheGatewayIsTold_data() {
        QTest::addColumn<QByteArray>("request");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("code");
        const auto row = [](const char* tag, const RequestLines& lines, int status, const char* code) {
            QTest::newRow(tag) << QByteArray::fromStdString(requestText(lines)) << status << QByteArray(code);
        };
        const char* chat = "/v1/chat/completions";
        row("no token", {"POST", chat, {}, kAsked}, 401, "missing_token");
        row("wrong token", {"POST", chat, {"Authorization: Bearer sk-planted-0123456789abcdef"}, kAsked}, 401, "invalid_token");
        row("not JSON", {"POST", chat, {kAuth}, "{\"messages\":\"planted\""}, 400, "invalid_json");
        row("gzip", {"POST", chat, {kAuth, "Content-Encoding: gzip"}, kAsked}, 415, "unsupported_encoding");
        row("expectation", {"POST", chat, {kAuth, "Expect: a-miracle"}, kAsked}, 417, "unknown_expectation");
        row("origin", {"POST", chat, {kAuth, "Origin: https://evil.example"}, kAsked}, 403, "foreign_origin");
        row("pin", {"POST", chat, {kAuth, "X-Signalbox-Pin: nonsense"}, kAsked}, 400, "invalid_pin");
        row("unknown path", {"GET", "/v2/nothing?key=planted", {kAuth}, {}}, 404, "unknown_path");
        row("method", {"GET", chat, {kAuth}, {}}, 405, "method_not_allowed");
        row("large body", {"GET", "/livez", {}, std::string(100'000, 'x')}, 413, "request_too_large");
        row("unknown model of a list", {"GET", "/v1/models/model-z", {kAuth}, {}}, 404, "model_not_found");
        row("count of what cannot be read", {"POST", "/v1/messages/count_tokens", {kAuth}, "planted"}, 400, "invalid_json");
        row("admin without a token", {"GET", "/admin/status", {}, {}}, 401, "missing_admin_token");
        QTest::newRow("not HTTP") << QByteArray("GARBAGE\r\n\r\n") << 400 << QByteArray("malformed_request");
        QTest::newRow("huge header") << QByteArray("GET /livez HTTP/1.1\r\nHost: localhost\r\nX: " + QByteArray(80'000, 'x') + "\r\n\r\n")
                                     << 431 << QByteArray("header_too_large");
        QTest::newRow("framing") << QByteArray("POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"
                                               "Transfer-Encoding: gzip, chunked\r\n\r\n")
                                 << 501 << QByteArray("unsupported_transfer_encoding");
    }
    void everyRefusalOfTheGatewayIsTold() {
        QFETCH(QByteArray, request);
        QFETCH(int, status);
        QFETCH(QByteArray, code);
        Scene scene;
        RawClient client(scene.server->port());
        QVERIFY(client.send(request.toStdString()));
        const auto response = client.response();
        QVERIFY(response);
        QCOMPARE(response->status, status);
        const auto lines = scene.feed->takeAll();
        QCOMPARE(lines.size(), std::size_t{1});
        QCOMPARE(lines[0].status, status);
        QCOMPARE(QByteArray::fromStdString(lines[0].code), code);
        QCOMPARE(lines[0].peer, std::string("127.0.0.1"));
        // Whoever asks why has the id of the answer, and nothing else.
        QVERIFY(lines[0].requestId.starts_with("rtd_"));
        QCOMPARE(lines[0].requestId, response->header("x-request-id"));
        QVERIFY2(lines[0].message.find("planted") == std::string::npos, lines[0].message.c_str());
        // The same is counted, and no label is the client's to choose.
        const auto refusals = scene.server->refusals();
        QCOMPARE(refusals.size(), std::size_t{1});
        QCOMPARE(QByteArray::fromStdString(refusals[0].code), code);
    }

    void theLogNamesTheClientsOwnId() {
        Scene scene;
        RawClient client(scene.server->port());
        for (const char* body : {"{}", "no JSON"}) {
            const bool hasToken = std::string_view(body) != "{}";
            QVERIFY(client.send(requestText({"POST", "/v1/chat/completions", {hasToken ? kAuth : "X: y", "X-Request-Id: mine-7"}, body})));
            QCOMPARE(client.response()->header("x-request-id"), std::string("mine-7"));
            QCOMPARE(scene.feed->takeAll().at(0).requestId, std::string("mine-7"));
        }
    }

    void tooMuchAtOnceIsTold() {
        FixtureOptions options;
        options.server = "max_concurrent_requests = 1\n";
        options.threads = 1;
        Scene scene(options);
        const std::string head = "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n" + kAuth + "\r\n";
        RawClient holds(scene.server->port());
        QVERIFY(holds.send(head + "Expect: 100-continue\r\nContent-Length: 100\r\n\r\n"));
        QCOMPARE(holds.response()->status, 100);
        for (int i = 0; i < 3; ++i) {
            RawClient late(scene.server->port());
            QVERIFY(late.send(requestText({"POST", "/v1/chat/completions", {kAuth}, kAsked})));
            const auto response = late.response();
            QVERIFY(response);
            QCOMPARE(response->status, 429);
        }
        const auto lines = scene.feed->takeAll();
        QCOMPARE(lines.size(), std::size_t{1});
        QCOMPARE(lines[0].code, std::string("too_many_requests"));
        QCOMPARE(lines[0].more, std::uint64_t{2});
    }

    void tooManyConnectionsAreTold() {
        FixtureOptions options;
        options.threads = 1;
        Scene scene(options, 1);
        RawClient holds(scene.server->port());
        QVERIFY(holds.send("POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n" + kAuth +
                           "\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n"));
        QCOMPARE(holds.response()->status, 100);
        RawClient late(scene.server->port());
        const auto response = late.response();
        QVERIFY(response);
        QCOMPARE(response->status, 503);
        const auto lines = scene.feed->takeAll();
        QCOMPARE(lines.size(), std::size_t{1});
        QCOMPARE(lines[0].code, std::string("too_many_connections"));
        QCOMPARE(lines[0].peer, std::string("127.0.0.1"));
    }

    // They have a line of their own already.
    void whatBecameADecisionIsNotToldTwice() {
        Scene scene;
        RawClient client(scene.server->port());
        QVERIFY(client.send(requestText({"POST", "/v1/chat/completions", {kAuth}, R"({"model":"model-z"})"})));
        QCOMPARE(client.response()->status, 404);
        QVERIFY(client.send(requestText({"POST", "/v1/chat/completions", {kAuth}, kAsked})));
        QCOMPARE(client.response()->status, 200);
        QVERIFY(scene.feed->takeAll().empty());
        QCOMPARE(scene.server->refusals().size(), std::size_t{1});
    }
};

QTEST_GUILESS_MAIN(RefusalFeedTest)
#include "tst_refusal_feed.moc"
