// SPDX-License-Identifier: MIT
#include "tests/support/page_harness.h"

#include "router/table/edit.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/pages/overview/start_card.h"
#include "ui/settings/settings.h"
#include "ui/widgets/receipt/receipt_view.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace signalbox;
using namespace signalbox::ui;

using Step = StartHere::Step;

/// The first steps of somebody who has never seen the console.
class StartCardTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_harness = std::make_unique<test::PageHarness>();
        m_settings = std::make_unique<Settings>(m_harness->folder.filePath(QStringLiteral("console.ini")));
    }
    void cleanup() {
        m_page.reset();
        m_start.reset();
        m_settings.reset();
        m_harness.reset();
    }

    void itIsShownAtTheFirstStartOnly() {
        begin();
        QVERIFY(card()->isVisible());
        begin();  // not put away
        QVERIFY(card()->isVisible());
    }

    void whoKnowsTheConsoleIsNotMet() {
        m_settings->setLastPage(QStringLiteral("history"));
        begin();
        QVERIFY(!card()->isVisible());
    }

    void withoutFirstStepsThereIsNoCard() {
        m_page = std::make_unique<OverviewPage>(m_harness->context());
        m_page->show();
        QVERIFY(card() == nullptr);
        m_page->open({{QStringLiteral("cause"), QStringLiteral("start")}});
    }

    void everyStepLeadsThere_data() {
        QTest::addColumn<int>("step");
        QTest::addColumn<QString>("page");
        QTest::newRow("serving") << static_cast<int>(Step::serving) << QStringLiteral("endpoints");
        QTest::newRow("receipt") << static_cast<int>(Step::receipt) << QStringLiteral("history");
        QTest::newRow("change") << static_cast<int>(Step::change) << QStringLiteral("rules");
        QTest::newRow("request") << static_cast<int>(Step::request) << QStringLiteral("gateway");
    }
    void everyStepLeadsThere() {
        QFETCH(int, step);
        QFETCH(QString, page);
        begin();
        QPushButton* link = button(static_cast<Step>(step));
        QVERIFY(link != nullptr && link->focusPolicy() == Qt::StrongFocus);
        QCOMPARE(link->accessibleName(), link->text());
        QVERIFY(!link->accessibleDescription().isEmpty());
        QTest::keyClick(link, Qt::Key_Space);
        QCOMPARE(m_harness->visits.back().first, page);
        QCOMPARE(m_start->doneCount(), 0);  // to be led there is not to have done it
    }

    void stepsAreTickedByWhateverWayTheyAreTaken() {
        begin();
        QVERIFY(m_harness->open(QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo")));
        m_start->seePage(QStringLiteral("history"));
        m_start->seePage(QStringLiteral("simulator"));  // with nothing changed
        const QWidget other;
        m_start->seeInspected(&other);
        m_start->seeInspected(nullptr);
        QCOMPARE(m_start->doneCount(), 0);
        m_start->seePage(QStringLiteral("endpoints"));
        QVERIFY(m_start->isDone(Step::serving));
        QCOMPARE(button(Step::serving)->accessibleName(), button(Step::serving)->text() + QStringLiteral(", done"));
        const ReceiptView receipt;
        m_start->seeInspected(&receipt);
        QVERIFY(m_start->isDone(Step::receipt));
        QVERIFY(m_harness->document.forkTable().has_value());
        button(Step::change)->click();  // to fork is to change no rule
        QCOMPARE(m_harness->visits.back().first, QStringLiteral("rules"));
        m_start->seePage(QStringLiteral("simulator"));
        QVERIFY(!m_start->isDone(Step::change));
        QVERIFY(m_harness->document.editTable(QStringLiteral("test"), [](std::string_view text) { return table::moveRule(text, 0, 1); }).has_value());
        button(Step::change)->click();  // half through it
        QCOMPARE(m_harness->visits.back().first, QStringLiteral("simulator"));
        m_start->seePage(QStringLiteral("simulator"));
        QVERIFY(m_start->isDone(Step::change));
        m_harness->target->decide({});
        QTRY_VERIFY(m_start->isDone(Step::request));
        QVERIFY(card()->isVisible());  // what was done stays to be seen
        begin();
        QVERIFY(!card()->isVisible());
        QCOMPARE(m_start->doneCount(), 4);
    }

    void whatWasDoneIsRemembered() {
        begin();
        m_start->seePage(QStringLiteral("endpoints"));
        begin();
        QVERIFY(m_start->isDone(Step::serving) && !m_start->isDone(Step::receipt));
    }

    void putAwayItStaysAwayUntilItIsWanted() {
        begin();
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
        auto* away = card()->findChild<QToolButton*>(QStringLiteral("start.away"));
        away->setFocus(Qt::TabFocusReason);
        QVERIFY(away->hasFocus());
        QTest::keyClick(away, Qt::Key_Space);
        QVERIFY(!card()->isVisible());
        const QWidget* next = QApplication::focusWidget();
        QVERIFY(next != nullptr && m_page->isAncestorOf(next) && next->isVisible() && !card()->isAncestorOf(next));
        QVERIFY2(m_harness->sayings.last().contains(QStringLiteral("Help menu")), qPrintable(m_harness->sayings.last()));
        begin();
        QVERIFY(!card()->isVisible());
        m_start->setShown(true);
        m_page->open({{QStringLiteral("cause"), QStringLiteral("start")}});
        QVERIFY(card()->isVisible());
        begin();
        QVERIFY(card()->isVisible());
    }

private:
    /// Another start of the console, with the settings of the last one.
    void begin() {
        m_page.reset();
        m_start = std::make_unique<StartHere>(m_settings.get(), &m_harness->bridge, &m_harness->document);
        PageContext context = m_harness->context();
        context.start = m_start.get();
        m_page = std::make_unique<OverviewPage>(context);
        m_page->resize(1000, 700);
        m_page->show();
    }
    [[nodiscard]] StartCard* card() const { return m_page->findChild<StartCard*>(); }
    [[nodiscard]] QPushButton* button(Step step) const { return m_page->findChild<QPushButton*>(QStringLiteral("start.") + StartHere::nameOf(step)); }

    std::unique_ptr<test::PageHarness> m_harness;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<StartHere> m_start;
    std::unique_ptr<OverviewPage> m_page;
};

QTEST_MAIN(StartCardTest)
#include "tst_start_card.moc"
