// SPDX-License-Identifier: MIT
#include "tests/support/console_fixture.h"
#include "ui/pages/start_here.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/inspector.h"
#include "ui/shell/navigation.h"
#include "ui/shell/status_line.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"
#include "ui/widgets/error_banner.h"
#include "ui/widgets/lamp.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
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
            else QTest::keyClick(&window(), Qt::Key_E, ids.at(i) == QStringLiteral("events") ? Qt::ControlModifier | Qt::ShiftModifier : Qt::ControlModifier);  // these have keys of their own
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

    // By what is done there, and a team by its name.
    void paletteFindsWhatIsCalledOtherwise() {
        auto* palette = window().findChild<CommandPalette*>();
        auto* input = palette->findChild<QLineEdit*>();
        const auto* list = palette->findChild<QListWidget*>();
        QTest::keyClick(&window(), Qt::Key_K, Qt::ControlModifier);
        input->setText(QStringLiteral("drain"));
        QVERIFY(list->count() > 0);
        QCOMPARE(list->item(0)->text(), QStringLiteral("Endpoints"));
        QVERIFY2(list->item(0)->data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("drain an endpoint")), "nobody knows why it stands there");
        for (const char* typed : {"cost", "team", "replay", "event", "audit", "mark"}) {
            input->setText(QString::fromLatin1(typed));
            QVERIFY2(list->count() > 0, typed);
        }
        QTest::keyClick(input, Qt::Key_Escape);
        window().go(QStringLiteral("history"));
        const auto knowsTheTeam = [this] {
            for (const auto& findable : window().currentPage()->findables())
                if (findable.label == QStringLiteral("Requests of team support-bot")) return true;
            return false;
        };
        QTRY_VERIFY(knowsTheTeam());
        QTest::keyClick(&window(), Qt::Key_K, Qt::ControlModifier);
        input->setText(QStringLiteral("support-bot"));
        QTest::keyClick(input, Qt::Key_Return);
        QCOMPARE(window().currentPage()->id(), QStringLiteral("history"));
        QCOMPARE(window().currentPage()->state().value(QStringLiteral("team")).toString(), QStringLiteral("support-bot"));
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
        window().resize(1440, 900);
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
        window().resize(1440, 900);
        auto* inspector = window().findChild<Inspector*>();
        window().go(QStringLiteral("overview"), {{QStringLiteral("cause"), QStringLiteral("evidence")}});
        QVERIFY(!inspector->isEmpty());
        window().go(QStringLiteral("presets"));
        QVERIFY(inspector->isVisible() && inspector->isEmpty());
        window().goBack();
        QVERIFY(!inspector->isEmpty());
    }

    void aSmallWindowShowsNoEmptyInspector() {
        window().resize(1000, 650);
        auto* inspector = window().findChild<Inspector*>();
        const auto* message = window().findChild<QLabel*>(QStringLiteral("statusMessage"));
        QTest::keyClick(&window(), Qt::Key_F4);
        QVERIFY(!inspector->isVisible());
        QVERIFY2(message->text().contains(QStringLiteral("Nothing is selected")), qPrintable(message->text()));
        window().resize(1440, 900);
        QVERIFY(inspector->isVisible());
    }

    void inASmallWindowTheNavigationGivesItsRoomToTheInspector() {
        window().resize(1000, 650);
        auto* inspector = window().findChild<Inspector*>();
        auto* navigation = window().findChild<Navigation*>();
        const auto* button = window().findChild<QWidget*>(QStringLiteral("navigation.history"));
        const int before = navigation->width();
        const int pageAlone = window().currentPage()->width();
        QVERIFY(!navigation->isFolded());
        window().go(QStringLiteral("overview"), {{QStringLiteral("cause"), QStringLiteral("evidence")}});
        QVERIFY(inspector->isVisible());
        QVERIFY(navigation->isFolded());
        QTRY_VERIFY(navigation->width() < 80);
        QVERIFY2(window().currentPage()->width() >= 580, qPrintable(QString::number(window().currentPage()->width())));
        QCOMPARE(button->accessibleName(), QStringLiteral("History"));
        QVERIFY2(button->toolTip().contains(QStringLiteral("History")), qPrintable(button->toolTip()));
        QTest::keyClick(&window(), Qt::Key_F4);
        QVERIFY(!navigation->isFolded());
        QTRY_COMPARE(navigation->width(), before);
        QCOMPARE(window().currentPage()->width(), pageAlone);
        QTest::keyClick(&window(), Qt::Key_F4);
        window().resize(1440, 900);
        QVERIFY(!navigation->isFolded());
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

    // The tables of Endpoints have windows of their own, and the Gateway page shows nothing of a range.
    void theRangeSaysWhatItIsOf() {
        auto* button = window().findChild<QToolButton*>(QStringLiteral("timeRange"));
        window().findChild<ViewState*>()->setLive(std::chrono::hours(24));
        window().go(QStringLiteral("history"));
        QCOMPARE(button->text(), QStringLiteral("Live: last 24 h"));
        window().go(QStringLiteral("endpoints"));
        QVERIFY(button->isVisible());
        QCOMPARE(button->text(), QStringLiteral("Circuit history: last 24 h"));
        QCOMPARE(button->accessibleName(), QStringLiteral("Time range: Circuit history: last 24 h"));
        const Timestamp from(std::chrono::hours(12));
        window().findChild<ViewState*>()->setRange({from, from + std::chrono::minutes(1)});
        QVERIFY2(button->text().startsWith(QStringLiteral("Circuit history: ")), qPrintable(button->text()));
        for (const char* without : {"gateway", "access", "simulator", "export"}) {
            window().go(QString::fromLatin1(without));
            QVERIFY2(!button->isVisible(), without);
        }
        window().go(QStringLiteral("overview"));
        QVERIFY(button->isVisible());
        window().findChild<ViewState*>()->setLive(std::chrono::hours(24));
    }

    void theHelpMenuBringsTheFirstStepsBack() {
        auto* start = window().findChild<StartHere*>();
        QVERIFY(start != nullptr && !start->isShown());
        window().go(QStringLiteral("history"));
        auto* action = window().findChild<QAction*>(QStringLiteral("help.start"));
        QVERIFY(action != nullptr);
        action->trigger();
        QCOMPARE(window().currentPage()->id(), QStringLiteral("overview"));
        auto* step = window().findChild<QPushButton*>(QStringLiteral("start.serving"));
        QVERIFY(step != nullptr && step->isVisible());
        QVERIFY2(QApplication::focusWidget() != nullptr && QApplication::focusWidget()->objectName().startsWith(QStringLiteral("start.")), "the focus is elsewhere");
        step->click();
        QCOMPARE(window().currentPage()->id(), QStringLiteral("endpoints"));
        QVERIFY(start->isDone(StartHere::Step::serving));
        start->setShown(false);
        QVERIFY(!m_console->settings->startShown());
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
        auto* answer = qobject_cast<QPushButton*>(QApplication::focusWidget());
        QVERIFY(answer != nullptr);
        QCOMPARE(answer->text(), QStringLiteral("Stop it"));
        QCOMPARE(lamp->tone(), Tone::clear);
        answer->click();
        QTRY_COMPARE(lamp->tone(), Tone::idle);
    }

    // Wherever the focus is, unless somebody there wants Escape.
    void escapePutsAMessageAway() {
        window().complain({ErrorKind::conflict, "the port is taken", "127.0.0.1:38082", "Stop the other gateway."});
        auto* banner = window().findChild<ErrorBanner*>();
        QVERIFY(banner->isVisible());
        auto* elsewhere = window().findChild<QWidget*>(QStringLiteral("navigation.history"));
        elsewhere->setFocus();
        QTest::keyClick(elsewhere, Qt::Key_Escape);
        QVERIFY(!banner->isVisible());
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
