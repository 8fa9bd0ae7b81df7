// SPDX-License-Identifier: MIT
// The backup of a hedged request breaks at one step of its exchange after the other, while the primary is still waited
// for: it never takes the primary with it before the client has its content, and nothing of it is left behind (F6, F19,
// F50, F76).
#include "tests/router/gateway/faults.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;
using capacity::Sample;

class HedgeSweepTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void backupBreaks_data() { rows(false); }
    void backupBreaks();
    void backupWins_data() { rows(true); }
    void backupWins();
    void overtakenWhileConnecting();

private:
    static void rows(bool winning);
};

namespace {

/// Has content before its fault, if it has one at all: such a backup is the faster one.
bool wins(const Fault& fault) { return fault.passes() || fault.afterContent; }

Fault fetchedFault() {
    QFETCH(int, step);
    return faultAt(true, static_cast<std::size_t>(step));
}

/// Both endpoints are known to be quick, so that a silent primary gets its backup soon.
PoolScene sceneOf(const Fault& fault) {
    PoolSceneOptions options{.kind = PoolKind::hedging, .sloS = 0.1};
    options.endpoints[1] = setupFor(fault);
    PoolScene scene(options);
    for (std::size_t i = 0; i < scene.size(); ++i) scene.teach(i, 2ms);
    scene.at(1).setStandingReply(fault.reply);
    return scene;
}

void checkBackupsCircuit(const PoolScene& scene, const Fault& fault) {
    const auto circuit = scene.circuit(1);
    QCOMPARE(circuit.attempts, fault.sample == Sample::none ? 0U : 1U);
    QCOMPARE(circuit.consecutiveFailures, fault.sample == Sample::failure || fault.sample == Sample::rateLimited ? 1U : 0U);
    QVERIFY((circuit.state == capacity::CircuitState::open) == (fault.sample == Sample::rateLimited));
    QCOMPARE(scene.quotaUsed(1), std::uint64_t(fault.reached ? 1 : 0));
}

} // namespace

void HedgeSweepTest::rows(bool winning) {
    QTest::addColumn<int>("step");
    const std::vector<Fault> faults = faultsOf(true);
    for (std::size_t step = 0; step < faults.size(); ++step)
        if (wins(faults[step]) == winning) QTest::newRow(faults[step].name.c_str()) << static_cast<int>(step);
}

void HedgeSweepTest::backupBreaks() {
    const Fault fault = fetchedFault();
    PoolScene scene = sceneOf(fault);
    scene.at(0).setStandingReply(heldReply(true));
    RawClient client(scene.gateway().port());
    QVERIFY(client.send(poolRequest(true)));
    // A dead backup gets no request, but its profile learns of it.
    if (fault.dead) QTRY_COMPARE(scene.profileSamples(1), std::size_t{1});
    else QTRY_COMPARE(scene.at(1).requestCount(), std::size_t{1});
    QTRY_COMPARE(scene.slotsInUse(1), 0U);
    QCOMPARE(scene.slotsInUse(0), 1U);
    QVERIFY2(scene.gateway().records().empty(), "the primary is still waited for");
    scene.at(0).release();
    const auto response = client.response();
    QVERIFY(response && response->complete);
    QCOMPARE(response->status, 200);
    QCOMPARE(response->header("x-signalbox-route"), std::string("a:m"));
    QCOMPARE(scene.slotsInUse(), 0U);
    const auto record = scene.gateway().records().at(0);
    QCOMPARE(storyOf(record), "a primary served; b hedge failed " + fault.reason);
    QCOMPARE(record.attempts[1].status, fault.attemptStatus);
    QCOMPARE(record.pool->hedge, std::string("failed"));
    QCOMPARE(record.whyNoFallback, std::string());
    QVERIFY(record.outcome == evidence::Outcome::served);
    checkBackupsCircuit(scene, fault);
    QCOMPARE(scene.circuit(0).consecutiveFailures, 0U);
    QCOMPARE(scene.circuit(0).attempts, 1U);
    QTRY_COMPARE(scene.at(1).abandoned(), std::size_t(fault.stalls && !fault.dead ? 1 : 0));
    QTRY_COMPARE(scene.whatIsHeld(), std::string());
}

void HedgeSweepTest::backupWins() {
    const Fault fault = fetchedFault();
    PoolScene scene = sceneOf(fault);
    scene.at(0).setStandingReply(Reply::nothing().stall());
    RawClient client(scene.gateway().port());
    QVERIFY(client.send(poolRequest(true)));
    QVERIFY(client.waitFor("one piece"));
    // From here on the primary is out of it, whatever becomes of the backup.
    QTRY_COMPARE(scene.at(0).abandoned(), std::size_t{1});
    QCOMPARE(scene.slotsInUse(0), 0U);
    if (fault.afterContent) scene.at(1).release();
    const auto response = client.response();
    QVERIFY(response.has_value());
    QCOMPARE(response->header("x-signalbox-route"), std::string("b:m"));
    QCOMPARE(response->body.find("\"error\"") == std::string::npos, fault.passes());
    QCOMPARE(scene.slotsInUse(), 0U);
    const auto record = scene.gateway().records().at(0);
    const std::string end = fault.passes() ? "served" : "failed " + fault.reason;
    QCOMPARE(storyOf(record), "a primary cancelled hedge_lost; b hedge " + end);
    QCOMPARE(record.pool->hedge, std::string("won"));
    QCOMPARE(record.endpointId, std::string("b:m"));
    QCOMPARE(record.status, fault.status);
    QCOMPARE(record.whyNoFallback, std::string(fault.passes() ? "" : "content_sent"));
    checkBackupsCircuit(scene, fault);
    QCOMPARE(scene.circuit(0).attempts, 0U);
    QCOMPARE(scene.at(0).requestCount(), std::size_t{1});
    QTRY_COMPARE(scene.whatIsHeld(), std::string());
}

/// A primary that has no connection yet got nothing: it costs nobody anything, and its quota has lost nothing.
void HedgeSweepTest::overtakenWhileConnecting() {
    PoolSceneOptions options{.kind = PoolKind::hedging, .sloS = 0.1};
    options.endpoints[0].dead = DeadPort::Manner::hangs;
    PoolScene scene(options);
    for (std::size_t i = 0; i < scene.size(); ++i) scene.teach(i, 2ms);
    const auto response = scene.gateway().post(poolBody(true));
    QCOMPARE(response->header("x-signalbox-route"), std::string("b:m"));
    const auto record = scene.gateway().records().at(0);
    QCOMPARE(storyOf(record), std::string("a primary cancelled hedge_lost; b hedge served"));
    QVERIFY(!record.attempts[0].costUsd);
    QVERIFY(record.costUsd && *record.costUsd > 0);
    QVERIFY(record.costUsd == record.attempts[1].costUsd);
    QCOMPARE(scene.quotaUsed(0), std::uint64_t{0});
    QCOMPARE(scene.quotaUsed(1), std::uint64_t{1});
    QCOMPARE(scene.circuit(0).attempts, 0U);
    QTRY_COMPARE(scene.whatIsHeld(), std::string());
}

QTEST_APPLESS_MAIN(HedgeSweepTest)
#include "tst_hedge_sweep.moc"
