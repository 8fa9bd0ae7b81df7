// SPDX-License-Identifier: MIT
#include "tests/ui/document/draft_harness.h"

#include <QFileInfo>
#include <QUndoStack>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace signalbox;
using namespace signalbox::ui;
using namespace signalbox::test;

static const auto kMorePercent = replacing("activation_percent = 0", "activation_percent = 5");
static const auto kMoreSeqs = replacing("\"max_num_seqs\": 4", "\"max_num_seqs\": 5");

class DraftSavingTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_world = std::make_unique<DraftHarness>();
        QVERIFY(m_world->open());
    }
    void cleanup() { m_world.reset(); }

    void F80_oneValueIsTheOnlyDifferenceOnDisk() {
        QByteArray wanted = m_world->get("gateway.toml");
        const QByteArray table = m_world->get("routing-table.json");
        const auto touched = QFileInfo(m_world->file("routing-table.json")).lastModified();
        QVERIFY(document().editConfig(QStringLiteral("percent"), kMorePercent));
        QSignalSpy changed(&document(), &PolicyDocument::changed);
        QVERIFY(m_world->save());
        QCOMPARE(m_world->get("gateway.toml"), wanted.replace("activation_percent = 0", "activation_percent = 5"));
        QCOMPARE(m_world->get("routing-table.json"), table);
        QCOMPARE(QFileInfo(m_world->file("routing-table.json")).lastModified(), touched);
        QVERIFY(!document().isDirty());
        QCOMPARE(document().changeCount(), 0);
        QVERIFY(changed.isEmpty());  // the policy is the same
        QCOMPARE(QFile::permissions(m_world->file("gateway.toml")) & QFile::ReadGroup, QFile::ReadGroup);
        QCOMPARE(QFile::permissions(m_world->file("gateway.toml")) & (QFile::ReadOther | QFile::WriteGroup), QFile::Permissions());
        QCOMPARE(QDir(m_world->path()).entryList(QDir::Files | QDir::Hidden).size(), 2);
    }

    void cleanDraftIsNeverWritten() {
        const auto touched = QFileInfo(m_world->file("gateway.toml")).lastModified();
        QVERIFY(document().editConfig(QStringLiteral("percent"), kMorePercent));
        document().undoStack()->undo();
        document().save();
        QVERIFY(!document().isSaving());
        QCOMPARE(QFileInfo(m_world->file("gateway.toml")).lastModified(), touched);
    }

    void undoGoesPastTheSaveAndIsDirtyThen() {
        QVERIFY(document().editConfig(QStringLiteral("percent"), kMorePercent));
        QVERIFY(m_world->save());
        document().undoStack()->undo();
        QVERIFY(document().isDirty());
        QCOMPARE(document().changeCount(), 1);
        QCOMPARE(document().changes().size(), 1);
        QVERIFY(document().editTable(QStringLiteral("seqs"), kMoreSeqs));
        QCOMPARE(document().changeCount(), 2);  // one that was taken back for good, one that was made
        QVERIFY(m_world->save());
        QVERIFY(m_world->get("gateway.toml").contains("activation_percent = 0"));
        QVERIFY(m_world->get("routing-table.json").contains("\"max_num_seqs\": 5"));
    }

    void sliderAfterASaveIsAStepOfItsOwn() {
        QVERIFY(document().editConfig(QStringLiteral("percent"), kMorePercent, QStringLiteral("k")));
        QVERIFY(m_world->save());
        QVERIFY(document().editConfig(QStringLiteral("percent"), replacing("activation_percent = 5", "activation_percent = 6"), QStringLiteral("k")));
        QCOMPARE(document().undoStack()->count(), 2);
        document().undoStack()->undo();
        QVERIFY(!document().isDirty());
    }

    void F84_readAfterWriteIsNeverStale() {
        for (int percent = 0; percent < 8; ++percent) {
            QVERIFY(document().editConfig(QStringLiteral("percent"), replacing("activation_percent = " + std::to_string(percent), "activation_percent = " + std::to_string(percent + 1))));
            QVERIFY(m_world->save());
            QSignalSpy busy(&document(), &PolicyDocument::loadingChanged);
            document().reload();
            QTRY_COMPARE(busy.count(), 2);
            QCOMPARE(document().workspace()->config.config->routing.activationPercent, static_cast<std::uint8_t>(percent + 1));
            QVERIFY(!document().isDirty());
        }
        QVERIFY(m_world->errors.empty());
    }

    void F85_fileChangedBySomebodyElseIsNeverOverwritten() {
        QVERIFY(document().editConfig(QStringLiteral("percent"), kMorePercent));
        QVERIFY(document().editTable(QStringLiteral("seqs"), kMoreSeqs));
        const QByteArray base = m_world->get("gateway.toml"), table = m_world->get("routing-table.json");
        const QByteArray theirs = "# theirs\n" + base;
        m_world->put("gateway.toml", theirs);
        QSignalSpy conflict(&document(), &PolicyDocument::saveConflict), saved(&document(), &PolicyDocument::saved);
        document().save();
        QTRY_COMPARE(conflict.count(), 1);
        QCOMPARE(conflict.first().at(0).toString(), m_world->file("gateway.toml"));
        QCOMPARE(conflict.first().at(1).toString().toUtf8(), base);
        QCOMPARE(conflict.first().at(2).toString().toUtf8(), theirs);
        QCOMPARE(conflict.first().at(3).toString().toStdString(), document().configText());
        QCOMPARE(m_world->get("gateway.toml"), theirs);
        QCOMPARE(m_world->get("routing-table.json"), table);  // neither of both
        QVERIFY(saved.isEmpty() && document().isDirty());

        document().saveOverTheirs();
        QTRY_COMPARE(saved.count(), 1);
        QCOMPARE(m_world->get("gateway.toml").toStdString(), document().configText());
        QVERIFY(!document().isDirty());
    }

    void F85_theOtherFileIsShownBeforeItIsWrittenOver() {
        QVERIFY(document().editConfig(QStringLiteral("percent"), kMorePercent));
        QVERIFY(document().editTable(QStringLiteral("seqs"), kMoreSeqs));
        const QByteArray theirConfig = "# theirs\n" + m_world->get("gateway.toml"), theirTable = m_world->get("routing-table.json") + "\n";
        m_world->put("gateway.toml", theirConfig);
        m_world->put("routing-table.json", theirTable);
        QSignalSpy conflict(&document(), &PolicyDocument::saveConflict), saved(&document(), &PolicyDocument::saved);
        document().save();
        QTRY_COMPARE(conflict.count(), 1);
        QCOMPARE(conflict.at(0).at(0).toString(), m_world->file("routing-table.json"));
        document().saveOverTheirs();
        QTRY_COMPARE(conflict.count() + saved.count(), 2);
        QCOMPARE(conflict.count(), 2);
        QCOMPARE(conflict.at(1).at(0).toString(), m_world->file("gateway.toml"));
        QCOMPARE(conflict.at(1).at(2).toString().toUtf8(), theirConfig);
        QCOMPARE(m_world->get("gateway.toml"), theirConfig);
        QCOMPARE(m_world->get("routing-table.json"), theirTable);  // both or neither
        document().saveOverTheirs();
        QTRY_COMPARE(saved.count(), 1);
        QCOMPARE(m_world->get("gateway.toml").toStdString(), document().configText());
        QCOMPARE(m_world->get("routing-table.json").toStdString(), document().tableText());
    }

    void F85_whatCameAfterTheQuestionIsAConflictOfItsOwn_data() {
        QTest::addColumn<bool>("removed");
        QTest::addRow("changed again") << false;
        QTest::addRow("removed") << true;
    }
    void F85_whatCameAfterTheQuestionIsAConflictOfItsOwn() {
        QFETCH(bool, removed);
        QVERIFY(document().editConfig(QStringLiteral("percent"), kMorePercent));
        m_world->put("gateway.toml", "# theirs\n" + m_world->get("gateway.toml"));
        QSignalSpy conflict(&document(), &PolicyDocument::saveConflict), saved(&document(), &PolicyDocument::saved);
        document().save();
        QTRY_COMPARE(conflict.count(), 1);
        const QByteArray newer = removed ? QByteArray() : "# newer\n" + m_world->get("gateway.toml");
        if (removed) QVERIFY(QFile::remove(m_world->file("gateway.toml")));
        else m_world->put("gateway.toml", newer);
        document().saveOverTheirs();
        QTRY_COMPARE(conflict.count() + saved.count(), 2);
        QCOMPARE(conflict.count(), 2);
        QCOMPARE(conflict.at(1).at(2).toString().isNull(), removed);
        QCOMPARE(conflict.at(1).at(2).toString().toUtf8(), newer);
        QCOMPARE(m_world->get("gateway.toml"), newer);
        document().saveOverTheirs();
        QTRY_COMPARE(saved.count(), 1);
    }

    void F85_anAnswerHoldsForOneSaveOnly() {
        QVERIFY(document().editConfig(QStringLiteral("percent"), kMorePercent));
        m_world->put("gateway.toml", "# theirs\n" + m_world->get("gateway.toml"));
        QSignalSpy conflict(&document(), &PolicyDocument::saveConflict), saved(&document(), &PolicyDocument::saved);
        for (int times = 1; times <= 2; ++times) {  // the first dialog is closed without an answer
            document().save();
            QTRY_COMPARE(conflict.count(), times);
        }
        QVERIFY(saved.isEmpty());
    }

    void F85_theirsIsTakenAndOursCanBeBroughtBack() {
        QVERIFY(document().editConfig(QStringLiteral("percent"), kMorePercent));
        const std::string ours = document().configText();
        const QByteArray theirs = "# theirs\n" + m_world->get("gateway.toml");
        m_world->put("gateway.toml", theirs);
        QSignalSpy busy(&document(), &PolicyDocument::loadingChanged);
        document().reload();
        QTRY_COMPARE(busy.count(), 2);
        QCOMPARE(document().configText(), theirs.toStdString());
        QVERIFY(!document().isDirty());
        document().undoStack()->undo();
        QCOMPARE(document().configText(), ours);
        QVERIFY(document().isDirty());
    }

    void dirtyDraftIsAskedBeforeItFollowsTheDisk() {
        QVERIFY(document().editConfig(QStringLiteral("percent"), kMorePercent));
        QSignalSpy asked(&document(), &PolicyDocument::changedOnDisk);
        m_world->put("routing-table.json", m_world->get("routing-table.json") + "\n");
        QTRY_COMPARE_WITH_TIMEOUT(asked.count(), 1, 10'000);
        QVERIFY(document().isDirty());
        document().undoStack()->undo();  // clean again: now it follows
        QTRY_VERIFY_WITH_TIMEOUT(document().tableText() == m_world->get("routing-table.json").toStdString(), 10'000);
    }

    void removedFileIsAConflictToo() {
        QVERIFY(document().editConfig(QStringLiteral("percent"), kMorePercent));
        QVERIFY(QFile::remove(m_world->file("gateway.toml")));
        QSignalSpy conflict(&document(), &PolicyDocument::saveConflict), saved(&document(), &PolicyDocument::saved);
        document().save();
        QTRY_COMPARE(conflict.count(), 1);
        QVERIFY(conflict.first().at(2).toString().isNull());
        document().saveOverTheirs();
        QTRY_COMPARE(saved.count(), 1);
        QCOMPARE(m_world->get("gateway.toml").toStdString(), document().configText());
    }

    void sameTextOnDiskIsNoConflict() {
        QVERIFY(document().editConfig(QStringLiteral("percent"), kMorePercent));
        m_world->put("gateway.toml", QByteArray::fromStdString(document().configText()));
        QVERIFY(m_world->save());
        QVERIFY(!document().isDirty());
    }

    void copyLeavesTheDraftDirty() {
        QVERIFY(document().editConfig(QStringLiteral("percent"), kMorePercent));
        QSignalSpy copied(&document(), &PolicyDocument::copySaved);
        const QString to = m_world->folder.filePath(QStringLiteral("copy.toml"));
        document().saveCopy(m_world->file("gateway.toml"), to);
        QTRY_COMPARE(copied.count(), 1);
        QFile copy(to);
        QVERIFY(copy.open(QIODevice::ReadOnly));
        QCOMPARE(copy.readAll().toStdString(), document().configText());
        QVERIFY(document().isDirty());
    }

    void revertIsAStepThatCanBeTakenBack() {
        QVERIFY(document().editConfig(QStringLiteral("percent"), kMorePercent));
        QVERIFY(document().editTable(QStringLiteral("seqs"), kMoreSeqs));
        document().revert();
        QVERIFY(!document().isDirty());
        document().undoStack()->undo();
        QVERIFY(document().isDirty());
        QCOMPARE(document().changeCount(), 2);
    }

    void draftOutlivesTheProgram() {
        QVERIFY(document().editConfig(QStringLiteral("percent"), kMorePercent));
        QTRY_COMPARE(m_world->kept().size(), 1);  // by itself, before anything ends
        const QFileInfo kept(QString::fromStdString((m_world->options.recoveryFolder / m_world->kept().first().toStdString()).string()));
        QCOMPARE(kept.permissions() & (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther), QFile::Permissions());
        const std::string ours = document().configText();
        m_world->start();
        QSignalSpy found(&document(), &PolicyDocument::recoveryFound);
        QVERIFY(m_world->open());
        QCOMPARE(found.count(), 1);
        QVERIFY(!document().isDirty());
        document().recover();
        QCOMPARE(document().configText(), ours);
        QCOMPARE(document().changeCount(), 1);
        QVERIFY(m_world->save());
        QTRY_VERIFY(m_world->kept().isEmpty());
    }

    void recoveredDraftDoesNotOverwriteWhatCameMeanwhile() {
        QVERIFY(document().editConfig(QStringLiteral("percent"), kMorePercent));
        m_world->document.reset();
        const QByteArray base = m_world->get("gateway.toml"), theirs = "# theirs\n" + base;
        m_world->put("gateway.toml", theirs);
        m_world->start();
        QVERIFY(m_world->open());
        document().recover();
        QSignalSpy conflict(&document(), &PolicyDocument::saveConflict);
        document().save();
        QTRY_COMPARE(conflict.count(), 1);
        QCOMPARE(conflict.first().at(1).toString().toUtf8(), base);
        QCOMPARE(conflict.first().at(2).toString().toUtf8(), theirs);
        QCOMPARE(m_world->get("gateway.toml"), theirs);
    }

    void abandonedDraftLeavesNothingBehind() {
        QVERIFY(document().editConfig(QStringLiteral("percent"), kMorePercent));
        QTRY_COMPARE(m_world->kept().size(), 1);
        document().abandon();
        QTRY_VERIFY(m_world->kept().isEmpty());
        m_world->start();
        QSignalSpy found(&document(), &PolicyDocument::recoveryFound);
        QVERIFY(m_world->open());
        QVERIFY(found.isEmpty());
    }

    void unansweredRecoveryStaysForTheNextTime() {
        QVERIFY(document().editConfig(QStringLiteral("percent"), kMorePercent));
        for (int start = 0; start < 2; ++start) {
            m_world->start();
            QSignalSpy found(&document(), &PolicyDocument::recoveryFound);
            QVERIFY(m_world->open());
            QCOMPARE(found.count(), 1);
        }
        document().discardRecovery();
        QTRY_VERIFY(m_world->kept().isEmpty());
    }

    // "Ask next time", then something else is begun.
    void unansweredRecoveryOutlivesWhatIsBegunBesideIt_data() {
        QTest::addColumn<bool>("discarded");
        QTest::addRow("given up on closing") << true;
        QTest::addRow("lost in a second crash") << false;
    }
    void unansweredRecoveryOutlivesWhatIsBegunBesideIt() {
        QFETCH(bool, discarded);
        QVERIFY(document().editConfig(QStringLiteral("percent"), kMorePercent));
        QTRY_COMPARE(m_world->kept().size(), 1);
        const std::string ofTheFirst = document().configText();
        m_world->start();
        QVERIFY(m_world->open());
        m_world->clock->advance(std::chrono::seconds(1));
        QVERIFY(document().editTable(QStringLiteral("seqs"), kMoreSeqs));
        QTRY_COMPARE(m_world->kept().size(), 2);
        const std::string ofTheSecond = document().tableText();
        if (discarded) {
            document().abandon();
            QTRY_COMPARE(m_world->kept().size(), 1);
        }
        m_world->start();
        QSignalSpy found(&document(), &PolicyDocument::recoveryFound);
        QVERIFY(m_world->open());
        QCOMPARE(found.count(), 1);
        if (!discarded) {  // the newest is asked about first
            document().recover();
            QCOMPARE(document().tableText(), ofTheSecond);
            QVERIFY(m_world->save());
            QTRY_COMPARE(m_world->kept().size(), 1);
            m_world->start();
            QVERIFY(m_world->open());
        }
        document().recover();
        QCOMPARE(document().configText(), ofTheFirst);
    }

    void recoveredDraftTakesThePlaceOfWhatWasBegunBesideIt() {
        QVERIFY(document().editConfig(QStringLiteral("percent"), kMorePercent));
        QTRY_COMPARE(m_world->kept().size(), 1);
        m_world->start();
        QVERIFY(m_world->open());
        QVERIFY(document().editTable(QStringLiteral("seqs"), kMoreSeqs));
        QTRY_COMPARE(m_world->kept().size(), 2);
        document().recover();
        QTRY_COMPARE(m_world->kept().size(), 1);
        QVERIFY(m_world->save());
        QTRY_VERIFY(m_world->kept().isEmpty());
    }

    // A long draft is checked on a worker, and until then what was kept is the only copy.
    void refusedRecoveryStaysForTheNextTime_data() {
        QTest::addColumn<bool>("undone");
        QTest::addRow("the draft moved on meanwhile") << true;
        QTest::addRow("the check refuses it") << false;
    }
    void refusedRecoveryStaysForTheNextTime() {
        QFETCH(bool, undone);
        QVERIFY(document().editConfig(QStringLiteral("percent"), kMorePercent));
        const std::string ofTheFirst = document().configText();
        m_world->document.reset();
        m_world->put("gateway.toml", "# theirs\n" + m_world->get("gateway.toml"));
        m_world->options.workerAbove = 0;
        m_world->start();
        QVERIFY(m_world->open());
        QVERIFY(document().editConfig(QStringLiteral("profile"), replacing("default_profile = \"balanced\"", "default_profile = \"economy\"")));
        QTRY_VERIFY(!document().isBusy());
        QTRY_COMPARE(m_world->kept().size(), 2);
        if (!undone) m_world->environment["SIGNALBOX_SMART_ROUTING_MODE"] = "sideways";
        document().recover();
        if (undone) document().undoStack()->undo();
        QTRY_COMPARE(m_world->errors.size(), std::size_t{1});
        const Error& refusal = m_world->errors.front();
        QCOMPARE(refusal.message, std::string("The changes that were kept could not be brought back"));
        for (const char* part : {undone ? "the draft changed" : "sideways", "They stay kept", "try again"}) QVERIFY2(refusal.hint.find(part) != std::string::npos, refusal.hint.c_str());
        QTRY_VERIFY(!document().isBusy());
        m_world->environment.clear();
        if (undone) document().undoStack()->redo();
        QTRY_VERIFY(!document().isBusy() && document().isDirty());
        QVERIFY(m_world->save());  // of what is no recovered draft: nothing to ask about
        QTRY_COMPARE(m_world->kept().size(), 1);

        m_world->start();
        QSignalSpy found(&document(), &PolicyDocument::recoveryFound);
        QVERIFY(m_world->open());
        QCOMPARE(found.count(), 1);
        document().recover();
        QTRY_COMPARE(document().configText(), ofTheFirst);
        QTRY_COMPARE(m_world->kept().size(), 1);
        QSignalSpy conflict(&document(), &PolicyDocument::saveConflict);
        document().save();
        QTRY_COMPARE(conflict.count(), 1);  // it is older than what stands there
    }

    void damagedRecoveryIsNoRecovery() {
        QVERIFY(document().editConfig(QStringLiteral("percent"), kMorePercent));
        m_world->document.reset();
        QFile kept(QString::fromStdString((m_world->options.recoveryFolder / m_world->kept().first().toStdString()).string()));
        QVERIFY(kept.open(QIODevice::ReadWrite) && kept.resize(kept.size() / 2));
        m_world->start();
        QSignalSpy found(&document(), &PolicyDocument::recoveryFound);
        QVERIFY(m_world->open());
        QVERIFY(found.isEmpty() && m_world->errors.empty());
    }

    void twoConsolesOnOneWorkspaceKeepApart() {
        QVERIFY(document().editConfig(QStringLiteral("percent"), kMorePercent));
        QTRY_COMPARE(m_world->kept().size(), 1);
        const std::string ofTheFirst = document().configText();

        PolicyDocument second(m_world->options);
        QSignalSpy found(&second, &PolicyDocument::recoveryFound);
        second.openWorkspace(m_world->path());
        QTRY_VERIFY(second.workspace() != nullptr && !second.isBusy());
        QCOMPARE(found.count(), 0);  // its owner still works on it
        QVERIFY(second.editTable(QStringLiteral("seqs"), kMoreSeqs));
        QTRY_COMPARE(m_world->kept().size(), 2);
        second.abandon();
        QTRY_COMPARE(m_world->kept().size(), 1);

        m_world->document.reset();
        m_world->start();
        QSignalSpy foundLater(&document(), &PolicyDocument::recoveryFound);
        QVERIFY(m_world->open());
        QCOMPARE(foundLater.count(), 1);
        document().recover();
        QCOMPARE(document().configText(), ofTheFirst);
    }

    void draftOfAKilledConsoleIsFree() {
        const auto& folder = m_world->options.recoveryFolder;
        int ready[2];
        QCOMPARE(::pipe(ready), 0);
        const pid_t child = ::fork();
        QVERIFY(child >= 0);
        if (child == 0) {
            RecoveryFile theirs(folder, "/w/routing-table.json", "/w/gateway.toml");
            const bool kept = theirs.keep(1, Recovery{Timestamp(std::chrono::seconds(1)), {"{}", "a"}, {"{}", "b"}}).has_value();
            static_cast<void>(::write(ready[1], kept ? "y" : "n", 1));
            ::pause();
        }
        char answer = 0;
        const auto got = ::read(ready[0], &answer, 1);
        const bool whileAlive = RecoveryFile(folder, "/w/routing-table.json", "/w/gateway.toml").adopt().has_value();
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        ::close(ready[0]);
        ::close(ready[1]);
        QCOMPARE(got, 1);
        QCOMPARE(answer, 'y');
        QVERIFY(!whileAlive);
        RecoveryFile ours(folder, "/w/routing-table.json", "/w/gateway.toml");
        const auto adopted = ours.adopt();
        QVERIFY(adopted.has_value());
        QCOMPARE(adopted->draft.config, std::string("b"));
        QVERIFY(!RecoveryFile(folder, "/w/routing-table.json", "/w/gateway.toml").adopt().has_value());  // it is ours now
        QVERIFY(ours.keep(1, std::nullopt).has_value());
        QVERIFY(m_world->kept().isEmpty());
    }

    void failedSaveSaysWhereAndKeepsTheDraft() {
        QVERIFY(document().editConfig(QStringLiteral("percent"), kMorePercent));
        QVERIFY(QFile::remove(m_world->file("gateway.toml")));
        QVERIFY(QDir().mkpath(m_world->file("gateway.toml")));
        document().save();
        QTRY_COMPARE(m_world->errors.size(), std::size_t{1});
        QVERIFY2(m_world->errors.front().where.ends_with("gateway.toml"), m_world->errors.front().text().c_str());
        QVERIFY(document().isDirty());
    }

private:
    PolicyDocument& document() { return *m_world->document; }
    std::unique_ptr<DraftHarness> m_world;
};

QTEST_GUILESS_MAIN(DraftSavingTest)
#include "tst_draft_saving.moc"
