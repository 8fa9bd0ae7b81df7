// SPDX-License-Identifier: MIT
// Every backend with every instruction in every scope: what ran, what was refused, what was recorded. A mismatch is an
// error of composition: before any I/O, no attempt, no sample, no fallback (contract C).
#include "router/dispatch/backends.h"
#include "router/dispatch/composite.h"
#include "router/strategy/fixed/fixed_router.h"
#include "router/strategy/plan_router.h"
#include "router/strategy/routewise/routewise_router.h"
#include "tests/router/strategy/composition_bench.h"

#include <QTest>
#include <array>

using namespace signalbox;
using namespace signalbox::test;
using namespace dispatch;
using config::RouteKind;

namespace {

enum Backend { leaf, tree, local, fixedCloud, routeWiseCloud };
constexpr std::array kBackends{"leaf", "tree", "local", "fixed cloud", "routewise cloud"};

enum Asked { execTarget, execOutside, execOtherPool, execOtherAdapter, delegate, wrongPool, preferTarget, preferOutside };
constexpr std::array kAsked{"execute the target",       "execute one outside", "execute a binding of another pool",
                            "execute a replaced adapter", "delegate",            "delegate another pool",
                            "prefer the target",        "prefer one outside"};

enum Scope { unrestricted, narrowed, byProvider, elsewhere, empty };
constexpr std::array kScopes{"unrestricted", "narrowed to the target", "by provider label", "narrowed to the other", "empty"};

/// What comes of it: an endpoint runs, or the code of the refusal.
constexpr auto kTarget = "runs the target";
constexpr auto kOther = "runs the other";
constexpr auto kEither = "runs one of the part";

/// A pool's range is its part and the request's scope; both parts have two endpoints. One row for each instruction.
constexpr std::array<std::array<const char*, 5>, 8> kPool{{
    // unrestricted             narrowed to the target   by provider label        narrowed to the other    empty
    {{kTarget,                  kTarget,                 kTarget,                 "out_of_scope",          "empty_scope"}},
    {{"out_of_scope",           "out_of_scope",          "out_of_scope",          "out_of_scope",          "empty_scope"}},
    {{"binding_of_other_pool",  "binding_of_other_pool", "binding_of_other_pool", "binding_of_other_pool", "empty_scope"}},
    {{"stale_binding",          "stale_binding",         "stale_binding",         "out_of_scope",          "empty_scope"}},
    {{kEither,                  kTarget,                 kTarget,                 kOther,                  "empty_scope"}},
    {{"wrong_pool",             "wrong_pool",            "wrong_pool",            "wrong_pool",            "empty_scope"}},
    {{kTarget,                  kTarget,                 kTarget,                 "preferred_out_of_scope","empty_scope"}},
    {{"preferred_out_of_scope", "preferred_out_of_scope","preferred_out_of_scope","preferred_out_of_scope","empty_scope"}},
}};

/// A leaf has one endpoint and no scope.
constexpr std::array<const char*, 8> kLeaf{kTarget, "leaf_given_other_endpoint", kTarget, "leaf_given_other_endpoint",
                                           "leaf_given_pool", "leaf_given_pool", "leaf_given_pool", "leaf_given_pool"};

std::string idOf(const std::string& provider) { return provider + ":m"; }

/// The endpoints that one backend is asked about.
struct Part {
    std::string target, other, outside;
};

Part partOf(Backend backend) {
    if (backend == fixedCloud || backend == routeWiseCloud) return {"c0", "c1", "l0"};
    // The whole pool has nothing outside but what is not in the model.
    return {"l0", "l1", backend == tree ? "x0" : "c0"};
}

}  // namespace

class TestCompositionTable : public QObject {
    Q_OBJECT

    static Act bodyOnly() { return {std::nullopt, {{Chunk::Kind::body, "b"}}, std::nullopt}; }

    static std::vector<PoolEndpoint> endpoints(bool streams) {
        const Act act = streams ? serves() : bodyOnly();
        return {{"l0", RouteKind::local, act}, {"l1", RouteKind::local, act},
                {"c0", RouteKind::cloud, act}, {"c1", RouteKind::cloud, act}};
    }

    static TreeBackend backend(Backend which, const CompositionBench& bench) {
        const config::Model& model = bench.config.models.front();
        switch (which) {
        case local: return LocalBackend::make(bench.make(strategy::makeFixedPool), model).value();
        case fixedCloud: return FixedCloudBackend::make(bench.make(strategy::makeFixedPool), model).value();
        case routeWiseCloud:
            return RouteWiseCloudBackend::make(bench.make(strategy::makeRouteWisePool, RouteKind::cloud), model).value();
        case tree:
        case leaf: break;
        }
        return TreeBackend(bench.make(strategy::makeFixedPool));
    }

    static Instruction instruction(Asked asked, const Part& part, const CompositionBench& bench, ManualClock& clock) {
        const auto outside = [&]() -> Instruction {
            if (bench.endpoints.contains(part.outside)) return ExecuteEndpoint{bench.binding(part.outside)};
            auto adapter = std::make_shared<FakeEndpoint>(part.outside, clock, serves());
            return ExecuteEndpoint{bench.binding(part.outside, "m", std::move(adapter))};
        };
        switch (asked) {
        case execTarget: return ExecuteEndpoint{bench.binding(part.target)};
        case execOutside: return outside();
        case execOtherPool: return ExecuteEndpoint{bench.binding(part.target, "another")};
        case execOtherAdapter:
            return ExecuteEndpoint{bench.binding(part.target, "m", std::make_shared<FakeEndpoint>(part.target, clock, serves()))};
        case delegate: return DelegatePool{"m", {}};
        case wrongPool: return DelegatePool{"another", {}};
        case preferTarget: return DelegatePool{"m", idOf(part.target)};
        case preferOutside: return DelegatePool{"m", idOf(part.outside)};
        }
        return DelegatePool{};
    }

    static PoolCall scoped(PoolCall call, Scope scope, const Part& part, const PoolGrant& grant) {
        const std::vector<std::string> label{part.target};
        switch (scope) {
        case unrestricted: break;
        case narrowed: call.scope = EndpointScope::only({idOf(part.target), idOf(part.outside)}); break;
        case byProvider: return narrowedTo(std::move(call), label, grant);
        case elsewhere: call.scope = EndpointScope::only({idOf(part.other), idOf(part.outside)}); break;
        case empty: call.scope = EndpointScope::only({"nobody:m"}); break;
        }
        return call;
    }

    static std::string expected(Backend which, Asked asked, Scope scope) { return which == leaf ? kLeaf[asked] : kPool[asked][scope]; }

    /// Nothing was sent and nobody counted anything.
    static void verifyUntouched(const CompositionBench& bench) {
        QCOMPARE(bench.called(), std::vector<std::string>{});
        QCOMPARE(bench.story(), std::string());
        QVERIFY(!bench.pool);
        QVERIFY(bench.whyNoFallback.empty() || bench.whyNoFallback == "not_for_this_failure");
        for (const std::string& provider : bench.order) {
            QCOMPARE(bench.circuit(provider).attempts, 0u);
            QCOMPARE(bench.circuit(provider).inFlight, 0u);
        }
    }

    static void addRows() {
        QTest::addColumn<int>("backend");
        QTest::addColumn<int>("asked");
        QTest::addColumn<int>("scope");
        QTest::addColumn<bool>("streams");
        for (std::size_t b = 0; b < kBackends.size(); ++b)
            for (std::size_t a = 0; a < kAsked.size(); ++a)
                for (std::size_t s = 0; s < kScopes.size(); ++s)
                    for (const bool streams : {true, false}) {
                        if (b == leaf && s != unrestricted) continue;  // takes no scope
                        QTest::addRow("%s, %s, %s, %s", kBackends[b], kAsked[a], kScopes[s], streams ? "stream" : "body")
                            << static_cast<int>(b) << static_cast<int>(a) << static_cast<int>(s) << streams;
                    }
    }

private Q_SLOTS:
    void pools_data() { addRows(); }
    void pools();
    void leafRefusesACompositeExecutor();
    void compositionErrorsStopAPlanOfPools();
};

void TestCompositionTable::pools() {
    QFETCH(int, backend);
    QFETCH(int, asked);
    QFETCH(int, scope);
    QFETCH(bool, streams);
    const auto which = static_cast<Backend>(backend);
    const Part part = partOf(which);
    CompositionBench bench(endpoints(streams));
    bench.streams = streams;
    const Instruction told = instruction(static_cast<Asked>(asked), part, bench, bench.clock);
    const std::string wanted = expected(which, static_cast<Asked>(asked), static_cast<Scope>(scope));

    if (which == leaf) {
        const LeafBackend runner = LeafBackend::make(bench.binding(part.target)).value();
        UpstreamRequest request;
        request.model = "m";
        request.stream = streams;
        const auto result = runCoroutine(*bench.context, runner.execute(told, request));
        QCOMPARE(result.has_value(), wanted == kTarget);
        if (result) {
            QCOMPARE(bench.called(), std::vector<std::string>{part.target});
            QCOMPARE((*result)->head().status, 200);
            QVERIFY(bench.attempts.empty());  // accounting is the router's
        } else {
            QVERIFY(result.error().kind == UpstreamFailure::Kind::composition && !result.error().sent());
            QCOMPARE(result.error().code, wanted);
            verifyUntouched(bench);
        }
        return;
    }

    const TreeBackend pool = TestCompositionTable::backend(which, bench);
    PoolCall call = scoped(PoolCall{told, {}, {}, true}, static_cast<Scope>(scope), part, pool.grant());
    const auto outcome = bench.serve(pool, std::move(call));
    if (!wanted.starts_with("runs")) {
        QVERIFY(outcome.failure.has_value());
        QVERIFY(outcome.failure->kind == UpstreamFailure::Kind::composition && !outcome.failure->sent());
        QCOMPARE(outcome.failure->code, wanted);
        QVERIFY(!outcome.failure->message.empty());
        verifyUntouched(bench);
        return;
    }
    QVERIFY2(!outcome.failure, outcome.failure ? outcome.failure->code.c_str() : "");
    QCOMPARE(outcome.bytes, std::string(streams ? "mccmud" : "b"));
    QCOMPARE(bench.attempts.size(), std::size_t{1});
    const evidence::Attempt& attempt = bench.attempts.front();
    const std::string ran = attempt.endpointId.substr(0, attempt.endpointId.find(':'));
    if (wanted == kTarget) QCOMPARE(ran, part.target);
    if (wanted == kOther) QCOMPARE(ran, part.other);
    QVERIFY(pool.grant().endpoints.contains(attempt.endpointId));
    QCOMPARE(outcome.endpoint, attempt.endpointId);
    QCOMPARE(bench.called(), std::vector<std::string>{ran});
    QVERIFY(attempt.role == evidence::AttemptRole::primary && attempt.outcome == evidence::AttemptOutcome::served);
    QCOMPARE(attempt.status, 200);
    QVERIFY(attempt.firstContentMs.has_value());
    QCOMPARE(bench.circuit(ran).attempts, 1u);
    QCOMPARE(bench.circuit(ran).inFlight, 0u);
    if (!std::holds_alternative<DelegatePool>(told)) return;
    QVERIFY(bench.pool.has_value());
    QCOMPARE(bench.pool->poolId, std::string("m"));
    QCOMPARE(bench.pool->drawn, attempt.endpointId);
}

void TestCompositionTable::leafRefusesACompositeExecutor() {
    class Composite final : public Adapter, public CompositeExecutor {
    public:
        std::string_view providerId() const override { return "l0"; }
        asio::awaitable<tl::expected<std::unique_ptr<ResponseStream>, UpstreamFailure>> call(UpstreamRequest) override {
            co_return tl::unexpected(UpstreamFailure{});
        }
    };
    auto binding = EndpointBinding::make("l0:m", "m", std::make_shared<Composite>());
    QVERIFY(binding.has_value());
    const auto made = LeafBackend::make(*binding);
    QVERIFY(!made);
    QCOMPARE(made.error().kind, ErrorKind::internal);
}

void TestCompositionTable::compositionErrorsStopAPlanOfPools() {
    // The plan's second target would serve: a mismatch must not be papered over by falling back to it.
    CompositionBench bench(endpoints(true));
    policy::RoutePlan plan;
    plan.targets.push_back({"", "unknown", std::nullopt, "unknown"});
    plan.targets.push_back({"", "m", std::nullopt, "m"});
    strategy::PlanRouter router(nullptr, bench.clock, {{"m", bench.make(strategy::makeFixedPool)}});
    strategy::RouteCall call;
    static_cast<RequestRun&>(call) = bench.run();
    call.plan = &plan;
    const auto answer = runCoroutine(*bench.context, router.route(call));
    QVERIFY(!answer);
    QCOMPARE(answer.error().code, std::string("unknown_pool"));
    verifyUntouched(bench);
}

QTEST_APPLESS_MAIN(TestCompositionTable)
#include "tst_composition_table.moc"
