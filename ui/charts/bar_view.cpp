// SPDX-License-Identifier: MIT
#include "ui/charts/bar_view.h"

#include "ui/charts/ticks.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace signalbox::ui {

static constexpr int kRow = 30, kBar = 16, kGap = 10, kEdge = 6, kLeft = 52, kScaleGap = 8, kBottom = 40, kTop = 10;

std::uint64_t Bars::total() const {
    std::uint64_t sum = 0;
    for (const Bar& bar : bars) sum += bar.count;
    return sum;
}

BarView::BarView(Direction direction, const QString& name, QWidget* parent) : QWidget(parent), m_direction(direction), m_left(kLeft) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(name);
    describe();
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void BarView::setBars(Bars bars) {
    m_bars = std::move(bars);
    m_highest = 0;
    for (const auto& bar : m_bars.bars) m_highest = std::max(m_highest, bar.count);
    if (m_cursor && *m_cursor >= m_bars.bars.size()) m_cursor.reset();
    m_step = countStep(static_cast<double>(m_highest), 4);
    m_top = std::max(1.0, std::ceil(static_cast<double>(m_highest) / m_step) * m_step);
    // A count without its first digit would be another one.
    m_left = std::max<double>(kLeft, QFontMetricsF(Theme::instance().smallFont()).horizontalAdvance(format::count(static_cast<quint64>(m_top))) + kScaleGap + 4);
    describe();
    updateGeometry();
    update();
}

QSize BarView::sizeHint() const {
    if (m_direction == Direction::upright) return {320, 190};
    return {320, static_cast<int>(m_bars.bars.size()) * kRow + 2};
}
QSize BarView::minimumSizeHint() const {
    return m_direction == Direction::upright ? QSize(220, 140) : QSize(220, sizeHint().height());
}

QRectF BarView::plot() const { return {m_left, kTop, std::max(20.0, width() - m_left - 6.0), std::max(20.0, height() - kTop - double(kBottom))}; }

QRectF BarView::boxOf(std::size_t bar) const {
    const auto at = static_cast<double>(bar);
    if (m_direction == Direction::lying) return {0, at * kRow, static_cast<double>(width()), kRow};
    const double step = plot().width() / static_cast<double>(std::max<std::size_t>(1, m_bars.bars.size()));
    return {plot().left() + at * step, plot().top(), step, plot().height()};
}

std::optional<std::size_t> BarView::barAt(const QPointF& position) const {
    for (std::size_t i = 0; i < m_bars.bars.size(); ++i)
        if (boxOf(i).contains(position)) return i;
    return std::nullopt;
}

QString BarView::countText(std::size_t bar) const {
    const std::uint64_t count = m_bars.bars[bar].count, total = m_bars.total();
    if (count == 0) return format::count(count);
    return tr("%1 · %2 %").arg(format::count(count), QLocale().toString(100.0 * static_cast<double>(count) / static_cast<double>(total), 'f', 1));
}

QString BarView::sentenceOf(std::size_t bar) const {
    return tr("%1: %2 %3").arg(m_bars.bars[bar].meaning, countText(bar), m_bars.unit);
}

int BarView::nameWidth() const {
    const QFontMetrics metrics(Theme::instance().font());
    int widest = 60;
    for (const auto& bar : m_bars.bars) widest = std::max(widest, metrics.horizontalAdvance(bar.name));
    return std::min(widest + 4, std::max(60, width() * 2 / 5));
}

void BarView::fillBar(QPainter& painter, const QRectF& box, std::size_t bar) const {
    if (m_bars.bars[bar].fill) m_bars.bars[bar].fill(painter, box);
    else painter.fillRect(box, Theme::instance().color(Surface::accent));
}

void BarView::paintLying(QPainter& painter, std::size_t bar) const {
    const Theme& theme = Theme::instance();
    const QRectF box = boxOf(bar);
    const auto& shown = m_bars.bars[bar];
    painter.setFont(theme.font());
    painter.setPen(theme.color(shown.count > 0 ? Surface::text : Surface::textMuted));
    const QRectF name(kEdge, box.top(), nameWidth(), box.height());
    painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter, QFontMetricsF(theme.font()).elidedText(shown.name, Qt::ElideMiddle, name.width()));
    painter.setFont(theme.numberFont());
    const double figure = QFontMetricsF(theme.numberFont()).horizontalAdvance(countText(bar)) + 4;
    const double left = name.right() + kGap, room = std::max(8.0, width() - kEdge - figure - kGap - left);
    const double length = m_highest == 0 ? 0 : static_cast<double>(shown.count) / static_cast<double>(m_highest) * room;
    if (shown.count > 0) fillBar(painter, {left, box.center().y() - kBar / 2.0, std::max(2.0, length), kBar}, bar);
    // The count stands at the end of its bar.
    painter.setPen(theme.color(shown.count > 0 ? Surface::text : Surface::textMuted));
    painter.drawText(QRectF(left + length + 6, box.top(), figure, box.height()), Qt::AlignLeft | Qt::AlignVCenter, countText(bar));
}

void BarView::paintUpright(QPainter& painter, std::size_t bar) const {
    const Theme& theme = Theme::instance();
    const QRectF box = boxOf(bar);
    const auto& shown = m_bars.bars[bar];
    const double height = static_cast<double>(shown.count) / m_top * box.height();
    if (shown.count > 0) fillBar(painter, {box.left() + 1, box.bottom() - std::max(1.5, height), box.width() - 2, std::max(1.5, height)}, bar);
    if (shown.name.isEmpty()) return;
    painter.setFont(theme.smallFont());
    painter.setPen(theme.color(Surface::textMuted));
    // Names stand at the lower edge of their slot, as on a scale.
    const double width = QFontMetricsF(theme.smallFont()).horizontalAdvance(shown.name) + 4;
    painter.drawText(QRectF(std::clamp(box.left() - width / 2, 0.0, this->width() - width), box.bottom() + 3, width, 15), Qt::AlignCenter, shown.name);
}

void BarView::paintScale(QPainter& painter) const {
    const Theme& theme = Theme::instance();
    painter.setFont(theme.smallFont());
    for (double value = 0; value <= m_top + m_step / 2; value += m_step) {
        const double y = plot().bottom() - value / m_top * plot().height();
        painter.setPen(theme.color(Surface::hairline));
        painter.drawLine(QPointF(plot().left(), y), QPointF(plot().right(), y));
        painter.setPen(theme.color(Surface::textMuted));
        painter.drawText(QRectF(0, y - 8, m_left - kScaleGap, 16), Qt::AlignRight | Qt::AlignVCenter, format::count(static_cast<quint64>(value)));
    }
    painter.drawText(QRectF(plot().left(), height() - 18, plot().width(), 16), Qt::AlignCenter, m_bars.scale);
}

void BarView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::instance();
    if (m_cursor) painter.fillRect(boxOf(*m_cursor), theme.color(Surface::hover));
    if (m_direction == Direction::upright) paintScale(painter);
    for (std::size_t i = 0; i < m_bars.bars.size(); ++i) {
        if (m_direction == Direction::lying) paintLying(painter, i);
        else paintUpright(painter, i);
    }
    if (!hasFocus()) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.color(Surface::accent), 1));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    if (m_cursor) painter.drawRect(boxOf(*m_cursor).adjusted(0.5, 0.5, -0.5, -0.5));
}

void BarView::moveTo(std::optional<std::size_t> bar) {
    if (bar == m_cursor) return;
    m_cursor = bar;
    describe();
    update();
}

void BarView::describe() {
    const QString text = m_cursor ? sentenceOf(*m_cursor) : tr("Bars. Arrow keys read them, Enter shows the decisions, T shows them as a table.");
    if (text != accessibleDescription()) setAccessibleDescription(text);
}

void BarView::mouseMoveEvent(QMouseEvent* event) {
    const auto bar = barAt(event->position());
    moveTo(bar);
    setCursor(bar ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (bar) QToolTip::showText(event->globalPosition().toPoint(), plainTip(sentenceOf(*bar)), this);
    else QToolTip::hideText();
}

void BarView::mouseReleaseEvent(QMouseEvent* event) {
    const auto bar = barAt(event->position());
    if (event->button() == Qt::LeftButton && bar) Q_EMIT chosen(static_cast<int>(*bar));
}

void BarView::leaveEvent(QEvent*) {
    if (!hasFocus()) moveTo(std::nullopt);
}

void BarView::step(int by) {
    const auto count = static_cast<long>(m_bars.bars.size());
    if (count == 0) return;
    const long from = m_cursor ? static_cast<long>(*m_cursor) : (by > 0 ? -1 : count);
    moveTo(static_cast<std::size_t>(std::clamp(from + by, 0L, count - 1)));
}

void BarView::keyPressEvent(QKeyEvent* event) {
    constexpr int kAll = 1'000'000;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Up: return step(-1);
    case Qt::Key_Right:
    case Qt::Key_Down: return step(1);
    case Qt::Key_Home: return step(-kAll);
    case Qt::Key_End: return step(kAll);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_cursor) Q_EMIT chosen(static_cast<int>(*m_cursor));
        return;
    default: QWidget::keyPressEvent(event);
    }
}

void BarView::focusInEvent(QFocusEvent*) { update(); }

void BarView::focusOutEvent(QFocusEvent*) {
    moveTo(std::nullopt);
    update();
}

}  // namespace signalbox::ui
