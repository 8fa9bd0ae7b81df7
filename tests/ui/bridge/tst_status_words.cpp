// SPDX-License-Identifier: MIT
#include "ui/bridge/status_words.h"

#include "ui/theme/format.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

class StatusWordsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyGatewayStateSpeaks_data() {
        QTest::addColumn<int>("state");
        QTest::addColumn<int>("tone");
        using engine::GatewayState;
        const auto row = [](const char* tag, GatewayState state, Tone tone) { QTest::addRow("%s", tag) << int(state) << int(tone); };
        row("stopped", GatewayState::stopped, Tone::idle);
        row("starting", GatewayState::starting, Tone::info);
        row("running", GatewayState::running, Tone::clear);
        row("draining", GatewayState::draining, Tone::caution);
        row("failed", GatewayState::failed, Tone::danger);
    }
    void everyGatewayStateSpeaks() {
        QFETCH(int, state);
        QFETCH(int, tone);
        engine::TargetStatus status;
        status.state = static_cast<engine::GatewayState>(state);
        status.address = "127.0.0.1:1";
        status.lastError = "the port is taken";
        const StatusWords words = gatewayWords(status);
        QCOMPARE(int(words.tone), tone);
        QVERIFY(!words.word.isEmpty());
        QVERIFY(words.sentence.contains(QStringLiteral("local")));
        QVERIFY(!words.explanation.isEmpty());
    }

    void stoppedWithAReasonSaysIt() {
        engine::TargetStatus status;
        status.lastError = "another process holds this workspace";
        QCOMPARE(gatewayWords(status).explanation, QStringLiteral("another process holds this workspace"));
    }

    void lostEvidenceIsDangerAndCounted() {
        evidence::EvidenceStatus status;
        status.state = evidence::StoreState::journalFull;
        status.dropped = 1234;
        const StatusWords words = evidenceWords(status);
        QCOMPARE(words.tone, Tone::danger);
        QVERIFY2(words.sentence.contains(QLocale().toString(1234)), qPrintable(words.sentence));
    }

    // Everything else may be well: the lamp must still say it.
    void lostEventsAreSaid() {
        evidence::EvidenceStatus status;
        status.state = evidence::StoreState::ready;
        const StatusWords well = evidenceWords(status);
        QCOMPARE(well.tone, Tone::clear);
        status.eventsDropped = 3;
        const StatusWords words = evidenceWords(status);
        QCOMPARE(words.tone, Tone::caution);
        QCOMPARE(words.sentence, well.sentence + QStringLiteral(", events lost: 3"));
        QVERIFY(words.explanation.startsWith(well.explanation) && words.explanation.contains(QStringLiteral("3 events")));
        status.state = evidence::StoreState::journalFull;
        QCOMPARE(evidenceWords(status).tone, Tone::danger);
    }

    void damageInTheJournalIsSaid() {
        evidence::EvidenceStatus status;
        status.state = evidence::StoreState::ready;
        const StatusWords well = evidenceWords(status);
        status.damagedBytes = 2048;
        const StatusWords words = evidenceWords(status);
        QCOMPARE(words.tone, Tone::caution);
        QCOMPARE(words.sentence, well.sentence + QStringLiteral(", journal damaged: ") + format::bytes(2048));
        QVERIFY(words.explanation.startsWith(well.explanation) && words.explanation.contains(QStringLiteral("are lost")));
        status.state = evidence::StoreState::journalFull;
        QCOMPARE(evidenceWords(status).tone, Tone::danger);
    }

    void offSaysWhetherItWasTurnedOffOrIsHeldByAnother() {
        evidence::EvidenceStatus status;
        QCOMPARE(evidenceWords(status).word, QStringLiteral("off"));
        QVERIFY(evidenceWords(status).explanation.contains(QStringLiteral("before the console starts")));
        // A gateway elsewhere is not this console's to set up.
        QVERIFY(!evidenceWords(status, true).explanation.contains(QStringLiteral("console")));
        QVERIFY(evidenceWords(status, true).explanation.contains(QStringLiteral("where it runs")));

        status.lastError = "/state/journal: another gateway records here: pid 7";
        status.where = "journal of another process in /state/journal";
        const StatusWords observes = evidenceWords(status);
        QVERIFY(onlyObserves(status));
        QCOMPARE(observes.tone, Tone::info);
        QCOMPARE(observes.word, QStringLiteral("observes"));
        QVERIFY2(observes.explanation.contains(QStringLiteral("pid 7")) && !observes.explanation.contains(QStringLiteral("enabled = true")), qPrintable(observes.explanation));

        status.where.clear();
        status.lastError = "/state/journal: Permission denied";
        const StatusWords closed = evidenceWords(status);
        QVERIFY(!onlyObserves(status));
        QCOMPARE(closed.tone, Tone::caution);
        QVERIFY2(closed.explanation.contains(QStringLiteral("Permission denied")) && !closed.explanation.contains(QStringLiteral("enabled = true")), qPrintable(closed.explanation));
    }

    void unreachableDatabaseLosesNothingAndSaysSo() {
        evidence::EvidenceStatus status;
        status.state = evidence::StoreState::unavailable;
        status.backlogRecords = 7;
        status.lastError = "connection refused";
        const StatusWords words = evidenceWords(status);
        QCOMPARE(words.tone, Tone::caution);
        QVERIFY(words.explanation.contains(QStringLiteral("nothing is lost")));
        QVERIFY(words.explanation.contains(QStringLiteral("connection refused")));
    }
};

QTEST_APPLESS_MAIN(StatusWordsTest)
#include "tst_status_words.moc"
