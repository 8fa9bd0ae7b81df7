// SPDX-License-Identifier: MIT
// A candidate of a smart group that is itself a pool, from the request to its record (F51): the group says what, the pool's
// router says where, and each keeps its own conditions for asking another.
#include "tests/router/gateway/pool_scene.h"

#include <nlohmann/json.hpp>
#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using evidence::Outcome;

namespace {

/// `auto` tries the pool of `a` and `b`, then `up:model-b`, which is no part of it.
std::string groupText(const std::string& pool, const std::string& routing = "mode = \"off\"") {
    return "[routing]\n" + routing + "\n[routing.groups.g]\naliases = [\"auto\"]\ncandidates = [\n  { pool = \"" + pool +
           "\", quality = 0.9 },\n  { provider = \"up\", model = \"model-b\", quality = 0.5 },\n]\n";
}

struct Scene {
    explicit Scene(PoolKind kind, const std::string& routing = "mode = \"off\"", const std::string& pool = "pool",
                   const std::string& more = {}) {
        PoolSceneOptions options{.kind = kind};
        options.more = more + groupText(pool, routing);
        scene.emplace(std::move(options));
    }

    std::optional<RawResponse> ask(bool stream = false) {
        std::string body = poolBody(stream);
        body.replace(body.find("\"pool\""), 6, "\"auto\"");
        return scene->gateway().post(body);
    }
    evidence::DecisionRecord last() const { return scene->gateway().records().back(); }
    void closeCircuits() {
        for (std::size_t i = 0; i < 2; ++i) scene->gateway().process().circuits.of(PoolScene::idOf(i))->closeByHand();
    }

    std::optional<PoolScene> scene;
};

Reply errorOf(int status) { return Reply::json("{}", status); }

} // namespace

class PoolCandidateTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bothAnswersAreRecorded_data() { kinds(); }
    void bothAnswersAreRecorded();
    void F51_eachLevelKeepsItsConditions_data() { kinds(); }
    void F51_eachLevelKeepsItsConditions();
    void F51_aStrictPoolGivesUpAndTheGroupGoesOn();
    void F62_whatFailedIsNotAskedAgain();
    void oneWorkingEndpointIsEnough();
    void whatTheGroupLearns();
    void principalsNarrowThePool();

private:
    static void kinds() {
        QTest::addColumn<int>("kind");
        for (const PoolKind kind : kPoolKinds) QTest::newRow(toString(kind).c_str()) << static_cast<int>(kind);
    }
};

void PoolCandidateTest::bothAnswersAreRecorded() {
    QFETCH(const int, kind);
    Scene scene(static_cast<PoolKind>(kind), "mode = \"active\"\nactivation_percent = 100");
    for (const bool stream : {false, true}) {
        const auto response = scene.ask(stream);
        QCOMPARE(response->status, 200);
        QCOMPARE(response->header("x-signalbox-route"), std::string("a:m"));
        const evidence::DecisionRecord record = scene.last();
        QCOMPARE(record.resolvedBy, std::string("smart_alias"));
        QVERIFY(record.group && record.pool);
        QCOMPARE(record.group->selected, std::string("pool:pool"));
        QCOMPARE(record.group->recommended, std::string("pool:pool"));
        QCOMPARE(record.group->candidates.size(), std::size_t{2});
        QCOMPARE(record.group->candidates[0].endpointId, std::string("pool:pool"));
        QVERIFY(record.group->candidates[0].cut.empty());
        QCOMPARE(record.pool->poolId, std::string("pool"));
        QCOMPARE(record.pool->drawn, std::string("a:m"));
        QCOMPARE(record.endpointId, std::string("a:m"));
        QCOMPARE(storyOf(record), std::string("a primary served"));
        QVERIFY(record.costUsd && *record.costUsd > 0);
    }
    const auto status = scene.scene->gateway().getAsAdmin("/admin/router/status");
    const auto json = nlohmann::json::parse(status->body);
    QCOMPARE(json.at("selectedByCandidate").at("pool:pool").get<int>(), 2);
    QVERIFY(scene.scene->whatIsHeld().empty());
}

void PoolCandidateTest::F51_eachLevelKeepsItsConditions() {
    QFETCH(const int, kind);
    Scene scene(static_cast<PoolKind>(kind));
    PoolScene& pool = *scene.scene;
    pool.at(0).setStandingReply(errorOf(400));
    QCOMPARE(scene.ask()->status, 400);  // nobody follows a 400, in the pool or after it
    QCOMPARE(storyOf(scene.last()), std::string("a primary failed status_400"));
    QCOMPARE(scene.last().whyNoFallback, std::string("not_for_this_failure"));
    pool.at(0).setStandingReply(errorOf(503));
    QCOMPARE(scene.ask()->status, 200);
    QCOMPARE(storyOf(scene.last()), std::string("a primary failed status_503; b retry served"));
    pool.at(1).setStandingReply(errorOf(503));
    QCOMPARE(scene.ask()->status, 200);
    QCOMPARE(storyOf(scene.last()), std::string("a primary failed status_503; b retry failed status_503; up retry served"));
    QCOMPARE(scene.last().endpointId, std::string("up:model-b"));
    QCOMPARE(scene.last().whyNoFallback, std::string());
    pool.gateway().upstream().setScript([](const dispatch::UpstreamRequest&) {
        FakeReply reply;
        reply.failure = upstreamStatus(500);
        return reply;
    });
    scene.closeCircuits();
    QCOMPARE(scene.ask()->status, 503);  // of the first that was sent
    QCOMPARE(scene.last().whyNoFallback, std::string("last_target"));
    QVERIFY(pool.whatIsHeld().empty());
}

void PoolCandidateTest::F51_aStrictPoolGivesUpAndTheGroupGoesOn() {
    Scene scene(PoolKind::fixed, "mode = \"off\"", "strict",
                "[models.strict]\nrouter = \"routewise\"\nrouter_params = { budget_alpha = 0, fallback_mode = \"strict\" }\n"
                "[[models.strict.route]]\nprovider = \"a\"\nmodel = \"m\"\n[[models.strict.route]]\nprovider = \"b\"\nmodel = \"m\"\n");
    scene.scene->at(0).setStandingReply(errorOf(503));
    QCOMPARE(scene.ask()->status, 200);
    QCOMPARE(storyOf(scene.last()), std::string("a primary failed status_503; up retry served"));
    QCOMPARE(scene.scene->at(1).requestCount(), std::size_t{0});
}

// An endpoint stands in the pool and as a candidate of its own; whichever comes first, it is asked once.
void PoolCandidateTest::F62_whatFailedIsNotAskedAgain() {
    const std::string both = "[routing]\nmode = \"off\"\n[routing.groups.first]\naliases = [\"pool-first\"]\ncandidates = "
                             "[{ pool = \"pool\" }, { provider = \"a\", model = \"m\" }]\n[routing.groups.last]\naliases = "
                             "[\"pool-last\"]\ncandidates = [{ provider = \"a\", model = \"m\" }, { pool = \"pool\" }]\n";
    PoolSceneOptions options;
    options.more = both;
    PoolScene scene(std::move(options));
    scene.at(0).setStandingReply(errorOf(503));
    scene.at(1).setStandingReply(errorOf(503));
    for (const std::string alias : {"pool-first", "pool-last"}) {
        for (std::size_t i = 0; i < 2; ++i) scene.gateway().process().circuits.of(PoolScene::idOf(i))->closeByHand();
        std::string body = poolBody(false);
        body.replace(body.find("\"pool\""), 6, "\"" + alias + "\"");
        QCOMPARE(scene.gateway().post(body)->status, 503);
        QCOMPARE(storyOf(scene.gateway().records().back()), std::string("a primary failed status_503; b retry failed status_503"));
    }
}

void PoolCandidateTest::oneWorkingEndpointIsEnough() {
    Scene scene(PoolKind::fixed, "mode = \"active\"\nactivation_percent = 100");
    auto& circuits = scene.scene->gateway().process().circuits;
    circuits.of("a:m")->coolByHand();
    QCOMPARE(scene.ask()->status, 200);
    QCOMPARE(scene.last().group->selected, std::string("pool:pool"));
    QCOMPARE(scene.last().endpointId, std::string("b:m"));
    circuits.of("b:m")->coolByHand();
    QCOMPARE(scene.ask()->status, 200);
    QCOMPARE(scene.last().group->selected, std::string("up:model-b"));
    QCOMPARE(scene.last().group->candidates[0].cut, std::string("provider_cooldown"));
    // Everything cools: the pool comes back as the last resort, and so do its endpoints (F57).
    circuits.of("up:model-b")->coolByHand();
    QCOMPARE(scene.ask()->status, 200);
    QCOMPARE(scene.last().group->selected, std::string("pool:pool"));
    QCOMPARE(storyOf(scene.last()), std::string("a primary served last_resort; b retry refused circuit_open"));
}

// The whole way through the pool is the candidate's attempt: what its client waited for, and whether it was served.
void PoolCandidateTest::whatTheGroupLearns() {
    Scene scene(PoolKind::fixed);
    const auto outcome = [&] {
        return scene.scene->gateway().makeServing()->endpoints->runtime()->outcomes.find("pool:pool")->view();
    };
    QCOMPARE(scene.ask()->status, 200);
    QCOMPARE(scene.ask(true)->status, 200);
    QCOMPARE(outcome().attempts, std::uint64_t{2});
    QCOMPARE(outcome().successes, std::uint64_t{2});
    scene.scene->at(0).setStandingReply(errorOf(503));
    QCOMPARE(scene.ask()->status, 200);  // `b` saved it
    QCOMPARE(outcome().successes, std::uint64_t{3});
    scene.scene->at(1).setStandingReply(errorOf(503));
    QCOMPARE(scene.ask()->status, 200);  // the other candidate saved it
    QCOMPARE(outcome().attempts, std::uint64_t{4});
    QCOMPARE(outcome().successes, std::uint64_t{3});
    scene.closeCircuits();
    scene.scene->at(0).setStandingReply(errorOf(400));
    QCOMPARE(scene.ask()->status, 400);  // the request's own fault
    QCOMPARE(outcome().attempts, std::uint64_t{4});
    // No circuit and no endpoint of that name came to be.
    for (const auto& view : scene.scene->gateway().process().circuits.views()) QVERIFY(view.endpointId != "pool:pool");
}

void PoolCandidateTest::principalsNarrowThePool() {
    Scene scene(PoolKind::fixed, "mode = \"off\"", "pool",
                "[principals.narrow]\ntoken_env = \"BATCH_TOKEN\"\nallowed_providers = [\"b\"]\n");
    std::string body = poolBody(false);
    body.replace(body.find("\"pool\""), 6, "\"auto\"");
    const auto response = fetch(scene.scene->gateway().port(),
                                {"POST", "/v1/chat/completions", {"Authorization: Bearer batch-token-0123456789"}, body});
    QCOMPARE(response->status, 200);
    QCOMPARE(scene.last().endpointId, std::string("b:m"));
    QCOMPARE(scene.last().group->candidates[1].cut, std::string("policy"));
}

QTEST_APPLESS_MAIN(PoolCandidateTest)
#include "tst_pool_candidate.moc"
