// SPDX-License-Identifier: MIT
#include "router/engine/live_ledger.h"

#include <QTest>

using namespace signalbox;
using engine::LiveLedger;

namespace {

engine::TargetStatus decided(std::uint64_t count, int startedSecond = 1) {
    engine::TargetStatus status;
    status.decided = count;
    status.startedAt = Timestamp(std::chrono::seconds(startedSecond));
    return status;
}

evidence::DecisionRecord resolved() {
    evidence::DecisionRecord record;
    record.resolvedBy = "alias";
    return record;
}

}  // namespace

class LiveLedgerTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatWasBeforeTheFirstLookIsNotMissed() { QCOMPARE(LiveLedger().opens(decided(1000)), std::uint64_t{0}); }

    void whatCameIsNotMissed() {
        LiveLedger ledger;
        static_cast<void>(ledger.opens(decided(10)));
        for (int i = 0; i < 5; ++i) ledger.came(resolved());
        ledger.skipped(2);          // these were told of already
        ledger.came({});            // a refused name is no decision
        QCOMPARE(ledger.opens(decided(20)), std::uint64_t{3});
        QCOMPARE(ledger.opens(decided(20)), std::uint64_t{0});
    }

    void ofAGatewayThatStartedAnewOnlyItsOwnCount() {
        LiveLedger ledger;
        static_cast<void>(ledger.opens(decided(500, 1)));
        QCOMPARE(ledger.opens(decided(7, 2)), std::uint64_t{7});
    }

    void aCountThatFellIsNoNegativeNumber() {
        LiveLedger ledger;
        static_cast<void>(ledger.opens(decided(500)));
        QCOMPARE(ledger.opens(decided(1)), std::uint64_t{0});
    }
};

QTEST_APPLESS_MAIN(LiveLedgerTest)
#include "tst_live_ledger.moc"
