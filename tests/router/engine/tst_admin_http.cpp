// SPDX-License-Identifier: MIT
// Calls of the admin API against a server whose every fault is a script: what is wrong is said, what is secret is not.
#include "router/engine/admin_client.h"
#include "router/gateway/admin_paths.h"
#include "tests/support/scripted_upstream.h"

#include <QTemporaryDir>
#include <QTest>

#include <future>
#include <latch>

using namespace signalbox;
using namespace std::chrono_literals;
using engine::AdminAccess;
using engine::AdminClient;
using test::Reply;
using test::ScriptedUpstream;

namespace {

constexpr const char* kToken = "sbx_0123456789abcdef0123456789abcdef";

std::string statusBody(const std::string& name = "prod-a") {
    engine::TargetStatus status;
    status.name = name;
    status.state = engine::GatewayState::running;
    status.runningHash = "abc";
    return engine::wire::encodeStatus(status, std::chrono::steady_clock::now());
}

AdminAccess accessTo(const ScriptedUpstream& server) {
    AdminAccess access;
    access.url = server.baseUrl();
    access.token = kToken;
    access.tokenFrom = "$SIGNALBOX_ADMIN_TOKEN";
    access.actor = "ada@ops-1";
    access.patience = 5s;
    return access;
}

std::string edgeError(const std::string& code, const std::string& message, const std::string& param = {}) {
    return R"({"error":{"message":")" + message + R"(","type":"invalid_request_error","code":")" + code + R"(","param":)" +
           (param.empty() ? std::string("null") : '"' + param + '"') + "}}";
}

}  // namespace

class AdminHttpTest : public QObject {
    Q_OBJECT

    static void verifyError(const Error& error, ErrorKind kind, const std::string& says) {
        QVERIFY2(error.kind == kind, error.text().c_str());
        QVERIFY2(error.text().find(says) != std::string::npos, error.text().c_str());
        QVERIFY2(error.text().find(kToken) == std::string::npos, "the token is in the message");
    }

private Q_SLOTS:
    void asksWithTokenAndActorAndReadsTheStatus() {
        ScriptedUpstream server;
        server.setStandingReply(Reply::json(statusBody()));
        AdminClient client(accessTo(server));
        const auto status = client.status();
        QVERIFY2(status.has_value(), status ? "" : status.error().text().c_str());
        QCOMPARE(status->name, std::string("prod-a"));
        QVERIFY(status->state == engine::GatewayState::running);
        QVERIFY(status->remote);
        QVERIFY(status->heardAt != Timestamp{});
        // Where it was reached from here, not where it says that it listens.
        QCOMPARE(status->baseUrl, "http://127.0.0.1:" + std::to_string(server.port()) + "/v1");
        const auto requests = server.requests();
        QCOMPARE(requests.size(), std::size_t{1});
        QCOMPARE(requests[0].requestLine(), std::string("GET /admin/status HTTP/1.1"));
        QCOMPARE(requests[0].header("authorization"), std::string("Bearer ") + kToken);
        QCOMPARE(requests[0].header("x-signalbox-actor"), std::string("ada@ops-1"));
    }

    void oneConnectionServesManyCalls() {
        ScriptedUpstream server;
        server.setStandingReply(Reply::json(statusBody()));
        AdminClient client(accessTo(server));
        for (int i = 0; i < 5; ++i) QVERIFY(client.status().has_value());
        QCOMPARE(server.connectionsAccepted(), std::size_t{1});
    }

    void actionsPostTheirOrders() {
        ScriptedUpstream server;
        server.setStandingReply(Reply::json(statusBody()));
        AdminClient client(accessTo(server));
        QVERIFY(client.off(true).has_value());
        QVERIFY(client.setMode(config::RoutingMode::active, 10).has_value());
        QVERIFY(client.act("lab:m", engine::EndpointAction::drain).has_value());
        QVERIFY(client.act("lab:m", engine::EndpointAction::undrain).has_value());
        QVERIFY(client.act("lab:m", engine::EndpointAction::reset).has_value());
        QVERIFY(client.note("hello").has_value());
        const auto requests = server.requests();
        QCOMPARE(requests.size(), std::size_t{6});
        QCOMPARE(requests[0].requestLine(), std::string("POST /admin/off HTTP/1.1"));
        QVERIFY(engine::wire::decodeOff(requests[0].body).value());
        QVERIFY((engine::wire::decodeMode(requests[1].body).value() == engine::wire::ModeRequest{config::RoutingMode::active, std::uint8_t{10}}));
        QCOMPARE(requests[2].requestLine(), std::string("POST /admin/drain HTTP/1.1"));
        QCOMPARE(engine::wire::decodeEndpoint(requests[2].body).value(), std::string("lab:m"));
        QCOMPARE(requests[3].requestLine(), std::string("POST /admin/undrain HTTP/1.1"));
        QVERIFY((engine::wire::decodeCircuit(requests[4].body).value() == engine::wire::CircuitRequest{"lab:m", engine::EndpointAction::reset}));
        QCOMPARE(requests[5].requestLine(), std::string("POST /admin/events HTTP/1.1"));
        QCOMPARE(engine::wire::decodeNote(requests[5].body).value(), std::string("hello"));
    }

    void whatIsWrongIsSaid_data() {
        QTest::addColumn<int>("status");
        QTest::addColumn<std::string>("body");
        QTest::addColumn<int>("kind");
        QTest::addColumn<std::string>("says");
        const auto row = [](const char* name, int status, const std::string& body, ErrorKind kind, const std::string& says) {
            QTest::newRow(name) << status << body << static_cast<int>(kind) << says;
        };
        row("wrong token", 401, edgeError("invalid_admin_token", "no"), ErrorKind::denied, "does not accept this admin token");
        row("wrong token says where it came from", 401, edgeError("invalid_admin_token", "no"), ErrorKind::denied, "$SIGNALBOX_ADMIN_TOKEN");
        row("an older gateway", 404, edgeError("unknown_path", "There is nothing here."), ErrorKind::unavailable, "of a version that does not know that call");
        row("no such endpoint", 404, edgeError("endpoint_not_found", "the running policy has no endpoint \\\"x\\\"", "endpoint"), ErrorKind::notFound, "has no endpoint \"x\"");
        row("a conflict", 409, edgeError("not_running", "the gateway does not run"), ErrorKind::conflict, "does not run");
        row("a bad order", 400, edgeError("invalid_body", "mode is one of off, shadow, active", "mode"), ErrorKind::badInput, "one of off, shadow, active");
        row("a web server", 404, "<html>not here</html>", ErrorKind::unavailable, "no Signalbox gateway");
        row("another program's JSON", 200, R"({"status":"UP"})", ErrorKind::unavailable, "no Signalbox gateway");
        row("a status of another kind", 200, R"({"state":"running","evidence":{},"in_flight":"many"})", ErrorKind::unavailable, "/in_flight");
        row("a proxy's failure", 502, "bad gateway", ErrorKind::unavailable, "no Signalbox gateway (HTTP 502)");
        row("an echoed token", 409, edgeError("odd", std::string("you sent ") + kToken), ErrorKind::conflict, "you sent");
    }
    void whatIsWrongIsSaid() {
        QFETCH(int, status);
        QFETCH(std::string, body);
        QFETCH(int, kind);
        QFETCH(std::string, says);
        ScriptedUpstream server;
        server.setStandingReply(Reply::json(body, status));
        const auto answer = AdminClient(accessTo(server)).status();
        QVERIFY(!answer.has_value());
        verifyError(answer.error(), static_cast<ErrorKind>(kind), says);
    }

    void nothingListensThere() {
        AdminAccess access;
        {
            const ScriptedUpstream gone;
            access = accessTo(gone);
        }
        const auto answer = AdminClient(access).status();
        QVERIFY(!answer.has_value());
        verifyError(answer.error(), ErrorKind::unavailable, "nothing listens there");
    }

    void silenceIsOverAfterThePatience() {
        ScriptedUpstream server;
        server.setStandingReply(Reply::nothing().stall());
        AdminAccess access = accessTo(server);
        access.patience = 300ms;
        const auto answer = AdminClient(access).status();
        QVERIFY(!answer.has_value());
        verifyError(answer.error(), ErrorKind::unavailable, "did not answer in time");
    }

    void closedBeforeTheAnswer() {
        ScriptedUpstream server;
        server.setStandingReply(Reply::nothing().close());
        const auto answer = AdminClient(accessTo(server)).status();
        QVERIFY(!answer.has_value());
        verifyError(answer.error(), ErrorKind::unavailable, "closed the connection");
    }

    void certificatesAreVerified() {
        QTemporaryDir folder;
        const auto files = test::makeTestCertificates(folder.path().toStdString());
        if (!files) QSKIP("openssl is not here");
        ScriptedUpstream server(files);
        server.setStandingReply(Reply::json(statusBody()));
        AdminAccess access = accessTo(server);
        auto answer = AdminClient(access).status();
        QVERIFY(!answer.has_value());
        verifyError(answer.error(), ErrorKind::unavailable, "certificate was not accepted");
        QCOMPARE(server.requestCount(), std::size_t{0});  // the token was not sent
        access.caFile = files->authority.string();
        answer = AdminClient(access).status();
        QVERIFY2(answer.has_value(), answer ? "" : answer.error().text().c_str());
        access.caFile = "/no/such.pem";
        answer = AdminClient(access).status();
        verifyError(answer.error(), ErrorKind::badInput, "CA file cannot be used");
    }

    void theNameInTheCertificateCounts() {
        QTemporaryDir folder;
        const auto files = test::makeTestCertificates(folder.path().toStdString(), "DNS:elsewhere.example");
        if (!files) QSKIP("openssl is not here");
        ScriptedUpstream server(files);
        AdminAccess access = accessTo(server);
        access.caFile = files->authority.string();
        const auto answer = AdminClient(access).status();
        verifyError(answer.error(), ErrorKind::unavailable, "certificate was not accepted");
    }

    void httpsToAPlainPort() {
        ScriptedUpstream server;
        server.setStandingReply(Reply::json(statusBody()));
        AdminAccess access = accessTo(server);
        access.url = "https://127.0.0.1:" + std::to_string(server.port());
        const auto answer = AdminClient(access).status();
        QVERIFY(!answer.has_value());
        QVERIFY2(answer.error().kind == ErrorKind::unavailable, answer.error().text().c_str());
    }

    void whatCannotBeSentIsRefusedBefore() {
        ScriptedUpstream server;
        AdminAccess access = accessTo(server);
        access.token = "two\r\nlines";
        verifyError(engine::checkAccess(access).error(), ErrorKind::badInput, "no header can carry");
        access = accessTo(server);
        access.token.clear();
        verifyError(engine::checkAccess(access).error(), ErrorKind::denied, "no admin token");
        access = accessTo(server);
        access.url = "gateway?";
        verifyError(engine::checkAccess(access).error(), ErrorKind::badInput, "not the address of a gateway");
        access.url = "https://ada:planted@gateway.example";
        const std::string said = engine::checkAccess(access).error().text();
        QVERIFY2(said.find("ada") == std::string::npos && said.find("planted") == std::string::npos, said.c_str());
        QVERIFY2(said.find("https://…@gateway.example") != std::string::npos, said.c_str());
        for (const char* login : {"https://ada:planted@gateway.example", "https://planted%40gateway.example:38082", "ada:planted@gateway.example"}) {
            const auto refused = engine::checkAddress(login);
            QVERIFY2(!refused, login);
            verifyError(refused.error(), ErrorKind::badInput, "user name or password");
            QVERIFY2(refused.error().text().find("planted") == std::string::npos, refused.error().text().c_str());
        }
        QCOMPARE(server.connectionsAccepted(), std::size_t{0});
    }

    // Also before the call has begun, where Asio ends the process unless one takes care.
    void cancelIsHarmlessAtAnyMoment() {
        ScriptedUpstream server;
        server.setStandingReply(Reply::json(statusBody()));
        for (int i = 0; i < 400; ++i) {
            AdminClient client(accessTo(server));
            std::latch begun(2);
            auto asking = std::async(std::launch::async, [&] {
                begun.arrive_and_wait();
                return client.status();
            });
            begun.arrive_and_wait();
            for (volatile int spun = 0; spun < i * 20; spun = spun + 1) {}
            client.cancel();
            const auto answer = asking.get();
            QVERIFY(answer || answer.error().kind == ErrorKind::cancelled);
        }
    }

    void cancelBreaksOffDownToTheSocket() {
        ScriptedUpstream server;
        server.setStandingReply(Reply::nothing().stall());
        AdminAccess access = accessTo(server);
        access.patience = 60s;
        AdminClient client(access);
        auto call = std::async(std::launch::async, [&] { return client.status(); });
        QTRY_COMPARE(server.requestCount(), std::size_t{1});
        client.cancel();
        QVERIFY(call.wait_for(10s) == std::future_status::ready);
        const auto answer = call.get();
        QVERIFY(!answer && answer.error().kind == ErrorKind::cancelled);
        QTRY_COMPARE(server.abandoned(), std::size_t{1});
        QVERIFY(client.status().error().kind == ErrorKind::cancelled);
    }

    void aStreamIsReadLineByLineWhereverItIsSplit() {
        ScriptedUpstream server;
        evidence::DecisionRecord record;
        FastRandom random;
        record.requestedModel = "m";
        Reply reply = Reply::stream();
        reply.inPieces(7);
        for (int i = 0; i < 3; ++i) {
            record.id = DecisionId::make(SystemClock().now(), random);
            record.status = 200 + i;
            reply.chunk(engine::wire::decisionLine(record));
        }
        reply.chunk("{\"of a later version\":1}\n").chunk(engine::wire::skippedLine(4)).chunk(engine::wire::heartbeatLine(SystemClock().now())).chunk(engine::wire::endLine("stopped")).end();
        server.setStandingReply(reply);
        AdminClient client(accessTo(server));
        std::vector<int> statuses;
        std::uint64_t skipped = 0;
        bool opened = false;
        const Error why = client.follow({[&] { opened = true; }, [&](const evidence::DecisionRecord& one) { statuses.push_back(one.status); }, [&](std::uint64_t count) { skipped += count; }});
        QVERIFY(opened);
        QVERIFY((statuses == std::vector<int>{200, 201, 202}));
        QCOMPARE(skipped, std::uint64_t{4});
        QVERIFY2(why.message.find("stopped") != std::string::npos, why.text().c_str());
        QVERIFY(why.kind == ErrorKind::unavailable);
    }

    void anOverlongLineEndsTheStreamAndNotTheFeed() {
        ScriptedUpstream server;
        evidence::DecisionRecord record;
        record.status = 201;
        // Neither ends by itself: who reads on waits for ever.
        server.enqueue(Reply::stream().chunk(std::string(std::size_t{300} << 10, 'x')).stall());
        server.enqueue(Reply::stream().chunk(engine::wire::decisionLine(record)).end());
        AdminClient client(accessTo(server));
        std::vector<int> statuses;
        const AdminClient::LiveListener listener{[] {}, [&](const evidence::DecisionRecord& one) { statuses.push_back(one.status); }, [](std::uint64_t) {}};
        auto reading = std::async(std::launch::async, [&] { return client.follow(listener); });
        if (reading.wait_for(10s) != std::future_status::ready) client.cancel();
        const Error why = reading.get();
        verifyError(why, ErrorKind::unavailable, "a line of more than 256 KiB");
        QTRY_COMPARE(server.openConnections(), std::size_t{0});
        static_cast<void>(client.follow(listener));
        QVERIFY((statuses == std::vector<int>{201}));
    }
};

QTEST_GUILESS_MAIN(AdminHttpTest)
#include "tst_admin_http.moc"
