// SPDX-License-Identifier: MIT
// A candidate of a smart group that a pool serves: what planning knows of it, and when it can serve.
#include "router/config/read.h"
#include "router/policy/explain.h"
#include "tests/router/policy/meeting_policy.h"

#include <QTest>
#include <nlohmann/json.hpp>
#include <set>

using namespace signalbox;
using namespace signalbox::policy;
using config::RoutingMode;
using test::contextAt;
using test::request;
using test::route;

namespace {

/// The group "mix": the pool of `lab:moe-26b` (weight 3) and `cloud:big` (weight 1), then `annex:moe-26b`.
test::PolicyBuilder poolPolicy(RoutingMode mode = RoutingMode::off, std::uint8_t percent = 0) {
    auto builder = test::meetingPolicy(mode, percent);
    config::Model pool;
    pool.id = "pool";
    pool.routes = {{"lab", "moe-26b", config::RouteKind::local, 3}, {"cloud", "big", config::RouteKind::cloud, 1}};
    builder.config().models.push_back(std::move(pool));
    config::Candidate candidate;
    candidate.pool = "pool";
    candidate.quality = 0.9;
    builder.config().routing.groups.push_back({"mix", {"mix"}, {}, {candidate, {"annex", "moe-26b", 0.5, 500}}});
    return builder;
}

const smart::GroupCandidate& poolOf(const PolicySnapshot& snapshot) { return snapshot.smart.groups()[1].candidates[0]; }

/// Circuits that are open.
RequestContext coolingAt(const std::set<std::string>& cooling) {
    RequestContext context = contextAt(0);
    context.isCooling = [cooling](const std::string& id) { return cooling.contains(id); };
    context.readSignals = [cooling](std::size_t, std::span<smart::CandidateSignals> out) { out[1].cooling = cooling.contains("annex:moe-26b"); };
    return context;
}

} // namespace

class TestSmartPools : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatPlanningKnows() {
        const auto snapshot = poolPolicy().build();
        const smart::GroupCandidate& pool = poolOf(*snapshot);
        QVERIFY(pool.isPool() && pool.providerKnown && pool.providerCallable);
        QCOMPARE(pool.endpointId, std::string("pool:pool"));
        QCOMPARE(pool.pool.size(), std::size_t{2});
        QCOMPARE(pool.pricing.inputPerMillion, 0.75 * 0.1 + 0.25 * 5);  // by weight
        QCOMPARE(pool.pricing.outputPerMillion, 0.75 * 0.1 + 0.25 * 20);
        const auto enabled = snapshot->smart.enabledCandidates();
        QVERIFY(std::find(enabled.begin(), enabled.end(), "pool:pool") != enabled.end());
    }

    void weightsOfNothingShareEqually() {
        auto builder = poolPolicy();
        for (config::Route& one : builder.config().models[0].routes) one.weight = 0;
        QCOMPARE(poolOf(*builder.build()).pricing.inputPerMillion, (0.1 + 5) / 2);
    }

    void leadsToThePool() {
        const auto plan = resolve(*poolPolicy().build(), request("mix"), contextAt(0));
        // The table does not move a pool, which has no provider with presets of its own.
        QCOMPARE(route(plan), QStringLiteral("-@pool:pool moe-wide@annex:annex-wide"));
        QVERIFY(plan->targets[0].isPool());
        QCOMPARE(plan->targets[0].pool, std::optional<std::string>("pool"));
        QVERIFY(plan->fallbackAllowed);
    }

    void oneEndpointThatWorksIsEnough() {
        const auto snapshot = poolPolicy(RoutingMode::active, 100).build();
        const auto cutOfPool = [&](const std::set<std::string>& cooling) {
            const auto plan = resolve(*snapshot, request("mix"), coolingAt(cooling));
            return plan->group->plan.candidates[0].cut;
        };
        QVERIFY(cutOfPool({}) == smart::Cut::none);
        QVERIFY(cutOfPool({"lab:moe-26b"}) == smart::Cut::none);
        QVERIFY(cutOfPool({"lab:moe-26b", "cloud:big"}) == smart::Cut::cooldown);
    }

    void whatNoEndpointCanDoCutsIt() {
        auto builder = poolPolicy();
        auto features = request("mix");
        features.toolsOffered = 1;
        const auto cutOfPool = [&] {
            const auto plan = resolve(*builder.build(), features, contextAt(0));
            return plan ? plan->group->plan.candidates[0].cut : smart::Cut::none;
        };
        config::Provider& lab = builder.config().providers[0];
        config::Provider& cloud = builder.config().providers[1];
        lab.capabilities.tools = false;
        QVERIFY(cutOfPool() == smart::Cut::none);  // the cloud can
        cloud.capabilities.tools = false;
        QVERIFY(cutOfPool() == smart::Cut::capability);
        cloud.capabilities.tools = true;
        cloud.baseUrl.reset();  // what cannot be called can do nothing
        QVERIFY(cutOfPool() == smart::Cut::capability);
        lab.baseUrl.reset();
        QVERIFY(cutOfPool() == smart::Cut::credential);
    }

    // Of two endpoints that can do half each, neither can serve the request.
    void oneEndpointHasToDoAll() {
        auto builder = poolPolicy();
        builder.config().providers[0].capabilities.tools = false;
        builder.config().providers[1].protocol = config::Protocol::anthropic;
        const auto planFor = [&](bool tools, bool seed) {
            auto features = request("mix");
            features.toolsOffered = tools ? 1 : 0;
            if (seed) features.peculiarities.add(classify::Peculiarity::seed);
            return resolve(*builder.build(), features, contextAt(0));
        };
        QVERIFY(planFor(true, false)->group->plan.candidates[0].eligible());  // the cloud
        QVERIFY(planFor(false, true)->group->plan.candidates[0].eligible());  // the lab
        const auto both = planFor(true, true);
        QVERIFY(both && both->group->plan.candidates[0].cut == smart::Cut::capability);
        QCOMPARE(both->group->missing[0].words(), std::vector<std::string>{"tools"});
        builder.config().routing.groups[1].candidates.resize(1);
        const auto alone = planFor(true, true);
        QVERIFY(!alone && alone.error().kind == ErrorKind::badInput);
        QCOMPARE(alone.error().where, std::string("tools"));
    }

    // F57: an endpoint that is well but cannot serve the request does not keep the pool in front of what can.
    void onlyEndpointsThatCanServeKeepItFromCooling() {
        auto builder = poolPolicy();
        builder.config().providers[0].capabilities.tools = false;
        const auto snapshot = builder.build();
        auto features = request("mix");
        features.toolsOffered = 1;
        const auto planAt = [&](const std::set<std::string>& cooling) { return resolve(*snapshot, features, coolingAt(cooling)); };
        const auto cutOfPool = [&](const std::set<std::string>& cooling) { return planAt(cooling)->group->plan.candidates[0].cut; };
        QVERIFY(cutOfPool({}) == smart::Cut::none);
        QVERIFY(cutOfPool({"lab:moe-26b"}) == smart::Cut::none);
        QVERIFY(cutOfPool({"cloud:big"}) == smart::Cut::cooldown);
        QCOMPARE(route(planAt({"cloud:big"})), QStringLiteral("moe-wide@annex:annex-wide"));
        // When the rest cools as well, it comes back.
        QVERIFY(cutOfPool({"cloud:big", "annex:moe-26b", "annex:annex-wide"}) == smart::Cut::none);
    }

    void anEndpointThatCanServeMustBeAllowed() {
        auto builder = poolPolicy();
        builder.config().providers[0].capabilities.tools = false;
        const auto snapshot = builder.build();
        config::Principal principal;
        principal.id = "p";
        principal.allowedProviders = {"lab"};
        RequestContext context = contextAt(0);
        context.principal = &principal;
        auto features = request("mix");
        QVERIFY(resolve(*snapshot, features, context)->group->plan.candidates[0].eligible());
        features.toolsOffered = 1;
        const auto refused = resolve(*snapshot, features, context);
        QVERIFY2(test::says(refused, "\"pool:pool\" has no endpoint for this request that principal \"p\" may use"),
                 qPrintable(route(refused)));
        QVERIFY(refused.error().kind == ErrorKind::denied);
    }

    void principalsNeedOneOfItsProviders() {
        const auto snapshot = poolPolicy().build();
        config::Principal principal;
        principal.id = "p";
        RequestContext context = contextAt(0);
        context.principal = &principal;
        const auto cutOfPool = [&] { return resolve(*snapshot, request("mix"), context)->group->plan.candidates[0].cut; };
        principal.allowedProviders = {"cloud", "annex"};
        QVERIFY(cutOfPool() == smart::Cut::none);
        principal.allowedProviders = {"annex"};
        QVERIFY(cutOfPool() == smart::Cut::policy);
    }

    void readAndHashed() {
        const std::string text = "[providers.a]\nprotocol = \"simulated\"\nmodels = [\"m\"]\n[[models.chat.route]]\nprovider = \"a\"\n"
                                 "model = \"m\"\n[routing.groups.g]\naliases = [\"auto\"]\ncandidates = [{ pool = \"chat\", quality = 0.7 }]\n";
        const auto loaded = config::readConfig(text);
        QVERIFY(loaded.config != nullptr);
        const config::Candidate& candidate = loaded.config->routing.groups[0].candidates[0];
        QCOMPARE(candidate.pool, std::optional<std::string>("chat"));
        QVERIFY(candidate.provider.empty() && candidate.model.empty());
        QCOMPARE(candidate.quality, 0.7);
        const auto table = std::make_shared<table::RoutingTable>();
        const auto snapshot = makeSnapshot(table, "digest", loaded.config);
        const auto json = nlohmann::json::parse(snapshot->canonicalJson);
        const auto& canonical = json.at("routing").at("groups").at(0).at("candidates").at(0);
        QCOMPARE(canonical.at("pool").get<std::string>(), std::string("chat"));
        QVERIFY(!canonical.contains("provider"));
        // Another pool is another policy, and so is a budget.
        auto changed = std::make_shared<config::GatewayConfig>(*loaded.config);
        changed->routing.groups[0].candidates[0].pool = "other";
        QVERIFY(makeSnapshot(table, "digest", changed)->hash != snapshot->hash);
        auto hurried = std::make_shared<config::GatewayConfig>(*loaded.config);
        hurried->server.requestBudget = std::chrono::milliseconds(30'000);
        QVERIFY(makeSnapshot(table, "digest", hurried)->hash != snapshot->hash);
    }
};

QTEST_APPLESS_MAIN(TestSmartPools)
#include "tst_smart_pools.moc"
