// SPDX-License-Identifier: MIT
#include "tests/router/evidence/sample_events.h"
#include "tests/support/page_harness.h"
#include "tests/ui/pages/history/records.h"
#include "ui/charts/event_layer.h"
#include "ui/charts/time_chart.h"
#include "ui/pages/history/history_page.h"
#include "ui/theme/format.h"
#include "ui/widgets/receipt/receipt_view.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/tone_label.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <future>

using namespace signalbox;
using namespace signalbox::ui;
using namespace std::chrono_literals;

class HistoryPageTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_random = test::CountingRandom();
        m_harness = std::make_unique<test::PageHarness>();
        m_records = std::make_shared<std::vector<evidence::DecisionRecord>>();
        for (int i = 0; i < 900; ++i) m_records->push_back(test::record(format::now() - 900s + i * 1s, m_random, i % 3 == 0 ? "p2" : "p1"));
        m_harness->target->setHistory(m_records);
        m_harness->view.follow(format::now());
        m_harness->view.setLive(3600s);
        m_page = std::make_unique<HistoryPage>(m_harness->context());
        m_page->resize(1180, 800);
        m_view = m_page->findChild<TableView*>(QStringLiteral("historyTable"));
        m_chart = m_page->findChild<TimeChart*>();
    }
    void cleanup() {
        m_page.reset();
        m_harness.reset();
    }

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

    void followsLiveWithoutLosingSelectionOrPlace() {
        show();
        m_view->selectSourceRow(10);
        const QString selected = rowId(m_view->currentSourceRow());
        m_view->verticalScrollBar()->setValue(28 * 40);
        const int top = m_view->rowAt(0);
        const QString first = rowId(top);
        QElapsedTimer clock;
        clock.start();
        for (int i = 0; i < 25; ++i) m_harness->target->decide(test::record(format::now(), m_random));
        QTRY_COMPARE(rows(), 225);
        QVERIFY2(clock.elapsed() < 1000, "a decision appears within a second");
        QCOMPARE(rowId(m_view->rowAt(0)), first);
        QCOMPARE(rowId(m_view->currentSourceRow()), selected);
        // The range of a live view moves on; rows and place stay.
        m_harness->view.follow(format::now());
        QTest::qWait(50);
        QCOMPARE(rows(), 225);
    }

    // More in one tick than the console is handed. What is read stays as it is, and no row goes above a hole.
    void whoReadsBelowMissesNothingThatCameTooFast() {
        show();
        m_view->verticalScrollBar()->setValue(28 * 40);
        const QString first = rowId(m_view->rowAt(0));
        auto more = decideTooMany();
        m_harness->target->setHistory(std::make_shared<Records>(more));
        QTRY_VERIFY2(shownTexts().contains(QStringLiteral("more came at once: scroll to the top")), qPrintable(shownTexts()));
        m_harness->target->decide(more.emplace_back(test::record(format::now(), m_random)));
        QTRY_VERIFY(m_harness->bridge.recent().back()->id == more.back().id);
        QCOMPARE(rowId(m_view->rowAt(0)), first);
        QCOMPARE(rows(), static_cast<int>(HistoryPage::kPageRows));
        m_view->verticalScrollBar()->setValue(0);
        QTRY_COMPARE(rowId(0), format::text(more.back().id.text()));
        QCOMPARE(firstHole(more), -1);
        QVERIFY(!shownTexts().contains(QStringLiteral("more came")));
        m_harness->target->decide(more.emplace_back(test::record(format::now(), m_random)));  // and live it goes on
        QTRY_COMPARE(rowId(0), format::text(more.back().id.text()));
        QCOMPARE(firstHole(more), -1);
    }

    // At the top, too: they are not stored yet when the console hears that it was not handed all of them.
    void whatCameTooFastIsReadOnceItIsStored() {
        show();
        QVERIFY(historyIsIdle());
        setEvidence(2500, 0, 2500);
        QSignalSpy answers(m_page.get(), &Page::answerChanged);
        const auto more = decideTooMany();
        QTRY_VERIFY(!answers.isEmpty());  // the sentence follows two seconds later, and until then the table could have been read
        QCOMPARE(rows(), static_cast<int>(HistoryPage::kPageRows));
        QCOMPARE(firstHole(*m_records), -1);
        m_harness->target->setHistory(std::make_shared<Records>(more));
        setEvidence(2500, 2500, 0);
        QTRY_COMPARE(rowId(0), format::text(more.back().id.text()));
        QCOMPARE(firstHole(more), -1);
    }

    // What a disk does not give stays in the backlog, perhaps for good, and is not on its way.
    void whatIsNeverStoredIsNotWaitedForWithoutEnd() {
        show();
        QVERIFY(historyIsIdle());
        setEvidence(2500, 0, 2500);
        auto more = decideTooMany();
        m_harness->target->setHistory(std::make_shared<Records>(more));
        setEvidence(2500, 2499, 0, 1);
        QTRY_COMPARE_WITH_TIMEOUT(rowId(0), format::text(more.back().id.text()), 3000);
        m_harness->target->decide(more.emplace_back(test::record(format::now(), m_random)));  // and live it goes on
        QTRY_COMPARE(rowId(0), format::text(more.back().id.text()));
    }

    // No tick brings too much, and still there is more on its way into the database than is at hand.
    void nothingLiveStandsAboveWhatTheDatabaseDoesNotHaveYet() {
        auto more = decideInTicks(Bridge::kRecentLimit + 500);
        setEvidence(2500, 0, 2500);
        show();
        QTRY_VERIFY2(shownTexts().contains(QStringLiteral("some are still on their way")), qPrintable(shownTexts()));
        QCOMPARE(firstHole(*m_records), -1);
        m_harness->target->decide(more.emplace_back(test::record(format::now(), m_random)));
        QTRY_VERIFY(m_harness->bridge.recent().back()->id == more.back().id);
        QCOMPARE(firstHole(*m_records), -1);
        m_harness->target->setHistory(std::make_shared<Records>(more));
        setEvidence(2501, 2501, 0);
        QTRY_COMPARE(rowId(0), format::text(more.back().id.text()));
        QCOMPARE(firstHole(more), -1);
        QVERIFY(!shownTexts().contains(QStringLiteral("on their way")));
        m_harness->target->decide(more.emplace_back(test::record(format::now(), m_random)));
        QTRY_COMPARE(rowId(0), format::text(more.back().id.text()));
        QCOMPARE(firstHole(more), -1);
    }

    void whatIsAtHandIsShownBeforeItIsStored() {
        const auto more = decideInTicks(1500);
        setEvidence(1500, 0, 1500);
        show();
        QTRY_COMPARE(rows(), static_cast<int>(HistoryPage::kPageRows) + 1500);
        QCOMPARE(firstHole(more), -1);
        QVERIFY(!shownTexts().contains(QStringLiteral("on their way")));
    }

    // A search that takes long outlasts what the console keeps of lively traffic.
    void whatCameWhileTheDatabaseSearchedIsAtHand() {
        m_records = std::make_shared<Records>(decideInTicks(500));
        m_harness->target->setHistory(m_records);
        setEvidence(500, 500, 0);
        QTRY_COMPARE(m_harness->bridge.ownStatus().evidence.recorded, std::uint64_t{500});
        std::promise<void> release;
        const auto blocked = block(release);
        m_page->show();
        QCoreApplication::processEvents();  // now it has asked
        const auto more = decideInTicks(Bridge::kRecentLimit + 500);
        setEvidence(3000, 500, 2500);
        QTRY_COMPARE(m_harness->bridge.ownStatus().evidence.recorded, std::uint64_t{3000});
        release.set_value();
        QTRY_COMPARE(rows(), static_cast<int>(HistoryPage::kPageRows) + 2500);
        QCOMPARE(firstHole(more), -1);
        QVERIFY(!shownTexts().contains(QStringLiteral("on their way")));
    }

    void whatCameWhileAHoleWasReadIsAtHand() {
        show();
        m_view->verticalScrollBar()->setValue(28 * 40);
        m_records = std::make_shared<Records>(decideTooMany());
        m_harness->target->setHistory(m_records);
        setEvidence(2500, 2500, 0);
        QTRY_COMPARE(m_harness->bridge.ownStatus().evidence.recorded, std::uint64_t{2500});
        QTRY_VERIFY2(shownTexts().contains(QStringLiteral("more came at once: scroll to the top")), qPrintable(shownTexts()));
        std::promise<void> release;
        const auto blocked = block(release);
        m_view->verticalScrollBar()->setValue(0);  // asks
        const auto more = decideInTicks(Bridge::kRecentLimit + 500);
        setEvidence(5000, 2500, 2500);
        QTRY_COMPARE(m_harness->bridge.ownStatus().evidence.recorded, std::uint64_t{5000});
        release.set_value();
        QTRY_COMPARE(rows(), static_cast<int>(HistoryPage::kPageRows) + 2500);
        QCOMPARE(firstHole(more), -1);
        QVERIFY(!shownTexts().contains(QStringLiteral("on their way")));
    }

    // Load that does not end: what the database has by then is shown all the same.
    void underLastingLoadTheTableGoesOn() {
        const auto all = decideInTicks(Bridge::kRecentLimit + 500);
        setEvidence(9000, 0, 9000);
        show();
        for (const std::size_t stored : {std::size_t{500}, std::size_t{1500}}) {
            const Records some(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(m_records->size() + stored));
            m_harness->target->setHistory(std::make_shared<Records>(some));
            setEvidence(9000 + stored, stored, 9000 + stored);
            QTRY_COMPARE_WITH_TIMEOUT(rowId(0), format::text(some.back().id.text()), 10'000);
            QCOMPARE(firstHole(some), -1);
        }
        QVERIFY(shownTexts().contains(QStringLiteral("some are still on their way")));
    }

    // They belong below what came live, and never come live themselves.
    void whatAnEarlierProcessLeftIsReadOnceItIsStored() {
        const auto all = *m_records;
        auto some = std::make_shared<Records>(all);
        some->erase(some->begin() + 790, some->begin() + 800);
        m_harness->target->setHistory(some);
        setEvidence(0, 0, 10);
        show();
        QCOMPARE(firstHole(all), 100);
        m_view->selectSourceRow(3);
        m_harness->target->setHistory(m_records);
        setEvidence(0, 0, 0);
        QTRY_COMPARE(firstHole(all), -1);
        QCOMPARE(m_view->currentSourceRow(), 3);
    }

    void whereNothingWasMissingTheRowsStay() {
        setEvidence(0, 0, 10);
        show();
        QTRY_VERIFY(shownTexts().contains(QStringLiteral("some are still on their way")));
        QSignalSpy anew(m_view->model(), &QAbstractItemModel::modelReset);
        setEvidence(0, 0, 0);
        QTRY_VERIFY(!shownTexts().contains(QStringLiteral("on their way")));
        QCOMPARE(anew.count(), 0);
        QCOMPARE(firstHole(*m_records), -1);
    }

    // It began long ago and ends now: live it had no place yet, and its page is read before it is stored.
    void aLongRequestIsNotMissingOnItsPage() {
        auto all = *m_records;
        const auto late = test::record(all[600].createdAt + 1ms, m_random);
        show();
        setEvidence(1, 0, 1);
        m_harness->target->decide(late);
        QTRY_COMPARE(m_harness->bridge.recent().size(), std::size_t{1});
        QCOMPARE(rowOf(late.id), -1);
        m_view->verticalScrollBar()->setValue(m_view->verticalScrollBar()->maximum());
        QTRY_VERIFY(rowOf(late.id) > 0);
        all.insert(all.begin() + 601, late);
        QCOMPARE(firstHole(all), -1);
    }

    void aPageThatIsReadTooEarlyIsReadAgain() {
        show();
        QVERIFY(historyIsIdle());
        const auto all = *m_records;
        auto some = std::make_shared<Records>(all);
        some->erase(some->begin() + 590, some->begin() + 600);
        m_harness->target->setHistory(some);
        setEvidence(3000, 0, 3000);
        m_view->verticalScrollBar()->setValue(m_view->verticalScrollBar()->maximum());
        QTRY_VERIFY(rows() > static_cast<int>(HistoryPage::kPageRows));
        QTRY_VERIFY2(shownTexts().contains(QStringLiteral("scroll to the top")), qPrintable(shownTexts()));
        m_harness->target->setHistory(m_records);
        setEvidence(3000, 3000, 0);
        m_view->verticalScrollBar()->setValue(0);
        QTRY_VERIFY(!shownTexts().contains(QStringLiteral("on their way")) && !shownTexts().contains(QStringLiteral("scroll to the top")));
        m_view->verticalScrollBar()->setValue(m_view->verticalScrollBar()->maximum());
        QTRY_VERIFY(rows() > 350);
        QCOMPARE(firstHole(all), -1);
    }

    void aRowThatComesInBelowMovesNothing() {
        show();
        m_view->verticalScrollBar()->setValue(28 * 40);
        const QString first = rowId(m_view->rowAt(0));
        const auto late = test::record((*m_records)[750].createdAt + 1ms, m_random);
        m_harness->target->decide(late);
        QTRY_COMPARE(rowOf(late.id), 149);
        QCOMPARE(rowId(m_view->rowAt(0)), first);
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

    // No record of another gateway ever stands among those of the console's own workspace.
    void whatAnotherGatewayDecidesStaysOut() {
        show();
        const auto theirs = lookElsewhere();
        const auto live = test::record(format::now(), m_random);
        theirs->decide(live);
        QTRY_COMPARE(m_harness->bridge.recent().size(), 1U);
        QCOMPARE(rows(), 200);
        m_harness->target->decide(test::record(format::now(), m_random));
        QTRY_COMPARE(rows(), 201);  // the own one goes on
        QVERIFY(rowId(0) != format::text(live.id.text()));
        m_page->open({{QStringLiteral("preset"), QStringLiteral("p1")}});
        QTRY_COMPARE(m_page->state().value(QStringLiteral("preset")).toString(), QStringLiteral("p1"));
        QVERIFY(historyIsIdle());
        QVERIFY(rowOf(live.id) < 0);
        // What stays readable without a database is the own session, too.
        m_harness->target->setHistoryFailure(Error{ErrorKind::unavailable, "the server does not answer", {}, "Start it."});
        m_page->open({{QStringLiteral("outcome"), QStringLiteral("served")}});
        QTRY_COMPARE(rows(), 1);
        QVERIFY(rowOf(live.id) < 0);
        m_harness->bridge.lookAt(nullptr);
        QCOMPARE(rows(), 1);
    }

    void saysWhoseRecordsTheseAreWhileAnotherGatewayIsLookedAt() {
        show();
        const auto* whose = m_page->findChild<ToneLabel*>(QStringLiteral("whoseRecords"));
        QVERIFY(whose != nullptr && !whose->isVisible());
        const auto theirs = lookElsewhere();
        QVERIFY(whose->isVisible());
        QCOMPARE(whose->text(), QStringLiteral("You look at prod-a. The records on this page are of this console's own workspace; a history that prod-a keeps elsewhere is not read here."));
        m_harness->bridge.lookAt(nullptr);
        QVERIFY(!whose->isVisible());
    }

    // Enter on a live decision of another gateway, or its id in the palette, leads here.
    void aReceiptOfAnotherGatewayGoesByItsName() {
        show();
        const auto theirs = lookElsewhere();
        const auto live = test::record(format::now(), m_random);
        theirs->decide(live);
        QTRY_COMPARE(m_harness->bridge.recent().size(), 1U);
        m_page->open({{QStringLiteral("decision"), format::text(live.id.text())}});
        QVERIFY(qobject_cast<ReceiptView*>(m_harness->inspected.get()) != nullptr);
        QCOMPARE(m_harness->inspectedTitle, QStringLiteral("Receipt, from prod-a"));
        QVERIFY2(m_harness->sayings.last().contains(QStringLiteral("live decision of prod-a")), qPrintable(m_harness->sayings.last()));
        m_page->open({{QStringLiteral("decision"), QStringLiteral("rtd_ffffffffffffffffffffffffffffffff")}});
        QTRY_VERIFY2(m_harness->sayings.last().contains(QStringLiteral("one that prod-a keeps elsewhere is not read here")), qPrintable(m_harness->sayings.last()));
        m_page->open({{QStringLiteral("decision"), format::text(m_records->front().id.text())}});
        QTRY_COMPARE(m_harness->inspectedTitle, QStringLiteral("Receipt"));
    }

    // That gateway may be the one whose records are read here.
    void anObservingConsoleDeniesNoLiveDecisionItsPlace() {
        observe();
        show();
        const auto theirs = lookElsewhere();
        const auto live = test::record(format::now(), m_random);
        theirs->decide(live);
        QTRY_COMPARE(m_harness->bridge.recent().size(), 1U);
        m_page->open({{QStringLiteral("decision"), format::text(live.id.text())}});
        QCOMPARE(m_harness->inspectedTitle, QStringLiteral("Receipt, from prod-a"));
        QCOMPARE(m_harness->sayings.last(), QStringLiteral("This is a live decision of prod-a"));
    }

    // Where another process records, nothing comes live.
    void anObservingConsoleFollowsWhatIsRecorded() {
        observe();
        show();
        QCOMPARE(rows(), 200);
        m_view->selectSourceRow(10);
        m_view->verticalScrollBar()->setValue(28 * 40);
        const QString selected = rowId(10), first = rowId(m_view->rowAt(0));
        auto more = std::make_shared<std::vector<evidence::DecisionRecord>>(*m_records);
        for (int i = 0; i < 5; ++i) more->push_back(test::record(format::now(), m_random));
        m_harness->target->setHistory(more);
        m_harness->view.follow(format::now());
        QTRY_COMPARE(rows(), 205);
        QCOMPARE(rowId(0), format::text(more->back().id.text()));
        QCOMPARE(rowId(m_view->currentSourceRow()), selected);
        QCOMPARE(rowId(m_view->rowAt(0)), first);
        // More than a page at once: it is read anew, without a hole.
        for (int i = 0; i < 300; ++i) more->push_back(test::record(format::now(), m_random));
        m_harness->target->setHistory(std::make_shared<std::vector<evidence::DecisionRecord>>(*more));
        m_harness->view.follow(format::now());
        QTRY_COMPARE(rowId(0), format::text(more->back().id.text()));
        QCOMPARE(rows(), 200);
    }

    // Its search keeps what it found, and its place, while newer ones come in above.
    void anObservingConsoleKeepsWhatASearchFound() {
        observe();
        m_harness->target->setSearchRows(100);
        (*m_records)[450].presetKey = (*m_records)[440].presetKey = "p9";
        m_page->open({{QStringLiteral("preset"), QStringLiteral("p9")}});
        m_page->show();
        QTRY_COMPARE(rows(), 2);
        auto* button = m_page->findChild<QPushButton*>(QStringLiteral("historySearch"));
        QTRY_VERIFY(button != nullptr && !button->isVisible());
        QSignalSpy anew(m_view->model(), &QAbstractItemModel::modelReset);
        auto more = std::make_shared<std::vector<evidence::DecisionRecord>>(*m_records);
        // More than one search looks at: it goes on until it is down where the last one began.
        more->push_back(test::record(format::now(), m_random, "p9"));
        for (int i = 0; i < 150; ++i) more->push_back(test::record(format::now(), m_random));
        m_harness->target->setHistory(more);
        m_harness->view.follow(format::now());
        QTRY_COMPARE(rows(), 3);
        QCOMPARE(rowId(0), format::text((*more)[900].id.text()));
        QVERIFY(historyIsIdle());
        QCOMPARE(anew.count(), 0);
    }

    // One that was stopped keeps standing where it is.
    void anObservingConsoleLeavesAStoppedSearchAlone() {
        observe();
        m_harness->target->setSearchRows(100);
        m_page->open({{QStringLiteral("preset"), QStringLiteral("p9")}});
        std::promise<void> release;
        TicketPtr blocked;
        QObject once;
        connect(m_view->model(), &QAbstractItemModel::modelReset, &once, [&] {
            if (!blocked) blocked = block(release);  // the second part waits
        });
        m_page->show();
        auto* button = m_page->findChild<QPushButton*>(QStringLiteral("historySearch"));
        QVERIFY(button != nullptr);
        QTRY_VERIFY(button->isVisible());
        button->click();
        release.set_value();
        QCOMPARE(button->text(), QStringLiteral("Search further back"));
        QVERIFY(historyIsIdle());
        auto more = std::make_shared<std::vector<evidence::DecisionRecord>>(*m_records);
        more->push_back(test::record(format::now(), m_random, "p9"));
        m_harness->target->setHistory(more);
        m_harness->view.follow(format::now());
        QTRY_COMPARE(rows(), 1);  // into a table without a row
        QVERIFY(historyIsIdle());
        QVERIFY(button->isVisible());
        QCOMPARE(button->text(), QStringLiteral("Search further back"));
    }

    // The rows that were on their way belong below those that are gone.
    void readAnewTheNextPageFollowsTheNewRows() {
        observe();
        show();
        std::promise<void> release;
        const auto blocked = block(release);
        auto more = std::make_shared<std::vector<evidence::DecisionRecord>>(*m_records);
        for (int i = 0; i < 300; ++i) more->push_back(test::record(format::now(), m_random));
        m_harness->target->setHistory(more);
        m_harness->view.follow(format::now());
        m_view->verticalScrollBar()->setValue(m_view->verticalScrollBar()->maximum());  // asks for more of the old ones
        release.set_value();
        QTRY_COMPARE(rowId(0), format::text(more->back().id.text()));
        QVERIFY(historyIsIdle());
        for (int row = 0; row < rows(); ++row) QCOMPARE(rowId(row), format::text((*more)[more->size() - 1 - static_cast<std::size_t>(row)].id.text()));
    }

    // A page that was asked for before belongs below rows that are gone.
    void theSessionAloneTakesNoPage() {
        show();
        std::promise<void> first, second;
        const auto blockedFirst = block(first);
        m_page->open({{QStringLiteral("preset"), QStringLiteral("p1")}});
        const auto blockedSecond = block(second);
        m_view->verticalScrollBar()->setValue(m_view->verticalScrollBar()->maximum());  // asks for more of the old ones
        m_harness->target->setHistoryFailure(Error{ErrorKind::unavailable, "the server does not answer", {}, "Start it."});
        first.set_value();
        QTRY_COMPARE(rows(), 0);
        m_harness->target->setHistoryFailure(std::nullopt);
        second.set_value();
        QVERIFY(historyIsIdle());
        QCOMPARE(rows(), 0);
    }

    void theSessionAloneFollowsTheRange() {
        m_harness->target->setHistoryFailure(Error{ErrorKind::unavailable, "the server does not answer", {}, "Start it."});
        m_harness->target->decide(test::record(format::now(), m_random));
        QTRY_COMPARE(m_harness->bridge.recent().size(), 1U);
        m_page->show();
        QTRY_COMPARE(rows(), 1);
        QVERIFY(historyIsIdle());
        m_harness->view.setRange({format::now() - 600s, format::now() - 300s});
        QTRY_COMPARE(rows(), 0);
    }

private:
    /// What the gateway has recorded, its database has, and may still be on its way there; `stuck` waits without being so.
    void setEvidence(std::uint64_t recorded, std::uint64_t stored, std::uint64_t unsettled, std::uint64_t stuck = 0) {
        engine::TargetStatus status = m_harness->target->status();
        status.evidence.recorded = recorded;
        status.evidence.stored = stored;
        status.evidence.backlogRecords = recorded > stored ? recorded - stored : std::max(unsettled, stuck);
        status.evidence.unsettled = unsettled;
        m_harness->target->setStatus(status);
    }
    /// Fewer in each tick than the bridge takes. Gives them behind those that are there.
    [[nodiscard]] std::vector<evidence::DecisionRecord> decideInTicks(std::size_t count) {
        auto all = *m_records;
        for (std::size_t i = 0; i < count; ++i) {
            m_harness->target->decide(all.emplace_back(test::record(format::now(), m_random)));
            if (i + 1 < count && i % 500 != 499) continue;
            const auto& recent = m_harness->bridge.recent();
            if (!QTest::qWaitFor([&] { return !recent.empty() && recent.back()->id == all.back().id; })) return {};
        }
        return all;
    }
    [[nodiscard]] std::shared_ptr<test::FakeTarget> lookElsewhere() {
        auto theirs = std::make_shared<test::FakeTarget>();
        engine::TargetStatus status = theirs->status();
        status.name = "prod-a";
        status.remote = true;
        theirs->setStatus(status);
        m_harness->bridge.lookAt(theirs);
        return theirs;
    }
    void observe() {
        engine::TargetStatus status = m_harness->target->status();
        status.evidence.state = evidence::StoreState::off;
        status.evidence.lastError = "another gateway records here: pid 7";
        status.evidence.where = "journal of another process in /state/journal";
        m_harness->target->setStatus(status);
    }
    using Records = std::vector<evidence::DecisionRecord>;
    /// More than the bridge takes at a time. Gives them behind those that are there.
    [[nodiscard]] Records decideTooMany() {
        Records all = *m_records;
        for (std::size_t i = 0; i < Bridge::kRecentLimit + 500; ++i)
            m_harness->target->decide(all.emplace_back(test::record(format::now(), m_random)));
        return all;
    }
    [[nodiscard]] QString shownTexts() const {
        QStringList texts;
        for (auto* label : m_page->findChildren<QLabel*>()) texts << label->text();
        return texts.join(QLatin1Char('|'));
    }
    /// The first row that is not the next older of `records`; -1 where there is none.
    [[nodiscard]] int firstHole(const Records& records) const {
        for (int row = 0; row < rows(); ++row)
            if (rowId(row) != format::text(records[records.size() - 1 - static_cast<std::size_t>(row)].id.text())) return row;
        return -1;
    }
    void show() {
        m_page->show();
        QTRY_VERIFY(rows() > 0);
    }
    /// History answers nothing before `release`.
    [[nodiscard]] TicketPtr block(std::promise<void>& release) {
        return m_harness->bridge.ask<int>(
            [done = release.get_future().share()](evidence::HistoryReader&, const evidence::CancelToken&) -> Result<int> {
                done.wait();
                return 0;
            },
            [](const Result<int>&) {});
    }
    /// All that was asked before has been answered.
    [[nodiscard]] bool historyIsIdle() {
        bool idle = false;
        const auto last = m_harness->bridge.ask<int>([](evidence::HistoryReader&, const evidence::CancelToken&) -> Result<int> { return 0; }, [&idle](const Result<int>&) { idle = true; });
        return QTest::qWaitFor([&idle] { return idle; });
    }
    int rows() const { return m_view->model()->rowCount(); }
    int rowOf(const DecisionId& id) const {
        for (int row = 0; row < rows(); ++row)
            if (rowId(row) == format::text(id.text())) return row;
        return -1;
    }
    QString rowId(int row) const { return m_view->model()->index(row, 0).data(Qt::ToolTipRole).toString().section(QLatin1Char('\n'), 1); }

    test::CountingRandom m_random;
    std::unique_ptr<test::PageHarness> m_harness;
    std::shared_ptr<std::vector<evidence::DecisionRecord>> m_records;
    std::unique_ptr<HistoryPage> m_page;
    TableView* m_view = nullptr;
    TimeChart* m_chart = nullptr;
};

QTEST_MAIN(HistoryPageTest)
#include "tst_history_page.moc"
