// SPDX-License-Identifier: MIT
#include "ui/widgets/forms/row_mover.h"

#include "ui/theme/theme.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QFrame>
#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <utility>

namespace signalbox::ui {

// What its rows are known by stands in a model's first column.
static QString nameOfRow(const QModelIndex& index) { return index.isValid() ? index.siblingAtColumn(0).data().toString() : QString(); }

bool RowMover::isPressedStill() const { return m_pressed.isValid() && nameOfRow(m_pressed) == m_pressedName; }

RowMover::RowMover(QAbstractItemView* view) : QObject(view), m_view(view), m_line(new QFrame(view->viewport())) {
    m_line->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_line->setVisible(false);
    view->installEventFilter(this);
    view->viewport()->installEventFilter(this);
}

void RowMover::setEnabled(bool enabled) {
    m_enabled = enabled;
    if (!enabled) endDrag();
}

bool RowMover::eventFilter(QObject* watched, QEvent* event) {
    if (m_enabled && m_view->model() != nullptr) {
        if (watched == m_view && (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride) && viewKey(event)) return true;
        if (watched == m_view->viewport() && mouse(event)) return true;
    }
    return QObject::eventFilter(watched, event);
}

bool RowMover::viewKey(QEvent* event) {
    auto* key = static_cast<QKeyEvent*>(event);
    if (m_dragging && key->key() == Qt::Key_Escape) {
        endDrag();
        return true;
    }
    const bool up = key->key() == Qt::Key_Up, down = key->key() == Qt::Key_Down;
    if ((!up && !down) || key->modifiers().testFlag(Qt::ControlModifier) || !key->modifiers().testFlag(Qt::AltModifier)) return false;
    event->accept();
    if (event->type() == QEvent::ShortcutOverride) return false;
    const int from = m_view->currentIndex().row(), to = up ? from - 1 : from + 1;
    if (from >= 0 && to >= 0 && to < m_view->model()->rowCount()) Q_EMIT moved(from, to);
    return true;
}

bool RowMover::mouse(QEvent* event) {
    switch (event->type()) {
    case QEvent::MouseButtonPress: {
        auto* mouse = static_cast<QMouseEvent*>(event);
        if (m_dragging) {  // another button calls the drag off
            endDrag();
            return true;
        }
        const QModelIndex index = m_view->indexAt(mouse->position().toPoint());
        m_pressed = mouse->button() == Qt::LeftButton && mouse->modifiers() == Qt::NoModifier ? index : QModelIndex();
        m_pressedName = nameOfRow(m_pressed);
        m_pressedAt = mouse->position().toPoint().y();
        return false;
    }
    case QEvent::MouseMove: {
        auto* mouse = static_cast<QMouseEvent*>(event);
        if (m_pressed.isValid() && !isPressedStill()) m_pressed = QModelIndex();
        if (m_dragging && !m_pressed.isValid()) endDrag();  // its row is gone
        if (!m_pressed.isValid() || !mouse->buttons().testFlag(Qt::LeftButton)) return false;
        const int y = mouse->position().toPoint().y();
        if (!m_dragging && std::abs(y - m_pressedAt) < QApplication::startDragDistance()) return true;  // no rubber band
        m_dragging = true;
        m_view->viewport()->setCursor(Qt::ClosedHandCursor);
        showGap(gapAt(y));
        return true;
    }
    case QEvent::MouseButtonRelease: {
        if (!m_dragging) {
            m_pressed = QModelIndex();
            return false;
        }
        const int from = isPressedStill() ? m_pressed.row() : -1, gap = std::min(m_gap, m_view->model()->rowCount());
        endDrag();
        if (from < 0) return true;
        // Taking the row out closes the gap above which it stood.
        const int to = gap > from ? gap - 1 : gap;
        if (to != from) Q_EMIT moved(from, to);
        return true;
    }
    default: return false;
    }
}

int RowMover::gapAt(int y) const {
    const int rows = m_view->model()->rowCount();
    for (int row = 0; row < rows; ++row)
        if (y < m_view->visualRect(m_view->model()->index(row, 0)).center().y()) return row;
    return rows;
}

void RowMover::showGap(int gap) {
    m_gap = gap;
    const int rows = m_view->model()->rowCount();
    const QRect beside = m_view->visualRect(m_view->model()->index(std::min(gap, rows - 1), 0));
    const int y = gap < rows ? beside.top() : beside.bottom();
    m_line->setStyleSheet(QStringLiteral("background: %1;").arg(Theme::instance().color(Surface::accent).name()));
    m_line->setGeometry(0, std::clamp(y - 1, 0, m_view->viewport()->height() - 2), m_view->viewport()->width(), 2);
    m_line->setVisible(true);
    m_line->raise();
}

void RowMover::endDrag() {
    m_pressed = QModelIndex();
    if (!std::exchange(m_dragging, false)) return;
    m_line->setVisible(false);
    m_view->viewport()->unsetCursor();
}

}  // namespace signalbox::ui
