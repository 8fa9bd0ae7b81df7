// SPDX-License-Identifier: MIT
// Cooling endpoints, from a client's socket through real adapters to an upstream's, on a clock that the test moves.
#include "tests/router/gateway/smart_policy.h"
#include "tests/support/fakes.h"
#include "tests/support/scripted_upstream.h"

#include <nlohmann/json.hpp>
#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;
using capacity::CircuitState;

class GatewayHealthTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void F53_twentyFiveFailuresCoolForTheWholeWindow();
    void F48_rateLimitCoolsTheModelAndNotTheHost();
    void F54_nothingListens();
    void F56_F58_oneProbeAfterTheWindow();
    void F57_allCoolingIsVisible();
    void F59_fastFailuresAttractNothing();
    void F61_oneErrorOpensNothing();
    void whatIsNoCompletionFallsBack_data();
    void whatIsNoCompletionFallsBack();
    void applyHealsNoCircuit();
    void retryAfterOfACooledPlanIsRelayed();
};

namespace {

const char* const kAnswer =
    R"({"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}})";
const char* const kError = R"({"error":{"message":"broken","type":"server_error","code":"broken","param":null}})";

/// `auto` leads to `first:…` in configured order (mode off) and to `second` after it.
struct Scene {
    explicit Scene(const std::string& mode = "off", int percent = 0)
        : clock(std::make_shared<ManualClock>()), gateway(options(mode, percent), clock) {
        first.setStandingReply(Reply::json(kAnswer));
        second.setStandingReply(Reply::json(kAnswer));
    }

    FixtureOptions options(const std::string& mode, int percent) const {
        FixtureOptions out = smartOptions(mode, percent);
        out.upstreams = {{"up", first.baseUrl()}, {"other", second.baseUrl()}};
        return out;
    }
    [[nodiscard]] capacity::CircuitView circuit(const std::string& id) const {
        return gateway.process().circuits.of(id)->view();
    }

    ScriptedUpstream first, second;
    std::shared_ptr<ManualClock> clock;
    GatewayFixture gateway;
};

} // namespace

// Some other server answers there, or a gateway says what it is: nobody is served by it.
void GatewayHealthTest::whatIsNoCompletionFallsBack_data() {
    QTest::addColumn<bool>("stream");
    QTest::addColumn<bool>("isGroup");
    for (const bool stream : {false, true})
        for (const bool isGroup : {false, true})
            QTest::addRow("%s, %s", stream ? "stream" : "whole", isGroup ? "group" : "single") << stream << isGroup;
}

void GatewayHealthTest::whatIsNoCompletionFallsBack() {
    QFETCH(bool, stream);
    QFETCH(bool, isGroup);
    Scene scene;
    const std::string foreign = R"({"hello":"world"})";
    scene.first.setStandingReply(stream ? Reply::stream().event(foreign).event("[DONE]").end() : Reply::json(foreign));
    scene.second.setStandingReply(stream ? Reply::stream()
                                               .event(R"({"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]})")
                                               .event("[DONE]")
                                               .end()
                                         : Reply::json(kAnswer));
    const std::string body = std::string(R"({"model":")") + (isGroup ? "auto" : "up:model-a") + R"(","stream":)" +
                             (stream ? "true" : "false") + R"(,"messages":[{"role":"user","content":"x"}]})";
    const auto response = scene.gateway.post(body);
    QCOMPARE(response->status, isGroup ? 200 : 502);
    if (isGroup) QCOMPARE(response->header("x-signalbox-route"), std::string("other:elsewhere"));
    else QVERIFY2(response->body.find("choices") != std::string::npos, response->body.c_str());
    QVERIFY(response->body.find("hello") == std::string::npos);
    QCOMPARE(scene.first.requestCount(), std::size_t{1});
}

void GatewayHealthTest::F53_twentyFiveFailuresCoolForTheWholeWindow() {
    Scene scene;
    scene.first.setStandingReply(Reply::json(kError, 500));
    for (int i = 0; i < 25; ++i)
        QCOMPARE(scene.gateway.post(kAuto)->header("x-signalbox-route"), std::string("other:elsewhere"));
    QCOMPARE(scene.first.requestCount(), std::size_t{3});
    scene.first.setStandingReply(Reply::json(kAnswer));
    scene.clock->advance(30s - 1us);
    QCOMPARE(scene.gateway.post(kAuto)->header("x-signalbox-route"), std::string("other:elsewhere"));
    QCOMPARE(scene.first.requestCount(), std::size_t{3});
    scene.clock->advance(1us);
    QCOMPARE(scene.gateway.post(kAuto)->header("x-signalbox-route"), std::string("up:plain"));
    // F62: once planning knows it is out of the plan, not listed as a refused attempt beside the other.
    const auto record = scene.gateway.records().at(20);
    QCOMPARE(record.attempts.size(), std::size_t{1});
    QCOMPARE(record.group->candidates[0].cut, std::string("provider_cooldown"));
}

void GatewayHealthTest::F48_rateLimitCoolsTheModelAndNotTheHost() {
    Scene scene;
    scene.first.enqueue(Reply::json(kError, 429, "Retry-After: 120\r\n"));
    const auto response = scene.gateway.post(kAuto);
    QCOMPARE(response->status, 200);
    QCOMPARE(response->header("x-signalbox-route"), std::string("other:elsewhere"));
    QVERIFY(scene.circuit("up:plain").cause == capacity::OpenCause::rateLimited);
    // Another model of the same provider goes on.
    QCOMPARE(scene.gateway.post(R"({"model":"model-b","messages":[]})")->header("x-signalbox-route"),
             std::string("up:model-b"));
    scene.clock->advance(119s);
    QCOMPARE(scene.gateway.post(kAuto)->header("x-signalbox-route"), std::string("other:elsewhere"));
    scene.clock->advance(1s);
    QCOMPARE(scene.gateway.post(kAuto)->header("x-signalbox-route"), std::string("up:plain"));
}

void GatewayHealthTest::F54_nothingListens() {
    std::uint16_t nobody = 0;
    {
        ScriptedUpstream gone;
        nobody = gone.port();
    }
    Scene scene;
    FixtureOptions options = scene.options("off", 0);
    options.upstreams["up"] = "http://127.0.0.1:" + std::to_string(nobody) + "/v1";
    GatewayFixture gateway(options, scene.clock);
    for (int i = 0; i < 5; ++i)
        QCOMPARE(gateway.post(kAuto)->header("x-signalbox-route"), std::string("other:elsewhere"));
    QVERIFY(gateway.process().circuits.of("up:plain")->view().state == CircuitState::open);
    QCOMPARE(gateway.records().at(0).attempts.at(0).reason, std::string("connect_refused"));
    QCOMPARE(gateway.records().at(4).attempts.size(), std::size_t{1});
}

void GatewayHealthTest::F56_F58_oneProbeAfterTheWindow() {
    Scene scene;
    scene.first.setStandingReply(Reply::json(kError, 500));
    for (int i = 0; i < 3; ++i)
        QCOMPARE(scene.gateway.post(kAuto)->status, 200);
    auto view = scene.circuit("up:plain");
    QVERIFY(view.state == CircuitState::open);
    QCOMPARE(view.remaining, std::chrono::milliseconds(30s)); // who, why and until when (F58)
    QVERIFY(view.cause == capacity::OpenCause::consecutiveFailures);
    scene.clock->advance(30s);
    // The probe hangs; whoever comes meanwhile is not held up and does not probe as well.
    scene.first.setStandingReply(Reply::nothing().awaitRelease().bytes(
        "HTTP/1.1 500 Internal Server Error\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"));
    RawClient probe(scene.gateway.port());
    QVERIFY(probe.send(requestText({"POST", "/v1/chat/completions", {kAuth}, kAuto})));
    QTRY_COMPARE(scene.first.requestCount(), std::size_t{4});
    for (int i = 0; i < 3; ++i)
        QCOMPARE(scene.gateway.post(kAuto)->header("x-signalbox-route"), std::string("other:elsewhere"));
    QCOMPARE(scene.first.requestCount(), std::size_t{4});
    scene.first.release();
    QCOMPARE(probe.response()->header("x-signalbox-route"), std::string("other:elsewhere"));
    view = scene.circuit("up:plain");
    QVERIFY(view.state == CircuitState::open && view.cause == capacity::OpenCause::probeFailed);
    QCOMPARE(view.openedTotal, std::uint64_t{2});
}

void GatewayHealthTest::F57_allCoolingIsVisible() {
    Scene scene;
    // The one had its failures, the other rests by hand.
    for (int failures = 0; failures < 3; ++failures)
        static_cast<void>(scene.gateway.process().circuits.of("up:plain")->tryAdmit()->failed({capacity::FaultKind::connect, 0, {}}));
    scene.gateway.process().circuits.of("other:elsewhere")->coolByHand(1min);
    const auto response = scene.gateway.post(kAuto);
    QCOMPARE(response->status, 200);
    QCOMPARE(response->header("x-signalbox-last-resort"), std::string("cooling"));
    const auto record = scene.gateway.records().at(0);
    const auto& reasons = record.group->reasons;
    QVERIFY(std::find(reasons.begin(), reasons.end(), "all_candidates_cooling") != reasons.end());
    QCOMPARE(record.attempts.at(0).reason, std::string("last_resort"));
    QVERIFY2(scene.circuit("up:plain").state == CircuitState::closed, "a success closes it");
    // The same for what has no group and no second target.
    scene.gateway.process().circuits.of("up:model-b")->coolByHand(1min);
    const auto preset = scene.gateway.post(R"({"model":"model-b","messages":[]})");
    QCOMPARE(preset->status, 200);
    QCOMPARE(preset->header("x-signalbox-last-resort"), std::string("cooling"));
    QCOMPARE(scene.gateway.records().at(1).attempts.size(), std::size_t{1});
    QVERIFY2(scene.circuit("up:model-b").state == CircuitState::open, "but not before the operator's time is over");
}

void GatewayHealthTest::F59_fastFailuresAttractNothing() {
    Scene scene("active", 100);
    // `other` is recommended and fails at once; its average must not fall below its hint.
    scene.second.setStandingReply(Reply::json(kError, 500));
    QCOMPARE(scene.gateway.post(kAuto, {"X-ModelPort-Routing-Profile: latency"})->status, 200);
    const auto view = scene.gateway.makeServing()->endpoints->runtime()->outcomes.find("other:elsewhere")->view();
    QCOMPARE(view.attempts, std::uint64_t{1});
    QVERIFY2(view.latencyEwmaMs >= 500, "the hint");
}

void GatewayHealthTest::F61_oneErrorOpensNothing() {
    Scene scene;
    scene.first.enqueue(Reply::json(kError, 500));
    QCOMPARE(scene.gateway.post(kAuto)->header("x-signalbox-route"), std::string("other:elsewhere"));
    QCOMPARE(scene.gateway.post(kAuto)->header("x-signalbox-route"), std::string("up:plain"));
    QVERIFY(scene.circuit("up:plain").state == CircuitState::closed);
}

void GatewayHealthTest::applyHealsNoCircuit() {
    Scene scene;
    scene.first.setStandingReply(Reply::json(kError, 500));
    for (int i = 0; i < 3; ++i)
        QCOMPARE(scene.gateway.post(kAuto)->status, 200);
    QVERIFY(scene.gateway.server().apply(scene.gateway.makeServing()).has_value());
    QCOMPARE(scene.gateway.post(kAuto)->header("x-signalbox-route"), std::string("other:elsewhere"));
    QCOMPARE(scene.first.requestCount(), std::size_t{3});
    // Same version and candidates: what was learned stays; a new version begins anew (S17), the circuit stays open.
    auto config = std::make_shared<config::GatewayConfig>(*scene.gateway.snapshot()->config);
    config->routing.policyVersion = "builtin-v2";
    const auto& snapshot = *scene.gateway.snapshot();
    const auto before = OrderedJson::parse(scene.gateway.getAsAdmin("/admin/router/status")->body);
    QCOMPARE(before.at("decisionsTotal").get<int>(), 4);
    QVERIFY(scene.gateway.server()
                .apply(scene.gateway.makeServing(policy::makeSnapshot(snapshot.table, snapshot.tableSha256, config)))
                .has_value());
    const auto after = OrderedJson::parse(scene.gateway.getAsAdmin("/admin/router/status")->body);
    QCOMPARE(after.at("decisionsTotal").get<int>(), 0);
    QVERIFY(after.at("outcomes").empty());
    QCOMPARE(scene.gateway.post(kAuto)->header("x-signalbox-route"), std::string("other:elsewhere"));
}

void GatewayHealthTest::retryAfterOfACooledPlanIsRelayed() {
    Scene scene;
    scene.first.setStandingReply(Reply::json(kError, 429, "Retry-After: 7\r\n"));
    scene.second.setStandingReply(Reply::json(kError, 429, "Retry-After: 9\r\n"));
    const auto response = scene.gateway.post(kAuto);
    QCOMPARE(response->status, 429);
    QCOMPARE(response->header("retry-after"), std::string("7")); // of the first that reached an upstream (F46)
    QCOMPARE(scene.gateway.records().at(0).whyNoFallback, std::string("last_target"));
}

QTEST_APPLESS_MAIN(GatewayHealthTest)
#include "tst_gateway_health.moc"
