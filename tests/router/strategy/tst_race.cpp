// SPDX-License-Identifier: MIT
#include "router/strategy/race.h"
#include "tests/router/strategy/virtual_time.h"

#include <QTest>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <memory>

using namespace signalbox;
using namespace std::chrono_literals;
using dispatch::AnswerResult;
using strategy::RaceEnd;
using strategy::Signal;
namespace asio = dispatch::asio;

namespace {

AnswerResult good() { return AnswerResult(std::unique_ptr<dispatch::RoutedAnswer>()); }

AnswerResult bad(std::string code) {
    dispatch::UpstreamFailure failure;
    failure.code = std::move(code);
    return tl::unexpected(std::move(failure));
}

bool firstGood(std::size_t, const AnswerResult& result) { return result.has_value(); }

/// How the legs ended, as `0 answered; 1 cancelled; decided by 0`.
std::string told(const RaceEnd& end) {
    std::string out;
    for (std::size_t i = 0; i < 2; ++i)
        out += std::to_string(i) + (!end.legs[i] ? " cancelled; " : end.legs[i]->has_value() ? " answered; " : " " + end.legs[i]->error().code + "; ");
    return out + (end.decidedBy ? "decided by " + std::to_string(*end.decidedBy) : "undecided");
}

}  // namespace

/// The race of two legs, for itself: who wins, who is cancelled, and that nobody outlives it.
class TestRace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFirstGoodOneWins();
    void aFailureWaitsForTheOther();
    void bothMayFail();
    void theRuleMayEndItWithAFailure();
    void bothInTheSameMoment();
    void anExceptionComesOut();
    void cancellingTheCallerCancelsBoth_data();
    void cancellingTheCallerCancelsBoth();
    void aContextThatGoesAwayLeavesNothing();
    void aSignalWakesBeforeTheMoment();
    void aSignalThatWasSetBeforeDoesNotWait();
};

namespace {

struct World {
    test::ManualClock clock;
    test::VirtualTime time{clock};
    int alive = 0;      // legs that were entered and not left
    int outlived = 0;   // legs that were left after the race had returned
    bool returned = false;
    std::unique_ptr<asio::io_context> context = std::make_unique<asio::io_context>();

    struct Presence {
        explicit Presence(World& of) : world(of) { ++world.alive; }
        ~Presence() {
            --world.alive;
            if (world.returned) ++world.outlived;
        }
        World& world;
    };

    asio::awaitable<AnswerResult> leg(std::chrono::milliseconds after, AnswerResult result) {
        const Presence presence(*this);
        co_await time.until(clock.steady() + after);
        co_return result;
    }
    asio::awaitable<AnswerResult> throwing(std::chrono::milliseconds after) {
        const Presence presence(*this);
        co_await time.until(clock.steady() + after);
        throw std::runtime_error("broken");
    }
    asio::awaitable<RaceEnd> both(asio::awaitable<AnswerResult> first, asio::awaitable<AnswerResult> second,
                                  strategy::RaceRule rule = firstGood) {
        RaceEnd end = co_await strategy::race(std::move(first), std::move(second), std::move(rule));
        returned = true;
        co_return end;
    }
    std::string run(asio::awaitable<AnswerResult> first, asio::awaitable<AnswerResult> second,
                    strategy::RaceRule rule = firstGood) {
        return told(time.run(*context, both(std::move(first), std::move(second), std::move(rule))));
    }
    double elapsedMs() const { return std::chrono::duration<double, std::milli>(clock.steady() - m_start).count(); }

private:
    Steady m_start = clock.steady();
};

}  // namespace

void TestRace::theFirstGoodOneWins() {
    World quick;
    QCOMPARE(quick.run(quick.leg(10ms, good()), quick.leg(500ms, good())), std::string("0 answered; 1 cancelled; decided by 0"));
    QCOMPARE(quick.elapsedMs(), 10.0);
    QCOMPARE(quick.alive, 0);
    QCOMPARE(quick.outlived, 0);
    World late;
    QCOMPARE(late.run(late.leg(500ms, good()), late.leg(10ms, good())), std::string("0 cancelled; 1 answered; decided by 1"));
    QCOMPARE(late.elapsedMs(), 10.0);
    QCOMPARE(late.alive, 0);
    QCOMPARE(late.time.waiting(), std::size_t{0});
}

void TestRace::aFailureWaitsForTheOther() {
    World world;
    QCOMPARE(world.run(world.leg(10ms, bad("broke")), world.leg(500ms, good())), std::string("0 broke; 1 answered; decided by 1"));
    QCOMPARE(world.elapsedMs(), 500.0);
}

void TestRace::bothMayFail() {
    World world;
    QCOMPARE(world.run(world.leg(20ms, bad("one")), world.leg(10ms, bad("two"))), std::string("0 one; 1 two; undecided"));
    QCOMPARE(world.elapsedMs(), 20.0);
}

void TestRace::theRuleMayEndItWithAFailure() {
    World world;
    const auto rule = [](std::size_t leg, const AnswerResult& result) { return leg == 0 || result.has_value(); };
    QCOMPARE(world.run(world.leg(10ms, bad("final")), world.leg(500ms, good()), rule), std::string("0 final; 1 cancelled; decided by 0"));
    World other;
    QCOMPARE(other.run(other.leg(20ms, good()), other.leg(10ms, bad("not for it")), rule), std::string("0 answered; 1 not for it; decided by 0"));
}

void TestRace::bothInTheSameMoment() {
    // Exactly one decides, whichever of the two is resumed first; the other has an answer or was cancelled.
    World world;
    const RaceEnd end = world.time.run(*world.context, world.both(world.leg(10ms, good()), world.leg(10ms, good())));
    QVERIFY(end.decidedBy);
    QVERIFY(end.legs[*end.decidedBy] && end.legs[*end.decidedBy]->has_value());
    QCOMPARE(world.alive, 0);
}

void TestRace::anExceptionComesOut() {
    World world;
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, (void)world.run(world.throwing(10ms), world.leg(500ms, good())));
    QCOMPARE(world.elapsedMs(), 10.0);
    QCOMPARE(world.alive, 0);
    World other;
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, (void)other.run(other.leg(500ms, good()), other.throwing(10ms)));
    QCOMPARE(other.alive, 0);
}

void TestRace::cancellingTheCallerCancelsBoth_data() {
    QTest::addColumn<int>("atMs");
    QTest::addRow("both wait") << 5;
    QTest::addRow("one has failed") << 15;
}

void TestRace::cancellingTheCallerCancelsBoth() {
    QFETCH(int, atMs);
    World world;
    asio::cancellation_signal leave;
    std::exception_ptr problem;
    bool ended = false;
    asio::co_spawn(*world.context, world.both(world.leg(10ms, bad("broke")), world.leg(500ms, good())),
                   asio::bind_cancellation_slot(leave.slot(), [&](std::exception_ptr thrown, const RaceEnd&) {
                       ended = true;
                       problem = thrown;
                   }));
    bool due = false;
    const auto leaveThen = [&]() -> asio::awaitable<bool> {
        co_await world.time.until(world.clock.steady() + std::chrono::milliseconds(atMs));
        due = true;
        co_return true;
    };
    asio::co_spawn(*world.context, leaveThen(), [](std::exception_ptr, bool) {});
    world.time.runUntil(*world.context, [&] { return due; });
    leave.emit(asio::cancellation_type::terminal);
    world.time.runUntil(*world.context, [&] { return ended; });
    QVERIFY(problem);
    QVERIFY(!world.returned);
    QCOMPARE(world.alive, 0);
    QCOMPARE(world.elapsedMs(), double(atMs));
}

void TestRace::aContextThatGoesAwayLeavesNothing() {
    // The legs refer to what the caller's frame owns; the sanitizers see to it that they go first.
    World world;
    struct Owned {
        std::string text = "of the caller, long enough to be on the heap";
    };
    bool ended = false;
    const auto caller = [&]() -> asio::awaitable<bool> {
        Owned owned;
        const auto using_ = [&](std::chrono::milliseconds after) -> asio::awaitable<AnswerResult> {
            struct Last {
                explicit Last(Owned& of) : callers(of) {}
                ~Last() { callers.text += "!"; }
                Owned& callers;
            } last(owned);
            AnswerResult result = co_await world.leg(after, good());
            co_return result;
        };
        auto first = using_(1h);
        auto second = using_(2h);
        RaceEnd end = co_await world.both(std::move(first), std::move(second));
        co_return end.decidedBy.has_value();
    };
    asio::co_spawn(*world.context, caller(), [&](std::exception_ptr, bool) { ended = true; });
    world.context->poll();
    QCOMPARE(world.alive, 2);
    world.context.reset();
    QCOMPARE(world.alive, 0);
    QVERIFY(!ended);
    QCOMPARE(world.time.waiting(), std::size_t{0});
}

void TestRace::aSignalWakesBeforeTheMoment() {
    World world;
    const auto waits = [&]() -> asio::awaitable<RaceEnd> {
        Signal signal(co_await asio::this_coro::executor);
        const auto waiting = [&]() -> asio::awaitable<AnswerResult> {
            const bool early = co_await strategy::waitUntil(world.time, world.clock.steady() + 30ms, signal);
            const bool later = co_await strategy::waitUntil(world.time, world.clock.steady() + 500ms, signal);
            co_return !early && later ? good() : bad("woken wrongly");
        };
        const auto setting = [&]() -> asio::awaitable<AnswerResult> {
            co_await world.time.until(world.clock.steady() + 100ms);
            signal.set();
            co_return bad("set");
        };
        auto first = waiting();
        auto second = setting();
        RaceEnd end = co_await world.both(std::move(first), std::move(second));
        co_return end;
    };
    QCOMPARE(told(world.time.run(*world.context, waits())), std::string("0 answered; 1 set; decided by 0"));
    QCOMPARE(world.elapsedMs(), 100.0);
    QCOMPARE(world.time.waiting(), std::size_t{0});
}

void TestRace::aSignalThatWasSetBeforeDoesNotWait() {
    World world;
    const auto waits = [&]() -> asio::awaitable<bool> {
        Signal signal(co_await asio::this_coro::executor);
        signal.set();
        co_await signal.wait();
        const bool set = co_await strategy::waitUntil(world.time, world.clock.steady() + 1h, signal);
        co_return set;
    };
    QVERIFY(world.time.run(*world.context, waits()));
    QCOMPARE(world.elapsedMs(), 0.0);
}

QTEST_APPLESS_MAIN(TestRace)
#include "tst_race.moc"
