// SPDX-License-Identifier: MIT
// The table leaves signed: through the page, verified by stock minisign and by our own reader; and what is refused.
#include "tests/support/page_harness.h"

#include "router/base/file.h"
#include "router/base/hashing.h"
#include "ui/bridge/lone_worker.h"
#include "ui/document/table_export.h"
#include "ui/pages/export/export_page.h"
#include "ui/pages/export/signing_form.h"
#include "ui/widgets/copy_field.h"
#include "ui/theme/format.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <QThreadPool>

#include <algorithm>
#include <future>

using namespace signalbox;
using namespace signalbox::ui;
namespace fs = std::filesystem;

static const QString kPassword = QStringLiteral("four wet boots");

class ExportPageTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_harness = std::make_unique<test::PageHarness>();
        m_root = m_harness->folder.path().toStdString();
        fs::copy(fs::path(SIGNALBOX_SOURCE_DIR) / "resources/demo", m_root / "workspace");
        fs::create_directory(m_root / "out");
        if (m_threads == 0) m_threads = ownThreads();
    }
    void cleanup() {
        m_page.reset();
        m_harness.reset();
    }

    void signedTableVerifiesEverywhere() {
        openPage();
        createKey();
        fill(m_root / "out");
        QSignalSpy answers(m_page.get(), &Page::answerChanged);
        button("exportButton")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!answers.isEmpty() && answers.last().first().toString().startsWith(QStringLiteral("Exported")), 20'000);
        QVERIFY(line("exportPassword")->text().isEmpty());  // held no longer than the signing

        const fs::path exported = m_root / "out/routing-table.json";
        QCOMPARE(sha256Hex(*readFile(exported, 1 << 20)), sha256Hex(*readFile(m_root / "workspace/routing-table.json", 1 << 20)));
        const auto trusted = signing::readTrustedKeys(std::vector<fs::path>{m_root / "keys/tester.pub"});
        QVERIFY(trusted.has_value());
        const auto verified = signing::verifyFile(exported, *trusted);
        QVERIFY(verified.has_value());
        QCOMPARE(verified->facts.signer, std::string("Mara Holt"));
        QCOMPARE(verified->facts.policyVersion, std::string("builtin-v1"));
        QVERIFY(commands().filter(QStringLiteral("signalboxctl verify")).size() == 1);
    }

    // Whoever signed by keyboard goes on with what came of it.
    void theKeyboardGoesToTheResult() {
        openPage();
        createKey();
        fill(m_root / "out");
        m_page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
        button("exportButton")->setFocus();
        QTest::keyClick(button("exportButton"), Qt::Key_Space);
        QTRY_VERIFY_WITH_TIMEOUT(!commands().isEmpty(), 20'000);
        const auto* outcome = m_page->findChild<QWidget*>(QStringLiteral("exportOutcome"));
        QTRY_VERIFY(outcome->isAncestorOf(m_page->focusWidget()));
    }

    void stockMinisignAcceptsItAndRefusesOneChangedByte() {
        if (QStandardPaths::findExecutable(QStringLiteral("minisign")).isEmpty()) QSKIP("minisign is not installed.");
        openPage();
        createKey();
        fill(m_root / "out");
        button("exportButton")->click();
        QTRY_VERIFY_WITH_TIMEOUT(fs::exists(m_root / "out/routing-table.json.minisig"), 20'000);
        QTRY_VERIFY(!commands().isEmpty());
        // The very command that the page offers for copying.
        const QString command = commands().filter(QStringLiteral("minisign -Vm")).value(0);
        QCOMPARE(QProcess::execute(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), command + QStringLiteral(" >/dev/null 2>&1")}), 0);
        auto bytes = *readFile(m_root / "out/routing-table.json", 1 << 20);
        bytes[bytes.size() / 2] ^= 1;
        QVERIFY(writeFileAtomic(m_root / "out/routing-table.json", bytes).has_value());
        QVERIFY(QProcess::execute(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), command + QStringLiteral(" >/dev/null 2>&1")}) != 0);
    }

    void wrongPasswordWritesNothing() {
        openPage();
        createKey();
        fill(m_root / "out");
        line("exportPassword")->setText(QStringLiteral("another"));
        button("exportButton")->click();
        QTRY_VERIFY_WITH_TIMEOUT(outcome().contains(QStringLiteral("password")), 20'000);
        QVERIFY(fs::is_empty(m_root / "out"));
        QVERIFY(button("exportButton")->isEnabled());  // and can be tried again
    }

    void refusals_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("says");
        QTest::newRow("missing folder") << QStringLiteral("nowhere") << QStringLiteral("no such folder");
        QTest::newRow("a file instead of a folder") << QStringLiteral("workspace/gateway.toml") << QStringLiteral("no such folder");
        QTest::newRow("another table is there") << QStringLiteral("taken") << QStringLiteral("Another routing table is there already");
    }
    void refusals() {
        QFETCH(QString, folder);
        QFETCH(QString, says);
        fs::create_directory(m_root / "taken");
        QVERIFY(writeFileAtomic(m_root / "taken/routing-table.json", "{}").has_value());
        openPage();
        createKey();
        fill(m_root / folder.toStdString());
        button("exportButton")->click();
        QTRY_VERIFY_WITH_TIMEOUT(outcome().contains(says), 20'000);
        QCOMPARE(*readFile(m_root / "taken/routing-table.json", 100), std::string("{}"));
        QCOMPARE(m_page->findChild<QCheckBox*>(QStringLiteral("exportReplace"))->isVisibleTo(m_page.get()), folder == QStringLiteral("taken"));
    }

    void anotherTableIsReplacedOnlyWhenAllowed() {
        QVERIFY(writeFileAtomic(m_root / "out/routing-table.json", "{}").has_value());
        openPage();
        createKey();
        fill(m_root / "out");
        button("exportButton")->click();
        auto* replace = m_page->findChild<QCheckBox*>(QStringLiteral("exportReplace"));
        QTRY_VERIFY_WITH_TIMEOUT(replace->isVisibleTo(m_page.get()), 20'000);
        replace->setChecked(true);
        button("exportButton")->click();
        QTRY_VERIFY_WITH_TIMEOUT(fs::exists(m_root / "out/routing-table.json.minisig"), 20'000);
        QVERIFY(*readFile(m_root / "out/routing-table.json", 1 << 20) != "{}");
    }

    void tableChangedSinceItWasShownIsRefused() {
        const auto key = createSigningKey(m_root / "keys", "k", "p", "Mara Holt");
        QVERIFY(key.has_value());
        const auto result = exportTable({.tableFile = m_root / "workspace/routing-table.json", .expectedSha256 = std::string(64, '0'), .folder = m_root / "out",
                                         .key = key->files, .password = "p", .signer = "s", .policyVersion = {}, .at = format::now()});
        QVERIFY(!result.has_value());
        QCOMPARE(result.error().kind, ErrorKind::conflict);
        QVERIFY(fs::is_empty(m_root / "out"));
    }

    void calledOffWritesNothing() {
        openPage();
        createKey();
        fill(m_root / "out");
        button("exportButton")->click();
        QVERIFY(button("exportCancel")->isVisibleTo(m_page.get()));
        button("exportCancel")->click();
        QVERIFY(!button("exportCancel")->isVisibleTo(m_page.get()));
        QVERIFY(button("exportButton")->isEnabled());
        QVERIFY(!outcome().contains(QStringLiteral("refused")));
        // The next one is not disturbed by it, and comes after it: the derivation has run out then.
        fs::create_directory(m_root / "next");
        line("exportFolder")->setText(QString::fromStdString((m_root / "next").string()));
        button("exportButton")->click();
        QTRY_VERIFY_WITH_TIMEOUT(fs::exists(m_root / "next/routing-table.json.minisig"), 20'000);
        QVERIFY(fs::is_empty(m_root / "out"));
        QTRY_VERIFY(outcome().contains(QStringLiteral("Signed by")));
        QVERIFY(!outcome().contains(QStringLiteral("refused")));
    }

    void whatWaitsBehindACalledOffKeySaysSo() {
        openPage();
        createKey();
        fill(m_root / "out");
        std::promise<void> release;
        const auto slow = [released = release.get_future().share()] { return released.wait(), true; };  // as a key that takes 3 seconds
        m_page->findChild<LoneWorker*>()->run(this, slow, [](bool) {});
        button("exportButton")->click();
        QVERIFY2(remark().startsWith(QStringLiteral("What was called off runs out first")), qPrintable(remark()));
        release.set_value();
        QTRY_VERIFY_WITH_TIMEOUT(fs::exists(m_root / "out/routing-table.json.minisig"), 20'000);
    }

    /// Coming back to the page lists the keys again, which judges the form anew.
    void whoeverComesBackStillReadsWhatIsUnderWay() {
        openPage();
        createKey();
        fill(m_root / "out");
        std::promise<void> release;
        const auto slow = [released = release.get_future().share()] { return released.wait(), true; };
        m_page->findChild<LoneWorker*>()->run(this, slow, [](bool) {});
        button("exportButton")->click();
        const QString told = remark();
        m_page->hide();
        QSignalSpy listed(combo()->model(), &QAbstractItemModel::rowsInserted);
        m_page->show();
        QVERIFY(!listed.isEmpty() || listed.wait());
        QVERIFY(!told.isEmpty());
        QCOMPARE(remark(), told);
        QVERIFY(!combo()->isEnabled());  // the key that is being unlocked stays the one that is shown
        release.set_value();
        QTRY_VERIFY_WITH_TIMEOUT(fs::exists(m_root / "out/routing-table.json.minisig"), 20'000);
    }

    /// Other work of the console, the end of the program included, never waits for a key, nor a key for it.
    void aKeyHasAThreadOfItsOwn() {
        openPage();
        createKey();
        fill(m_root / "out");
        auto* pool = QThreadPool::globalInstance();
        QVERIFY(pool->waitForDone(20'000));
        std::promise<void> release;
        const auto released = release.get_future().share();
        for (int i = 0; i < pool->maxThreadCount(); ++i) pool->start([released] { released.wait(); });
        button("exportButton")->click();
        QTRY_VERIFY_WITH_TIMEOUT(fs::exists(m_root / "out/routing-table.json.minisig"), 10'000);
        release.set_value();
        QVERIFY(pool->waitForDone(20'000));
    }

    void whatWasCalledOffWhileItWaitedNeverBegins() {
        const auto gate = std::make_shared<WriteGate>();
        QVERIFY(gate->callOff());
        // There is neither a table nor a key: whoever looked for one would say that.
        const fs::path none = m_root / "none";
        const auto exported = exportTable({.tableFile = none, .expectedSha256 = {}, .folder = m_root / "out", .key = {none},
                                           .password = {}, .signer = {}, .policyVersion = {}, .at = format::now(), .gate = gate});
        QVERIFY(!exported && exported.error().kind == ErrorKind::cancelled);
        const auto made = createSigningKey(m_root / "keys", "..", "p", "Mara Holt", gate);
        QVERIFY(!made && made.error().kind == ErrorKind::cancelled);
        QVERIFY(!fs::exists(m_root / "keys"));
    }

    void leavingWhileItSignsWritesNothing() {
        openPage();
        createKey();
        fill(m_root / "out");
        QTRY_COMPARE(ownThreads(), m_threads);
        button("exportButton")->click();
        m_page.reset();
        QTRY_COMPARE_WITH_TIMEOUT(ownThreads(), m_threads, 20'000);  // the derivation has run out
        QVERIFY(fs::is_empty(m_root / "out"));
    }

    void whoeverComesFirstAtTheGateWins() {
        WriteGate calledOff;
        QVERIFY(calledOff.callOff());
        QVERIFY(!calledOff.pass());
        WriteGate writing;
        QVERIFY(writing.pass());
        QVERIFY(!writing.callOff());
    }

    void unsavedDraftIsNotExported() {
        openPage();
        QVERIFY(m_harness->document.forkTable());
        createKey();
        fill(m_root / "out");
        button("exportButton")->click();
        QTRY_VERIFY(outcome().contains(QStringLiteral("not saved")));
        QVERIFY(fs::is_empty(m_root / "out"));
    }

    void keyIsNeverOverwritten() {
        QVERIFY(createSigningKey(m_root / "keys", "mine", "p", "Mara").has_value());
        const auto before = *readFile(m_root / "keys/mine", 10'000);
        const auto again = createSigningKey(m_root / "keys", "mine", "p", "Mara");
        QVERIFY(!again.has_value());
        QCOMPARE(again.error().kind, ErrorKind::conflict);
        QCOMPARE(*readFile(m_root / "keys/mine", 10'000), before);
        QVERIFY(!createSigningKey(m_root / "keys", "../mine2", "p", "Mara").has_value());
    }

    void keyFileThatIsNoneIsNamed() {
        QVERIFY(createSigningKey(m_root / "keys", "mine", "p", "Mara").has_value());
        QVERIFY(writeFileAtomic(m_root / "keys/mine", "not a key\n").has_value());
        openPage();
        QTRY_COMPARE(combo()->count(), 1);
        line("exportPassword")->setText(kPassword);
        fillRest(m_root / "out");
        button("exportButton")->click();
        QTRY_VERIFY_WITH_TIMEOUT(outcome().contains(QStringLiteral("keys/mine")), 20'000);
        QVERIFY(fs::is_empty(m_root / "out"));
    }

    void publicKeysAloneCannotSign() {
        const auto key = createSigningKey(m_root / "keys", "theirs", "p", "Mara");
        QVERIFY(key.has_value());
        fs::remove(m_root / "keys/theirs");
        openPage();
        QTest::qWait(50);
        QCOMPARE(combo()->count(), 0);
        QVERIFY(!button("exportButton")->isEnabled());
    }

    void withoutATableItTeaches() {
        m_page = std::make_unique<ExportPage>(m_harness->context());
        m_page->resize(900, 700);
        m_page->show();
        bool teaches = false;
        for (const auto* label : m_page->findChildren<QLabel*>()) teaches |= label->isVisible() && label->text() == QStringLiteral("No routing table is open");
        QVERIFY(teaches);
    }

private:
    void openPage() {
        m_page = std::make_unique<ExportPage>(m_harness->context());
        m_page->resize(1100, 800);
        m_page->show();
        QVERIFY(m_harness->open(QString::fromStdString((m_root / "workspace").string())));
    }
    void createKey() {
        button("newKeyButton")->click();
        line("newKeyName")->setText(QStringLiteral("tester"));
        line("newKeyPassword")->setText(kPassword);
        QVERIFY(!button("newKeyCreate")->isEnabled());  // typed once only
        line("newKeyAgain")->setText(kPassword);
        line("exportSigner")->setText(QStringLiteral("Mara Holt"));
        button("newKeyCreate")->click();
        QTRY_COMPARE_WITH_TIMEOUT(combo()->count(), 1, 20'000);
    }
    void fillRest(const fs::path& folder) {
        line("exportFolder")->setText(QString::fromStdString(folder.string()));
        line("exportSigner")->setText(QStringLiteral("Mara Holt"));
    }
    void fill(const fs::path& folder) {
        QVERIFY(!button("exportButton")->isEnabled());
        fillRest(folder);
        line("exportPassword")->setText(kPassword);
        QVERIFY(button("exportButton")->isEnabled());
    }
    /// Threads of this program that are of no pool: those have a name of their own.
    static int ownThreads() {
        const auto nameIn = [](const QString& folder) {
            QFile file(folder + QStringLiteral("/comm"));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("ended meanwhile");
        };
        const QDir tasks(QStringLiteral("/proc/self/task"));
        const QStringList threads = tasks.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        const auto isOwn = [&](const QString& thread) { return nameIn(tasks.filePath(thread)) == nameIn(QStringLiteral("/proc/self")); };
        return static_cast<int>(std::count_if(threads.begin(), threads.end(), isOwn));
    }
    /// What stands above the buttons.
    [[nodiscard]] QString remark() const {
        const auto* form = m_page->findChild<SigningForm*>();
        QStringList texts;
        for (const auto* label : form->findChildren<QLabel*>())
            if (label->text().contains(QStringLiteral("called off"))) texts << label->text();
        return texts.value(0);
    }
    [[nodiscard]] QLineEdit* line(const char* name) const { return m_page->findChild<QLineEdit*>(QLatin1String(name)); }
    [[nodiscard]] QPushButton* button(const char* name) const { return m_page->findChild<QPushButton*>(QLatin1String(name)); }
    [[nodiscard]] QComboBox* combo() const { return m_page->findChild<QComboBox*>(QStringLiteral("exportKey")); }
    [[nodiscard]] QString outcome() const {
        QStringList texts;
        const auto* shown = m_page->findChild<QWidget*>(QStringLiteral("exportOutcome"));
        for (const auto* label : shown->findChildren<QLabel*>()) texts << label->text();
        for (const auto* child : shown->findChildren<QWidget*>()) texts << child->toolTip() << child->accessibleName();
        return texts.join(QLatin1Char('\n'));
    }
    [[nodiscard]] QStringList commands() const {
        QStringList texts;
        for (const auto* field : m_page->findChildren<CopyField*>()) texts << field->value();
        return texts;
    }

    std::unique_ptr<test::PageHarness> m_harness;
    fs::path m_root;
    int m_threads = 0;  ///< before the first page
    std::unique_ptr<ExportPage> m_page;
};

QTEST_MAIN(ExportPageTest)
#include "tst_export_page.moc"
