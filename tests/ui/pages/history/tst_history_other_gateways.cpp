// SPDX-License-Identifier: MIT
// Another gateway is looked at, or records what is read here.
#include "tests/ui/pages/history/history_scene.h"
#include "ui/widgets/receipt/receipt_view.h"
#include "ui/widgets/tone_label.h"

#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>

using namespace signalbox;
using namespace signalbox::ui;
using namespace std::chrono_literals;

class HistoryOtherGatewaysTest : public QObject, private test::HistoryScene {
    Q_OBJECT
private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

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
};

QTEST_MAIN(HistoryOtherGatewaysTest)
#include "tst_history_other_gateways.moc"
