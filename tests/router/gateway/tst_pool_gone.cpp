// SPDX-License-Identifier: MIT
// An endpoint that disappears between selection and use, or between two requests, fails at once and with its cause; the
// others of its pool go on (F71).
#include "tests/router/gateway/pool_scene.h"

#include "router/upstream/adapters.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using evidence::AttemptOutcome;
using evidence::Outcome;

class PoolGoneTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void F71_goneBetweenTwoRequests_data() { kinds(); }
    void F71_goneBetweenTwoRequests();
    void F71_drained_data() { kinds(); }
    void F71_drained();
    void F71_notCallableAnyMore_data() { kinds(); }
    void F71_notCallableAnyMore();

private:
    static void kinds() {
        QTest::addColumn<int>("kind");
        for (const PoolKind kind : kPoolKinds) QTest::newRow(toString(kind).c_str()) << static_cast<int>(kind);
    }
};

namespace {

PoolScene sceneOf() {
    QFETCH(int, kind);
    return PoolScene(PoolSceneOptions{.kind = static_cast<PoolKind>(kind)});
}

evidence::DecisionRecord lastOf(const PoolScene& scene) { return scene.gateway().records().back(); }

} // namespace

void PoolGoneTest::F71_goneBetweenTwoRequests() {
    PoolScene scene = sceneOf();
    QCOMPARE(scene.gateway().post(poolBody(false))->header("x-signalbox-route"), std::string("a:m"));
    scene.vanish(0);
    QCOMPARE(scene.gateway().post(poolBody(false))->header("x-signalbox-route"), std::string("b:m"));
    auto record = lastOf(scene);
    QCOMPARE(storyOf(record), std::string("a primary failed connect_refused; b retry served"));
    QVERIFY2(record.totalMs < 2500, "far below every time limit");
    scene.vanish(1);
    QCOMPARE(scene.gateway().post(poolBody(false))->status, 502);
    record = lastOf(scene);
    QCOMPARE(record.errorCode, std::string("connect_refused"));
    QVERIFY(record.totalMs < 2500);
    QCOMPARE(scene.gateway().process().resources.slots("concurrency:slots-a", 4).value()->inUse(), 0U);
}

/// What an operator took away is not waited for, and the record says so.
void PoolGoneTest::F71_drained() {
    PoolScene scene = sceneOf();
    scene.gateway().process().circuits.of("a:m")->setDrained(true);
    QCOMPARE(scene.gateway().post(poolBody(false))->header("x-signalbox-route"), std::string("b:m"));
    scene.gateway().process().circuits.of("b:m")->setDrained(true);
    const auto response = scene.gateway().post(poolBody(false));
    QCOMPARE(response->status, 503);
    QVERIFY(!response->header("retry-after").empty());
    const auto record = lastOf(scene);
    QVERIFY(record.outcome == Outcome::refused);
    for (const evidence::Attempt& attempt : record.attempts) QVERIFY(attempt.outcome == AttemptOutcome::refused);
    QVERIFY2(record.totalMs < 2500, "at once");
    QVERIFY(record.pool.has_value());
    QCOMPARE(record.pool->candidates.at(0).excluded, std::string("endpoint_drained"));
    QCOMPARE(scene.at(0).connectionsAccepted(), std::size_t{0});
}

namespace {

/// The same policy in a process that has adapters for these providers only, as when a key has gone.
void applyWith(const PoolScene& scene, const std::vector<std::string>& providers) {
    static const SystemClock clock;
    const auto& snapshot = scene.gateway().snapshot();
    auto access = gateway::AccessPolicy::make(*snapshot->config, {}, kToken);
    const std::shared_ptr<capacity::ProcessState> process(std::shared_ptr<void>(), &scene.gateway().process());
    gateway::ServingParts parts{snapshot, std::move(*access), process, {}, {}};
    for (const char* id : {"a", "b"}) parts.notCallable[id] = std::string("Provider ") + id + " has lost its key";
    for (const std::string& id : providers) {
        parts.notCallable.erase(id);
        parts.adapters[id] = upstream::makeAdapter(*snapshot->config->findProvider(id), {}).value();
    }
    const auto serving = gateway::makeServing(std::move(parts), clock);
    QVERIFY(serving.has_value());
    QVERIFY(scene.gateway().server().apply(*serving).has_value());
}

} // namespace

void PoolGoneTest::F71_notCallableAnyMore() {
    PoolScene scene = sceneOf();
    applyWith(scene, {"b"});
    QCOMPARE(scene.gateway().post(poolBody(true))->header("x-signalbox-route"), std::string("b:m"));
    const auto excluded = [&](std::size_t endpoint) {
        const auto record = lastOf(scene);
        for (const auto& candidate : record.pool->candidates)
            if (candidate.endpointId == PoolScene::idOf(endpoint)) return candidate.excluded;
        return std::string("(not recorded)");
    };
    QCOMPARE(excluded(0), std::string("provider_not_callable"));
    QCOMPARE(excluded(1), std::string());
    applyWith(scene, {});
    const auto response = scene.gateway().post(poolBody(true));
    QCOMPARE(response->status, 503);
    QVERIFY(lastOf(scene).outcome == Outcome::refused);
    QVERIFY2(lastOf(scene).totalMs < 2500, "at once");
    for (std::size_t i = 0; i < scene.size(); ++i) {
        QCOMPARE(excluded(i), std::string("provider_not_callable"));
        QCOMPARE(scene.circuit(i).attempts, i == 0 ? 0U : 1U);
    }
    QCOMPARE(scene.at(0).connectionsAccepted(), std::size_t{0});
    QCOMPARE(scene.slotsInUse(), 0U);
}

QTEST_APPLESS_MAIN(PoolGoneTest)
#include "tst_pool_gone.moc"
