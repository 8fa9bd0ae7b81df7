// SPDX-License-Identifier: MIT
// F44 over real sockets: [server] request_budget_ms from the request's head to the last byte. The stages in virtual time, and
// what comes of attempts before, are in tst_request_budget.
#include "tests/router/gateway/pool_scene.h"
#include "tests/support/fakes.h"

#include <nlohmann/json.hpp>
#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;
using evidence::AttemptOutcome;
using evidence::Outcome;

namespace {

constexpr std::chrono::milliseconds kBudget{400};
const std::string kCode(dispatch::kRequestBudget);

PoolSceneOptions budgeted(PoolKind kind) {
    PoolSceneOptions options{.kind = kind};
    options.server = "request_budget_ms = " + std::to_string(kBudget.count());
    return options;
}

Reply roleThen() { return Reply::stream().event(frames::kRole); }

} // namespace

class GatewayBudgetTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyStage_data();
    void everyStage();
    void connecting_data() { kinds(); }
    void connecting();
    void afterContentTheStreamEndsWithAnError_data() { kinds(); }
    void afterContentTheStreamEndsWithAnError();
    void aProvidersOwnLimitStaysItsOwn();
    void aBodyThatComesTooSlowly();
    void aClientThatTakesTooLong();

private:
    static void kinds() {
        QTest::addColumn<int>("kind");
        for (const PoolKind kind : kPoolKinds) QTest::newRow(toString(kind).c_str()) << static_cast<int>(kind);
    }
};

void GatewayBudgetTest::everyStage_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<bool>("stream");
    QTest::addColumn<std::string>("stage");
    for (const PoolKind kind : kPoolKinds)
        for (const bool stream : {false, true})
            for (const char* stage : {"head", "content"})
                QTest::addRow("%s, %s, %s", toString(kind).c_str(), stream ? "stream" : "whole", stage)
                    << static_cast<int>(kind) << stream << std::string(stage);
}

void GatewayBudgetTest::everyStage() {
    QFETCH(const int, kind);
    QFETCH(const bool, stream);
    QFETCH(const std::string, stage);
    PoolScene scene(budgeted(static_cast<PoolKind>(kind)));
    Reply partial = stream ? roleThen() : Reply::raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{");
    scene.at(0).setStandingReply(stage == "head" ? Reply::nothing().stall() : partial.stall());
    const auto sent = std::chrono::steady_clock::now();
    const auto response = scene.gateway().post(poolBody(stream));
    const double waitedMs = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - sent).count();
    QCOMPARE(response->status, 504);
    QCOMPARE(response->header("content-type"), std::string("application/json"));
    const auto error = nlohmann::json::parse(response->body).at("error");
    QCOMPARE(error.at("code").get<std::string>(), kCode);
    QVERIFY(error.at("message").get<std::string>().find("request_budget_ms") != std::string::npos);
    const evidence::DecisionRecord record = scene.gateway().records().back();
    QCOMPARE(record.errorCode, kCode);
    QVERIFY(record.outcome == Outcome::failed);
    QCOMPARE(record.status, 504);
    // The budget runs from the head on, the record's time from the whole body on: that of the client contains them both.
    QVERIFY2(waitedMs >= 400 && waitedMs < 3'000, std::to_string(waitedMs).c_str());
    QVERIFY2(record.totalMs > 0 && record.totalMs <= waitedMs, std::to_string(record.totalMs).c_str());
    QCOMPARE(storyOf(record), "a primary failed " + kCode);
    QCOMPARE(record.whyNoFallback, kCode);
    QCOMPARE(scene.circuit(0).attempts, 0U);  // its own limits are ten times as long
    QCOMPARE(scene.at(1).requestCount(), std::size_t{0});
    QVERIFY2(scene.whatIsHeld().empty(), scene.whatIsHeld().c_str());
    QTRY_COMPARE(scene.at(0).abandoned(), std::size_t{1});  // down to the socket
}

void GatewayBudgetTest::connecting() {
    QFETCH(const int, kind);
    PoolSceneOptions options = budgeted(static_cast<PoolKind>(kind));
    options.endpoints[0].dead = DeadPort::Manner::hangs;
    PoolScene scene(std::move(options));
    QCOMPARE(scene.gateway().post(poolBody(true))->status, 504);
    const evidence::DecisionRecord record = scene.gateway().records().back();
    QCOMPARE(storyOf(record), "a primary failed " + kCode);
    QCOMPARE(scene.circuit(0).attempts, 0U);
    QCOMPARE(scene.quotaUsed(0), std::uint64_t{0});  // nothing reached it
    QVERIFY2(scene.whatIsHeld().empty(), scene.whatIsHeld().c_str());
}

void GatewayBudgetTest::afterContentTheStreamEndsWithAnError() {
    QFETCH(const int, kind);
    PoolScene scene(budgeted(static_cast<PoolKind>(kind)));
    scene.at(0).setStandingReply(roleThen().event(frames::kText).stall());
    const auto response = scene.gateway().post(poolBody(true));
    QCOMPARE(response->status, 200);
    QVERIFY(response->body.find("one piece") != std::string::npos);
    QVERIFY(response->body.find("\"code\":\"" + kCode + "\"") != std::string::npos);
    QVERIFY(response->body.find("[DONE]") == std::string::npos);
    const evidence::DecisionRecord record = scene.gateway().records().back();
    QCOMPARE(record.errorCode, kCode);
    QCOMPARE(storyOf(record), "a primary failed " + kCode);
    QCOMPARE(record.whyNoFallback, std::string("content_sent"));
    QCOMPARE(scene.circuit(0).attempts, 0U);
    QVERIFY2(scene.whatIsHeld().empty(), scene.whatIsHeld().c_str());
}

void GatewayBudgetTest::aProvidersOwnLimitStaysItsOwn() {
    PoolSceneOptions options = budgeted(PoolKind::fixed);
    options.endpoints[0].firstByteMs = 100;
    PoolScene scene(std::move(options));
    scene.at(0).setStandingReply(Reply::nothing().stall());
    QCOMPARE(scene.gateway().post(poolBody(false))->status, 200);
    QCOMPARE(storyOf(scene.gateway().records().back()), std::string("a primary failed timeout_first_byte; b retry served"));
    QCOMPARE(scene.circuit(0).consecutiveFailures, 1U);
}

// The budget runs from the head on: what the body took is gone.
void GatewayBudgetTest::aBodyThatComesTooSlowly() {
    FixtureOptions options;
    options.server = "request_budget_ms = 400";
    const auto clock = std::make_shared<ManualClock>();
    GatewayFixture gateway(options, clock);
    RawClient client(gateway.port());
    const std::string body = R"({"model":"model-a","messages":[]})";
    std::string request = requestText({"POST", "/v1/chat/completions", {kAuth, "Expect: 100-continue"}, body});
    request.resize(request.size() - body.size());
    QVERIFY(client.send(request));
    QCOMPARE(client.response()->status, 100);
    clock->advance(kBudget);
    QVERIFY(client.send(body));
    QCOMPARE(client.response()->status, 504);
    const evidence::DecisionRecord record = gateway.records().back();
    QCOMPARE(record.errorCode, kCode);
    QCOMPARE(storyOf(record), "up primary refused " + kCode);
    QVERIFY(gateway.upstream().requests().empty());
}

void GatewayBudgetTest::aClientThatTakesTooLong() {
    PoolScene scene(budgeted(PoolKind::fixed));
    Reply endless = Reply::stream();
    const std::string piece = R"({"id":"x","choices":[{"index":0,"delta":{"content":")" + std::string(60'000, 'x') + R"("}}]})";
    for (int i = 0; i < 400; ++i) endless.event(piece);
    scene.at(0).setStandingReply(endless.stall());
    RawClient client(scene.gateway().port());
    client.setReceiveBuffer(4096);
    QVERIFY(client.send(poolRequest(true)));
    QTRY_COMPARE_WITH_TIMEOUT(scene.gateway().records().size(), std::size_t{1}, 10'000);
    const evidence::DecisionRecord record = scene.gateway().records().back();
    QCOMPARE(record.errorCode, kCode);
    QVERIFY(record.outcome == Outcome::failed);
    QCOMPARE(scene.circuit(0).attempts, 0U);
    QTRY_VERIFY2(scene.whatIsHeld().empty(), scene.whatIsHeld().c_str());
}

QTEST_APPLESS_MAIN(GatewayBudgetTest)
#include "tst_gateway_budget.moc"
