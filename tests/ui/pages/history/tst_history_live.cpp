// SPDX-License-Identifier: MIT
// How what comes live and what the database has become one list.
#include "tests/ui/pages/history/history_scene.h"

#include <QScrollBar>
#include <QSignalSpy>

using namespace signalbox;
using namespace signalbox::ui;
using namespace std::chrono_literals;

class HistoryLiveTest : public QObject, private test::HistoryScene {
    Q_OBJECT
private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

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
};

QTEST_MAIN(HistoryLiveTest)
#include "tst_history_live.moc"
