// SPDX-License-Identifier: MIT
#include "tests/router/gateway/gateway_fixture.h"
#include "tests/router/gateway/pool_scene.h"

#include "router/gateway/deadline_wheel.h"

#include <QTest>
#include <set>
#include <thread>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;

namespace {
const std::string kStructured =
    R"({"model":"model-a","max_tokens":100,"response_format":{"type":"json_object"}})";

FakeReply delayed(std::chrono::milliseconds by) {
    FakeReply reply = FakeReply::whole("{}");
    reply.firstDelay = by;
    return reply;
}
} // namespace

class GatewayRecordTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRecordHoldsEverything();
    void hints_headerThenMetadataThenPrincipal();
    void pins();
    void concurrencyCountsTheRequestItself();
    void answersComeBehindTheRecordsOfTheirTurn();
    void aRecordIsKeptAlsoWhereNobodyWaitsForIt();
    void tooManyRequests();
    void costIsEstimated();
    void applyUnderLoadFailsNobody();
    void stopLetsRequestsFinish();
    void stopCutsOffAfterPatience();
    void wheelFiresOnceAndNotEarly();
};

void GatewayRecordTest::aRecordHoldsEverything() {
    GatewayFixture gateway;
    const auto response = gateway.post(kStructured, {"X-Request-Id: req-7"});
    QCOMPARE(response->status, 200);
    QCOMPARE(response->header("x-signalbox-route"), std::string("up:model-a-k4"));
    QCOMPARE(response->header("x-signalbox-preset"), std::string("a-k4"));
    QCOMPARE(response->header("x-signalbox-coverage"), std::string("rule"));
    const auto record = gateway.records().at(0);
    QCOMPARE(record.id.text(), response->header("x-signalbox-decision-id"));
    QCOMPARE(record.clientRequestId, std::string("req-7"));
    QCOMPARE(record.principal, std::string("local"));
    QCOMPARE(record.requestedModel, std::string("model-a"));
    QCOMPARE(record.resolvedBy, std::string("table"));
    QCOMPARE(record.policyHash, gateway.snapshot()->hash);
    QCOMPARE(record.tableSha256, gateway.snapshot()->tableSha256);
    QCOMPARE(record.family.value(), std::string("fam-a"));
    QCOMPARE(record.ruleIndex.value(), 0U);
    QCOMPARE(record.presetKey.value(), std::string("a-k4"));
    QCOMPARE(record.coverage, std::string("rule"));
    QCOMPARE(record.rules.size(), std::size_t{1});
    QCOMPARE(record.rules[0].verdict, std::string("matched"));
    QCOMPARE(record.features.inFlight.value(), 1U);
    QVERIFY(record.features.cell.workload == table::WorkloadClass::structuredJson);
    QCOMPARE(record.endpointId, std::string("up:model-a-k4"));
    QCOMPARE(record.attempts.size(), std::size_t{1});
    QVERIFY(record.attempts[0].outcome == evidence::AttemptOutcome::served);
    QVERIFY(record.outcome == evidence::Outcome::served);
    QCOMPARE(record.inputTokens.value(), std::uint64_t{12});
    QVERIFY(record.decideUs > 0 && record.totalMs > 0 && record.firstContentMs.has_value());
    QCOMPARE(
        gateway.upstream().requests()[0].body,
        std::string(R"({"model":"model-a-k4","max_tokens":100,"response_format":{"type":"json_object"}})"));

    QCOMPARE(gateway.post(R"({"model":"nobody"})")->status, 404);
    const auto refused = gateway.records().at(1);
    QVERIFY(refused.outcome == evidence::Outcome::refused);
    QCOMPARE(refused.errorCode, std::string("model_not_found"));
    QVERIFY(refused.resolvedBy.empty() && refused.attempts.empty());
}

void GatewayRecordTest::hints_headerThenMetadataThenPrincipal() {
    FixtureOptions options;
    options.more =
        "\n[principals.batch]\nteam = \"night\"\ntoken_env = "
        "\"BATCH_TOKEN\"\n[principals.batch.hints]\nexpected_length = \"medium\"\ncategory = \"code\"\n";
    GatewayFixture gateway(options);
    const std::string batch = "x-api-key: batch-token-0123456789";
    const std::string plain = R"({"model":"model-a"})";
    const std::string meta = R"({"model":"model-a","metadata":{"expected_length":"short"}})";
    QCOMPARE(fetch(gateway.port(), {"POST", "/v1/chat/completions", {batch}, plain})->status, 200);
    QCOMPARE(fetch(gateway.port(), {"POST", "/v1/chat/completions", {batch}, meta})->status, 200);
    QCOMPARE(fetch(gateway.port(),
                   {"POST", "/v1/chat/completions", {batch, "X-Signalbox-Expected-Length: long"}, meta})
                 ->status,
             200);
    const auto records = gateway.records();
    QVERIFY(records[0].features.cell.length == table::LengthBucket::mediumOutput);
    QVERIFY(records[0].features.cell.workload == table::WorkloadClass::codeGen);
    QCOMPARE(records[0].principal, std::string("batch"));
    QCOMPARE(records[0].team, std::string("night"));
    QVERIFY(records[1].features.cell.length == table::LengthBucket::shortOutput);
    QVERIFY(records[2].features.cell.length == table::LengthBucket::longOutput);
    QCOMPARE(gateway.upstream().requests()[1].body, plain);
}

void GatewayRecordTest::pins() {
    FixtureOptions options;
    options.more = "\n[principals.batch]\ntoken_env = \"BATCH_TOKEN\"\n";
    GatewayFixture gateway(options);
    const auto pinned = gateway.post(R"({"model":"model-a"})", {"X-Signalbox-Pin: preset/a-k4"});
    QCOMPARE(pinned->status, 200);
    QCOMPARE(pinned->header("x-signalbox-route"), std::string("up:model-a-k4"));
    QCOMPARE(gateway.records().at(0).resolvedBy, std::string("pin"));
    const auto denied =
        fetch(gateway.port(), {"POST",
                               "/v1/chat/completions",
                               {"x-api-key: batch-token-0123456789", "X-Signalbox-Pin: preset/a-k4"},
                               R"({"model":"model-a"})"});
    QCOMPARE(denied->status, 403);
    QCOMPARE(gateway.refusals("pin_not_allowed"), std::uint64_t{1});
    QCOMPARE(gateway.post(R"({"model":"model-a"})", {"X-Signalbox-Pin: preset/nope"})->status, 404);
}

void GatewayRecordTest::concurrencyCountsTheRequestItself() {
    GatewayFixture gateway;
    gateway.upstream().setScript([](const auto&) { return delayed(300ms); });
    RawClient first(gateway.port()), second(gateway.port());
    const std::string request = requestText({"POST", "/v1/chat/completions", {kAuth}, kStructured});
    QVERIFY(first.send(request));
    QTRY_COMPARE(gateway.upstream().active(), 1);
    QVERIFY(second.send(request));
    QCOMPARE(first.response()->header("x-signalbox-preset"), std::string("a-k4"));
    QCOMPARE(second.response()->header("x-signalbox-preset"), std::string("a-k1"));
    const auto records = gateway.records();
    QCOMPARE(records[0].features.inFlight.value() + records[1].features.inFlight.value(), 3U);
    // The place is free again as soon as the answer has been read.
    gateway.upstream().setScript([](const auto&) { return delayed(0ms); });
    for (int i = 0; i < 50; ++i) {
        QVERIFY(first.send(request));
        QCOMPARE(first.response()->header("x-signalbox-preset"), std::string("a-k4"));
    }
}

// Where a thread has several requests, those that end together are written together: never behind their answers.
void GatewayRecordTest::answersComeBehindTheRecordsOfTheirTurn() {
    FixtureOptions options;
    options.threads = 1;
    GatewayFixture gateway(options);
    gateway.upstream().setScript([](const dispatch::UpstreamRequest& request) {
        return delayed(request.body.find("wait") != std::string::npos ? 60'000ms : 0ms);
    });
    RawClient waiting(gateway.port());
    QVERIFY(waiting.send(requestText({"POST", "/v1/chat/completions", {kAuth}, R"({"model":"model-a","user":"wait"})"})));
    QTRY_COMPARE(gateway.upstream().active(), 1);
    for (std::size_t i = 1; i <= 20; ++i) {
        QCOMPARE(gateway.post(R"({"model":"model-a"})")->status, 200);
        QCOMPARE(gateway.records().size(), i);
    }
    std::vector<std::jthread> clients;
    std::atomic<int> missing{0};
    for (int i = 0; i < 8; ++i)
        clients.emplace_back([&] {
            for (int n = 0; n < 25; ++n) {
                const auto response = gateway.post(R"({"model":"model-a"})");
                const auto records = gateway.records();
                const std::string id = response ? response->header("x-signalbox-decision-id") : "";
                if (std::none_of(records.begin(), records.end(), [&](const auto& record) { return record.id.text() == id; }))
                    ++missing;
            }
        });
    clients.clear();
    QCOMPARE(missing.load(), 0);
    QCOMPARE(gateway.records().size(), std::size_t{220});
}

// The client leaves when all that it is told has been told, and the session ends before it can wait: the record must not stay
// behind until another request of its thread ends.
void GatewayRecordTest::aRecordIsKeptAlsoWhereNobodyWaitsForIt() {
    PoolScene scene(PoolSceneOptions{.endpoints = std::vector<EndpointSetup>(2, EndpointSetup{.firstByteMs = 60'000, .totalMs = 60'000}), .threads = 1});
    scene.at(0).setStandingReply(Reply::nothing().stall());
    RawClient waiting(scene.gateway().port());
    QVERIFY(waiting.send(poolRequest(false)));
    QTRY_COMPARE(scene.at(0).requestCount(), std::size_t{1});
    const Reply withoutItsEnd =
        Reply::stream().event(frames::kRole).event(frames::kText).event(frames::kFinish).event(frames::kDone).stall();
    for (std::size_t i = 1; i <= 10; ++i) {
        scene.at(0).setStandingReply(withoutItsEnd);
        RawClient leaving(scene.gateway().port());
        QVERIFY(leaving.send(poolRequest(true)));
        QVERIFY(leaving.waitFor("one piece"));
        leaving.close();
        QTRY_COMPARE_WITH_TIMEOUT(scene.gateway().records().size(), i, 5'000);
    }
}

void GatewayRecordTest::tooManyRequests() {
    FixtureOptions options;
    options.server = "max_concurrent_requests = 2\n";
    GatewayFixture gateway(options);
    gateway.upstream().setScript([](const auto&) { return delayed(400ms); });
    const std::string request = requestText({"POST", "/v1/chat/completions", {kAuth}, kStructured});
    RawClient first(gateway.port()), second(gateway.port());
    QVERIFY(first.send(request) && second.send(request));
    QTRY_COMPARE(gateway.upstream().active(), 2);
    const auto third = gateway.post(kStructured);
    QCOMPARE(third->status, 429);
    QVERIFY(!third->header("retry-after").empty());
    QCOMPARE(first.response()->status, 200);
    QCOMPARE(second.response()->status, 200);
    QCOMPARE(gateway.records().size(), std::size_t{2});
    QCOMPARE(gateway.post(kStructured)->status, 200);
}

void GatewayRecordTest::costIsEstimated() {
    FixtureOptions options;
    options.more = "\n[providers.up.pricing]\ninput_per_million = 1.0\noutput_per_million = "
                   "10.0\ncache_read_per_million = 0.5\n";
    GatewayFixture gateway(options);
    QCOMPARE(gateway.post(R"({"model":"model-a"})")->status, 200);
    // 12 in of which 3 cached, 7 out
    QCOMPARE(gateway.records().at(0).costUsd.value(), (9 * 1.0 + 3 * 0.5 + 7 * 10.0) / 1e6);
}

void GatewayRecordTest::applyUnderLoadFailsNobody() {
    GatewayFixture gateway;
    gateway.upstream().setScript([](const auto&) { return delayed(2ms); });
    std::atomic<bool> stop{false};
    std::atomic<int> sent{0}, failed{0};
    std::vector<std::thread> clients;
    for (int i = 0; i < 4; ++i) {
        clients.emplace_back([&] {
            while (!stop) {
                ++sent;
                const auto response = gateway.post(kStructured);
                if (!response || response->status != 200)
                    ++failed;
            }
        });
    }
    for (int i = 0; i < 20; ++i) {
        const int before = sent;
        QTRY_VERIFY(sent > before + 8);
        QVERIFY(gateway.server().apply(gateway.makeServing()).has_value());
    }
    stop = true;
    for (auto& client : clients)
        client.join();
    QCOMPARE(failed.load(), 0);
    const auto records = gateway.records();
    QCOMPARE(records.size(), static_cast<std::size_t>(sent.load()));
    std::set<std::string> ids;
    for (const auto& record : records)
        ids.insert(record.id.text());
    QCOMPARE(ids.size(), records.size());
}

void GatewayRecordTest::stopLetsRequestsFinish() {
    GatewayFixture gateway;
    gateway.upstream().setScript([](const auto&) { return delayed(300ms); });
    RawClient busy(gateway.port()), idle(gateway.port());
    QVERIFY(idle.send(requestText({"GET", "/livez", {}, {}})));
    QCOMPARE(idle.response()->status, 200);
    QVERIFY(busy.send(requestText({"POST", "/v1/chat/completions", {kAuth}, kStructured})));
    QTRY_COMPARE(gateway.upstream().active(), 1);
    const std::uint16_t port = gateway.port();
    gateway.server().stop(10s);
    const auto response = busy.response();
    QVERIFY(response);
    QCOMPARE(response->status, 200);
    QCOMPARE(response->header("connection"), std::string()); // its head was decided before the stop
    QVERIFY(busy.closedByPeer() && idle.closedByPeer());
    QVERIFY(!RawClient(port).isConnected());
}

void GatewayRecordTest::stopCutsOffAfterPatience() {
    GatewayFixture gateway;
    gateway.upstream().setScript([](const auto&) { return delayed(60s); });
    RawClient busy(gateway.port());
    QVERIFY(busy.send(requestText({"POST", "/v1/chat/completions", {kAuth}, kStructured})));
    QTRY_COMPARE(gateway.upstream().active(), 1);
    gateway.server().stop(100ms);
    QCOMPARE(gateway.upstream().active(), 0);
    QVERIFY(gateway.records().at(0).outcome == evidence::Outcome::cancelled);
    QCOMPARE(gateway.records().at(0).errorCode, std::string("gateway_stopped"));
}

void GatewayRecordTest::wheelFiresOnceAndNotEarly() {
    struct Probe final : gateway::DeadlineWheel::Entry {
        std::vector<std::chrono::steady_clock::time_point> fired;
        void onDeadline() override { fired.push_back(std::chrono::steady_clock::now()); }
    };
    boost::asio::io_context context;
    gateway::DeadlineWheel wheel(context);
    Probe early, pushed, disarmed;
    const auto start = std::chrono::steady_clock::now();
    wheel.arm(early, 150ms);
    wheel.arm(pushed, 150ms);
    wheel.arm(pushed, 450ms);
    wheel.arm(disarmed, 150ms);
    wheel.disarm(disarmed);
    {
        Probe gone;
        wheel.arm(gone, 150ms);
    }
    context.run(); // ends by itself: an empty wheel does not tick
    QCOMPARE(early.fired.size(), std::size_t{1});
    QCOMPARE(pushed.fired.size(), std::size_t{1});
    QVERIFY(disarmed.fired.empty());
    QVERIFY(early.fired[0] - start >= 150ms);
    QVERIFY(pushed.fired[0] - start >= 450ms && pushed.fired[0] - start < 1500ms);
}

QTEST_APPLESS_MAIN(GatewayRecordTest)
#include "tst_gateway_record.moc"
