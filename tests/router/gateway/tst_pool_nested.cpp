// SPDX-License-Identifier: MIT
// A plan one of whose targets is itself a pool: each level keeps its own conditions for asking another (F51).
#include "tests/router/gateway/pool_scene.h"
#include "tests/support/run_coroutine.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::test;

class PoolNestedTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void F51_nestedPoolKeepsItsConditions_data();
    void F51_nestedPoolKeepsItsConditions();
    void F51_strictPoolGivesUpAndThePlanGoesOn();
    void F51_refusingPoolIsPassedOver_data() { F51_nestedPoolKeepsItsConditions_data(); }
    void F51_refusingPoolIsPassedOver();
};

namespace {

PoolScene sceneOf() {
    QFETCH(int, kind);
    return PoolScene(PoolSceneOptions{.kind = static_cast<PoolKind>(kind)});
}

Reply errorOf(int status) { return Reply::json("{}", status); }

/// A plan that asks the pool first and then an endpoint outside it.
struct Nested {
    explicit Nested(PoolScene& scene) : serving(scene.gateway().makeServing()) {
        plan.targets.push_back({"", "pool", std::nullopt, "pool"});
        plan.targets.push_back({"up", "model-b", std::nullopt, std::nullopt});
        plan.fallbackAllowed = true;
    }

    /// The story, and the endpoint that answered or the status of the failure.
    std::pair<std::string, std::string> run() {
        evidence::DecisionRecord record;
        whyNoFallback.clear();
        strategy::RouteCall call;
        call.plan = &plan;
        call.attempts = &record.attempts;
        call.whyNoFallback = &whyNoFallback;
        call.pool = &record.pool;
        call.admittedAt = SystemClock().steady();
        call.promptTokens = 4;
        call.maxTokens = 10;
        call.makeRequest = [](const policy::RouteTarget& target) {
            dispatch::UpstreamRequest out;
            out.path = "/chat/completions";
            out.model = target.model;
            out.body = R"({"model":"m"})";
            return out;
        };
        auto answer = runCoroutine(context, ask(std::move(call)));
        return {storyOf(record), answer};
    }

    dispatch::asio::awaitable<std::string> ask(strategy::RouteCall call) {
        auto answer = co_await serving->router->route(std::move(call));
        if (!answer) co_return std::to_string(answer.error().status);
        const std::string endpoint = (*answer)->target().endpointId();
        auto rest = co_await (*answer)->next();
        co_return rest ? endpoint : std::string("broken");
    }

    std::shared_ptr<const gateway::Serving> serving;
    policy::RoutePlan plan;
    std::string whyNoFallback;
    boost::asio::io_context context{1};
};

using Told = std::pair<std::string, std::string>;

} // namespace

void PoolNestedTest::F51_nestedPoolKeepsItsConditions_data() {
    QTest::addColumn<int>("kind");
    for (const PoolKind kind : kPoolKinds) QTest::newRow(toString(kind).c_str()) << static_cast<int>(kind);
}

void PoolNestedTest::F51_nestedPoolKeepsItsConditions() {
    PoolScene scene = sceneOf();
    Nested nested(scene);
    scene.at(0).setStandingReply(errorOf(400));
    QCOMPARE(nested.run(), Told("a primary failed status_400", "400")); // nobody follows a 400, here or there
    QCOMPARE(nested.whyNoFallback, std::string("not_for_this_failure"));
    scene.at(0).setStandingReply(errorOf(503));
    QCOMPARE(nested.run(), Told("a primary failed status_503; b retry served", "b:m"));
    scene.at(1).setStandingReply(errorOf(503));
    QCOMPARE(nested.run(), Told("a primary failed status_503; b retry failed status_503; up retry served", "up:model-b"));
    QCOMPARE(nested.whyNoFallback, std::string());
    // A plan that allows no other try allows none inside the pool either.
    for (std::size_t i = 0; i < scene.size(); ++i) scene.gateway().process().circuits.of(PoolScene::idOf(i))->closeByHand();
    nested.plan.fallbackAllowed = false;
    QCOMPARE(nested.run(), Told("a primary failed status_503", "503"));
    QCOMPARE(nested.whyNoFallback, std::string("not_allowed"));
    QCOMPARE(scene.slotsInUse(), 0U);
}

void PoolNestedTest::F51_strictPoolGivesUpAndThePlanGoesOn() {
    PoolSceneOptions options;
    options.more = "[models.strict]\nrouter = \"routewise\"\nrouter_params = { budget_alpha = 0, fallback_mode = \"strict\" }\n"
                   "[[models.strict.route]]\nprovider = \"a\"\nmodel = \"m\"\n[[models.strict.route]]\nprovider = \"b\"\nmodel = \"m\"\n";
    PoolScene scene(options);
    scene.at(0).setStandingReply(errorOf(503));
    Nested nested(scene);
    nested.plan.targets[0] = {"", "strict", std::nullopt, "strict"};
    QCOMPARE(nested.run(), Told("a primary failed status_503; up retry served", "up:model-b"));
    QCOMPARE(scene.at(1).requestCount(), std::size_t{0});
}

/// A pool that refuses has sent nothing: the plan goes on, and no circuit learns of it.
void PoolNestedTest::F51_refusingPoolIsPassedOver() {
    PoolScene scene = sceneOf();
    Nested nested(scene);
    for (std::size_t i = 0; i < scene.size(); ++i) scene.gateway().process().circuits.of(PoolScene::idOf(i))->setDrained(true);
    const Told told = nested.run();
    QCOMPARE(told.second, std::string("up:model-b"));
    QVERIFY(told.first.ends_with("up retry served"));
    QCOMPARE(scene.at(0).connectionsAccepted() + scene.at(1).connectionsAccepted(), std::size_t{0});
    for (std::size_t i = 0; i < scene.size(); ++i) QCOMPARE(scene.circuit(i).attempts, 0U);
    QCOMPARE(scene.slotsInUse(), 0U);
}

QTEST_APPLESS_MAIN(PoolNestedTest)
#include "tst_pool_nested.moc"
