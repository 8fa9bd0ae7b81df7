// SPDX-License-Identifier: MIT
#include "router/capacity/hedge_ledger.h"

#include <QTest>
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
