// SPDX-License-Identifier: MIT
// Whom a `fixed` pool draws, and who follows when that one fails.
#include "router/config/read.h"
#include "router/strategy/fixed/weighted_draw.h"
#include "tests/router/strategy/three_pool.h"

#include <QTest>
#include <array>
#include <set>

using namespace signalbox;
using namespace signalbox::test;

namespace {

std::string withParameters(const std::string& parameters) {
    std::string out = kThree;
    return out.insert(std::string("[models.pool]\n").size(), "router_params = { " + parameters + " }\n");
}

/// Pearson's statistic for counts against shares.
double chiSquare(const std::vector<std::size_t>& counts, const std::vector<double>& shares) {
    double total = 0;
    for (const std::size_t count : counts) total += static_cast<double>(count);
    double sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double expected = shares[i] * total;
        sum += (static_cast<double>(counts[i]) - expected) * (static_cast<double>(counts[i]) - expected) / expected;
    }
    return sum;
}

/// The 0.999 quantile for two degrees of freedom.
constexpr double kChiSquareLimit = 13.816;

}  // namespace

class FixedPoolTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sharesFollowWeights_data();
    void sharesFollowWeights();
    void drawsPassChiSquare();
    void sameSeedGivesTheSameSequence();
    void orderOfTheListDoesNotMatter();
    void sessionStaysAndSpreads();
    void sessionLeavesAnEndpointThatRests();
    void fallbackMovesToAnotherEndpoint();
    void clientErrorDoesNotFallBack();
    void withoutFallbackOneAttemptIsMade();
    void refusalsGoOnEvenThen();
    void restingOnesGoOnEvenThen();
    void allFailing();
    void coolingEndpointIsTriedLast();
    void presetOfTheCallIsInTheAnswer();
    void exactEndpointIsTheOnlyOne();
    void staleBindingIsRefusedBeforeReserving();
    void preferenceGoesFirst();
    void forecastTakesNothing();
    void badParametersAreFound();
};

void FixedPoolTest::sharesFollowWeights_data() {
    QTest::addColumn<std::vector<double>>("weights");
    QTest::addColumn<std::vector<double>>("shares");
    QTest::newRow("proportional") << std::vector<double>{3, 1} << std::vector<double>{0.75, 0.25};
    QTest::newRow("F66: all zero means equal") << std::vector<double>{0, 0} << std::vector<double>{0.5, 0.5};
    QTest::newRow("zero among others gets none") << std::vector<double>{0, 2} << std::vector<double>{0, 1};
    QTest::newRow("nonsense counts as zero") << std::vector<double>{-1, NAN, 4} << std::vector<double>{0, 0, 1};
    QTest::newRow("none") << std::vector<double>{} << std::vector<double>{};
}

void FixedPoolTest::sharesFollowWeights() {
    QFETCH(std::vector<double>, weights);
    QFETCH(std::vector<double>, shares);
    const std::vector<double> found = strategy::sharesOf(weights);
    QVERIFY(found == shares);
}

void FixedPoolTest::drawsPassChiSquare() {
    PoolBench bench(threeThatServe(), kThree);
    for (int i = 0; i < 10'000; ++i) bench.send();
    QVERIFY(chiSquare(bench.calls(), {0.6, 0.3, 0.1}) < kChiSquareLimit);
}

void FixedPoolTest::sameSeedGivesTheSameSequence() {
    const auto sequence = [](const std::string& seed, std::uint64_t threadSeed) {
        PoolBench bench(threeThatServe(), withParameters("random_seed = " + seed));
        bench.random = FastRandom(threadSeed);
        std::vector<std::string> out;
        for (int i = 0; i < 50; ++i) out.push_back(bench.send().endpoint);
        return out;
    };
    QVERIFY(sequence("42", 1) == sequence("42", 2));
    QVERIFY(sequence("42", 1) != sequence("43", 1));
}

void FixedPoolTest::orderOfTheListDoesNotMatter() {
    const std::array<std::string_view, 3> ids{"p0:m", "p1:m", "p2:m"};
    const std::array<std::string_view, 3> turned{"p2:m", "p0:m", "p1:m"};
    for (int i = 0; i < 100; ++i) {
        const std::string session = "s" + std::to_string(i);
        const auto a = strategy::sessionOrder(std::array{6.0, 3.0, 1.0}, ids, session);
        const auto b = strategy::sessionOrder(std::array{1.0, 6.0, 3.0}, turned, session);
        for (std::size_t at = 0; at < a.size(); ++at) QCOMPARE(ids[a[at]], turned[b[at]]);
    }
}

void FixedPoolTest::sessionStaysAndSpreads() {
    PoolBench bench(threeThatServe(), kThree);
    for (int i = 0; i < 10'000; ++i) {
        bench.session = "session-" + std::to_string(i);
        bench.send();
    }
    QVERIFY(chiSquare(bench.calls(), {0.6, 0.3, 0.1}) < kChiSquareLimit);
    bench.session = "session-1";
    const std::string endpoint = bench.send().endpoint;
    for (int i = 0; i < 20; ++i) QCOMPARE(bench.send().endpoint, endpoint);
    QCOMPARE(bench.record->affinity, std::string("kept"));
    PoolBench without(threeThatServe(), withParameters("session_affinity = false"));
    without.session = "session-1";
    std::set<std::string> seen;
    for (int i = 0; i < 50; ++i) seen.insert(without.send().endpoint);
    QVERIFY(seen.size() > 1);
    QCOMPARE(without.record->affinity, std::string("none"));
}

// F63: a preference, dropped with its reason; the session comes back when the endpoint does.
void FixedPoolTest::sessionLeavesAnEndpointThatRests() {
    PoolBench bench(threeThatServe(), kThree);
    bench.session = "session-1";
    const std::string favourite = bench.send().endpoint;
    bench.process->circuits.of(favourite)->coolByHand();
    const std::string other = bench.send().endpoint;
    QVERIFY(other != favourite);
    QCOMPARE(bench.record->affinity, std::string("dropped:circuit_open"));
    QCOMPARE(bench.tried(), std::vector<std::string>{other});
    bench.clock.advance(31s);
    QCOMPARE(bench.send().endpoint, favourite);
}

// F70: retries move to another endpoint, each at most once.
void FixedPoolTest::fallbackMovesToAnotherEndpoint() {
    PoolBench bench({failsAtCall(status(500)), failsAtCall(status(503)), serves()},
                    withParameters("random_seed = 5"));
    const auto outcome = bench.send();
    QCOMPARE(outcome.endpoint, std::string("p2:m"));
    const std::vector<std::string> tried = bench.tried();
    QCOMPARE(std::set<std::string>(tried.begin(), tried.end()).size(), tried.size());
    QCOMPARE(tried.back(), std::string("p2:m"));
    QVERIFY(bench.attempts.front().role == evidence::AttemptRole::primary);
    for (std::size_t i = 1; i < tried.size(); ++i) QVERIFY(bench.attempts[i].role == evidence::AttemptRole::retry);
}

void FixedPoolTest::clientErrorDoesNotFallBack() {
    PoolBench bench({failsAtCall(status(400)), failsAtCall(status(400)), failsAtCall(status(400))}, kThree);
    const auto outcome = bench.send();
    QCOMPARE(outcome.atRoute->status, 400);
    QCOMPARE(bench.attempts.size(), std::size_t(1));
    QCOMPARE(bench.whyNoFallback, std::string("not_for_this_failure"));
}

void FixedPoolTest::withoutFallbackOneAttemptIsMade() {
    PoolBench bench({failsAtCall(status(500)), failsAtCall(status(500)), failsAtCall(status(500))}, kThree);
    auto call = PoolBench::delegated();
    call.allowFallback = false;
    QCOMPARE(bench.send(std::move(call)).atRoute->status, 500);
    QCOMPARE(bench.attempts.size(), std::size_t(1));
    QCOMPARE(bench.whyNoFallback, std::string("not_allowed"));
}

namespace {

/// Only `p0` is ever drawn, and there is one slot for it.
const std::string kOneSlotFirst = R"([resources.gpu]
limit = 1
[models.pool]
[[models.pool.route]]
provider = "p0"
model = "m"
resources = ["gpu"]
[[models.pool.route]]
provider = "p1"
model = "m"
weight = 0
)";

dispatch::PoolCall pinned() {
    dispatch::PoolCall call = PoolBench::delegated();
    call.allowFallback = false;
    return call;
}

}  // namespace

void FixedPoolTest::refusalsGoOnEvenThen() {
    PoolBench bench({serves(), serves()}, kOneSlotFirst);
    auto held = bench.begin();
    QCOMPARE((*held)->endpointId(), std::string("p0:m"));
    // Nothing was sent, so that this is no second try.
    QCOMPARE(bench.send(pinned()).endpoint, std::string("p1:m"));
    QCOMPARE(bench.attempts.front().reason, std::string("no_free_slot"));
    QCOMPARE(bench.whyNoFallback, std::string());
    // One endpoint and no other is another thing.
    const auto exact = bench.send(bench.exactly(0));
    QVERIFY(exact.atRoute->kind == UpstreamFailure::Kind::refused);
    QCOMPARE(bench.tried(), std::vector<std::string>{"p0:m"});
}

void FixedPoolTest::restingOnesGoOnEvenThen() {
    PoolBench bench({serves(), serves()}, kOneSlotFirst);
    auto held = bench.begin();
    for (const char* id : {"p0:m", "p1:m"}) bench.process->circuits.of(id)->coolByHand();
    // Both rest, and the one that is drawn has no slot either: the other one is the last resort.
    QCOMPARE(bench.send(pinned()).endpoint, std::string("p1:m"));
    QCOMPARE(bench.calls(), (std::vector<std::size_t>{1, 1}));
}

void FixedPoolTest::allFailing() {
    PoolBench bench({failsAtCall(status(500)), failsAtCall(status(500)), failsAtCall(status(500))}, kThree);
    const auto outcome = bench.send();
    QCOMPARE(outcome.atRoute->status, 500);
    QCOMPARE(bench.attempts.size(), std::size_t(3));
    QCOMPARE(bench.whyNoFallback, std::string("last_target"));
}

void FixedPoolTest::coolingEndpointIsTriedLast() {
    PoolBench bench({serves(), failsAtCall(status(500)), failsAtCall(status(500))}, kThree);
    bench.process->circuits.of("p0:m")->coolByHand();
    const auto outcome = bench.send();
    // Two were sent and failed: the one that rests is not bothered (F57).
    QCOMPARE(outcome.atRoute->status, 500);
    QCOMPARE(bench.calls().front(), std::size_t(0));
    for (const char* id : {"p1:m", "p2:m"}) bench.process->circuits.of(id)->coolByHand();
    QCOMPARE(bench.send().endpoint, std::string("p0:m"));
}

void FixedPoolTest::presetOfTheCallIsInTheAnswer() {
    PoolBench bench(threeThatServe(), kThree);
    auto call = PoolBench::delegated();
    call.presetKey = "g26-default";
    QCOMPARE(bench.send(std::move(call)).preset, std::optional<std::string>("g26-default"));
}

void FixedPoolTest::exactEndpointIsTheOnlyOne() {
    PoolBench bench({serves(), failsAtCall(status(500)), serves()}, kThree);
    QCOMPARE(bench.send(bench.exactly(1)).atRoute->status, 500);
    QCOMPARE(bench.tried(), std::vector<std::string>{"p1:m"});
    QCOMPARE(bench.whyNoFallback, std::string("not_allowed"));
}

void FixedPoolTest::staleBindingIsRefusedBeforeReserving() {
    PoolBench bench({serves()}, kSlots);
    auto call = bench.exactly(0);
    bench.adapters[0] = std::make_shared<FakeEndpoint>("p0", bench.clock, serves());
    bench.rebuild();
    const auto outcome = bench.send(std::move(call));
    QVERIFY(outcome.atRoute->kind == UpstreamFailure::Kind::composition);
    QCOMPARE(outcome.atRoute->code, std::string("stale_binding"));
    QVERIFY(bench.attempts.empty());
    QCOMPARE(bench.slotsInUse("gpu"), 0U);
}

void FixedPoolTest::preferenceGoesFirst() {
    PoolBench bench(threeThatServe(), kThree);
    auto call = PoolBench::delegated();
    std::get<dispatch::DelegatePool>(call.instruction).preferredEndpoint = "p2:m";
    for (int i = 0; i < 20; ++i) QCOMPARE(bench.send(call).endpoint, std::string("p2:m"));
    bench.process->circuits.of("p2:m")->coolByHand();
    QVERIFY(bench.send(call).endpoint != "p2:m");
}

void FixedPoolTest::forecastTakesNothing() {
    PoolBench bench({serves()}, kSlots);
    const auto forecast = bench.router().forecast({}, bench.clock.steady());
    QCOMPARE(forecast.choice.drawn, std::string("p0:m"));
    QCOMPARE(bench.slotsInUse("gpu"), 0U);
    QCOMPARE(bench.router().view(bench.clock.steady()).requests, std::uint64_t(0));
    bench.send();
    QCOMPARE(bench.router().view(bench.clock.steady()).requests, std::uint64_t(1));
}

void FixedPoolTest::badParametersAreFound() {
    const auto loaded = config::readConfig("[providers.p0]\nprotocol = \"simulated\"\nmodels = [\"m\"]\n[models.pool]\n"
                                           "router_params = { randomseed = 1, session_affinity = \"yes\" }\n"
                                           "[[models.pool.route]]\nprovider = \"p0\"\nmodel = \"m\"\n");
    QVERIFY(loaded.config);
    const Findings findings = strategy::checkRouters(*loaded.config);
    QCOMPARE(findings.size(), std::size_t(2));
    QVERIFY(findings[0].pointer == "models.pool.router_params.session_affinity");
    QCOMPARE(findings[1].code, std::string("unknown_parameter"));
    QVERIFY(findings[1].hint.find("random_seed") != std::string::npos);
    for (const Finding& finding : findings) QCOMPARE(finding.position.line, 5U);
}

QTEST_APPLESS_MAIN(FixedPoolTest)
#include "tst_fixed_pool.moc"
