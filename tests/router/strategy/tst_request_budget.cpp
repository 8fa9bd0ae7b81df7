// SPDX-License-Identifier: MIT
// F44: one budget from arrival to the last byte, over all attempts, waits and hedges of every router, in virtual time.
#include "router/strategy/registry.h"
#include "tests/router/strategy/greedy_pending.h"
#include "tests/router/strategy/routewise_fixture.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;
using config::RouteKind;
using config::RouterKind;

namespace {

constexpr std::chrono::milliseconds kBudget{1000};
const std::string kBudgetCode(dispatch::kRequestBudget);

Reply failsAfter(std::chrono::milliseconds time, UpstreamFailure with) { return {time, std::move(with)}; }
Reply neverHead() { return {1h, std::nullopt, true}; }
Reply neverContent() { return {1h, std::nullopt}; }
Reply neverEnd() { return {10ms, std::nullopt, false, 100, 1h}; }

UpstreamFailure ownLimit(std::string code) {
    UpstreamFailure out;
    out.kind = UpstreamFailure::Kind::timeout;
    out.code = std::move(code);
    return out;
}

/// `p0:m`, which is local and has one slot, and `p1:m` in the cloud, behind a router of the kind named: `plan` for a plan
/// of both without a pool.
struct Scene {
    explicit Scene(const std::string& kind) {
        config::Model model;
        model.id = "m";
        for (std::size_t i = 0; i < 2; ++i) {
            config::Provider provider;
            provider.id = "p" + std::to_string(i);
            provider.domain = i == 0 ? RouteKind::local : RouteKind::cloud;
            provider.pricing = config::Pricing{1, 2, 0, 0, std::nullopt, std::nullopt};
            config::Route route;
            route.provider = provider.id;
            route.model = "m";
            route.kind = provider.domain;
            route.resources = {"slots"};
            config.providers.push_back(std::move(provider));
            model.routes.push_back(std::move(route));
            endpoints.push_back(std::make_shared<TimedEndpoint>("p" + std::to_string(i), clock, time));
        }
        config.resources.push_back({"slots", config::Resource::Kind::concurrency, 8, std::nullopt});
        if (kind == "routewise") model.router = RouterKind::routewise;
        if (kind == "greedy") {
            model.router = RouterKind::greedy;
            model.parametersJson = measuredProfile().dump();
        }
        if (kind == "hybrid") model.parametersJson = R"({"hybrid_composition": true})";
        config.models.push_back(std::move(model));
        build(kind);
    }

    void build(const std::string& kind) {
        strategy::AdapterMap adapters;
        for (const auto& endpoint : endpoints) adapters.emplace(endpoint->providerId(), endpoint);
        auto book = std::make_shared<const capacity::EndpointBook>(std::vector<policy::smart::Group>{}, capacity::EndpointBook::Known{},
                                                                   process, process->runtimes.configure("v", {}));
        auto capacity = std::make_shared<const capacity::CapacityBook>(config, process->resources, clock.steady());
        auto members = std::make_shared<const strategy::MemberSource>(std::move(adapters), strategy::NotCallable{}, std::move(book),
                                                                      std::move(capacity));
        if (kind == "plan") {
            for (const char* provider : {"p0", "p1"}) plan.targets.push_back({provider, "m", std::nullopt, std::nullopt});
            planRouter.emplace(members, clock);
        } else {
            pool = strategy::buildRouters({config, members, process, clock}).value().at("m");
        }
    }

    void replies(std::size_t endpoint, Reply with) {
        endpoints[endpoint]->reply = [with](std::size_t) { return with; };
    }

    dispatch::asio::awaitable<dispatch::AnswerResult> begin(const strategy::RouteCall& call) {
        if (planRouter) {
            auto answer = co_await planRouter->route(call);
            co_return answer;
        }
        dispatch::PoolCall handed{dispatch::DelegatePool{"m", "p0:m"}, {}, std::nullopt, true};
        auto routing = pool->route(std::move(handed), call);
        auto answer = co_await std::move(routing);
        co_return answer;
    }

    dispatch::asio::awaitable<Served> toEnd(strategy::RouteCall call) {
        Served out;
        auto answer = co_await begin(call);
        if (!answer) {
            out.failure = std::move(answer.error());
            co_return out;
        }
        while (true) {
            auto chunk = co_await (*answer)->next();
            if (!chunk) out.failure = std::move(chunk.error());
            if (!chunk || !*chunk) break;
            out.bytes += (*chunk)->bytes;
        }
        co_return out;
    }

    Served serve(bool streams) {
        strategy::RouteCall call;
        call.plan = &plan;
        call.makeRequest = [streams](const policy::RouteTarget& target) {
            dispatch::UpstreamRequest request;
            request.model = target.model;
            request.stream = streams;
            return request;
        };
        call.attempts = &attempts;
        call.whyNoFallback = &whyNoFallback;
        call.pool = &record;
        call.admittedAt = clock.steady();
        call.promptTokens = 1000;
        call.maxTokens = 100;
        call.blame = std::make_shared<capacity::RequestBlame>();
        call.endsBy = clock.steady() + kBudget;
        const Steady began = clock.steady();
        Served out = time.run(context, toEnd(std::move(call)));
        tookMs = std::chrono::duration<double, std::milli>(clock.steady() - began).count();
        return out;
    }

    std::string story() const {
        std::string out;
        for (const evidence::Attempt& attempt : attempts) {
            if (!out.empty()) out += "; ";
            out += attempt.endpointId.substr(0, 2) + " " + std::string(toString(attempt.role)) + " " +
                   std::string(toString(attempt.outcome)) + (attempt.reason.empty() ? "" : " " + attempt.reason);
        }
        return out;
    }
    capacity::CircuitView circuit(std::size_t endpoint) const {
        return process->circuits.of("p" + std::to_string(endpoint) + ":m")->view();
    }
    std::uint32_t slotsInUse() const {
        return std::get<std::shared_ptr<capacity::Slots>>(process->resources.all().front())->inUse();
    }

    ManualClock clock;
    VirtualTime time{clock};
    std::vector<std::shared_ptr<TimedEndpoint>> endpoints;
    config::GatewayConfig config;
    std::shared_ptr<capacity::ProcessState> process = std::make_shared<capacity::ProcessState>(clock);
    policy::RoutePlan plan;
    std::optional<strategy::PlanRouter> planRouter;
    std::shared_ptr<dispatch::PoolRouter> pool;
    std::vector<evidence::Attempt> attempts;
    std::string whyNoFallback;
    std::optional<evidence::RecordedPool> record;
    double tookMs = 0;
    dispatch::asio::io_context context;
};

constexpr std::array kRouters{"plan", "fixed", "routewise", "greedy", "hybrid"};

}  // namespace

class TestRequestBudget : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyStage_data();
    void everyStage();
    void ownLimitComesFirst_data() { everyRouter(); }
    void ownLimitComesFirst();
    void enoughTimeChangesNothing_data() { everyRouter(); }
    void enoughTimeChangesNothing();
    void bothLegsOfAHedge();
    void noBackupWithoutTimeForIt();
    void waitingForALocalServer();

private:
    static void everyRouter() {
        QTest::addColumn<std::string>("router");
        QTest::addColumn<bool>("streams");
        for (const char* router : kRouters)
            for (const bool streams : {true, false})
                QTest::addRow("%s, %s", router, streams ? "stream" : "whole") << std::string(router) << streams;
    }
};

void TestRequestBudget::everyStage_data() {
    QTest::addColumn<std::string>("router");
    QTest::addColumn<bool>("streams");
    QTest::addColumn<std::string>("stage");
    for (const char* router : kRouters)
        for (const bool streams : {true, false})
            for (const char* stage : {"head", "content", "after content", "second attempt", "nothing left"})
                if (streams || std::string_view(stage) != "after content")
                    QTest::addRow("%s, %s, %s", router, streams ? "stream" : "whole", stage) << std::string(router) << streams << std::string(stage);
}

void TestRequestBudget::everyStage() {
    QFETCH(const std::string, router);
    QFETCH(const bool, streams);
    QFETCH(const std::string, stage);
    Scene scene(router);
    std::string story = "p0 primary failed " + kBudgetCode, bytes;
    bool triesSecond = false;
    if (stage == "head") scene.replies(0, neverHead());
    if (stage == "content") scene.replies(0, neverContent());
    if (stage == "after content") {
        scene.replies(0, neverEnd());
        bytes = "mc";
    }
    if (stage == "second attempt") {
        scene.replies(0, failsAfter(600ms, upstreamStatus(500)));
        scene.replies(1, neverContent());
        story = "p0 primary failed status_500; p1 retry failed " + kBudgetCode;
        triesSecond = true;
    }
    if (stage == "nothing left") {
        scene.replies(0, failsAfter(kBudget, upstreamStatus(500)));
        story = "p0 primary failed status_500; p1 retry refused " + kBudgetCode;
    }
    const Served served = scene.serve(streams);
    QVERIFY(served.failure.has_value());
    QCOMPARE(served.failure->code, kBudgetCode);
    QVERIFY(!served.failure->retryAfter);
    QCOMPARE(served.bytes, bytes);
    QCOMPARE(scene.tookMs, double(kBudget.count()));  // to the moment, whatever was waited for
    QCOMPARE(scene.story(), story);
    QCOMPARE(scene.endpoints[1]->calls, std::size_t{triesSecond ? 1U : 0U});
    if (stage != "after content") QCOMPARE(scene.whyNoFallback, kBudgetCode);
    // What went before is told, and it alone counts against its endpoint.
    const bool failedBefore = stage == "second attempt" || stage == "nothing left";
    QCOMPARE(scene.circuit(0).consecutiveFailures, failedBefore ? 1U : 0U);
    QCOMPARE(scene.circuit(1).consecutiveFailures, 0U);
    QCOMPARE(scene.slotsInUse(), 0U);
    for (const auto& endpoint : scene.endpoints) QCOMPARE(endpoint->alive, 0);
}

void TestRequestBudget::ownLimitComesFirst() {
    QFETCH(const std::string, router);
    QFETCH(const bool, streams);
    Scene scene(router);
    scene.replies(0, failsAfter(900ms, ownLimit("timeout_first_byte")));
    const Served served = scene.serve(streams);
    QVERIFY(!served.failure);
    QCOMPARE(scene.story(), std::string("p0 primary failed timeout_first_byte; p1 retry served"));
    QCOMPARE(scene.circuit(0).consecutiveFailures, 1U);
}

void TestRequestBudget::enoughTimeChangesNothing() {
    QFETCH(const std::string, router);
    QFETCH(const bool, streams);
    Scene scene(router);
    scene.replies(0, {999ms, std::nullopt});
    const Served served = scene.serve(streams);
    QVERIFY(!served.failure);
    QCOMPARE(served.bytes, std::string(streams ? "mcd" : "b"));
    QCOMPARE(scene.story(), std::string("p0 primary served"));
}

void TestRequestBudget::bothLegsOfAHedge() {
    RouteWiseFixture bench(2);
    for (std::size_t i = 0; i < 2; ++i) bench.priced(i, 0.5 + double(i), 0.5 + double(i));
    bench.parameters(R"({"latency_hedge_mode": "probability_target", "budget_alpha": 0, "latency_slo_sec": 2})");
    bench.build();
    bench.teach(0, 20, {200ms, std::nullopt});
    bench.teach(1, 20, {590ms, std::nullopt});
    for (const auto& endpoint : bench.endpoints) endpoint->reply = [](std::size_t) { return neverContent(); };
    const Steady began = bench.clock.steady();
    bench.adjust = [&](dispatch::RequestRun& run) { run.endsBy = began + 1500ms; };
    const Served served = bench.serve();  // the backup goes out after 1400 ms
    QCOMPARE(served.failure->code, kBudgetCode);
    QCOMPARE(bench.clock.steady() - began, Steady::duration(1500ms));
    QCOMPARE(bench.attempts.size(), std::size_t{2});
    QCOMPARE(bench.attempts[0].reason, kBudgetCode);
    QVERIFY(bench.attempts[1].role == evidence::AttemptRole::hedge);
    QVERIFY(bench.attempts[1].outcome != evidence::AttemptOutcome::served);
    QCOMPARE(bench.alive(), 0);
    QCOMPARE(bench.circuit(0).consecutiveFailures, 0U);
    QCOMPARE(bench.circuit(1).consecutiveFailures, 0U);
}

void TestRequestBudget::noBackupWithoutTimeForIt() {
    RouteWiseFixture bench(2);
    for (std::size_t i = 0; i < 2; ++i) bench.priced(i, 0.5 + double(i), 0.5 + double(i));
    bench.parameters(R"({"latency_hedge_mode": "probability_target", "budget_alpha": 0, "latency_slo_sec": 2})");
    bench.build();
    bench.teach(0, 20, {200ms, std::nullopt});
    bench.teach(1, 20, {590ms, std::nullopt});
    const std::size_t before = bench.endpoints[1]->calls;
    bench.endpoints[0]->reply = [](std::size_t) { return neverContent(); };
    const Steady began = bench.clock.steady();
    bench.adjust = [&](dispatch::RequestRun& run) { run.endsBy = began + 1400ms; };
    QCOMPARE(bench.serve().failure->code, kBudgetCode);
    QCOMPARE(bench.endpoints[1]->calls, before);
    QCOMPARE(bench.story(), "p0 primary failed " + kBudgetCode);
}

// The wait itself is on the system's timer; what counts is the clock, which the test moves meanwhile.
void TestRequestBudget::waitingForALocalServer() {
    for (const bool withCloud : {true, false}) {
        std::vector<PoolEndpoint> endpoints = oneOfEach(test::hangsAfterContent());
        if (!withCloud) endpoints.pop_back();
        GreedyBench bench(std::move(endpoints), {{"max_running_requests", 1}, {"max_wait_s", 600}});
        const auto router = bench.make(strategy::makeGreedyPool);
        Pending first(bench, router);
        QCOMPARE(first.endpoint(), std::string("l0:m"));
        double queueMs = 0;
        bench.adjust = [&](dispatch::RequestRun& run) {
            run.maxTokens = 100;
            run.endsBy = bench.clock.steady() + 20ms;
            run.queueMs = &queueMs;
        };
        Pending second(bench, router);
        QVERIFY(!second.ended);
        bench.clock.advance(20ms);
        bench.context->restart();
        while (!second.ended) bench.context->run_one();
        QVERIFY(second.answer && !*second.answer);
        QCOMPARE(second.answer->error().code, kBudgetCode);
        QCOMPARE(queueMs, 20.0);
        QCOMPARE(second.whyNoFallback, kBudgetCode);
        if (withCloud) QVERIFY(bench.at("c0").bodies.empty());
        first.answer.reset();
        QVERIFY(loadOf(bench) == capacity::LocalLoad{});
    }
}

QTEST_APPLESS_MAIN(TestRequestBudget)
#include "tst_request_budget.moc"
