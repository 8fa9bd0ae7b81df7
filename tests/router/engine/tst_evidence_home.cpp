// SPDX-License-Identifier: MIT
#include "router/engine/evidence_home.h"
#include "router/evidence/journal.h"
#include "router/evidence/pg_writing.h"
#include "tests/support/fakes.h"
#include "tests/support/postgres.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::engine;

/// Where the evidence goes, with a real database.
class EvidenceHomeTest : public QObject {
    Q_OBJECT

    static void waitUntilReady(const EvidenceHome& home) {
        QTRY_VERIFY_WITH_TIMEOUT(home.store()->status().state == evidence::StoreState::ready, 10000);
    }

private Q_SLOTS:
    // Budgets ask history once for what was spent before: not before what an earlier process left in the journal is there.
    void caughtUpOnlyWithWhatEarlierProcessesLeft() {
        test::Postgres postgres;
        QVERIFY2(postgres.problem().empty(), postgres.problem().c_str());
        test::OpenTemporaryFolder folder;
        test::ManualClock clock;
        evidence::EvidenceOptions options;
        options.journalFolder = folder.path() / "journal";
        options.dsn = postgres.dsn();
        options.dsnName = "$TEST_DSN";
        {
            EvidenceHome first(true, options, clock);
            QVERIFY(!first.isCaughtUp());
            QVERIFY(first.open().value());
            waitUntilReady(first);
            QTRY_VERIFY(first.isCaughtUp());
        }
        {
            const auto journal = evidence::Journal::open({options.journalFolder}, clock).value();
            evidence::DecisionRecord record;
            FastRandom random(1);
            record.id = DecisionId::make(clock.now(), random);
            record.createdAt = clock.now();
            record.principal = "p";
            record.costUsd = 1;
            QVERIFY(journal->makeSink().value()->append(record));
        }
        // Connecting works, storing has to wait.
        evidence::PgWriting other(postgres.dsn());
        other.exec("BEGIN");
        other.exec("LOCK TABLE signalbox.decisions IN SHARE MODE");
        EvidenceHome home(true, options, clock);
        QVERIFY(home.open().value());
        waitUntilReady(home);
        QVERIFY(!home.isCaughtUp());
        other.exec("COMMIT");
        QTRY_VERIFY_WITH_TIMEOUT(home.isCaughtUp(), 10000);
        QCOMPARE(postgres.value("SELECT count(*) FROM signalbox.decisions"), std::string("1"));
    }
};

QTEST_GUILESS_MAIN(EvidenceHomeTest)
#include "tst_evidence_home.moc"
