// SPDX-License-Identifier: MIT
#include "tests/support/console_fixture.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/inspector.h"
#include "ui/shell/status_line.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"
#include "ui/widgets/error_banner.h"
#include "ui/widgets/lamp.h"

#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QTest>
#include <QTextDocument>
#include <QToolButton>

using namespace signalbox;
using namespace signalbox::ui;

class MainWindowTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_console = std::make_unique<test::ConsoleFixture>(test::ConsoleFixture::Gateway::stopped);
        QVERIFY2(m_console->isReady(), qPrintable(m_console->why));
        window().show();
        window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window()));
    }
    void cleanup() { m_console.reset(); }

    void everyPageHasItsQuestionItsKeyAndItsWayBack() {
        const QStringList ids = window().pageIds();
        for (qsizetype i = 0; i < ids.size(); ++i) {
            if (i < 10) QTest::keyClick(&window(), Qt::Key(Qt::Key_0 + (i + 1) % 10), Qt::ControlModifier);  // the tenth is Ctrl+0
            else QTest::keyClick(&window(), Qt::Key_E, Qt::ControlModifier);  // export has a key of its own
            QCOMPARE(window().currentPage()->id(), ids.at(i));
            QCOMPARE(window().findChild<QLabel*>(QStringLiteral("pageQuestion"))->text(), window().currentPage()->question());
        }
        QTest::keyClick(&window(), Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(window().currentPage()->id(), ids.at(ids.size() - 2));
        QTest::keyClick(&window(), Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(window().currentPage()->id(), ids.last());
    }

    void theStatusLineShowsNamesAsTheyAreWritten() {
        const QString name = QStringLiteral("<img src='/x'><h1>All clear</h1>");
        window().findChild<StatusLine*>()->say(name);
        const auto* message = window().findChild<QLabel*>(QStringLiteral("statusMessage"));
        QCOMPARE(message->text(), name);
        QCOMPARE(message->textFormat(), Qt::PlainText);
        QCOMPARE(message->toolTip(), Qt::convertFromPlainText(name));
    }

    void paletteFindsAPageByKeyboardAlone() {
        QTest::keyClick(&window(), Qt::Key_K, Qt::ControlModifier);
        auto* palette = window().findChild<CommandPalette*>();
        QVERIFY(palette->isVisible());
        auto* input = palette->findChild<QLineEdit*>();
        QTest::keyClicks(input, QStringLiteral("gateway"));
        QTest::keyClick(input, Qt::Key_Return);
        QVERIFY(!palette->isVisible());
        QCOMPARE(window().currentPage()->id(), QStringLiteral("gateway"));
    }

    void paletteKnowsDecisionIdsAndSaysWhenItKnowsNothing() {
        QTest::keyClick(&window(), Qt::Key_K, Qt::ControlModifier);
        auto* palette = window().findChild<CommandPalette*>();
        auto* input = palette->findChild<QLineEdit*>();
        auto* list = palette->findChild<QListWidget*>();
        input->setText(QStringLiteral("rtd_0123456789abcdef0123456789abcdef"));
        QCOMPARE(list->count(), 1);
        input->setText(QStringLiteral("zzzz-no-such-thing"));
        QVERIFY(!list->isVisible());
        QTest::keyClick(input, Qt::Key_Escape);
        QVERIFY(!palette->isVisible());
    }

    void inspectorFoldsWithF4AndOpensWithContent() {
        auto* inspector = window().findChild<Inspector*>();
        QVERIFY(!inspector->isVisible());
        QTest::keyClick(&window(), Qt::Key_F4);
        QVERIFY(inspector->isVisible());
        QTest::keyClick(&window(), Qt::Key_F4);
        QVERIFY(!inspector->isVisible());
        window().go(QStringLiteral("overview"), {{QStringLiteral("cause"), QStringLiteral("evidence")}});
        QVERIFY(inspector->isVisible());
        QVERIFY(!inspector->isEmpty());
    }

    void inspectorBelongsToItsPageAndComesBackWithIt() {
        auto* inspector = window().findChild<Inspector*>();
        window().go(QStringLiteral("overview"), {{QStringLiteral("cause"), QStringLiteral("evidence")}});
        QVERIFY(!inspector->isEmpty());
        window().go(QStringLiteral("presets"));
        QVERIFY(inspector->isVisible() && inspector->isEmpty());
        window().goBack();
        QVERIFY(!inspector->isEmpty());
    }

    void rangeIsPartOfTheWayBack() {
        auto* range = window().findChild<ViewState*>();
        window().go(QStringLiteral("overview"));
        range->setLive(std::chrono::hours(1));
        window().go(QStringLiteral("history"));
        const evidence::TimeRange brushed{Timestamp(std::chrono::hours(1)), Timestamp(std::chrono::hours(2))};
        range->setRange(brushed);
        window().goBack();
        QVERIFY(range->isLive());
        QVERIFY(range->span() == std::chrono::hours(1));
        window().goForward();
        QVERIFY(!range->isLive() && range->range() == brushed);
    }

    void aRangeOverDaysNamesTheDayThatItEndsOn() {
        auto* button = window().findChild<QToolButton*>(QStringLiteral("timeRange"));
        const Timestamp from(std::chrono::hours(12)), to = from + std::chrono::hours(49);
        window().findChild<ViewState*>()->setRange({from, to});
        QCOMPARE(button->text(), QStringLiteral("%1 to %2").arg(format::dateTime(from), format::dateTime(to)));
        window().findChild<ViewState*>()->setRange({from, from + std::chrono::minutes(1)});
        QCOMPARE(button->text(), QStringLiteral("%1 to %2").arg(format::dateTime(from), format::clockTime(from + std::chrono::minutes(1))));
    }

    void startAndStopFromTheMenuMoveTheLamp() {
        auto* lamp = window().findChild<Lamp*>(QStringLiteral("lamp.gateway"));
        QCOMPARE(lamp->tone(), Tone::idle);
        m_console->gateway->startAction()->trigger();
        QTRY_COMPARE(lamp->tone(), Tone::clear);
        QVERIFY(lamp->text().contains(QStringLiteral("127.0.0.1:38082")));
        QVERIFY(!m_console->gateway->startAction()->isEnabled());
        QTRY_VERIFY(m_console->gateway->stopAction()->isEnabled());
        m_console->gateway->stopAction()->trigger();
        QTRY_COMPARE(lamp->tone(), Tone::idle);
    }

    void failedStartIsSaidPlainlyWithWhatToDo() {
        m_console->target->failNext({ErrorKind::conflict, "the port is taken", "127.0.0.1:38082", "Stop the other gateway."});
        m_console->gateway->startAction()->trigger();
        auto* banner = window().findChild<ErrorBanner*>();
        QTRY_VERIFY(banner->isVisible());
        QCOMPARE(banner->error().hint, std::string("Stop the other gateway."));
        QTRY_COMPARE(window().findChild<Lamp*>(QStringLiteral("lamp.gateway"))->tone(), Tone::danger);
    }

    void badFileIsSaidAndWhatWasOpenStays() {
        const auto before = m_console->document->workspace();
        window().openPath(QStringLiteral("/no/such/table.json"));
        QTRY_VERIFY(window().findChild<ErrorBanner*>()->isVisible());
        QCOMPARE(m_console->document->workspace(), before);
    }

    void droppedTableOpensWhereverItFalls() {
        QTemporaryDir folder;
        const QString table = folder.filePath(QStringLiteral("dropped.json"));
        QVERIFY(QFile::copy(QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo/routing-table.json"), table));
        window().go(QStringLiteral("gateway"));
        auto* onto = window().currentPage()->findChild<QLineEdit*>();
        QVERIFY(onto != nullptr);
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(table)});
        QDragEnterEvent enter(QPoint(4, 4), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(onto, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(4, 4), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(onto, &drop);
        QTRY_COMPARE(m_console->document->title(), QStringLiteral("dropped.json"));
    }

    void liveDecisionsAppearWithinASecond() {
        window().go(QStringLiteral("gateway"));
        evidence::DecisionRecord record = m_console->records->back();
        record.requestedModel = "the-newest-one";
        m_console->target->decide(record);
        auto* view = window().currentPage()->findChild<QAbstractItemView*>(QStringLiteral("liveDecisions"));
        QVERIFY(view != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(view->model()->rowCount() > 0 && view->model()->index(0, 1).data().toString() == QLatin1String("the-newest-one"), 1000);
    }

    void themeChoiceIsAppliedAndRemembered() {
        for (QAction* action : window().actions())
            if (action->objectName() == QLatin1String("view.theme.dark")) action->trigger();
        QCOMPARE(Theme::instance().scheme(), Scheme::dark);
        QCOMPARE(m_console->settings->theme(), ThemeChoice::dark);
    }

private:
    MainWindow& window() { return *m_console->window; }
    std::unique_ptr<test::ConsoleFixture> m_console;
};

QTEST_MAIN(MainWindowTest)
#include "tst_main_window.moc"
