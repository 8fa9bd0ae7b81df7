// SPDX-License-Identifier: MIT
// The receipt beside the list, in the window's own inspector, while the rows are read again by themselves.
#include "tests/ui/pages/history/history_scene.h"
#include "ui/shell/inspector.h"
#include "ui/widgets/receipt/receipt_view.h"

#include <QBoxLayout>
#include <QScrollArea>
#include <QScrollBar>

using namespace signalbox;
using namespace signalbox::ui;
using namespace std::chrono_literals;

class HistoryReceiptTest : public QObject, private test::HistoryScene {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        begin();
        m_window = std::make_unique<QWidget>();
        m_inspector = new Inspector;
        m_inspector->setFixedSize(340, 300);  // low, so that a receipt has to be scrolled
        m_inspector->setPage(QStringLiteral("history"));
        connect(m_inspector, &Inspector::closed, this, [this] { m_inspector->hide(); });
        auto context = m_harness->context();
        context.inspect = [this](QWidget* content, const QString& title) {  // as the main window does
            m_inspector->setContent(QStringLiteral("history"), content, title);
            m_inspector->setVisible(true);
        };
        m_page = std::make_unique<HistoryPage>(context);
        m_view = m_page->findChild<TableView*>(QStringLiteral("historyTable"));
        auto* layout = new QHBoxLayout(m_window.get());
        layout->addWidget(m_page.get(), 1);
        layout->addWidget(m_inspector, 0, Qt::AlignTop);
        m_window->resize(1200, 800);
        m_window->show();
        QTRY_VERIFY(rows() > 0);
        QVERIFY(historyIsIdle());
    }
    void cleanup() {
        m_page.reset();
        m_window.reset();
        end();
    }

    void staysWhereItIsReadAndAsItIs() {
        choose(3);
        ReceiptView* before = receipt();
        readTo(200);
        QVERIFY(rowsAreReadAgain());
        QCOMPARE(receipt(), before);
        QCOMPARE(place(), 200);
        QVERIFY(m_view->currentIndex().isValid());
        QCOMPARE(rowId(m_view->currentIndex().row()), shownId());
    }

    void staysClosedUntilARowIsChosen() {
        choose(3);
        Q_EMIT m_inspector->closed();
        QVERIFY(!m_inspector->isVisible());
        QVERIFY(rowsAreReadAgain());
        QVERIFY(!m_inspector->isVisible());
        choose(5);
        QVERIFY(m_inspector->isVisible());
        QCOMPARE(shownId(), rowId(5));
    }

    void aClickOnTheChosenRowBringsItBack() {
        choose(3);
        Q_EMIT m_inspector->closed();
        choose(3);
        QVERIFY(m_inspector->isVisible());
        QCOMPARE(shownId(), rowId(3));
    }

    // The rows move down under a reader at the top; their list stays at its top all the same.
    void theListStaysWhereItIs() {
        choose(0);
        QVERIFY(rowsAreReadAgain());
        QVERIFY(m_view->currentIndex().row() > 100);
        QCOMPARE(m_view->verticalScrollBar()->value(), 0);
    }

    void sayingMoreKeepsThePlace() {
        choose(3);
        ReceiptView* before = receipt();
        readTo(200);
        auto changed = std::make_shared<Records>(*m_records);
        for (evidence::DecisionRecord& record : *changed) record.policyVersion = "priced-since";
        m_harness->target->setHistory(changed);
        m_harness->view.setLive(1800s);  // asks for the rows anew
        QTRY_COMPARE(receipt()->record()->policyVersion, std::string("priced-since"));
        QCOMPARE(receipt(), before);
        QCoreApplication::processEvents();
        QTRY_VERIFY(receipt()->minimumHeight() == 0);
        QCoreApplication::processEvents();
        QCOMPARE(place(), 200);
    }

    void anotherDecisionBeginsAtItsTop() {
        choose(3);
        readTo(200);
        choose(4);
        QCOMPARE(shownId(), rowId(4));
        QTRY_COMPARE(place(), 0);
    }

    // Its row is not among the newest when its receipt is there already.
    void aDecisionThatWasAskedForIsScrolledTo() {
        m_page->hide();
        const QString id = format::text((*m_records)[600].id.text());
        m_page->open({{QStringLiteral("preset"), QStringLiteral("p2")}, {QStringLiteral("decision"), id}});
        QTRY_COMPARE(shownId(), id);
        m_page->show();
        QTRY_VERIFY(m_view->currentIndex().isValid());
        QCOMPARE(rowId(m_view->currentIndex().row()), shownId());
        QTRY_VERIFY(m_view->verticalScrollBar()->value() > 0);
    }

private:
    void choose(int row) {
        QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, m_view->visualRect(m_view->model()->index(row, 0)).center());
        QCoreApplication::processEvents();
    }
    /// The database lags, and has what was missing a little later: all rows come from it anew, and then once more.
    [[nodiscard]] bool rowsAreReadAgain() {
        setEvidence(2500, 0, 2500);
        m_harness->view.setLive(1800s);
        if (!QTest::qWaitFor([&] { return shownTexts().contains(QStringLiteral("on their way")); })) return false;
        auto more = *m_records;
        for (int i = 0; i < 120; ++i) more.push_back(test::record(format::now(), m_random));
        m_harness->target->setHistory(std::make_shared<Records>(more));
        setEvidence(2620, 2620, 0);
        return QTest::qWaitFor([&] { return rowId(0) == format::text(more.back().id.text()); }) && historyIsIdle();
    }
    [[nodiscard]] ReceiptView* receipt() const { return m_inspector->findChild<ReceiptView*>(); }
    [[nodiscard]] QString shownId() const { return receipt() == nullptr ? QString() : format::text(receipt()->record()->id.text()); }
    [[nodiscard]] QScrollBar* bar() const { return m_inspector->findChild<QScrollArea*>()->verticalScrollBar(); }
    [[nodiscard]] int place() const { return bar()->value(); }
    void readTo(int at) {
        QTRY_VERIFY(bar()->maximum() > at + 100);
        bar()->setValue(at);
        QCOMPARE(place(), at);
    }

    std::unique_ptr<QWidget> m_window;
    Inspector* m_inspector = nullptr;
};

QTEST_MAIN(HistoryReceiptTest)
#include "tst_history_receipt.moc"
