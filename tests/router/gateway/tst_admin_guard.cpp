// SPDX-License-Identifier: MIT
#include "router/gateway/admin_guard.h"

#include <QTest>

using namespace signalbox;
using namespace std::chrono_literals;
using gateway::AdminGuard;

class AdminGuardTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tenFailuresLockForTheRestOfTheMinute();
    void addressesAreCountedApart();
    void manyAddressesTakeNoMoreRoom();
};

namespace {
constexpr Steady kStart{std::chrono::hours(1)};
} // namespace

void AdminGuardTest::tenFailuresLockForTheRestOfTheMinute() {
    AdminGuard guard;
    for (int i = 1; i <= 9; ++i)
        QVERIFY(guard.failed("10.0.0.1", kStart + std::chrono::seconds(i)) == AdminGuard::Verdict::written);
    QVERIFY(!guard.lockedFor("10.0.0.1", kStart + 9s));
    QVERIFY(guard.failed("10.0.0.1", kStart + 10s) == AdminGuard::Verdict::last);
    QCOMPARE(guard.lockedFor("10.0.0.1", kStart + 11s), std::optional(50s)); // the minute began with the first
    QVERIFY(guard.failed("10.0.0.1", kStart + 30s) == AdminGuard::Verdict::silent);
    QCOMPARE(guard.lockedFor("10.0.0.1", kStart + 60500ms), std::optional(1s)); // never 0
    QVERIFY(!guard.lockedFor("10.0.0.1", kStart + 61s));
    QVERIFY(guard.failed("10.0.0.1", kStart + 62s) == AdminGuard::Verdict::written);
}

void AdminGuardTest::addressesAreCountedApart() {
    AdminGuard guard;
    for (int i = 0; i < 12; ++i)
        static_cast<void>(guard.failed("10.0.0.1", kStart));
    QVERIFY(guard.lockedFor("10.0.0.1", kStart));
    QVERIFY(!guard.lockedFor("10.0.0.2", kStart));
}

void AdminGuardTest::manyAddressesTakeNoMoreRoom() {
    AdminGuard guard;
    for (std::size_t i = 0; i < AdminGuard::kMostPeers; ++i)
        static_cast<void>(guard.failed("peer " + std::to_string(i), kStart));
    // There is no room for another address: what comes on top is counted together.
    for (int i = 0; i < 10; ++i)
        static_cast<void>(guard.failed("late " + std::to_string(i), kStart));
    QVERIFY(guard.lockedFor("late 77", kStart));
    QVERIFY(!guard.lockedFor("peer 3", kStart));
    // A minute later there is room again.
    QVERIFY(!guard.lockedFor("late 77", kStart + 61s));
    QVERIFY(guard.failed("late 77", kStart + 61s) == AdminGuard::Verdict::written);
}

QTEST_APPLESS_MAIN(AdminGuardTest)
#include "tst_admin_guard.moc"
