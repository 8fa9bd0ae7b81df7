// SPDX-License-Identifier: MIT
#include "router/capacity/hedge_ledger.h"

#include <QTest>
#include <ctime>
#include <thread>
#include <vector>

using namespace signalbox;
using namespace std::chrono_literals;
using capacity::HedgeLedger;

namespace {
constexpr Steady kStart{1000h};
}

/// The spending of hedges: a sliding hour with a cap.
class TestHedgeLedger : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void capHoldsOverASlidingHour() {
        HedgeLedger ledger;
        QVERIFY(ledger.book(kStart, 0.4, 1.0));
        QVERIFY(ledger.book(kStart + 30min, 0.6, 1.0));  // exactly the cap
        QVERIFY(!ledger.book(kStart + 59min, 0.1, 1.0));
        QCOMPARE(ledger.counts().skippedForSpend, std::uint64_t{1});
        QVERIFY(ledger.book(kStart + 60min, 0.4, 1.0));  // the first one has left
        QCOMPARE(ledger.spentLastHour(kStart + 60min), 1.0);
        QCOMPARE(ledger.spentLastHour(kStart + 3h), 0.0);
    }

    void withoutACapEverythingIsBooked() {
        HedgeLedger ledger;
        for (int i = 0; i < 100; ++i) QVERIFY(ledger.book(kStart, 1e6, std::nullopt));
        QCOMPARE(ledger.spentLastHour(kStart), 1e8);
    }

    void takenBackAndSettled() {
        HedgeLedger ledger;
        const auto first = ledger.book(kStart, 0.5, 1.0);
        const auto second = ledger.book(kStart, 0.5, 1.0);
        QVERIFY(first && second);
        ledger.takeBack(*first);
        QCOMPARE(ledger.spentLastHour(kStart), 0.5);
        ledger.settle(*second, 0.125);
        QCOMPARE(ledger.spentLastHour(kStart), 0.125);
        // What has left the hour is nobody's concern any more.
        ledger.takeBack(*first);
        QCOMPARE(ledger.spentLastHour(kStart + 2h), 0.0);
        ledger.settle(*second, 7);
        QCOMPARE(ledger.spentLastHour(kStart + 2h), 0.0);
    }

    void smallSumsDoNotDrift() {
        HedgeLedger ledger;
        std::vector<HedgeLedger::Booking> booked;
        for (int i = 0; i < 3000; ++i) booked.push_back(*ledger.book(kStart, 0.1, std::nullopt));
        QCOMPARE(ledger.spentLastHour(kStart), 300.0);
        for (std::size_t i = 0; i < booked.size(); i += 2) ledger.settle(booked[i], 0.000'000'3);
        for (std::size_t i = 1; i < booked.size(); i += 2) ledger.takeBack(booked[i]);
        QCOMPARE(ledger.spentLastHour(kStart), 0.000'45);
        QVERIFY(!ledger.book(kStart, 0.1, 0.1));
        QVERIFY(ledger.book(kStart, 0.1, 0.100'45));
        QCOMPARE(ledger.spentLastHour(kStart + 1h), 0.0);
    }

    // Booking is on the way of every request that may be hedged, under one lock.
    void anHourOfBookingsMakesNoBookingDearer() {
        const auto cost = [](int bookings) {
            HedgeLedger ledger;
            std::vector<HedgeLedger::Booking> booked;
            const std::clock_t before = std::clock();
            for (int i = 0; i < bookings; ++i) {
                booked.push_back(*ledger.book(kStart, 0.001, 1e6));
                ledger.settle(booked[booked.size() / 2], 0.002);
            }
            return static_cast<double>(std::clock() - before);
        };
        static_cast<void>(cost(2'000));
        const double few = std::max(cost(2'000), 1.0);
        // Sixteen times as many; summing anew would cost 256 times as much.
        QVERIFY(cost(32'000) < 100 * few);
    }

    void threadsNeverPassTheCap() {
        HedgeLedger ledger;
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&] {
                for (int k = 0; k < 1000; ++k)
                    if (ledger.book(kStart, 1, 500.0)) ledger.countSent();
            });
        for (std::thread& one : threads) one.join();
        QCOMPARE(ledger.counts().sent, std::uint64_t{500});
        QCOMPARE(ledger.counts().skippedForSpend, std::uint64_t{3500});
        QCOMPARE(ledger.spentLastHour(kStart), 500.0);
    }
};

QTEST_APPLESS_MAIN(TestHedgeLedger)
#include "tst_hedge_ledger.moc"
