// SPDX-License-Identifier: MIT
#include "ui/theme/theme.h"
#include "ui/widgets/forms/row_mover.h"

#include <QApplication>
#include <QFrame>
#include <QListView>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QStringListModel>
#include <QTest>

#include <memory>

using namespace signalbox::ui;

class RowMoverTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(); }
    void init() {
        m_model = std::make_unique<QStringListModel>(QStringList{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c"), QStringLiteral("d")});
        m_view = std::make_unique<QListView>();
        m_view->setModel(m_model.get());
        m_view->resize(200, 200);
        m_mover = new RowMover(m_view.get());
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
        m_moved = std::make_unique<QSignalSpy>(m_mover, &RowMover::moved);
    }
    void cleanup() {
        m_moved.reset();
        m_view.reset();
    }

    void aRowIsDragged() {
        drag(0, 2);
        QVERIFY(isLineShown());
        release(2);
        QVERIFY(!isLineShown());
        QCOMPARE(m_moved->count(), 1);
        QCOMPARE(m_moved->at(0).at(0).toInt(), 0);
        QCOMPARE(m_moved->at(0).at(1).toInt(), 2);
    }

    // The gesture that calls a drag off everywhere else.
    void anotherButtonCallsTheDragOff() {
        drag(0, 2);
        QTest::mousePress(m_view->viewport(), Qt::RightButton, {}, below(2));
        QVERIFY(!isLineShown());
        QTest::mouseRelease(m_view->viewport(), Qt::RightButton, {}, below(2));
        move(below(1));
        QVERIFY(!isLineShown());
        release(1);
        QCOMPARE(m_moved->count(), 0);
        drag(1, 3);
        release(3);
        QCOMPARE(m_moved->count(), 1);
    }

    void aDragEndsWhenRowsMayNotBeMovedAnyMore() {
        drag(0, 2);
        m_mover->setEnabled(false);
        QVERIFY(!isLineShown());
        m_mover->setEnabled(true);
        release(2);
        QCOMPARE(m_moved->count(), 0);
    }

    // A file read again, or an edit undone, while the button is held.
    void aRowThatIsGoneIsNotMoved() {
        drag(3, 1);
        m_model->setStringList({QStringLiteral("x"), QStringLiteral("y")});
        release(1);
        QVERIFY(!isLineShown());
        QCOMPARE(m_moved->count(), 0);
        // One that only has another place goes on from there.
        drag(1, 0);
        m_model->insertRow(0);
        release(0);
        QCOMPARE(m_moved->count(), 1);
        QCOMPARE(m_moved->at(0).at(0).toInt(), 2);
    }

    // An edit undone while the button is held: the rows stay and say something else.
    void aRowThatBecameAnotherIsNotMoved() {
        drag(0, 2);
        m_model->setData(m_model->index(0, 0), QStringLiteral("b"));
        release(2);
        QVERIFY(!isLineShown());
        QCOMPARE(m_moved->count(), 0);
        drag(0, 2);
        m_model->setData(m_model->index(0, 0), QStringLiteral("c"));
        move(below(3));
        QVERIFY(!isLineShown());
        release(3);
        QCOMPARE(m_moved->count(), 0);
        drag(0, 2);
        m_model->setData(m_model->index(1, 0), QStringLiteral("x"));  // another row's news end nothing
        release(2);
        QCOMPARE(m_moved->count(), 1);
    }

private:
    QRect rectOf(int row) const { return m_view->visualRect(m_model->index(row, 0)); }
    QPoint below(int row) const { return rectOf(row).center() + QPoint(0, 2); }
    // QTest::mouseMove says nothing of the button that is held.
    void move(const QPoint& to) {
        QMouseEvent event(QEvent::MouseMove, to, m_view->viewport()->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_view->viewport(), &event);
    }
    /// Down: to below the row; up: to above it.
    void drag(int from, int to) {
        QTest::mousePress(m_view->viewport(), Qt::LeftButton, {}, rectOf(from).center());
        const QPoint end = to > from ? below(to) : rectOf(to).center() - QPoint(0, 2);
        move(QPoint(end.x(), (rectOf(from).center().y() + end.y()) / 2));
        move(end);
    }
    void release(int row) { QTest::mouseRelease(m_view->viewport(), Qt::LeftButton, {}, below(row)); }
    bool isLineShown() const {
        const auto* line = m_view->viewport()->findChild<QFrame*>({}, Qt::FindDirectChildrenOnly);
        return line != nullptr && line->isVisible();
    }

    std::unique_ptr<QStringListModel> m_model;
    std::unique_ptr<QListView> m_view;
    RowMover* m_mover = nullptr;
    std::unique_ptr<QSignalSpy> m_moved;
};

QTEST_MAIN(RowMoverTest)
#include "tst_row_mover.moc"
