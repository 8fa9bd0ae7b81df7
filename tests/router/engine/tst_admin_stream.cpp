// SPDX-License-Identifier: MIT
// The live stream of decisions, and what a gateway that drains says to whom.
#include "router/engine/admin_wire.h"
#include "tests/router/engine/admin_scene.h"

#include <QTest>
#include <future>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;
using Json = nlohmann::json;

class AdminStreamTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void decisionsComeAsTheyAreMade();
    void onlyTheAdminReadsIt();
    void aStreamHoldsNoPolicy();
    void moreReadersThanThereIsRoomForAreRefused();
    void aReaderWhoLeavesIsForgotten();
    void F46_drainingIsSaidToEverybodyAndWhenToComeAgain();
    void aGatewayWithNothingInFlightStopsAtOnce();

private:
    static RawClient follow(const AdminScene& scene, const std::string& token = {}) {
        RawClient client(scene.port());
        client.send("GET /admin/decisions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " +
                    (token.empty() ? scene.adminToken() : token) + "\r\n\r\n");
        return client;
    }
    static bool isAccepted(const AdminScene& scene) {
        RawClient client = follow(scene);
        return client.waitFor("\r\n") && client.pending().starts_with("HTTP/1.1 200");
    }
    /// Asks until there is room: whoever left is counted until the gateway has seen it.
    static bool isAcceptedSoon(const AdminScene& scene) {
        const auto deadline = std::chrono::steady_clock::now() + 10s;
        while (std::chrono::steady_clock::now() < deadline)
            if (isAccepted(scene))
                return true;
        return false;
    }
};

namespace {

const char* kLate = "[providers.late]\nprotocol = \"simulated\"\nmodels = [\"l\"]\n[providers.late.simulated]\n"
                    "first_token_ms = 5000\noutput_tokens = 1\ntokens_per_second = 100000.0\n";

/// The lines of a stream's body.
std::vector<engine::wire::StreamLine> linesOf(const std::string& body) {
    std::vector<engine::wire::StreamLine> out;
    for (std::size_t at = 0; at < body.size();) {
        const std::size_t end = body.find('\n', at);
        out.push_back(engine::wire::decodeLine(body.substr(at, end - at)).value());
        at = end + 1;
    }
    return out;
}

} // namespace

void AdminStreamTest::decisionsComeAsTheyAreMade() {
    AdminScene scene;
    RawClient reader = follow(scene);
    QVERIFY(reader.waitFor("application/jsonl"));
    QVERIFY(reader.waitFor("heartbeat")); // at once, so that the reader knows that it is connected
    std::vector<std::string> ids;
    for (int i = 0; i < 3; ++i) {
        ids.push_back(scene.ask().header("x-signalbox-decision-id"));
        QVERIFY(reader.waitFor(ids.back()));
    }
    QVERIFY(scene.target().stop(5s).has_value());
    const auto response = reader.response();
    QVERIFY(response && response->complete);
    const auto lines = linesOf(response->body);
    QVERIFY(lines.front().heartbeat);
    QCOMPARE(lines.back().end, std::string("draining"));
    std::vector<std::string> read;
    for (const auto& line : lines)
        if (line.decision)
            read.push_back(line.decision->id.text());
    QVERIFY(read == ids);
}

void AdminStreamTest::onlyTheAdminReadsIt() {
    AdminScene scene;
    auto refused = follow(scene, "wrong-wrong-wrong-wrong").response();
    QVERIFY(refused && refused->status == 401);
    refused = follow(scene, scene.target().clientToken()).response();
    QVERIFY(refused && refused->status == 403);
    QCOMPARE(scene.get("/admin/decisions", {"Origin: http://evil.example"}).status, 403);
    const auto head = fetch(scene.port(), {"HEAD", "/admin/decisions", {"Authorization: Bearer " + scene.adminToken()}, {}});
    QVERIFY(head && head->status == 200);
}

void AdminStreamTest::aStreamHoldsNoPolicy() {
    AdminScene scene;
    RawClient reader = follow(scene);
    QVERIFY(reader.waitFor("heartbeat"));
    const std::weak_ptr<const policy::PolicySnapshot> before = scene.target().running();
    QCOMPARE(scene.post("/admin/apply", scene.applyBody(scene.configText("active", 35))).status, 200);
    QTRY_VERIFY_WITH_TIMEOUT(before.expired(), 10'000);
    const std::string id = scene.ask().header("x-signalbox-decision-id");
    QVERIFY(reader.waitFor(id)); // and goes on over the change
}

void AdminStreamTest::moreReadersThanThereIsRoomForAreRefused() {
    AdminScene scene;
    std::vector<RawClient> readers;
    for (int i = 0; i < 16; ++i) {
        readers.push_back(follow(scene));
        QVERIFY(readers.back().waitFor("heartbeat"));
    }
    const auto refused = scene.get("/admin/decisions");
    QCOMPARE(refused.status, 429);
    QCOMPARE(errorCode(refused), std::string("too_many_streams"));
    QVERIFY(!refused.header("retry-after").empty());
    readers.pop_back();
    QVERIFY(isAcceptedSoon(scene));
}

void AdminStreamTest::aReaderWhoLeavesIsForgotten() {
    AdminScene scene;
    for (int i = 0; i < 40; ++i) { // more than there is room for at once
        RawClient reader = follow(scene);
        QVERIFY(reader.waitFor(" "));
        reader.close();
        QVERIFY(isAcceptedSoon(scene));
    }
}

void AdminStreamTest::F46_drainingIsSaidToEverybodyAndWhenToComeAgain() {
    AdminScene scene({.more = kLate});
    RawClient reader = follow(scene);
    QVERIFY(reader.waitFor("heartbeat"));
    RawClient kept(scene.port()); // a connection from before
    QVERIFY(kept.send(requestText({"GET", "/readyz", {}, {}})));
    QCOMPARE(kept.response()->status, 200);
    RawClient late(scene.port());
    QVERIFY(late.send(requestText({"POST", "/v1/chat/completions", {"Authorization: Bearer " + scene.target().clientToken()},
                                   R"({"model":"late:l","messages":[{"role":"user","content":"hi"}]})"})));
    QTRY_COMPARE_WITH_TIMEOUT(scene.target().status().inFlight, 1U, 10'000);
    const std::uint16_t port = scene.port();
    const std::string admin = "Authorization: Bearer " + scene.adminToken();
    auto stopping = std::async(std::launch::async, [&] { return scene.target().stop(20s); });
    QTRY_VERIFY_WITH_TIMEOUT(scene.target().status().state == engine::GatewayState::draining, 10'000);
    // The state is told a moment before the sockets are.
    QTRY_COMPARE_WITH_TIMEOUT(fetch(port, {"GET", "/readyz", {}, {}}).value_or(RawResponse{}).status, 503, 1'000);
    const auto ready = fetch(port, {"GET", "/readyz", {}, {}});
    QVERIFY(ready->body.find("draining") != std::string::npos && !ready->header("retry-after").empty());
    QVERIFY(kept.send(requestText({"GET", "/readyz", {}, {}})));
    QCOMPARE(kept.response()->status, 503);
    QCOMPARE(fetch(port, {"GET", "/livez", {}, {}})->status, 200);
    const auto status = fetch(port, {"GET", "/admin/status", {admin}, {}});
    QCOMPARE(status->status, 200);
    QCOMPARE(std::string(Json::parse(status->body)["state"]), std::string("draining"));
    for (const char* path : {"/admin/off", "/admin/mode", "/admin/apply", "/admin/events", "/admin/decide"}) {
        const auto refused = fetch(port, {"POST", path, {admin}, "{}"});
        QVERIFY2(refused && refused->status == 503 && !refused->header("retry-after").empty(), path);
        QCOMPARE(errorCode(*refused), std::string("draining"));
    }
    const auto client = fetch(port, {"POST", "/v1/chat/completions", {"Authorization: Bearer " + scene.target().clientToken()}, "{}"});
    QCOMPARE(client->status, 503);
    QVERIFY(!client->header("retry-after").empty());
    const auto stream = reader.response();
    QVERIFY(stream && stream->complete);
    QCOMPARE(linesOf(stream->body).back().end, std::string("draining"));
    const auto served = late.response();
    QVERIFY(served && served->status == 200); // it was in flight
    QVERIFY(stopping.get().has_value());
    QVERIFY(!RawClient(port).isConnected());
}

void AdminStreamTest::aGatewayWithNothingInFlightStopsAtOnce() {
    AdminScene scene;
    RawClient reader = follow(scene);
    QVERIFY(reader.waitFor("heartbeat"));
    const auto begun = std::chrono::steady_clock::now();
    QVERIFY(scene.target().stop(30s).has_value());
    QVERIFY(std::chrono::steady_clock::now() - begun < 10s);
}

QTEST_APPLESS_MAIN(AdminStreamTest)
#include "tst_admin_stream.moc"
