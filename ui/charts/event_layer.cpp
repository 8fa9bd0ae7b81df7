// SPDX-License-Identifier: MIT
#include "ui/charts/event_layer.h"

#include "ui/theme/theme.h"
#include "ui/theme/tone_glyph.h"

#include <QPainter>

#include <algorithm>

namespace signalbox::ui {

// The glyph stands in the room that the plot leaves above its scale.
static constexpr double kGlyph = 7, kApart = 9, kReach = 5;

EventLayer::EventLayer(TimePlot* plot) : QWidget(plot), m_plot(plot) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

bool EventLayer::set(std::vector<evidence::Event> events) {
    EventMarks marks;
    marks.set(std::move(events));
    if (marks.events() == m_events.events()) return false;
    m_events = std::move(marks);
    refresh();
    return true;
}

void EventLayer::setShown(bool shown) {
    m_shown = shown;
    refresh();
}

void EventLayer::refresh() {
    m_marks.clear();
    if (m_shown && m_plot->points() > 0) m_marks = m_events.marks(m_plot->span(), [this](Timestamp at) { return m_plot->xOf(at); }, kApart);
    update();
}

std::span<const evidence::Event> EventLayer::at(std::size_t index) const {
    if (!m_shown || index >= m_plot->points()) return {};
    const auto range = m_plot->rangeOf(index);
    const double left = m_plot->xOf(range.from), right = m_plot->xOf(range.to), middle = (left + right) / 2;
    const double from = std::min(left, middle - kReach), to = std::max(right, middle + kReach);
    const std::span<const evidence::Event> all(m_events.events());
    std::optional<std::size_t> first;
    std::size_t end = 0;
    const auto take = [&](std::size_t begin, std::size_t count) {
        if (count == 0) return;
        first = std::min(first.value_or(begin), begin);
        end = std::max(end, begin + count);
    };
    const auto inside = m_events.within(range);
    take(static_cast<std::size_t>(inside.data() - all.data()), inside.size());
    // A wide bucket may hold several marks, and a mark begins where the first of its events stands.
    for (const EventMark& mark : m_marks)
        if (mark.x >= from && mark.x < to) take(mark.first, mark.count);
    return first ? all.subspan(*first, end - *first) : std::span<const evidence::Event>();
}

std::optional<std::size_t> EventLayer::nextMark(std::optional<std::size_t> from, int by) const {
    std::optional<std::size_t> best;
    for (const EventMark& mark : m_marks) {
        const auto since = m_events.events()[mark.first].createdAt - m_plot->span().from;
        const auto index = static_cast<std::size_t>(since / std::chrono::microseconds(m_plot->bucket()));
        if (from && (by > 0 ? index <= *from : index >= *from)) continue;
        if (!best || by < 0) best = index;
    }
    return best;
}

void EventLayer::paintEvent(QPaintEvent*) {
    if (m_marks.empty()) return;
    QPainter painter(this);
    const Theme& theme = Theme::instance();
    const QRectF plot = m_plot->plot();
    painter.setFont(theme.smallFont());
    double free = plot.left();  // where the next number may stand
    for (const EventMark& mark : m_marks) {
        const QColor color = theme.color(mark.tone);
        QPen line(color, 1, Qt::DotLine);
        painter.setPen(line);
        painter.drawLine(QPointF(mark.x, plot.top() + 1), QPointF(mark.x, plot.bottom()));
        paintToneGlyph(painter, QRectF(mark.x - kGlyph / 2, plot.top() - kGlyph, kGlyph, kGlyph), mark.tone, color);
        if (mark.count < 2 || mark.x + kGlyph < free) continue;
        const QString count = QString::number(mark.count);
        const QRectF box(mark.x + 3, plot.top(), painter.fontMetrics().horizontalAdvance(count) + 4, painter.fontMetrics().height());
        painter.fillRect(box, theme.color(Surface::panel));
        painter.setPen(theme.color(Surface::text));
        painter.drawText(box, Qt::AlignCenter, count);
        free = box.right();
    }
}

}  // namespace signalbox::ui
