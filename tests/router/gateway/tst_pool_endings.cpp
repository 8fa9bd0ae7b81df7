// SPDX-License-Identifier: MIT
// Whatever way a request ends, what it held comes back: slots, permits, the local server's ledger and the connection to
// the upstream (F19, F45), for every router of pools.
#include "tests/router/gateway/pool_scene.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;
using evidence::AttemptOutcome;
using evidence::Outcome;

class PoolEndingsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void answered_data() { kinds(); }
    void answered();
    void failedEverywhere_data() { kinds(); }
    void failedEverywhere();
    void F19_F44_timeLimits_data();
    void F19_F44_timeLimits();
    void F45_clientLeaves_data() { stages(); }
    void F45_clientLeaves();
    void F45_clientLeavesDuringTheRetry_data() { kinds(); }
    void F45_clientLeavesDuringTheRetry();
    void stopped_data() { stages(); }
    void stopped();
    void policyAppliedMeanwhile_data() { stages(); }
    void policyAppliedMeanwhile();
    void hedgeWins();
    void hedgeLoses();
    void F45_clientLeavesDuringTheRace();
    void stoppedDuringTheRace();

private:
    static void kinds();
    static void stages();
};

namespace {

struct Stage {
    const char* name;
    bool stream;
    Reply reply;
    bool content;  ///< the client has content by then
};

/// Where an answer can be waited for; each goes on for ever.
std::vector<Stage> waitingStages() {
    const auto role = [] { return Reply::stream().event(frames::kRole); };
    return {
        {"before the head", true, Reply::nothing().stall(), false},
        {"after the head", true, Reply::stream().stall(), false},
        {"before the content", true, role().stall(), false},
        {"in the stream", true, role().event(frames::kText).stall(), true},
        {"whole, before the head", false, Reply::nothing().stall(), false},
        {"whole, in the body", false, Reply::raw("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{").stall(), false},
    };
}

PoolKind fetchedKind() {
    QFETCH(int, kind);
    return static_cast<PoolKind>(kind);
}

PoolScene sceneOf(PoolKind kind) { return PoolScene(PoolSceneOptions{.kind = kind}); }

/// Sends the request and returns when it is held at its stage.
RawClient waitingClient(PoolScene& scene, const Stage& stage) {
    scene.at(0).setStandingReply(stage.reply);
    RawClient client(scene.gateway().port());
    client.send(poolRequest(stage.stream));
    if (stage.content) client.waitFor("one piece");
    return client;
}

const Stage& fetchedStage() {
    static const std::vector<Stage> stages = waitingStages();
    QFETCH(int, stage);
    return stages[static_cast<std::size_t>(stage)];
}

} // namespace

void PoolEndingsTest::kinds() {
    QTest::addColumn<int>("kind");
    for (const PoolKind kind : kPoolKinds) QTest::newRow(toString(kind).c_str()) << static_cast<int>(kind);
}

void PoolEndingsTest::stages() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("stage");
    const auto stages = waitingStages();
    for (const PoolKind kind : kPoolKinds)
        for (std::size_t i = 0; i < stages.size(); ++i)
            QTest::newRow((toString(kind) + ", " + stages[i].name).c_str()) << static_cast<int>(kind) << static_cast<int>(i);
}

void PoolEndingsTest::answered() {
    PoolScene scene = sceneOf(fetchedKind());
    for (const bool stream : {true, false}) {
        scene.at(0).setStandingReply(heldReply(stream));
        RawClient client(scene.gateway().port());
        QVERIFY(client.send(poolRequest(stream)));
        QTRY_COMPARE(scene.at(0).requestCount(), std::size_t(stream ? 1 : 2));
        QCOMPARE(scene.slotsInUse(0), 1U);
        QCOMPARE(scene.quotaUsed(0), std::uint64_t(stream ? 1 : 2));
        scene.at(0).release();
        QCOMPARE(client.response()->status, 200);
        QCOMPARE(scene.slotsInUse(), 0U);
    }
    QTRY_COMPARE(scene.whatIsHeld(), std::string());
}

void PoolEndingsTest::failedEverywhere() {
    PoolScene scene = sceneOf(fetchedKind());
    for (const bool stream : {true, false}) {
        for (std::size_t i = 0; i < scene.size(); ++i) scene.at(i).setStandingReply(Reply::json("{}", 500));
        QCOMPARE(scene.gateway().post(poolBody(stream))->status, 500);
        QCOMPARE(scene.slotsInUse(), 0U);
    }
    QTRY_COMPARE(scene.whatIsHeld(), std::string());
}

void PoolEndingsTest::F19_F44_timeLimits_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("stage");
    QTest::addColumn<int>("limit");
    QTest::addColumn<std::string>("reason");
    const auto stages = waitingStages();
    const std::string words[] = {"timeout_first_byte", "timeout_first_byte", "timeout_stream_idle",
                             "timeout_stream_idle", "timeout_first_byte", "timeout_stream_idle"};
    for (const PoolKind kind : kPoolKinds)
        for (std::size_t i = 0; i < stages.size(); ++i)
            for (const bool total : {false, true}) {
                const std::string word = total ? "timeout_total" : words[i];
                const std::string tag = toString(kind) + ", " + stages[i].name + ": " + word;
                QTest::newRow(tag.c_str()) << static_cast<int>(kind) << static_cast<int>(i) << (total ? 1 : 0) << word;
            }
}

/// Each limit fires alone, and record and client are told which it was.
void PoolEndingsTest::F19_F44_timeLimits() {
    QFETCH(int, limit);
    QFETCH(std::string, reason);
    const Stage& stage = fetchedStage();
    PoolSceneOptions options{.kind = fetchedKind()};
    for (EndpointSetup& setup : options.endpoints) {
        // Nothing but the silence is to be cut off: what comes before it has time on a busy machine, too.
        if (limit == 1) setup.totalMs = stage.content ? 300 : 60;
        else if (reason == "timeout_first_byte") setup.firstByteMs = 60;
        else setup.idleMs = 60;
    }
    PoolScene scene(options);
    scene.at(1).setStandingReply(stage.reply);
    RawClient client = waitingClient(scene, stage);
    const auto response = client.response();
    QVERIFY(response.has_value());
    QCOMPARE(response->status, stage.content ? 200 : 504);
    QVERIFY(response->body.find(reason) != std::string::npos);
    QCOMPARE(scene.slotsInUse(), 0U);
    const auto record = scene.gateway().records().at(0);
    QCOMPARE(record.errorCode, reason);
    QCOMPARE(record.status, 504);
    QCOMPARE(record.attempts.size(), std::size_t(stage.content ? 1 : 2));
    for (const evidence::Attempt& attempt : record.attempts) QCOMPARE(attempt.reason, reason);
    QTRY_COMPARE(scene.at(0).abandoned(), std::size_t{1});
    QTRY_COMPARE(scene.whatIsHeld(), std::string());
}

void PoolEndingsTest::F45_clientLeaves() {
    const Stage& stage = fetchedStage();
    PoolScene scene = sceneOf(fetchedKind());
    RawClient client = waitingClient(scene, stage);
    QTRY_COMPARE(scene.at(0).requestCount(), std::size_t{1});
    QCOMPARE(scene.slotsInUse(0), 1U);
    client.close();
    QTRY_COMPARE(scene.gateway().records().size(), std::size_t{1});
    QTRY_COMPARE(scene.whatIsHeld(), std::string());
    QTRY_COMPARE(scene.at(0).abandoned(), std::size_t{1});
    const auto record = scene.gateway().records().front();
    QVERIFY(record.outcome == Outcome::cancelled);
    QCOMPARE(record.errorCode, std::string("client_gone"));
    QCOMPARE(storyOf(record), std::string("a primary cancelled client_gone"));
    QCOMPARE(record.whyNoFallback, std::string());
    // It says nothing about the endpoint, but what was sent is used up.
    QCOMPARE(scene.circuit(0).attempts, 0U);
    QCOMPARE(scene.quotaUsed(0), std::uint64_t{1});
    QCOMPARE(scene.profileSamples(0), std::size_t(stage.content ? 1 : 0));
    QCOMPARE(scene.at(1).requestCount(), std::size_t{0});
}

void PoolEndingsTest::F45_clientLeavesDuringTheRetry() {
    PoolScene scene = sceneOf(fetchedKind());
    scene.at(0).setStandingReply(Reply::json("{}", 503));
    scene.at(1).setStandingReply(Reply::nothing().stall());
    RawClient client(scene.gateway().port());
    QVERIFY(client.send(poolRequest(true)));
    QTRY_COMPARE(scene.at(1).requestCount(), std::size_t{1});
    QCOMPARE(scene.slotsInUse(0), 0U);
    QCOMPARE(scene.slotsInUse(1), 1U);
    client.close();
    QTRY_COMPARE(scene.gateway().records().size(), std::size_t{1});
    QTRY_COMPARE(scene.whatIsHeld(), std::string());
    QTRY_COMPARE(scene.at(1).abandoned(), std::size_t{1});
    const auto record = scene.gateway().records().front();
    QCOMPARE(storyOf(record), std::string("a primary failed status_503; b retry cancelled client_gone"));
    QVERIFY(record.outcome == Outcome::cancelled);
    QCOMPARE(scene.circuit(0).consecutiveFailures, 1U);
    QCOMPARE(scene.circuit(1).attempts, 0U);
}

void PoolEndingsTest::stopped() {
    const Stage& stage = fetchedStage();
    PoolScene scene = sceneOf(fetchedKind());
    RawClient client = waitingClient(scene, stage);
    QTRY_COMPARE(scene.at(0).requestCount(), std::size_t{1});
    QCOMPARE(scene.slotsInUse(0), 1U);
    scene.gateway().server().stop(0ms);
    QCOMPARE(scene.whatIsHeld(), std::string());
    QVERIFY(client.closedByPeer());
    QTRY_COMPARE(scene.at(0).abandoned(), std::size_t{1});
    const auto record = scene.gateway().records().at(0);
    QCOMPARE(record.errorCode, std::string("gateway_stopped"));
    QVERIFY(record.outcome == Outcome::cancelled);
    QCOMPARE(record.attempts.size(), std::size_t{1});
    QVERIFY(record.attempts[0].outcome == AttemptOutcome::cancelled);
    QCOMPARE(scene.circuit(0).attempts, 0U);
}

/// What is under way under the old policy goes on there; what it holds counts for the new one too, until it ends.
void PoolEndingsTest::policyAppliedMeanwhile() {
    const Stage& stage = fetchedStage();
    PoolScene scene = sceneOf(fetchedKind());
    RawClient client = waitingClient(scene, stage);
    QTRY_COMPARE(scene.at(0).requestCount(), std::size_t{1});
    const auto snapshot = scene.gateway().snapshot();
    auto config = std::make_shared<config::GatewayConfig>(*snapshot->config);
    for (config::Route& route : config->models.front().routes) route.weight += 1;
    const auto changed = policy::makeSnapshot(snapshot->table, snapshot->tableSha256, config);
    QVERIFY(scene.gateway().server().apply(scene.gateway().makeServing(changed)).has_value());
    QCOMPARE(scene.slotsInUse(0), 1U);
    scene.at(0).setStandingReply(goodReply(stage.stream));
    QCOMPARE(scene.gateway().post(poolBody(stage.stream))->status, 200);
    QCOMPARE(scene.slotsInUse(), 1U);
    client.close();
    QTRY_COMPARE(scene.whatIsHeld(), std::string());
    QTRY_COMPARE(scene.at(0).abandoned(), std::size_t{1});
    QTRY_COMPARE(scene.gateway().records().size(), std::size_t{2});
}

namespace {

/// Both endpoints are known to be quick, so that the backup is sent as late as it can be: soon, for so small an objective.
PoolScene race() {
    PoolScene scene(PoolSceneOptions{.kind = PoolKind::hedging, .sloS = 0.4});
    scene.teach(0, 5ms);
    scene.teach(1, 5ms);
    return scene;
}

/// What an overtaken leg had been sent is paid for too: it is in the request's cost, which its principal's month and the
/// sums of history are charged with.
void paysForBoth(const evidence::DecisionRecord& record) {
    const std::optional<double> first = record.attempts.at(0).costUsd, second = record.attempts.at(1).costUsd;
    QVERIFY(first && *first > 0 && second && *second > 0);
    QCOMPARE(record.costUsd.value_or(0), *first + *second);
}

} // namespace

void PoolEndingsTest::hedgeWins() {
    PoolScene scene = race();
    scene.at(0).setStandingReply(Reply::stream().event(frames::kRole).stall());
    scene.at(1).setStandingReply(goodReply(true));
    const auto response = scene.gateway().post(poolBody(true));
    QCOMPARE(response->status, 200);
    QCOMPARE(response->header("x-signalbox-route"), std::string("b:m"));
    QCOMPARE(scene.slotsInUse(), 0U);
    const auto record = scene.gateway().records().at(0);
    QCOMPARE(storyOf(record), std::string("a primary cancelled hedge_lost; b hedge served"));
    paysForBoth(record);
    QCOMPARE(record.pool->hedge, std::string("won"));
    QTRY_COMPARE(scene.at(0).abandoned(), std::size_t{1});
    QTRY_COMPARE(scene.whatIsHeld(), std::string());
    QCOMPARE(scene.circuit(0).attempts, 0U);
    QCOMPARE(scene.circuit(1).attempts, 1U);
}

void PoolEndingsTest::hedgeLoses() {
    PoolScene scene = race();
    scene.at(0).setStandingReply(heldReply(true));
    scene.at(1).setStandingReply(Reply::stream().event(frames::kRole).stall());
    RawClient client(scene.gateway().port());
    QVERIFY(client.send(poolRequest(true)));
    QTRY_COMPARE(scene.at(1).requestCount(), std::size_t{1});
    QCOMPARE(scene.slotsInUse(), 2U);
    scene.at(0).release();
    const auto response = client.response();
    QCOMPARE(response->header("x-signalbox-route"), std::string("a:m"));
    QVERIFY(response->complete);
    QCOMPARE(scene.slotsInUse(), 0U);
    const auto record = scene.gateway().records().at(0);
    QCOMPARE(storyOf(record), std::string("a primary served; b hedge cancelled hedge_lost"));
    paysForBoth(record);
    QCOMPARE(record.pool->hedge, std::string("lost"));
    QTRY_COMPARE(scene.at(1).abandoned(), std::size_t{1});
    QTRY_COMPARE(scene.whatIsHeld(), std::string());
}

void PoolEndingsTest::F45_clientLeavesDuringTheRace() {
    PoolScene scene = race();
    scene.at(0).setStandingReply(Reply::nothing().stall());
    scene.at(1).setStandingReply(Reply::nothing().stall());
    RawClient client(scene.gateway().port());
    QVERIFY(client.send(poolRequest(true)));
    QTRY_COMPARE(scene.at(1).requestCount(), std::size_t{1});
    QCOMPARE(scene.slotsInUse(), 2U);
    client.close();
    QTRY_COMPARE(scene.gateway().records().size(), std::size_t{1});
    QTRY_COMPARE(scene.whatIsHeld(), std::string());
    QTRY_COMPARE(scene.at(0).abandoned() + scene.at(1).abandoned(), std::size_t{2});
    const auto record = scene.gateway().records().front();
    QCOMPARE(storyOf(record), std::string("a primary cancelled client_gone; b hedge cancelled client_gone"));
    QCOMPARE(scene.circuit(0).attempts + scene.circuit(1).attempts, 0U);
}

void PoolEndingsTest::stoppedDuringTheRace() {
    PoolScene scene = race();
    scene.at(0).setStandingReply(Reply::nothing().stall());
    scene.at(1).setStandingReply(Reply::stream().event(frames::kRole).stall());
    RawClient client(scene.gateway().port());
    QVERIFY(client.send(poolRequest(true)));
    QTRY_COMPARE(scene.at(1).requestCount(), std::size_t{1});
    QCOMPARE(scene.slotsInUse(), 2U);
    scene.gateway().server().stop(0ms);
    QCOMPARE(scene.whatIsHeld(), std::string());
    QVERIFY(client.closedByPeer());
    QTRY_COMPARE(scene.at(0).abandoned() + scene.at(1).abandoned(), std::size_t{2});
    const auto record = scene.gateway().records().at(0);
    QCOMPARE(record.errorCode, std::string("gateway_stopped"));
    QCOMPARE(record.attempts.size(), std::size_t{2});
}

QTEST_APPLESS_MAIN(PoolEndingsTest)
#include "tst_pool_endings.moc"
