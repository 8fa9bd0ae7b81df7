// SPDX-License-Identifier: MIT
#include "tests/router/evidence/sample_events.h"
#include "tests/ui/pages/history/history_scene.h"
#include "ui/charts/event_layer.h"
#include "ui/pages/history/history_model.h"
#include "ui/widgets/receipt/receipt_view.h"

#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>

using namespace signalbox;
using namespace signalbox::ui;
using namespace std::chrono_literals;

class HistoryPageTest : public QObject, private test::HistoryScene {
    Q_OBJECT
private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    void showsChartSentenceAndNewestFirst() {
        QSignalSpy answers(m_page.get(), &Page::answerChanged);
        show();
        QTRY_VERIFY(m_chart->series().total() == 900);
        QTRY_VERIFY(!answers.isEmpty() && answers.last().at(0).toString().startsWith(QStringLiteral("900 requests in the last 1 h, 900 of them for the table: 100 % by a rule")));
        QCOMPARE(rowId(0), format::text(m_records->back().id.text()));
    }

    void theChartMarksWhatHappened() {
        evidence::Event before = test::sampleEvent(format::now() - 2h, 0), within = test::sampleEvent(format::now() - 300s, 1);
        m_harness->target->setEvents({before, within});
        show();
        QTRY_COMPARE(m_chart->events()->marks().size(), std::size_t{1});
        QVERIFY(m_chart->events()->events().events() == std::vector{within});
        m_harness->view.setRange({format::now() - 600s, format::now() - 400s});
        QTRY_VERIFY(m_chart->events()->events().isEmpty());
    }

    void scrollingToTheEndReadsTheNextPage() {
        show();
        QCOMPARE(rows(), static_cast<int>(HistoryPage::kPageRows));
        m_view->verticalScrollBar()->setValue(m_view->verticalScrollBar()->maximum());
        QTRY_COMPARE(rows(), 2 * static_cast<int>(HistoryPage::kPageRows));
    }

    void argumentsFilterAndChipsRemove() {
        m_page->open({{QStringLiteral("preset"), QStringLiteral("p2")}});
        show();
        QTRY_COMPARE(rows(), 200);
        QTRY_COMPARE(m_chart->series().total(), 900U);  // the others stay to be compared with
        QVERIFY(m_view->model()->index(5, 2).data().toString() == QStringLiteral("p2"));
        QCOMPARE(m_page->state().value(QStringLiteral("preset")).toString(), QStringLiteral("p2"));
        QPushButton* chip = nullptr;
        for (auto* button : m_page->findChildren<QPushButton*>())
            if (button->property("chip").toBool()) chip = button;
        QVERIFY(chip != nullptr && chip->text() == QStringLiteral("Preset: p2"));
        chip->click();
        QTRY_COMPARE(m_view->model()->index(0, 2).data().toString(), QStringLiteral("p1"));
        QVERIFY(!m_page->state().contains(QStringLiteral("preset")));
    }

    // Who answered and who was tried are two questions: a request that failed was answered by nobody.
    void endpointsOfTheRowsAndOfThePolicyCanBeChosen() {
        auto records = *m_records;
        for (std::size_t i = 0; i < records.size(); i += 2) {
            records[i].endpointId.clear();
            records[i].outcome = evidence::Outcome::failed;
            records[i].attempts = {{"gone:m", evidence::AttemptRole::primary, evidence::AttemptOutcome::failed, 503, "status_503", 1, {}, 40}};
        }
        m_harness->target->setHistory(std::make_shared<Records>(records));
        QVERIFY(m_harness->open(QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo")));
        show();
        const auto answered = choices(QStringLiteral("Endpoint that answered"));
        QVERIFY(named(answered, QStringLiteral("lab_a:gemma-4-26b")) != nullptr);         // of the rows
        QVERIFY(named(answered, QStringLiteral("deepseek:deepseek-v4-flash")) != nullptr);  // of the policy
        QAction* gone = named(choices(QStringLiteral("Endpoint that was tried")), QStringLiteral("gone:m"));
        QVERIFY(gone != nullptr);
        gone->trigger();
        QTRY_COMPARE(m_view->model()->index(0, HistoryModel::OutcomeColumn).data().toString(), QStringLiteral("failed"));
        QCOMPARE(m_page->state().value(QStringLiteral("attempted")).toString(), QStringLiteral("gone:m"));
        QVERIFY(named(choices(QStringLiteral("Endpoint that was tried")), QStringLiteral("gone:m"))->isChecked());
    }

    // Whose requests, and what they asked for: also what comes live.
    void teamsAndModelsCanBeChosen() {
        auto records = *m_records;
        for (std::size_t i = 0; i < records.size(); ++i) {
            records[i].team = i % 3 == 0 ? "support" : i % 3 == 1 ? "batch" : "";
            records[i].requestedModel = i % 2 == 0 ? "auto" : "gemma-4-26b";
        }
        m_harness->target->setHistory(std::make_shared<Records>(records));
        QVERIFY(m_harness->open(QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo")));
        show();
        QStringList teams;
        for (const QAction* action : choices(QStringLiteral("Team"))) teams << action->text();
        QCOMPARE(teams, (QStringList{QStringLiteral("batch"), QStringLiteral("support"), QString(), QStringLiteral("No team")}));
        named(choices(QStringLiteral("Team")), QStringLiteral("support"))->trigger();
        QTRY_COMPARE(m_view->model()->index(0, HistoryModel::Team).data().toString(), QStringLiteral("support"));
        QVERIFY(named(choices(QStringLiteral("Team")), QStringLiteral("support"))->isChecked());
        QAction* asked = named(choices(QStringLiteral("Model asked for")), QStringLiteral("auto"));
        QVERIFY(asked != nullptr);
        asked->trigger();
        QTRY_COMPARE(rows(), 150);  // each sixth of 900
        QTRY_COMPARE(m_chart->series().total(), 150U);
        const QAction* others = named(choices(QStringLiteral("Model asked for")), QStringLiteral("Other names of the policy"));
        QVERIFY(others != nullptr && named(others->menu()->actions(), QStringLiteral("deepseek-v4-flash")) != nullptr);
        QCOMPARE(m_page->state().value(QStringLiteral("team")).toString(), QStringLiteral("support"));
        QCOMPARE(m_page->state().value(QStringLiteral("model")).toString(), QStringLiteral("auto"));

        auto theirs = test::record(format::now(), m_random), ours = test::record(format::now(), m_random);
        theirs.team = "batch";
        ours.team = "support";
        theirs.requestedModel = ours.requestedModel = "auto";
        m_harness->target->decide(ours);
        m_harness->target->decide(theirs);
        QTRY_COMPARE(rowId(0), format::text(ours.id.text()));
        QTRY_COMPARE(m_harness->bridge.recent().size(), 2U);
        QCOMPARE(rows(), 151);
        QCOMPARE(rowOf(theirs.id), -1);
    }

    // Ctrl+K finds a team by its name.
    void theTeamsOfTheRowsAreFound() {
        auto records = *m_records;
        records.back().team = "support";
        m_harness->target->setHistory(std::make_shared<Records>(records));
        show();
        const auto found = m_page->findables();
        QCOMPARE(found.last().label, QStringLiteral("Requests of team support"));
        m_page->open(found.last().arguments);
        QTRY_COMPARE(rows(), 1);
    }

    void theCostOfEachRequestStandsInItsRow() {
        auto records = *m_records;
        records.back().costUsd = 0.0125;
        m_harness->target->setHistory(std::make_shared<Records>(records));
        m_page->resize(1240, 800);  // as in a window of the usual size
        show();
        QTRY_VERIFY(!m_view->isColumnHidden(HistoryModel::Cost) && !m_view->isColumnHidden(HistoryModel::Team));
        QCOMPARE(m_view->model()->index(0, HistoryModel::Cost).data().toString(), QStringLiteral("0.012500"));
        auto live = test::record(format::now(), m_random);
        live.costUsd = 2;
        m_harness->target->decide(live);
        QTRY_COMPARE(m_view->model()->index(0, HistoryModel::Cost).data().toString(), QStringLiteral("2.000000"));
        m_page->resize(760, 800);  // beside a receipt, which says it
        QTRY_VERIFY(m_view->isColumnHidden(HistoryModel::Cost));
        QVERIFY(!m_view->isColumnHidden(HistoryModel::OutcomeColumn));
    }

    void aRowOffersOthersLikeIt() {
        auto records = *m_records;
        for (auto& record : records) record.team = "support";
        m_harness->target->setHistory(std::make_shared<Records>(records));
        show();
        Q_EMIT m_view->customContextMenuRequested(m_view->visualRect(m_view->model()->index(2, 0)).center());
        auto* menu = m_page->findChild<QMenu*>(QStringLiteral("rowMenu"));
        QVERIFY(menu != nullptr);
        QStringList texts;
        for (const QAction* action : menu->actions())
            if (!action->isSeparator()) texts << action->text();
        QCOMPARE(texts, (QStringList{QStringLiteral("Only answered by lab_a:gemma-4-26b"), QStringLiteral("Only model gemma-4-26b"),
                                     QStringLiteral("Only preset p2"), QStringLiteral("Only rule 1"), QStringLiteral("Only family gemma"),
                                     QStringLiteral("Only team support"), QStringLiteral("Only served"), QStringLiteral("Open the receipt")}));
        menu->actions().at(2)->trigger();
        menu->close();
        QCOMPARE(m_page->state().value(QStringLiteral("preset")).toString(), QStringLiteral("p2"));
        QTRY_COMPARE(m_view->model()->index(0, HistoryModel::Preset).data().toString(), QStringLiteral("p2"));
        // Below the last row there is nobody to be like.
        QTRY_VERIFY(m_page->findChild<QMenu*>(QStringLiteral("rowMenu")) == nullptr);
        Q_EMIT m_view->customContextMenuRequested({5, 100'000});
        QVERIFY(m_page->findChild<QMenu*>(QStringLiteral("rowMenu")) == nullptr);
    }

    void anAmpersandOfAPresetIsNoShortcut() {
        m_page->open({{QStringLiteral("preset"), QStringLiteral("R&D")}});
        QPushButton* chip = nullptr;
        for (auto* button : m_page->findChildren<QPushButton*>())
            if (button->property("chip").toBool()) chip = button;
        QVERIFY(chip != nullptr);
        QCOMPARE(chip->text(), QStringLiteral("Preset: R&&D"));
        QCOMPARE(chip->accessibleName(), QStringLiteral("Remove filter Preset: R&D"));
    }

    void clickOnTheChartNarrowsTheTableOnly() {
        show();
        QTRY_VERIFY(m_chart->series().total() == 900);
        const auto& series = m_chart->series();
        std::size_t index = 0;
        while (series.totalAt(index) == 0) ++index;
        Q_EMIT m_chart->pointChosen(series.rangeOf(index), -1);
        QTRY_COMPARE(rows(), static_cast<int>(std::min<std::uint64_t>(series.totalAt(index), 200)));
        QCOMPARE(m_chart->series().total(), 900U);
        QVERIFY(m_harness->view.isLive());
    }

    void brushingSetsThePageRange() {
        show();
        const auto range = evidence::TimeRange{format::now() - 600s, format::now() - 300s};
        Q_EMIT m_chart->rangeChosen(range);
        QVERIFY(!m_harness->view.isLive());
        QTRY_COMPARE(m_chart->series().total(), 300U);
    }

    void selectingFillsTheInspectorAndEnterOpensIt() {
        show();
        m_view->selectSourceRow(3);
        auto* receipt = qobject_cast<ReceiptView*>(m_harness->inspected.get());
        QVERIFY(receipt != nullptr);
        QCOMPARE(format::text(receipt->record()->id.text()), rowId(3));
        QTest::keyClick(m_view, Qt::Key_Return);
        auto* dialog = m_page->findChild<QWidget*>(QStringLiteral("receiptDialog"));
        QTRY_VERIFY(dialog != nullptr && dialog->isVisible());
    }

    void opensADecisionThatIsNotInTheTable() {
        const QString old = format::text(m_records->front().id.text());
        show();
        m_page->open({{QStringLiteral("decision"), old}});
        QTRY_VERIFY(m_harness->inspected != nullptr);
        QCOMPARE(m_page->state().value(QStringLiteral("decision")).toString(), old);
        m_page->open({{QStringLiteral("decision"), QStringLiteral("rtd_ffffffffffffffffffffffffffffffff")}});
        QTRY_VERIFY(m_harness->sayings.join(QLatin1Char(' ')).contains(QStringLiteral("is not in the history")));
        m_page->open({{QStringLiteral("decision"), QStringLiteral("nonsense")}});
        QVERIFY(m_harness->sayings.last().contains(QStringLiteral("not a decision id")));
    }

    void aReceiptThatComesLateLeavesTheOneThatWasChosenSince() {
        show();
        std::promise<void> release;
        const auto blocked = block(release);
        m_page->open({{QStringLiteral("decision"), format::text(m_records->front().id.text())}});
        m_view->selectSourceRow(3);
        const QString chosen = rowId(3);
        release.set_value();
        QVERIFY(historyIsIdle());
        auto* receipt = qobject_cast<ReceiptView*>(m_harness->inspected.get());
        QVERIFY(receipt != nullptr);
        QCOMPARE(format::text(receipt->record()->id.text()), chosen);
        QCOMPARE(m_page->state().value(QStringLiteral("decision")).toString(), chosen);
    }

    void neverWaitsAndDropsStaleAnswers() {
        show();
        std::promise<void> release;
        const auto blocked = block(release);
        QElapsedTimer clock;
        clock.start();
        m_page->open({{QStringLiteral("outcome"), QStringLiteral("failed")}});
        m_page->open({{QStringLiteral("preset"), QStringLiteral("p2")}});
        m_harness->view.setLive(1800s);
        QTest::qWait(20);
        QVERIFY2(clock.elapsed() < 500, "the page works while history is busy");
        QCOMPARE(rows(), 200);  // what was there stays until the answer comes
        release.set_value();
        QTRY_COMPARE(m_view->model()->index(1, 2).data().toString(), QStringLiteral("p2"));
        QCOMPARE(rows(), 200);
    }

    // F91: the page goes on by itself until there is a screenful, says how far it has come, and can be stopped.
    void aSearchThatTakesLongSaysHowFarItHasCome() {
        m_harness->target->setSearchRows(100);
        m_page->open({{QStringLiteral("preset"), QStringLiteral("p2")}});
        show();
        auto* button = m_page->findChild<QPushButton*>(QStringLiteral("historySearch"));
        QVERIFY(button != nullptr);
        QTRY_COMPARE(rows(), 200);  // every third of 900 rows matches: six searches
        QTRY_COMPARE(button->text(), QStringLiteral("Search further back"));
        QVERIFY(button->isVisible() && button->isEnabled());
        const QString back = format::clockTime((*m_records)[300].createdAt).left(5);
        QVERIFY2(shownTexts().contains(QStringLiteral("searched back to %1").arg(back)), qPrintable(shownTexts()));
        button->click();
        QTRY_COMPARE(rows(), 300);
        QTRY_VERIFY(!button->isVisible());
        QVERIFY(!shownTexts().contains(QStringLiteral("searched back")));
    }

    void saysPlainlyWhatFailedKeepsThisSessionAndRetries() {
        m_harness->target->setHistoryFailure(Error{ErrorKind::unavailable, "the server does not answer", {}, "Start it."});
        m_harness->target->decide(test::record(format::now(), m_random));
        QTRY_COMPARE(m_harness->bridge.recent().size(), 1U);
        QSignalSpy answers(m_page.get(), &Page::answerChanged);
        m_page->show();
        QTRY_COMPARE(rows(), 1);
        QTRY_VERIFY(!answers.isEmpty() && answers.last().at(0).toString().contains(QStringLiteral("cannot be read")));
        m_harness->target->setHistoryFailure(std::nullopt);
        QTRY_COMPARE_WITH_TIMEOUT(rows(), 201, 8000);
    }

private:
    /// Of the menu "Add filter", made anew.
    [[nodiscard]] QList<QAction*> choices(const QString& name) const {
        Q_EMIT filterMenu()->aboutToShow();
        const QAction* menu = named(filterMenu()->actions(), name);
        return menu == nullptr ? QList<QAction*>() : menu->menu()->actions();
    }
    [[nodiscard]] static QAction* named(const QList<QAction*>& actions, const QString& text) {
        for (QAction* action : actions)
            if (action->text() == text) return action;
        return nullptr;
    }
    [[nodiscard]] QMenu* filterMenu() const { return m_page->findChild<QPushButton*>(QStringLiteral("addFilter"))->menu(); }
};

QTEST_MAIN(HistoryPageTest)
#include "tst_history_page.moc"
