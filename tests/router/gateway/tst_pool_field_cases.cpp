// SPDX-License-Identifier: MIT
// Field cases that every router of pools must handle alike, over real sockets: those that take more than one request or
// one endpoint. Swept elsewhere are the steps of an exchange (tst_fault_sweep, tst_hedge_sweep), endings
// (tst_pool_endings), pools within a plan (tst_pool_nested) and endpoints that go away (tst_pool_gone).
#include "tests/router/gateway/pool_scene.h"

#include "router/strategy/fallback.h"

#include <nlohmann/json.hpp>
#include <QTest>
#include <set>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;
using evidence::AttemptRole;
using evidence::Outcome;

class PoolFieldCasesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void F1_noStartEventBeforeBothHaveFailed_data() { kinds(); }
    void F1_noStartEventBeforeBothHaveFailed();
    void F2_metadataDoesNotCommit_data() { kinds(); }
    void F2_metadataDoesNotCommit();
    void F3_errorInThePlaceOfTheFirstFrame_data() { kinds(); }
    void F3_errorInThePlaceOfTheFirstFrame();
    void F4_cutOffIsNoSuccess_data() { kinds(); }
    void F4_cutOffIsNoSuccess();
    void F6_F7_midStreamFailureIsTheEndpointsOwn_data() { kinds(); }
    void F6_F7_midStreamFailureIsTheEndpointsOwn();
    void F9_F10_usageOnlyChunks_data() { kinds(); }
    void F9_F10_usageOnlyChunks();
    void F42_deadSocketIsReplacedOnce_data() { kinds(); }
    void F42_deadSocketIsReplacedOnce();
    void F42_takenRequestIsNotRepeated_data() { kinds(); }
    void F42_takenRequestIsNotRepeated();
    void F46_retryAfterOfTheFirst_data() { kinds(); }
    void F46_retryAfterOfTheFirst();
    void F46_ourOwn503_data() { kinds(); }
    void F46_ourOwn503();
    void F50_theTableSaysWhoIsFollowed_data() { kinds(); }
    void F50_theTableSaysWhoIsFollowed();
    void F59_failingFastAttractsNothing_data() { kinds(); }
    void F59_failingFastAttractsNothing();
    void F70_eachEndpointOnce_data() { kinds(); }
    void F70_eachEndpointOnce();

private:
    static void kinds() {
        QTest::addColumn<int>("kind");
        for (const PoolKind kind : kPoolKinds) QTest::newRow(toString(kind).c_str()) << static_cast<int>(kind);
    }
};

namespace {

PoolScene sceneOf(std::size_t endpoints = 2, unsigned threads = 2) {
    QFETCH(int, kind);
    PoolSceneOptions options{.kind = static_cast<PoolKind>(kind)};
    options.endpoints.resize(endpoints);
    options.threads = threads;
    return PoolScene(std::move(options));
}

evidence::DecisionRecord lastOf(const PoolScene& scene) { return scene.gateway().records().back(); }
Reply errorOf(int status, const std::string& headers = {}) { return Reply::json("{}", status, headers); }
Reply roleThen(const std::string& id) {
    return Reply::stream().event(R"({"id":")" + id + R"(","choices":[{"index":0,"delta":{"role":"assistant"}}]})");
}

} // namespace

void PoolFieldCasesTest::F1_noStartEventBeforeBothHaveFailed() {
    PoolScene scene = sceneOf();
    scene.at(0).setStandingReply(roleThen("of-a").close());
    scene.at(1).setStandingReply(roleThen("of-b").event(frames::kError).end());
    const auto response = scene.gateway().post(poolBody(true));
    QCOMPARE(response->status, 502);
    QCOMPARE(response->header("content-type"), std::string("application/json"));
    QVERIFY(response->body.find("data:") == std::string::npos && response->body.find("of-") == std::string::npos);
    QCOMPARE(lastOf(scene).errorCode, std::string("disconnected")); // of the first that was sent
}

void PoolFieldCasesTest::F2_metadataDoesNotCommit() {
    PoolScene scene = sceneOf();
    for (const bool usageToo : {false, true}) {
        Reply broken = roleThen("of-a");
        if (usageToo) broken.event(frames::kUsage);
        scene.at(0).setStandingReply(broken.event(frames::kError).end());
        const auto response = scene.gateway().post(poolBody(true));
        QCOMPARE(response->status, 200);
        QVERIFY(response->body.find("of-a") == std::string::npos);
        QVERIFY(response->body.find("one piece") != std::string::npos && response->body.find("[DONE]") != std::string::npos);
        QCOMPARE(lastOf(scene).endpointId, std::string("b:m"));
        QCOMPARE(lastOf(scene).outputTokens, std::optional<std::uint64_t>(2));
    }
}

void PoolFieldCasesTest::F3_errorInThePlaceOfTheFirstFrame() {
    for (const int status : {400, 404, 413, 408, 429, 500, 503}) {
        PoolScene scene = sceneOf();
        const std::string frame = R"({"error":{"message":"no","type":"t","code":)" + std::to_string(status) + "}}";
        scene.at(0).setStandingReply(Reply::stream().event(frame).end());
        const bool callersOwn = status == 400 || status == 404 || status == 413;
        const auto response = scene.gateway().post(poolBody(true));
        QCOMPARE(response->status, callersOwn ? status : 200);
        QCOMPARE(scene.at(1).requestCount(), std::size_t(callersOwn ? 0 : 1));
        QCOMPARE(lastOf(scene).attempts.at(0).status, status);
        QCOMPARE(lastOf(scene).attempts.at(0).reason, "error_frame_" + std::to_string(status));
        QCOMPARE(scene.slotsInUse(), 0U);
    }
}

void PoolFieldCasesTest::F4_cutOffIsNoSuccess() {
    PoolScene scene = sceneOf();
    for (const Reply& cut : {roleThen("x").end(), Reply::stream().end(), roleThen("x").event(frames::kUsage).end()}) {
        for (std::size_t i = 0; i < scene.size(); ++i) {
            scene.at(i).setStandingReply(cut);
            scene.gateway().process().circuits.of(PoolScene::idOf(i))->closeByHand();
        }
        const auto response = scene.gateway().post(poolBody(true));
        QCOMPARE(response->status, 502);
        QVERIFY(response->body.find("finish_reason") == std::string::npos);
        QVERIFY(lastOf(scene).outcome == Outcome::failed);
        QCOMPARE(lastOf(scene).errorCode, std::string("ended_early"));
    }
}

void PoolFieldCasesTest::F6_F7_midStreamFailureIsTheEndpointsOwn() {
    PoolScene scene = sceneOf();
    scene.at(0).setStandingReply(Reply::stream().event(frames::kRole).event(frames::kText).event(
        R"({"error":{"message":"overloaded","code":503}})").end());
    const auto response = scene.gateway().post(poolBody(true));
    QCOMPARE(response->status, 200);
    QCOMPARE(response->body.find("one piece"), response->body.rfind("one piece"));
    QVERIFY(response->body.find("\"overloaded\"") != std::string::npos);
    QVERIFY(response->body.find("[DONE]") == std::string::npos);
    const auto record = lastOf(scene);
    QCOMPARE(record.endpointId, std::string("a:m"));
    QCOMPARE(record.status, 503);
    QCOMPARE(record.attempts.at(0).status, 503);
    QCOMPARE(record.attempts.at(0).reason, std::string("error_frame_503"));
    QCOMPARE(record.whyNoFallback, std::string("content_sent"));
    QCOMPARE(scene.at(1).requestCount(), std::size_t{0});
    QCOMPARE(scene.circuit(0).consecutiveFailures, 1U);
}

void PoolFieldCasesTest::F9_F10_usageOnlyChunks() {
    PoolScene scene = sceneOf();
    const std::string absent = R"({"id":"x","usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}})";
    for (const std::string& usage : {frames::kUsage, absent})
        for (const bool asks : {false, true}) {
            scene.at(0).setStandingReply(Reply::stream().event(frames::kRole).event(frames::kText).event(frames::kFinish).event(usage)
                                             .event(frames::kDone).end());
            const std::string wish = asks ? R"("stream_options":{"include_usage":true},)" : "";
            const auto response = scene.gateway().post(R"({"model":"pool","stream":true,)" + wish +
                                                       R"("messages":[{"role":"user","content":"hi"}]})");
            QCOMPARE(response->status, 200);
            QVERIFY(response->body.ends_with("data: [DONE]\n\n"));
            QCOMPARE(response->body.find("\"usage\"") != std::string::npos, asks);
            const auto record = lastOf(scene);
            QCOMPARE(record.inputTokens, std::optional<std::uint64_t>(9));
            QCOMPARE(record.attempts.at(0).outputTokens, std::optional<std::uint64_t>(2));
            QVERIFY(record.costUsd.has_value());
        }
}

void PoolFieldCasesTest::F42_deadSocketIsReplacedOnce() {
    PoolScene scene = sceneOf(2, 1);
    scene.at(0).setStandingReply(Reply::json(frames::kWhole).close());
    for (int i = 0; i < 4; ++i) {
        QCOMPARE(scene.gateway().post(poolBody(false))->status, 200);
        QCOMPARE(storyOf(lastOf(scene)), std::string("a primary served"));
        QTRY_COMPARE(scene.at(0).openConnections(), std::size_t{0});
    }
    QCOMPARE(scene.at(0).requestCount(), std::size_t{4});
    QCOMPARE(scene.at(1).requestCount(), std::size_t{0});
    QCOMPARE(scene.circuit(0).consecutiveFailures, 0U);
    QCOMPARE(scene.slotsInUse(), 0U);
}

void PoolFieldCasesTest::F42_takenRequestIsNotRepeated() {
    for (const bool reset : {false, true}) {
        PoolScene scene = sceneOf(2, 1);
        scene.at(0).enqueue(Reply::json(frames::kWhole));
        scene.at(0).setStandingReply(reset ? Reply::nothing().reset() : Reply::nothing().close());
        QCOMPARE(scene.gateway().post(poolBody(false))->status, 200);
        // The same socket takes the request and dies with it: only another endpoint may be asked.
        QCOMPARE(scene.gateway().post(poolBody(false))->status, 200);
        QCOMPARE(storyOf(lastOf(scene)), std::string("a primary failed disconnected; b retry served"));
        QCOMPARE(scene.at(0).requestCount(), std::size_t{2});
        QCOMPARE(scene.at(0).connectionsAccepted(), std::size_t{1});
        QCOMPARE(scene.at(1).requestCount(), std::size_t{1});
        QCOMPARE(scene.slotsInUse(), 0U);
    }
}

void PoolFieldCasesTest::F46_retryAfterOfTheFirst() {
    PoolScene scene = sceneOf();
    scene.at(0).setStandingReply(errorOf(429, "Retry-After: 17\r\n"));
    scene.at(1).setStandingReply(errorOf(429, "Retry-After: 9\r\n"));
    const auto response = scene.gateway().post(poolBody(false));
    QCOMPARE(response->status, 429);
    QCOMPARE(response->header("retry-after"), std::string("17"));
    // Each cools for as long as it asked.
    QVERIFY(scene.circuit(0).remaining > 10s && scene.circuit(0).remaining <= 17s);
    QVERIFY(scene.circuit(1).remaining > 2s && scene.circuit(1).remaining <= 9s);
}

void PoolFieldCasesTest::F46_ourOwn503() {
    PoolScene scene = sceneOf();
    std::vector<capacity::Reservation> taken;
    for (const char* name : {"concurrency:slots-a", "concurrency:slots-b"})
        for (int i = 0; i < 4; ++i) taken.push_back(std::move(*scene.gateway().process().resources.slots(name, 4).value()->tryTake()));
    for (const bool stream : {true, false}) {
        const auto response = scene.gateway().post(poolBody(stream));
        QCOMPARE(response->status, 503);
        const auto wait = std::stoi(response->header("retry-after"));
        QVERIFY(wait >= 1 && wait <= 60);
        QVERIFY(lastOf(scene).outcome == Outcome::refused);
    }
    QCOMPARE(scene.at(0).connectionsAccepted() + scene.at(1).connectionsAccepted(), std::size_t{0});
    QCOMPARE(scene.slotsInUse(), 8U);
    taken.clear();
    QCOMPARE(scene.gateway().post(poolBody(true))->status, 200);
    QCOMPARE(scene.slotsInUse(), 0U);
}

void PoolFieldCasesTest::F50_theTableSaysWhoIsFollowed() {
    for (const int status : {302, 400, 401, 403, 404, 408, 409, 413, 422, 425, 429, 500, 501, 503, 599}) {
        PoolScene scene = sceneOf();
        scene.at(0).setStandingReply(errorOf(status));
        dispatch::UpstreamFailure failure;
        failure.kind = dispatch::UpstreamFailure::Kind::status;
        failure.status = status;
        const bool follows = strategy::kFallbackTable[static_cast<std::size_t>(strategy::classOf(failure))].fallsBack;
        const auto response = scene.gateway().post(poolBody(false));
        QCOMPARE(response->status == 200, follows);
        QCOMPARE(lastOf(scene).attempts.size(), std::size_t(follows ? 2 : 1));
        QCOMPARE(lastOf(scene).whyNoFallback, std::string(follows ? "" : "not_for_this_failure"));
    }
}

void PoolFieldCasesTest::F59_failingFastAttractsNothing() {
    PoolScene scene = sceneOf();
    scene.at(0).setStandingReply(errorOf(500));
    for (int i = 0; i < 12; ++i)
        QCOMPARE(scene.gateway().post(poolBody(false))->header("x-signalbox-route"), std::string("b:m"));
    QCOMPARE(scene.at(0).requestCount(), std::size_t{3}); // then it cools
    const Steady now = SystemClock().steady();
    auto& profiles = scene.gateway().process().profiles;
    QVERIFY(profiles.of("a:m")->mean(now).value > profiles.of("b:m")->mean(now).value);
}

void PoolFieldCasesTest::F70_eachEndpointOnce() {
    PoolScene scene = sceneOf(3);
    for (const bool stream : {true, false}) {
        for (std::size_t i = 0; i < scene.size(); ++i) scene.at(i).setStandingReply(errorOf(503));
        QCOMPARE(scene.gateway().post(poolBody(stream))->status, 503);
        const auto record = lastOf(scene);
        std::set<std::string> asked;
        for (const evidence::Attempt& attempt : record.attempts) asked.insert(attempt.endpointId);
        QCOMPARE(asked, (std::set<std::string>{"a:m", "b:m", "c:m"}));
        QCOMPARE(record.attempts.size(), std::size_t{3});
        QVERIFY(record.attempts[0].role == AttemptRole::primary);
        QCOMPARE(record.whyNoFallback, std::string("last_target"));
        for (std::size_t i = 0; i < scene.size(); ++i) QCOMPARE(scene.at(i).requestCount(), std::size_t(stream ? 1 : 2));
    }
}

QTEST_APPLESS_MAIN(PoolFieldCasesTest)
#include "tst_pool_field_cases.moc"
