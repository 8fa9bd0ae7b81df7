// SPDX-License-Identifier: MIT
#include "router/base/text.h"
#include "router/engine/spending_loader.h"
#include "tests/support/fake_history.h"
#include "tests/support/fakes.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::engine;
using namespace std::chrono_literals;

/// What principals had spent before this process began comes from history, once, without holding anybody up.
class SpendingLoaderTest : public QObject {
    Q_OBJECT

    static evidence::DecisionRecord paid(const std::string& principal, double usd, Timestamp at) {
        evidence::DecisionRecord record;
        record.principal = principal;
        record.costUsd = usd;
        record.createdAt = at;
        return record;
    }
    /// Waits until everything that was asked before has been answered.
    static void settle(HistoryWorker& worker) {
        std::atomic<bool> done{false};
        const auto job = worker.ask([&](evidence::HistoryReader&, const evidence::CancelToken&) { done = true; });
        QTRY_VERIFY(done.load());
    }

private Q_SLOTS:
    void ownRecordsAreNotCountedTwice() {
        test::ManualClock clock(*parseIso8601("2026-11-30T12:00:00Z"));
        auto records = std::make_shared<std::vector<evidence::DecisionRecord>>();
        records->push_back(paid("a", 99, clock.now() - 31 * 24h)); // last month
        records->push_back(paid("a", 4, clock.now() - 24h));
        records->push_back(paid("b", 1, clock.now() - 1us));
        records->push_back(paid("a", 2, clock.now())); // this process's own, stored already
        capacity::PrincipalAccounts accounts(clock);
        accounts.of("a")->spend(2);
        HistoryWorker worker([records] { return std::make_unique<test::FakeHistory>(records); });
        SpendingLoader loader(worker, accounts, [] { return true; }, clock);
        QVERIFY(!accounts.spentKnown());
        loader.poke();
        settle(worker);
        QVERIFY(accounts.spentKnown());
        QCOMPARE(accounts.of("a")->spentUsd(), 6.0);
        QCOMPARE(accounts.of("b")->spentUsd(), 1.0);
        QCOMPARE(accounts.of("nobody")->spentUsd(), 0.0);
    }

    void asksAgainUntilItIsKnown() {
        test::ManualClock clock(*parseIso8601("2026-11-30T12:00:00Z"));
        auto records = std::make_shared<std::vector<evidence::DecisionRecord>>();
        records->push_back(paid("a", 4, clock.now() - 1h));
        std::atomic<bool> caughtUp{false};
        capacity::PrincipalAccounts accounts(clock);
        HistoryWorker worker([records] { return std::make_unique<test::FakeHistory>(records); });
        SpendingLoader loader(worker, accounts, [&] { return caughtUp.load(); }, clock);
        loader.poke();
        settle(worker);
        QVERIFY2(!accounts.spentKnown(), "an earlier process's journal is not stored yet");
        caughtUp = true;
        loader.poke(); // too early
        settle(worker);
        QVERIFY(!accounts.spentKnown());
        clock.advance(2s);
        loader.poke();
        settle(worker);
        QVERIFY(accounts.spentKnown());
        QCOMPARE(accounts.of("a")->spentUsd(), 4.0);
    }

    void failureIsNoAnswer() {
        test::ManualClock clock(*parseIso8601("2026-11-30T12:00:00Z"));
        capacity::PrincipalAccounts accounts(clock);
        HistoryWorker worker([] { return makeAbsentHistory({ErrorKind::unavailable, "away", {}, {}}); });
        SpendingLoader loader(worker, accounts, [] { return true; }, clock);
        loader.poke();
        settle(worker);
        QVERIFY(!accounts.spentKnown());
    }
};

QTEST_GUILESS_MAIN(SpendingLoaderTest)
#include "tst_spending_loader.moc"
