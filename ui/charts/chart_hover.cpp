// SPDX-License-Identifier: MIT
#include "ui/charts/chart_hover.h"

#include "ui/charts/chart_readout.h"
#include "ui/charts/event_layer.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace signalbox::ui {

static constexpr std::size_t kMostEventLines = 5;

ChartHover::ChartHover(const TimePlot* view, const EventLayer* events, const QString& name, QWidget* parent)
    : QWidget(parent), m_view(view), m_events(events) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(name);
    describe();
}

void ChartHover::describe() {
    const QString text = m_cursor ? readingAt(*m_cursor).sentence
                                  : tr("Chart. Arrow keys read it, page up and down go from event to event, Enter shows the decisions, T shows it as a table.");
    if (text != accessibleDescription()) setAccessibleDescription(text);
}

void ChartHover::refresh() {
    if (m_cursor && *m_cursor >= m_view->points()) m_cursor.reset();
    if (m_line && *m_line >= m_view->lineCount()) m_line.reset();
    if (!m_pressed) m_anchor.reset();
    describe();
    update();
}

void ChartHover::setMarked(const std::optional<evidence::TimeRange>& range) {
    m_marked = range;
    update();
}

std::optional<evidence::TimeRange> ChartHover::brushed() const {
    if (!m_anchor || !m_cursor || *m_anchor >= m_view->points()) return std::nullopt;
    const auto [first, last] = std::minmax(*m_anchor, *m_cursor);
    return evidence::TimeRange{m_view->rangeOf(first).from, m_view->rangeOf(last).to};
}

void ChartHover::moveTo(std::optional<std::size_t> index, std::optional<std::size_t> line) {
    if (index == m_cursor && line == m_line) return;
    m_cursor = index;
    m_line = line;
    describe();
    update();
}

void ChartHover::mouseMoveEvent(QMouseEvent* event) {
    m_byMouse = true;
    const auto index = m_view->indexAtX(event->position().x());
    if (m_pressed && !index) return;  // dragged over the edge: the brush stays at the last bucket
    const bool far = (event->position() - m_pressedAt).manhattanLength() >= QApplication::startDragDistance();
    if (m_pressed && far && !m_anchor) m_anchor = m_view->indexAtX(m_pressedAt.x());
    readAt(event->position());
    setCursor(index ? Qt::CrossCursor : Qt::ArrowCursor);
    if (m_pressed) update();
}

void ChartHover::readAt(const QPointF& position) {
    const auto index = m_view->indexAtX(position.x());
    moveTo(index, index ? m_view->lineAt(*index, position.y()) : std::nullopt);
}

void ChartHover::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return event->ignore();
    m_pressed = true;
    m_pressedAt = event->position();
    m_anchor.reset();
    readAt(event->position());  // a tap comes without a move before it
}

void ChartHover::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_pressed) return event->ignore();
    m_pressed = false;
    enter();
}

// A brushed range is taken; a point without one leads to what is behind it.
void ChartHover::enter() {
    const auto range = brushed();
    m_anchor.reset();
    update();
    if (range) Q_EMIT rangeChosen(*range);
    else if (m_cursor) Q_EMIT pointChosen(*m_cursor, m_line ? static_cast<int>(*m_line) : -1);
}

void ChartHover::leaveEvent(QEvent*) {
    if (!m_pressed && m_byMouse) moveTo(std::nullopt, std::nullopt);
}

void ChartHover::step(int by, bool stretch) {
    const auto count = static_cast<long>(m_view->points());
    if (count == 0) return;
    m_byMouse = false;
    if (stretch && !m_anchor) m_anchor = m_cursor;
    if (!stretch) m_anchor.reset();
    const long from = m_cursor ? static_cast<long>(*m_cursor) : (by > 0 ? -1 : count);
    moveTo(static_cast<std::size_t>(std::clamp(from + by, 0L, count - 1)), m_line);
    update();
}

void ChartHover::stepLine(int by) {
    const auto count = static_cast<long>(m_view->lineCount());
    if (count == 0 || !m_cursor) return;
    const long from = m_line ? static_cast<long>(*m_line) : (by > 0 ? -1 : count);
    moveTo(m_cursor, static_cast<std::size_t>(std::clamp(from + by, 0L, count - 1)));
}

void ChartHover::stepEvent(int by) {
    const auto next = m_events->nextMark(m_cursor, by);
    if (!next) return;
    m_byMouse = false;
    m_anchor.reset();
    moveTo(next, m_line);
}

PlotReading ChartHover::readingAt(std::size_t index) const {
    PlotReading reading = m_view->reading(index);
    reading.happened = eventLines(m_events->at(index), kMostEventLines);
    if (!reading.happened.isEmpty()) reading.sentence += QStringLiteral(". ") + reading.happened.join(QStringLiteral(", "));
    return reading;
}

void ChartHover::keyPressEvent(QKeyEvent* event) {
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    constexpr int kAll = 1'000'000;
    switch (event->key()) {
    case Qt::Key_Left: return step(-1, shift);
    case Qt::Key_Right: return step(1, shift);
    case Qt::Key_Home: return step(-kAll, shift);
    case Qt::Key_End: return step(kAll, shift);
    case Qt::Key_Up: return stepLine(1);
    case Qt::Key_Down: return stepLine(-1);
    case Qt::Key_PageUp: return stepEvent(-1);
    case Qt::Key_PageDown: return stepEvent(1);
    case Qt::Key_Return:
    case Qt::Key_Enter: return enter();
    case Qt::Key_Escape:
        if (!m_cursor && !m_anchor) return event->ignore();
        m_anchor.reset();
        return moveTo(std::nullopt, std::nullopt);
    default: QWidget::keyPressEvent(event);
    }
}

void ChartHover::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void ChartHover::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    if (!m_pressed) m_anchor.reset();  // else the next hover would draw a range from there
    moveTo(std::nullopt, std::nullopt);
}

void ChartHover::paintSpan(QPainter& painter, const evidence::TimeRange& range, bool filled) const {
    const QRectF plot = m_view->plot();
    const double left = std::max(plot.left(), m_view->xOf(range.from)), right = std::min(plot.right(), m_view->xOf(range.to));
    if (right <= left) return;
    const QRectF span(left, plot.top(), right - left, plot.height());
    QColor fill = Theme::instance().color(Surface::accent);
    fill.setAlphaF(0.18F);
    if (filled) painter.fillRect(span, fill);
    painter.setPen(QPen(Theme::instance().color(Surface::accent), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(span);
}

void ChartHover::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::instance();
    const QRectF plot = m_view->plot();
    if (hasFocus()) {
        painter.setPen(QPen(theme.color(Surface::accent), 1));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (m_marked) paintSpan(painter, *m_marked, false);
    if (const auto range = brushed()) paintSpan(painter, *range, true);
    if (!m_cursor || *m_cursor >= m_view->points()) return;
    const auto range = m_view->rangeOf(*m_cursor);
    QColor column = theme.color(Surface::text);
    column.setAlphaF(0.10F);
    painter.fillRect(QRectF(m_view->xOf(range.from), plot.top(), m_view->xOf(range.to) - m_view->xOf(range.from), plot.height()), column);
    paintReading(painter, readingAt(*m_cursor), (m_view->xOf(range.from) + m_view->xOf(range.to)) / 2, m_line, QRectF(rect()));
}

}  // namespace signalbox::ui
