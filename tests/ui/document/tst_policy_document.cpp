// SPDX-License-Identifier: MIT
#include "tests/support/vectors.h"
#include "ui/document/policy_document.h"

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>

using namespace signalbox;
using namespace signalbox::ui;

static QString demoFile(const char* name) { return QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo/") + QString::fromLatin1(name); }

class PolicyDocumentTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        for (const char* name : {"gateway.toml", "routing-table.json"}) QVERIFY(QFile::copy(demoFile(name), file(name)));
        m_document = std::make_unique<PolicyDocument>();
        m_errors.clear();
        m_findings.clear();
        connect(m_document.get(), &PolicyDocument::loadFailed, this, [this](const Error& error, const Findings& findings) {
            m_errors.push_back(error);
            m_findings = findings;
        });
    }
    void cleanup() { m_document.reset(); }

    void workspaceOpensWithoutBlocking() {
        m_document->openWorkspace(m_folder->path());
        QVERIFY(m_document->isLoading());
        QVERIFY(m_document->workspace() == nullptr);
        QTRY_VERIFY(m_document->workspace() != nullptr);
        QVERIFY(!m_document->isLoading());
        QVERIFY(m_document->table() != nullptr);
        QCOMPARE(m_document->folder(), m_folder->path());
    }

    // Whoever compares the draft with what is saved reads nothing for it.
    void theSavedTableIsTheOneThatWasRead() {
        QVERIFY(m_document->savedTable() == nullptr);
        open();
        const auto read = m_document->table();
        QCOMPARE(m_document->savedTable(), read);
        QVERIFY(m_document->forkTable().has_value());
        QVERIFY(m_document->table() != read);
        QCOMPARE(m_document->savedTable(), read);
        m_document->undoStack()->undo();
        QVERIFY(m_document->table()->rules == read->rules);
        m_document->undoStack()->redo();
        const auto forked = m_document->table();
        m_document->save();
        QTRY_VERIFY(!m_document->isDirty() && !m_document->isSaving());
        QCOMPARE(m_document->savedTable(), forked);
        m_document->reload();
        QTRY_VERIFY(!m_document->isLoading());
        QCOMPARE(m_document->savedTable(), m_document->table());
    }

    void failedLoadLeavesWhatWasOpen_data() {
        QTest::addColumn<QString>("path");
        QTest::addRow("missing file") << QStringLiteral("/no/such/table.json");
        QTest::addRow("missing folder") << QStringLiteral("/no/such/workspace/");
        QTest::addRow("a folder without files") << QDir::tempPath();
        QTest::addRow("not JSON") << demoFile("gateway.toml");
    }
    void failedLoadLeavesWhatWasOpen() {
        QFETCH(QString, path);
        open();
        const auto before = m_document->workspace();
        m_document->openPath(path);
        QTRY_COMPARE(m_errors.size(), std::size_t{1});
        QCOMPARE(m_document->workspace(), before);
        QVERIFY(!m_errors.front().message.empty());
        QVERIFY2(!m_errors.front().where.empty(), m_errors.front().message.c_str());
        QVERIFY2(!m_errors.front().hint.empty(), m_errors.front().message.c_str());
    }

    void refusedTableGivesAllItsErrors() {
        open();
        write("routing-table.json", QByteArrayLiteral("{\"schema_version\": 1, \"presets\": 3}"));
        m_document->reload();
        QTRY_COMPARE(m_errors.size(), std::size_t{1});
        QVERIFY(m_findings.size() > 1);
        QVERIFY(m_errors.front().where.find("routing-table.json") != std::string::npos);
    }

    void tableAloneOpensWithoutAWorkspace() {
        const QTemporaryDir elsewhere;
        const QString alone = elsewhere.filePath(QStringLiteral("my-table.json"));
        QVERIFY(QFile::copy(demoFile("routing-table.json"), alone));
        m_document->openPath(alone);
        QTRY_VERIFY(m_document->workspace() != nullptr);
        QVERIFY(m_document->workspace()->configFile.empty());
        QCOMPARE(m_document->title(), QStringLiteral("my-table.json"));
    }

    void realTableOpensBesideAnotherPolicysConfiguration() {
        const auto real = test::sharedVectorsFolder() / "genesis-table-v1.json";
        if (!std::filesystem::exists(real)) QSKIP("the real table stands outside this repository");
        open();
        m_document->openPath(QString::fromStdU16String(real.u16string()));
        QTRY_VERIFY2(m_document->table() != nullptr && m_document->table()->presets.size() == 15, m_errors.empty() ? "" : m_errors[0].text().c_str());
    }

    void cleanDraftFollowsTheDisk() {
        open();
        QSignalSpy followed(m_document.get(), &PolicyDocument::followedDisk), asked(m_document.get(), &PolicyDocument::changedOnDisk);
        const std::string before = m_document->workspace()->config.sha256;
        QFile toml(file("gateway.toml"));
        QVERIFY(toml.open(QIODevice::ReadOnly));
        write("gateway.toml", toml.readAll() + "\n# a remark\n");
        QTRY_VERIFY_WITH_TIMEOUT(m_document->workspace()->config.sha256 != before, 10'000);
        QVERIFY(followed.first().first().toString().endsWith(QStringLiteral("gateway.toml")));
        QVERIFY(asked.isEmpty());
        QVERIFY(!m_document->isDirty());
    }

    void atomicReplaceIsFollowedTwice() {
        open();
        for (int round = 0; round < 2; ++round) {
            QSignalSpy read(m_document.get(), &PolicyDocument::changed);
            QFile old(file("routing-table.json"));
            QVERIFY(old.open(QIODevice::ReadOnly));
            write("new.tmp", old.readAll() + " ");
            QVERIFY(std::rename(qPrintable(file("new.tmp")), qPrintable(file("routing-table.json"))) == 0);
            QTRY_COMPARE_WITH_TIMEOUT(read.count(), 1, 10'000);
        }
    }

    void refusedFileOnDiskIsSpokenOfOnce() {
        open();
        const auto before = m_document->workspace();
        write("gateway.toml", "[server\n");
        QTRY_COMPARE_WITH_TIMEOUT(m_errors.size(), std::size_t{1}, 10'000);
        write("unrelated.txt", "wakes the watcher");
        QSignalSpy followed(m_document.get(), &PolicyDocument::followedDisk);
        QTest::qWait(600);
        QVERIFY(followed.isEmpty());
        QCOMPARE(m_errors.size(), std::size_t{1});
        QCOMPARE(m_document->workspace(), before);
    }

    void onlyTheLastOfTwoLoadsCounts() {
        QSignalSpy changed(m_document.get(), &PolicyDocument::changed);
        m_document->openWorkspace(QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo"));
        m_document->openWorkspace(m_folder->path());
        QTRY_VERIFY(m_document->workspace() != nullptr);
        QCOMPARE(m_document->folder(), m_folder->path());
        QCOMPARE(changed.count(), 1);
    }

private:
    QString file(const char* name) const { return m_folder->filePath(QString::fromLatin1(name)); }
    void write(const char* name, const QByteArray& bytes) {
        QFile out(file(name));
        QVERIFY(out.open(QIODevice::WriteOnly | QIODevice::Truncate));
        QCOMPARE(out.write(bytes), bytes.size());
    }
    void open() {
        m_document->openWorkspace(m_folder->path());
        QTRY_VERIFY(m_document->workspace() != nullptr);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<PolicyDocument> m_document;
    std::vector<Error> m_errors;
    Findings m_findings;
};

QTEST_GUILESS_MAIN(PolicyDocumentTest)
#include "tst_policy_document.moc"
