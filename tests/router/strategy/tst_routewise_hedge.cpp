// SPDX-License-Identifier: MIT
#include "tests/router/strategy/routewise_fixture.h"

#include <QTest>
#include <algorithm>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <cmath>

using namespace signalbox;
using test::Reply;
using test::RouteWiseFixture;
using test::Served;
using test::upstreamStatus;
using namespace std::chrono_literals;
namespace asio = dispatch::asio;

namespace {

constexpr auto kSlo = "\"latency_hedge_mode\": \"probability_target\", \"budget_alpha\": 0, \"latency_slo_sec\": 2";

std::string hedging(const std::string& more = {}) {
    return "{" + std::string(kSlo) + (more.empty() ? "" : ", " + more) + "}";
}

Reply contentAfter(std::chrono::milliseconds time) { return {time, std::nullopt}; }
Reply failsAfter(std::chrono::milliseconds time, int status) { return {time, upstreamStatus(status)}; }
Reply connectsAfter(std::chrono::milliseconds time) {
    Reply out = contentAfter(time);
    out.connecting = true;
    return out;
}
Reply refusesConnections() {
    Reply out{100ms, dispatch::UpstreamFailure{}, true};
    out.failure->kind = dispatch::UpstreamFailure::Kind::connect;
    out.failure->code = "connect_refused";
    return out;
}

/// `p0` is the cheapest and always drawn, known to answer in 200 ms; `p1` in 590 ms. With an objective of 2 s the last
/// moment at which `p1` still makes it is 1400 ms, of 50 ms steps.
struct Hedged : RouteWiseFixture {
    explicit Hedged(std::string json = hedging(), std::size_t count = 2) : RouteWiseFixture(count) {
        for (std::size_t i = 0; i < count; ++i) priced(i, 0.5 + double(i), 0.5 + double(i));
        parameters(std::move(json));
        build();
        teach(0, 20, contentAfter(200ms));
        for (std::size_t i = 1; i < count; ++i) teach(i, 20, contentAfter(590ms));
        backupCalls = endpoints[1]->calls;
        began = clock.steady();
    }

    void replies(std::size_t endpoint, Reply with) {
        endpoints[endpoint]->reply = [with](std::size_t) { return with; };
    }
    Served serveTimed() {
        began = clock.steady();
        Served out = serve();
        tookMs = std::chrono::duration<double, std::milli>(clock.steady() - began).count();
        return out;
    }
    std::string hedge() const { return pool ? pool->hedge : "(no record)"; }
    std::size_t backupsSent() const { return endpoints[1]->calls - backupCalls; }

    /// Routes until `leaveAt`, then the client leaves.
    void leaveAfter(std::chrono::milliseconds leaveAt) {
        attempts.clear();
        pool.reset();
        const dispatch::RequestRun request = run();
        asio::cancellation_signal leave;
        bool ended = false, due = false;
        asio::co_spawn(*context, router->route(delegated(), request),
                       asio::bind_cancellation_slot(leave.slot(), [&](std::exception_ptr problem, const auto&) { ended = problem != nullptr; }));
        const auto wait = [&]() -> asio::awaitable<bool> {
            co_await time.until(clock.steady() + leaveAt);
            due = true;
            co_return true;
        };
        asio::co_spawn(*context, wait(), [](std::exception_ptr, bool) {});
        time.runUntil(*context, [&] { return due; });
        leave.emit(asio::cancellation_type::terminal);
        time.runUntil(*context, [&] { return ended; });
    }

    std::size_t backupCalls = 0;
    Steady began{};
    double tookMs = 0;
};

}  // namespace

/// Hedging, in virtual time.
class TestRoutewiseHedge : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void backupWins() {
        Hedged bench;
        bench.replies(0, contentAfter(10s));
        bench.replies(1, contentAfter(590ms));
        const Served served = bench.serveTimed();
        QCOMPARE(served.endpoint, std::string("p1:m"));
        QCOMPARE(served.bytes, std::string("mcd"));
        QCOMPARE(bench.story(), std::string("p0 primary cancelled hedge_lost; p1 hedge served"));
        QCOMPARE(bench.tookMs, 1990.0);
        QCOMPARE(bench.hedge(), std::string("won"));
        QCOMPARE(bench.pool->hedgeAtMs, std::optional<double>(1400));
        QCOMPARE(bench.attempts[1].startedMs, 1400.0);
        // What the overtaken leg had been sent: its prompt.
        QCOMPARE(bench.attempts[0].costUsd, std::optional<double>(0.5 * 1000 / 1e6));
        QCOMPARE(bench.alive(), 0);
        QCOMPARE(bench.hedges().sent, std::uint64_t{1});
        QCOMPARE(bench.hedges().won, std::uint64_t{1});
        QCOMPARE(bench.circuit(0).consecutiveFailures, 0U);
        QCOMPARE(bench.whyNoFallback, std::string());
    }

    void backupLoses() {
        Hedged bench;
        bench.replies(0, contentAfter(1500ms));
        bench.replies(1, contentAfter(5s));
        const Served served = bench.serveTimed();
        QCOMPARE(served.endpoint, std::string("p0:m"));
        QCOMPARE(bench.story(), std::string("p0 primary served; p1 hedge cancelled hedge_lost"));
        QCOMPARE(bench.tookMs, 1500.0);
        QCOMPARE(bench.hedge(), std::string("lost"));
        QCOMPARE(bench.alive(), 0);
        const dispatch::HedgeView view = bench.hedges();
        QCOMPARE(view.lost, std::uint64_t{1});
        // Booked with its whole answer, settled with its prompt alone.
        QCOMPARE(view.spentLastHourUsd, 1.5 * 1000 / 1e6);
    }

    void lostBeforeItsHead() {
        Hedged bench;
        bench.replies(0, Reply{10s, std::nullopt, true});
        bench.replies(1, contentAfter(590ms));
        QCOMPARE(bench.serveTimed().endpoint, std::string("p1:m"));
        QCOMPARE(bench.story(), std::string("p0 primary cancelled hedge_lost; p1 hedge served"));
        QCOMPARE(bench.alive(), 0);
    }

    // Who got nothing can charge for nothing.
    void lostWhileConnectingCostsNothing() {
        Hedged bench;
        bench.replies(0, connectsAfter(10s));
        bench.replies(1, contentAfter(590ms));
        QCOMPARE(bench.serveTimed().endpoint, std::string("p1:m"));
        QCOMPARE(bench.story(), std::string("p0 primary cancelled hedge_lost; p1 hedge served"));
        QVERIFY(!bench.attempts[0].costUsd);
        QCOMPARE(bench.circuit(0).consecutiveFailures, 0U);
        QCOMPARE(bench.alive(), 0);
    }

    void backupsThatGotNothingAreNotBooked_data() {
        QTest::addColumn<bool>("refused");
        QTest::newRow("overtaken while it connects") << false;
        QTest::newRow("refused") << true;
    }
    void backupsThatGotNothingAreNotBooked() {
        QFETCH(bool, refused);
        Hedged bench;
        bench.replies(0, contentAfter(1600ms));
        bench.replies(1, refused ? refusesConnections() : connectsAfter(5s));
        QCOMPARE(bench.serveTimed().endpoint, std::string("p0:m"));
        QCOMPARE(bench.story(), std::string("p0 primary served; p1 hedge ") + (refused ? "failed connect_refused" : "cancelled hedge_lost"));
        QVERIFY(!bench.attempts[1].costUsd);
        QCOMPARE(bench.hedges().sent, std::uint64_t{1});
        QCOMPARE(bench.hedges().spentLastHourUsd, 0.0);
        QCOMPARE(bench.alive(), 0);
    }

    void quickPrimaryNeedsNone() {
        Hedged bench;
        bench.replies(0, contentAfter(200ms));
        bench.serveTimed();
        QCOMPARE(bench.story(), std::string("p0 primary served"));
        QCOMPARE(bench.hedge(), std::string("answered"));
        QCOMPARE(bench.backupsSent(), std::size_t{0});
        // Slower than some checkpoints, and in time all the same.
        bench.replies(0, contentAfter(1300ms));
        bench.serveTimed();
        QCOMPARE(bench.story(), std::string("p0 primary served"));
        QCOMPARE(bench.hedge(), std::string("answered"));
        QCOMPARE(bench.time.waiting(), std::size_t{0});
    }

    void bothInTheSameMoment() {
        Hedged bench;
        bench.replies(0, contentAfter(1990ms));
        bench.replies(1, contentAfter(590ms));
        const Served served = bench.serveTimed();
        QVERIFY(!served.endpoint.empty());
        QCOMPARE(std::count_if(bench.attempts.begin(), bench.attempts.end(),
                               [](const auto& one) { return one.outcome == evidence::AttemptOutcome::served; }),
                 std::ptrdiff_t{1});
        QCOMPARE(bench.alive(), 0);
    }

    void bothFail() {
        Hedged bench;
        bench.replies(0, failsAfter(1600ms, 500));
        bench.replies(1, failsAfter(590ms, 503));
        const Served served = bench.serveTimed();
        QCOMPARE(served.failure->status, 500);
        QCOMPARE(bench.story(), std::string("p0 primary failed status_500; p1 hedge failed status_503"));
        QCOMPARE(bench.whyNoFallback, std::string("last_target"));
        QCOMPARE(bench.hedge(), std::string("failed"));
        QCOMPARE(bench.hedges().failed, std::uint64_t{1});
        QCOMPARE(bench.circuit(1).consecutiveFailures, 1U);
    }

    void backupFailsAndPrimaryServes() {
        Hedged bench;
        bench.replies(0, contentAfter(3s));
        bench.replies(1, failsAfter(100ms, 400));
        const Served served = bench.serveTimed();
        QCOMPARE(served.endpoint, std::string("p0:m"));
        QCOMPARE(bench.story(), std::string("p0 primary served; p1 hedge failed status_400"));
        QCOMPARE(bench.whyNoFallback, std::string());
        QCOMPARE(bench.hedge(), std::string("failed"));
    }

    void bothFailAndTheRestIsAsked() {
        Hedged bench(hedging(), 3);
        bench.replies(0, failsAfter(1600ms, 500));
        bench.replies(1, failsAfter(590ms, 503));
        const Served served = bench.serveTimed();
        QCOMPARE(served.endpoint, std::string("p2:m"));
        QCOMPARE(bench.story(), std::string("p0 primary failed status_500; p1 hedge failed status_503; p2 retry served"));
    }

    void primaryFailsAndTheBackupGoesAtOnce() {
        Hedged bench;
        bench.replies(0, failsAfter(300ms, 500));
        bench.replies(1, contentAfter(590ms));
        const Served served = bench.serveTimed();
        QCOMPARE(served.endpoint, std::string("p1:m"));
        QCOMPARE(bench.story(), std::string("p0 primary failed status_500; p1 hedge served"));
        QCOMPARE(bench.pool->hedgeAtMs, std::optional<double>(300));
        QCOMPARE(bench.tookMs, 890.0);
        QCOMPARE(bench.hedge(), std::string("won"));
    }

    void primaryFailsTooLateForTheObjective() {
        Hedged bench;
        bench.teach(1, 20, contentAfter(1900ms));
        bench.replies(0, failsAfter(450ms, 500));
        const Served served = bench.serveTimed();
        // No backup reaches the target; the usual fallback serves.
        QCOMPARE(served.endpoint, std::string("p1:m"));
        QCOMPARE(bench.story(), std::string("p0 primary failed status_500; p1 retry served"));
        QCOMPARE(bench.hedge(), std::string("not_acceptable"));
    }

    void requestsOwnFaultIsNotSentTwice() {
        Hedged bench;
        bench.replies(0, failsAfter(300ms, 400));
        QCOMPARE(bench.serveTimed().failure->status, 400);
        QCOMPARE(bench.story(), std::string("p0 primary failed status_400"));
        // With the backup on its way already: called off, the primary's verdict stands.
        bench.replies(0, failsAfter(1600ms, 400));
        bench.replies(1, contentAfter(5s));
        QCOMPARE(bench.serveTimed().failure->status, 400);
        QCOMPARE(bench.story(), std::string("p0 primary failed status_400; p1 hedge cancelled hedge_lost"));
        QCOMPARE(bench.whyNoFallback, std::string("not_for_this_failure"));
        QCOMPARE(bench.alive(), 0);
    }

    void strictNeverFollowsAFailure() {
        Hedged bench(hedging("\"fallback_mode\": \"strict\""));
        bench.replies(0, failsAfter(300ms, 500));
        QCOMPARE(bench.serveTimed().failure->status, 500);
        QCOMPARE(bench.story(), std::string("p0 primary failed status_500"));
        QCOMPARE(bench.whyNoFallback, std::string("not_allowed"));
        bench.replies(0, contentAfter(10s));
        QCOMPARE(bench.serveTimed().endpoint, std::string("p1:m"));
    }

    void F45_clientLeaves_data() {
        QTest::addColumn<int>("atMs");
        QTest::addColumn<bool>("primaryFails");
        QTest::addColumn<QString>("story");
        QTest::addRow("at once") << 0 << false << "p0 primary cancelled client_gone";
        QTest::addRow("before any checkpoint") << 100 << false << "p0 primary cancelled client_gone";
        QTest::addRow("between checkpoints") << 720 << false << "p0 primary cancelled client_gone";
        QTest::addRow("both legs wait") << 1450 << false << "p0 primary cancelled client_gone; p1 hedge cancelled client_gone";
        QTest::addRow("backup after a failure") << 700 << true << "p0 primary failed status_500; p1 hedge cancelled client_gone";
    }
    void F45_clientLeaves() {
        QFETCH(int, atMs);
        QFETCH(bool, primaryFails);
        QFETCH(QString, story);
        Hedged bench;
        bench.replies(0, primaryFails ? failsAfter(300ms, 500) : contentAfter(10s));
        bench.replies(1, contentAfter(10s));
        bench.leaveAfter(std::chrono::milliseconds(atMs));
        QCOMPARE(QString::fromStdString(bench.story()), story);
        QCOMPARE(bench.alive(), 0);
        QCOMPARE(bench.time.waiting(), std::size_t{0});
        QCOMPARE(bench.hedges().won + bench.hedges().lost + bench.hedges().failed, std::uint64_t{0});
    }

    void contextGoesAwayMidRace() {
        Hedged bench;
        bench.replies(0, contentAfter(10s));
        bench.replies(1, contentAfter(10s));
        bench.attempts.clear();
        auto request = std::make_unique<dispatch::RequestRun>(bench.run());
        asio::co_spawn(*bench.context, bench.router->route(bench.delegated(), *request), [](std::exception_ptr, const auto&) {});
        bench.time.runUntil(*bench.context, [&] { return bench.alive() == 2; });
        bench.context.reset();
        QCOMPARE(bench.alive(), 0);
        QCOMPARE(bench.story(), std::string("p0 primary cancelled client_gone; p1 hedge cancelled client_gone"));
    }

    void refusedBackup() {
        Hedged bench;
        bench.adjust = [](dispatch::RequestRun& run) {
            run.mayTry = [](const policy::RouteTarget& target) -> std::optional<dispatch::UpstreamFailure> {
                if (target.providerId != "p1") return std::nullopt;
                dispatch::UpstreamFailure failure;
                failure.kind = dispatch::UpstreamFailure::Kind::refused;
                failure.code = "not_now";
                return failure;
            };
        };
        bench.replies(0, contentAfter(3s));
        QCOMPARE(bench.serveTimed().endpoint, std::string("p0:m"));
        QCOMPARE(bench.story(), std::string("p0 primary served; p1 hedge refused not_now"));
        QCOMPARE(bench.hedge(), std::string("refused"));
        QCOMPARE(bench.hedges().sent, std::uint64_t{0});
        QCOMPARE(bench.hedges().spentLastHourUsd, 0.0);
        QCOMPARE(bench.whyNoFallback, std::string());
        // A third one is as good at the same moment.
        Hedged three(hedging(), 3);
        three.adjust = bench.adjust;
        three.replies(0, contentAfter(10s));
        three.replies(2, contentAfter(590ms));
        QCOMPARE(three.serveTimed().endpoint, std::string("p2:m"));
        QCOMPARE(three.story(), std::string("p0 primary cancelled hedge_lost; p1 hedge refused not_now; p2 hedge served"));
        QCOMPARE(three.tookMs, 1990.0);
    }

    void spendCapHoldsForAnHour() {
        // A backup is booked at 1.5 USD per million for 1000 prompt tokens and the 100 that answers usually have.
        Hedged bench(hedging("\"hedge_spend_cap_usd_per_hour\": 0.002"));
        bench.replies(0, contentAfter(10s));
        bench.replies(1, contentAfter(590ms));
        bench.serveTimed();
        QCOMPARE(bench.hedge(), std::string("won"));
        bench.serveTimed();
        QCOMPARE(bench.hedge(), std::string("spend_cap"));
        QCOMPARE(bench.story(), std::string("p0 primary served"));
        QCOMPARE(bench.hedges().skippedForSpend, std::uint64_t{1});
        QCOMPARE(bench.hedges().spendCapUsd, std::optional<double>(0.002));
        bench.clock.advance(1h);
        bench.serveTimed();
        QCOMPARE(bench.hedge(), std::string("won"));
    }

    void capOfZeroSendsNone() {
        Hedged bench(hedging("\"hedge_spend_cap_usd_per_hour\": 0"));
        bench.replies(0, contentAfter(10s));
        bench.serveTimed();
        QCOMPARE(bench.hedge(), std::string("spend_cap"));
        bench.replies(0, failsAfter(300ms, 500));
        bench.serveTimed();
        QCOMPARE(bench.story(), std::string("p0 primary failed status_500; p1 retry served"));
        QCOMPARE(bench.hedge(), std::string("spend_cap"));
    }

    void theCapOutlivesThePolicy() {
        Hedged bench(hedging("\"hedge_spend_cap_usd_per_hour\": 0.002"));
        bench.replies(0, contentAfter(10s));
        bench.replies(1, contentAfter(590ms));
        bench.serveTimed();
        QCOMPARE(bench.hedge(), std::string("won"));
        bench.build();  // another policy over the same process
        bench.serveTimed();
        QCOMPARE(bench.hedge(), std::string("spend_cap"));
    }

    void wholeBodiesAndExactTargetsAreNotHedged() {
        Hedged bench;
        bench.replies(0, contentAfter(10s));
        bench.streams = false;
        bench.serveTimed();
        QCOMPARE(bench.story(), std::string("p0 primary served"));
        QCOMPARE(bench.hedge(), std::string("disabled"));
        bench.streams = true;
        bench.serve(bench.exactly(0));
        QCOMPARE(bench.story(), std::string("p0 primary served"));
        QCOMPARE(bench.backupsSent(), std::size_t{0});
    }

    void offByDefault() {
        Hedged bench("{\"budget_alpha\": 0}");
        bench.replies(0, contentAfter(10s));
        bench.serveTimed();
        QCOMPARE(bench.story(), std::string("p0 primary served"));
        QCOMPARE(bench.hedge(), std::string("disabled"));
        QVERIFY(!bench.hedges().enabled);
    }

    void backupsStayInScope() {
        Hedged bench(hedging(), 3);
        bench.replies(0, contentAfter(10s));
        bench.replies(2, contentAfter(590ms));
        dispatch::PoolCall call = bench.delegated();
        call.scope = dispatch::EndpointScope::only({"p0:m", "p2:m"});
        QCOMPARE(bench.serve(std::move(call)).endpoint, std::string("p2:m"));
        QCOMPARE(bench.backupsSent(), std::size_t{0});
    }

    void forecastNamesTheMoment() {
        Hedged bench;
        const dispatch::PoolForecast forecast = bench.router->forecast({}, bench.clock.steady());
        QVERIFY(forecast.hedge);
        QCOMPARE(forecast.hedge->dispatchAtMs, std::optional<double>(1400));
        QCOMPARE(forecast.hedge->backup, std::string("p1:m"));
        QCOMPARE(forecast.hedge->probability, 1.0);
        QCOMPARE(forecast.hedge->feasibleAtMs.size(), std::size_t{19});
        QCOMPARE(forecast.hedge->feasibleAtMs.front(), 500.0);
    }

    void neverMoreBackupsThanSlowPrimaries() {
        // A long tail; the backup is sent only for primaries that are slower than the moment it is sent at.
        Hedged bench;
        FastRandom random(11);
        std::vector<double> tookMs;
        bench.endpoints[0]->reply = [&](std::size_t) {
            tookMs.push_back(100 + 300 * random.unit() + (random.unit() < 0.05 ? 8000 * random.unit() : 0));
            return contentAfter(std::chrono::milliseconds(std::llround(tookMs.back())));
        };
        bench.replies(1, contentAfter(590ms));
        constexpr int kRequests = 2000;
        double earliest = 1e9;
        for (int i = 0; i < kRequests; ++i) {
            bench.serveTimed();
            if (!bench.pool->hedgeAtMs) continue;
            earliest = std::min(earliest, *bench.pool->hedgeAtMs);
            QVERIFY(tookMs.back() + 1 > *bench.pool->hedgeAtMs);
            QVERIFY(bench.tookMs <= std::max(2000.0, *bench.pool->hedgeAtMs + 590));
        }
        const auto slower = std::count_if(tookMs.begin(), tookMs.end(), [&](double ms) { return ms + 1 > earliest; });
        QVERIFY(bench.hedges().sent > 0);
        QVERIFY(bench.hedges().sent <= static_cast<std::uint64_t>(slower));
        QCOMPARE(bench.alive(), 0);
    }
};

QTEST_APPLESS_MAIN(TestRoutewiseHedge)
#include "tst_routewise_hedge.moc"
