// SPDX-License-Identifier: MIT
// Another workspace than the console's own is met with the way to a console of its own, and nowhere taken for what runs.
#include "tests/support/console_fixture.h"
#include "ui/shell/workspace_button.h"
#include "ui/widgets/error_banner.h"
#include "ui/widgets/lamp.h"
#include "ui/widgets/tone_label.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace signalbox;
using namespace signalbox::ui;

class GuestWorkspaceTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_console = std::make_unique<test::ConsoleFixture>();
        QVERIFY2(m_console->isReady(), qPrintable(m_console->why));
        m_opened.clear();
        m_console->gateway->setHome(SIGNALBOX_SOURCE_DIR "/resources/demo", [this](const QString& path) {
            m_opened << path;
            return Result<void>();
        });
        window().show();
        window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window()));
        const QString prod = m_folder.filePath(QStringLiteral("prod"));
        QDir().mkpath(prod);
        for (const char* name : {"/gateway.toml", "/routing-table.json"}) QFile::copy(QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo") + QLatin1String(name), prod + QLatin1String(name));
    }
    void cleanup() { m_console.reset(); }

    void itIsMetWithTheWayToItsOwnConsole() {
        openProd();
        QVERIFY(banner()->isVisible());
        QVERIFY2(banner()->accessibleDescription().contains(QStringLiteral("started on demo")), qPrintable(banner()->accessibleDescription()));
        QVERIFY(bannerButton() != nullptr);
        QCOMPARE(bannerButton()->text(), QStringLiteral("Open prod in a console of its own"));
        QVERIFY(!bannerButton()->hasFocus());  // opening asks for no answer
        bannerButton()->click();
        QCOMPARE(m_opened, QStringList{m_folder.filePath(QStringLiteral("prod"))});
    }

    void aNewWorkspaceIsMadeAndOpenedAndNothingIsWrittenOver() {
        auto* button = window().findChild<WorkspaceButton*>();
        const QString fresh = m_folder.filePath(QStringLiteral("fresh"));
        button->makeWorkspaceIn(fresh);
        QTRY_COMPARE(m_console->document->folder(), fresh);
        QTRY_VERIFY(m_console->document->workspace() && m_console->document->workspace()->snapshot != nullptr);
        QVERIFY(QFile::exists(fresh + QStringLiteral("/gateway.toml")) && QFile::exists(fresh + QStringLiteral("/routing-table.json")));
        QTRY_VERIFY(bannerButton() != nullptr && bannerButton()->text() == QStringLiteral("Open fresh in a console of its own"));
        button->makeWorkspaceIn(m_folder.filePath(QStringLiteral("prod")));
        QTRY_VERIFY2(banner()->accessibleDescription().contains(QStringLiteral("is a workspace already")), qPrintable(banner()->accessibleDescription()));
        QCOMPARE(m_console->document->folder(), fresh);
    }

    void oneMeetingIsEnough() {
        openProd();
        banner()->dismiss();
        QSignalSpy loading(m_console->document.get(), &PolicyDocument::loadingChanged);
        m_console->document->reload();
        QTRY_COMPARE(loading.count(), 2);
        QVERIFY(!banner()->isVisible());
    }

    void itsQuestionEndsAtHome() {
        openProd();
        window().openPath(QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo"));
        QTRY_VERIFY(m_console->gateway->home().guest().isEmpty());
        QVERIFY(!banner()->isVisible());
        QCOMPARE(draftLamp()->text(), QStringLiteral("draft runs"));
        QVERIFY(!whose()->isVisible());
    }

    void nothingTakesItForWhatRuns() {
        openProd();
        QCOMPARE(draftLamp()->text(), QStringLiteral("not of this console"));
        window().go(QStringLiteral("overview"));
        const auto labels = window().page(QStringLiteral("overview"))->findChildren<ToneLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const ToneLabel* label) { return label->text() == QStringLiteral("does not run"); }));
        QVERIFY(whose()->isVisible());
        QVERIFY2(whose()->text().startsWith(QStringLiteral("prod is open.")) && whose()->text().contains(QStringLiteral("are of demo")), qPrintable(whose()->text()));
    }

    void pagesThatReadRecordsSayWhose() {
        const QStringList pages{QStringLiteral("history"), QStringLiteral("shadow"), QStringLiteral("rules"), QStringLiteral("presets"), QStringLiteral("groups")};
        const auto saying = [this](const QString& page) {  // what stands there; nothing when nothing is shown
            window().go(page);
            const auto* label = window().page(page)->findChild<ToneLabel*>(QStringLiteral("whoseRecords"));
            return label != nullptr && label->isVisible() ? label->text() : QString();
        };
        openProd();
        for (const QString& page : pages)
            QVERIFY2(saying(page).startsWith(QStringLiteral("prod is open.")) && saying(page).contains(QStringLiteral("are of demo")), qPrintable(page));
        window().openPath(QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo"));
        QTRY_VERIFY(m_console->gateway->home().guest().isEmpty());
        for (const QString& page : pages) QVERIFY2(saying(page).isEmpty(), qPrintable(page));
    }

    void startAsksAndIsAnsweredByKeyboard() {
        QVERIFY(m_console->target->stop(std::chrono::milliseconds(0)));
        openProd();
        banner()->dismiss();
        QTRY_VERIFY(m_console->gateway->startAction()->isEnabled());
        m_console->gateway->startAction()->trigger();
        QVERIFY(banner()->isVisible() && bannerButton() != nullptr && bannerButton()->hasFocus());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
        QCOMPARE(m_opened.size(), 1);
        QVERIFY(m_console->target->status().state == engine::GatewayState::stopped);
    }

private:
    MainWindow& window() { return *m_console->window; }
    ErrorBanner* banner() { return window().findChild<ErrorBanner*>(); }
    Lamp* draftLamp() { return window().findChild<Lamp*>(QStringLiteral("lamp.draft")); }
    ToneLabel* whose() { return window().page(QStringLiteral("overview"))->findChild<ToneLabel*>(QStringLiteral("overview.whose")); }
    QPushButton* bannerButton() {
        for (auto* one : banner()->findChildren<QPushButton*>())
            if (one->isVisible()) return one;
        return nullptr;
    }
    void openProd() {
        window().openPath(m_folder.filePath(QStringLiteral("prod")));
        QTRY_VERIFY(!m_console->gateway->home().guest().isEmpty());
    }

    QTemporaryDir m_folder;
    std::unique_ptr<test::ConsoleFixture> m_console;
    QStringList m_opened;
};

QTEST_MAIN(GuestWorkspaceTest)
#include "tst_guest_workspace.moc"
