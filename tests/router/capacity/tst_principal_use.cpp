// SPDX-License-Identifier: MIT
#include "router/base/text.h"
#include "router/capacity/principal_use.h"
#include "tests/support/fakes.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::capacity;
using namespace std::chrono_literals;

/// Requests a minute and the month's spending of principals.
class TestPrincipalUse : public QObject {
    Q_OBJECT
    static Timestamp at(const char* text) { return *parseIso8601(text); }

private Q_SLOTS:
    void minuteSlides() {
        test::ManualClock clock;
        PrincipalAccount account(clock);
        for (int i = 0; i < 3; ++i) {
            QVERIFY(!account.admit(4));
            clock.advance(10s);
        }
        QVERIFY(!account.admit(4));
        QCOMPARE(account.requestsThisMinute(), 4U);
        // The first of them leaves the window sixty seconds after it came, thirty from now.
        QCOMPARE(account.admit(4).value(), std::chrono::seconds(30));
        QCOMPARE(account.requestsThisMinute(), 4U);  // what is refused does not count
        clock.advance(29s);
        QCOMPARE(account.admit(4).value(), std::chrono::seconds(1));
        clock.advance(1s);
        QVERIFY(!account.admit(4));
        QVERIFY(account.admit(4));
        clock.advance(10min);
        QCOMPARE(account.requestsThisMinute(), 0U);
    }

    void zeroAllowsNothingAndNoLimitEverything() {
        test::ManualClock clock;
        PrincipalAccount account(clock);
        QCOMPARE(account.admit(0).value(), std::chrono::seconds(60));
        for (int i = 0; i < 1000; ++i) QVERIFY(!account.admit(std::nullopt));
        QCOMPARE(account.requestsThisMinute(), 1000U);
    }

    void monthsAreCalendarMonthsInUtc() {
        QCOMPARE(toIso8601(startOfMonth(at("2028-02-29T23:59:59Z"))), std::string("2028-02-01T00:00:00.000000Z"));
        QCOMPARE(toIso8601(startOfNextMonth(at("2028-02-29T23:59:59Z"))), std::string("2028-03-01T00:00:00.000000Z"));
        QCOMPARE(toIso8601(startOfNextMonth(at("2026-12-31T23:59:59Z"))), std::string("2027-01-01T00:00:00.000000Z"));
        test::ManualClock clock(at("2026-12-31T23:59:58Z"));
        PrincipalAccount account(clock);
        account.spend(1.5);
        account.setEarlier(monthOf(clock.now()), 2);
        QCOMPARE(account.spentUsd(), 3.5);
        clock.advance(2s);
        QCOMPARE(account.spentUsd(), 0.0);
        account.setEarlier(monthOf(at("2026-12-31T00:00:00Z")), 7);
        QCOMPARE(account.spentUsd(), 0.0);  // of a month that is over
    }

    void historyReachesAccountsBeforeAndAfter() {
        test::ManualClock clock(at("2026-11-30T12:00:00Z"));
        PrincipalAccounts accounts(clock);
        accounts.of("early")->spend(1);
        QVERIFY(!accounts.spentKnown());
        accounts.setEarlier(startOfMonth(clock.now()), {{"early", 10}, {"late", 20}});
        QVERIFY(accounts.spentKnown());
        QCOMPARE(accounts.of("early")->spentUsd(), 11.0);
        QCOMPARE(accounts.of("late")->spentUsd(), 20.0);
        clock.advance(24h);
        QVERIFY(accounts.spentKnown());  // all of December is ours to know
        QCOMPARE(accounts.of("late")->spentUsd(), 0.0);
        QCOMPARE(accounts.of("new in December")->spentUsd(), 0.0);
    }

    void monthThatBeganAfterUsIsKnown() {
        test::ManualClock clock(at("2026-11-30T23:59:59Z"));
        PrincipalAccounts accounts(clock);
        QVERIFY(!accounts.spentKnown());
        clock.advance(1s);
        QVERIFY(accounts.spentKnown());
    }
};

QTEST_APPLESS_MAIN(TestPrincipalUse)
#include "tst_principal_use.moc"
