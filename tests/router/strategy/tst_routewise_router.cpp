// SPDX-License-Identifier: MIT
#include "router/strategy/routewise/routewise_router.h"
#include "tests/router/strategy/routewise_priced.h"

#include <QTest>
#include <array>
#include <cmath>

using namespace signalbox;
using test::Priced;
using test::Reply;
using test::RouteWiseFixture;
using namespace std::chrono_literals;
using config::Billing;

namespace {

class FixedRandom final : public Random {
public:
    explicit FixedRandom(std::uint64_t value) : m_value(value) {}
    std::uint64_t next() override { return m_value; }

private:
    std::uint64_t m_value;
};

/// `SEVERITY CODE POINTER` of each, on a line of its own.
std::string codesOf(const Findings& findings) {
    std::string out;
    for (const Finding& one : findings) out += std::string(toString(one.severity)) + " " + one.code + " " + one.pointer + "\n";
    return out;
}

}  // namespace

/// RouteWise as a router of a pool, in virtual time.
class TestRoutewiseRouter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void choosesAndRecords();
    void drawsFollowTheMix();
    void sameSeedSameSequence();
    void forecastIsTheChoice();
    void preferredGoesFirstIfItCan();
    void reselectsAfterAFailure();
    void firstSentFailureDecides();
    void requestsOwnFaultEndsIt();
    void strictAndForbiddenFallback();
    void learnsLengthCostAndTime();
    void recordIsBounded();
    void viewTakesNothing();
    void checks_data();
    void checks();
};

void TestRoutewiseRouter::choosesAndRecords() {
    Priced bench;
    bench.build();
    QCOMPARE(bench.serve().endpoint, std::string("p0:m"));
    QCOMPARE(bench.story(), std::string("p0 primary served"));
    const evidence::RecordedPool& record = *bench.pool;
    QCOMPARE(record.poolId, std::string("m"));
    QCOMPARE(record.router, std::string("routewise"));
    QCOMPARE(record.drawn, std::string("p0:m"));
    QCOMPARE(record.mixStatus, std::string("optimal"));
    QCOMPARE(record.candidatesTotal, 2U);
    QCOMPARE(record.candidates.size(), std::size_t{2});
    QCOMPARE(record.predictedOutputTokens, 512.0);
    QCOMPARE(record.candidates[0].share, 1.0);
    QCOMPARE(*record.candidates[0].costUsd, (0.1 * 1000 + 0.1 * 512) / 1e6);
    QCOMPARE(*record.candidates[0].meanTtftMs, 5000.0);
    QCOMPARE(record.budgetUsd, record.candidates[0].costUsd);
    QCOMPARE(record.hedge, std::string("disabled"));
    QCOMPARE(bench.whyNoFallback, std::string());
}

void TestRoutewiseRouter::drawsFollowTheMix() {
    // The cheap one takes 3 s and the dear one 1 s: with alpha 0.75 the budget is met by 1:3 exactly.
    Priced bench("{\"budget_alpha\": 0.75}");
    bench.build();
    bench.teach(0, 4, Reply{3s});
    bench.teach(1, 4, Reply{1s});
    bench.endpoints[0]->reply = [](std::size_t) { return Reply{3s}; };
    bench.endpoints[1]->reply = [](std::size_t) { return Reply{1s}; };
    bench.random.emplace(20261130);
    constexpr int kDraws = 10000;
    std::array<double, 2> counts{};
    for (int i = 0; i < kDraws; ++i) {
        counts[bench.serve().endpoint == "p0:m" ? 0 : 1] += 1;
        QVERIFY(std::abs(bench.pool->candidates[0].share - 0.25) < 1e-9);
    }
    const double chiSquare = std::pow(counts[0] - 2500, 2) / 2500 + std::pow(counts[1] - 7500, 2) / 7500;
    QVERIFY2(chiSquare < 10.828, std::to_string(chiSquare).c_str());  // 99.9th percentile, one degree of freedom
}

void TestRoutewiseRouter::sameSeedSameSequence() {
    const auto sequence = [](int seed) {
        Priced bench("{\"budget_alpha\": 0.5, \"random_seed\": " + std::to_string(seed) + "}");
        bench.build();
        bench.teach(0, 4, Reply{3s});
        bench.teach(1, 4, Reply{1s});
        bench.endpoints[0]->reply = [](std::size_t) { return Reply{3s}; };
        bench.endpoints[1]->reply = [](std::size_t) { return Reply{1s}; };
        bench.random.emplace(static_cast<std::uint64_t>(seed) + 99);  // a seed of its own wins over the thread's
        std::string out;
        for (int i = 0; i < 200; ++i) out += bench.serve().endpoint.substr(1, 1);
        return out;
    };
    QCOMPARE(sequence(42), sequence(42));
    QVERIFY(sequence(42) != sequence(43));
    QVERIFY(sequence(42).find('0') != std::string::npos && sequence(42).find('1') != std::string::npos);
}

void TestRoutewiseRouter::forecastIsTheChoice() {
    Priced bench("{\"budget_alpha\": 0.6}", 3);
    bench.build();
    for (std::size_t i = 0; i < 3; ++i) bench.teach(i, 4, Reply{std::chrono::seconds(5 - 2 * int(i))});
    for (const std::uint64_t bits : {std::uint64_t{0}, std::uint64_t{1} << 62, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
        FixedRandom random(bits);
        bench.adjust = [&](dispatch::RequestRun& run) { run.random = &random; };
        dispatch::PoolQuestion question;
        question.u = FixedRandom(bits).unit();
        const dispatch::PoolForecast forecast = bench.router->forecast(question, bench.clock.steady());
        bench.serve();
        QCOMPARE(forecast.choice.drawn, bench.pool->drawn);
        QVERIFY(forecast.choice == *bench.pool);
        QVERIFY(!forecast.hedge);
    }
}

void TestRoutewiseRouter::preferredGoesFirstIfItCan() {
    Priced bench;
    bench.build();
    QCOMPARE(bench.serve(bench.delegated("p1:m")).endpoint, std::string("p1:m"));
    QCOMPARE(bench.pool->drawn, std::string("p1:m"));
    bench.process->circuits.of("p1:m")->coolByHand();
    QCOMPARE(bench.serve(bench.delegated("p1:m")).endpoint, std::string("p0:m"));
    QCOMPARE(bench.story(), std::string("p0 primary served"));
}

void TestRoutewiseRouter::reselectsAfterAFailure() {
    Priced bench("{\"budget_alpha\": 0}", 3);
    bench.build();
    bench.fails(0, 500);
    bench.fails(1, 429);
    QCOMPARE(bench.serve().endpoint, std::string("p2:m"));
    QCOMPARE(bench.story(), std::string("p0 primary failed status_500; p1 retry failed status_429; p2 retry served"));
    QCOMPARE(bench.pool->drawn, std::string("p0:m"));
    QCOMPARE(bench.whyNoFallback, std::string());
}

void TestRoutewiseRouter::firstSentFailureDecides() {
    Priced bench;
    bench.build();
    bench.fails(0, 500);
    bench.fails(1, 503);
    QCOMPARE(bench.serve().failure->status, 500);
    QCOMPARE(bench.story(), std::string("p0 primary failed status_500; p1 retry failed status_503"));
    QCOMPARE(bench.whyNoFallback, std::string("last_target"));
}

void TestRoutewiseRouter::requestsOwnFaultEndsIt() {
    Priced bench;
    bench.build();
    bench.fails(0, 400);
    QCOMPARE(bench.serve().failure->status, 400);
    QCOMPARE(bench.story(), std::string("p0 primary failed status_400"));
    QCOMPARE(bench.whyNoFallback, std::string("not_for_this_failure"));
}

void TestRoutewiseRouter::strictAndForbiddenFallback() {
    Priced strict("{\"budget_alpha\": 0, \"fallback_mode\": \"strict\"}");
    strict.build();
    strict.fails(0, 500);
    QCOMPARE(strict.serve().failure->status, 500);
    QCOMPARE(strict.story(), std::string("p0 primary failed status_500"));
    QCOMPARE(strict.whyNoFallback, std::string("not_allowed"));
    Priced forbidden;
    forbidden.build();
    forbidden.fails(0, 500);
    dispatch::PoolCall call = forbidden.delegated();
    call.allowFallback = false;
    QCOMPARE(forbidden.serve(std::move(call)).failure->status, 500);
    QCOMPARE(forbidden.whyNoFallback, std::string("not_allowed"));
}

void TestRoutewiseRouter::learnsLengthCostAndTime() {
    Priced bench;
    bench.build();
    for (int i = 0; i < 3; ++i) {
        bench.serve();
        QCOMPARE(bench.pool->predictedOutputTokens, 512.0);
    }
    bench.serve();
    QCOMPARE(bench.pool->predictedOutputTokens, 100.0);
    QCOMPARE(*bench.pool->candidates[0].meanTtftMs, 10.0);
    QCOMPARE(*bench.pool->candidates[1].meanTtftMs, 5000.0);
    const dispatch::PoolView view = bench.router->view(bench.clock.steady());
    QCOMPARE(view.mix->envelopeSamples, std::uint64_t{4});
    QCOMPARE(*view.mix->envelopeUpperUsd, 0.1 * 1100 / 1e6);
    QCOMPARE(view.mix->predictionSource, std::string("bucket"));
    // A failure counts as 60 s, and as nothing for lengths and costs.
    bench.fails(0, 500);
    bench.serve();
    QCOMPARE(*bench.router->view(bench.clock.steady()).members[0].meanTtftMs, (4 * 10 + 60000) / 5.0);
    // The same options keep what is known, other ones begin anew.
    bench.build();
    QCOMPARE(bench.router->view(bench.clock.steady()).mix->predictedOutputTokens, 100.0);
    bench.parameters("{\"budget_alpha\": 0, \"output_default_tokens\": 300}");
    bench.build();
    QCOMPARE(bench.router->view(bench.clock.steady()).mix->predictedOutputTokens, 300.0);
}

void TestRoutewiseRouter::recordIsBounded() {
    RouteWiseFixture bench(40);
    for (std::size_t i = 0; i < 40; ++i) bench.priced(i, 40 - double(i), 1);
    bench.parameters("{\"budget_alpha\": 0}");
    bench.build();
    QCOMPARE(bench.serve().endpoint, std::string("p39:m"));
    QCOMPARE(bench.pool->candidates.size(), evidence::RecordedPool::kMostCandidates);
    QCOMPARE(bench.pool->candidates.back().endpointId, std::string("p39:m"));
    QCOMPARE(bench.pool->candidatesTotal, 40U);
}

void TestRoutewiseRouter::viewTakesNothing() {
    Priced bench("{\"budget_alpha\": 0.5}");
    bench.billed(1, Billing::concurrency, 1);
    bench.build();
    for (int i = 0; i < 3; ++i) {
        (void)bench.router->forecast({}, bench.clock.steady());
        const dispatch::PoolView view = bench.router->view(bench.clock.steady());
        QCOMPARE(view.requests, std::uint64_t{0});
        QCOMPARE(view.members[0].share + view.members[1].share, 1.0);
        QCOMPARE(view.members[1].billing, std::string("concurrency"));
        QCOMPARE(view.members[0].ttftBasis, std::string("none"));
        QVERIFY(!view.hedge->enabled);
    }
    QCOMPARE(bench.slotsInUse(1), 0U);
    QCOMPARE(bench.circuit(0).attempts, 0U);
    bench.serve();
    QCOMPARE(bench.router->view(bench.clock.steady()).requests, std::uint64_t{1});
}

void TestRoutewiseRouter::checks_data() {
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("billing");  // o on demand, q quota, c concurrency
    QTest::addColumn<QString>("codes");
    const auto row = [&](const char* name, const char* json, const char* billing, const char* codes) {
        QTest::newRow(name) << QString::fromUtf8(json) << QString::fromUtf8(billing) << QString::fromUtf8(codes);
    };
    row("nothing to say", "", "oo", "");
    row("unknown parameter", "{\"budget_alfa\": 1}", "oo", "error unknown_parameter models.m.router_params.budget_alfa\n");
    row("negative cap", "{\"hedge_spend_cap_usd_per_hour\": -1}", "oo",
        "error bad_value models.m.router_params.hedge_spend_cap_usd_per_hour\n");
    row("hedging without a cap", "{\"latency_hedge_mode\": \"probability_target\"}", "oo",
        "warning hedge_without_spend_cap models.m.router_params.latency_hedge_mode\n");
    row("hedging with a cap", "{\"latency_hedge_mode\": \"probability_target\", \"hedge_spend_cap_usd_per_hour\": 0}", "oo", "");
    row("hedging with one route", "{\"latency_hedge_mode\": \"probability_target\", \"hedge_spend_cap_usd_per_hour\": 1}", "o",
        "warning hedge_without_backup models.m.router_params.latency_hedge_mode\n");
    row("quota beside an api", "", "qo", "");
    row("quota without a price", "", "qc", "warning quota_without_price models.m.router_params\n");
    row("nothing but quota", "", "qq", "error quota_without_price models.m.router_params\n");
    row("quota with a reference", "{\"reference_api_price\": 1}", "qq", "");
}

void TestRoutewiseRouter::checks() {
    QFETCH(QString, json);
    QFETCH(QString, billing);
    QFETCH(QString, codes);
    RouteWiseFixture bench(static_cast<std::size_t>(billing.size()));
    for (qsizetype i = 0; i < billing.size(); ++i)
        bench.config.models[0].routes[static_cast<std::size_t>(i)].billing =
            billing[i] == QLatin1Char('q') ? Billing::quota : billing[i] == QLatin1Char('c') ? Billing::concurrency : Billing::onDemand;
    bench.parameters(json.toStdString());
    const Findings findings = strategy::checkRouteWisePool({bench.config.models[0], "models.m.router_params"});
    QCOMPARE(QString::fromStdString(codesOf(findings)), codes);
}

QTEST_APPLESS_MAIN(TestRoutewiseRouter)
#include "tst_routewise_router.moc"
