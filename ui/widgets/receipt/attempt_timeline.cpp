// SPDX-License-Identifier: MIT
#include "ui/widgets/receipt/attempt_timeline.h"

#include "ui/theme/format.h"
#include "ui/widgets/receipt/receipt_parts.h"

#include <QPainter>

#include <algorithm>

namespace signalbox::ui {

static constexpr int kLane = 18;
static constexpr int kBar = 8;
static constexpr int kAxis = 18;

AttemptTimeline::AttemptTimeline(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Time line of the attempts"));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void AttemptTimeline::setAttempts(std::vector<evidence::Attempt> attempts, double totalMs) {
    m_attempts = std::move(attempts);
    m_totalMs = totalMs;
    QStringList spoken;
    for (const evidence::Attempt& attempt : m_attempts) {
        m_totalMs = std::max(m_totalMs, attempt.endedMs);
        spoken << tr("%1 from %2 to %3").arg(format::text(attempt.endpointId), format::milliseconds(attempt.startedMs),
                                             format::milliseconds(attempt.endedMs));
    }
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    setToolTip(tr("Hollow: waiting for the first content. Filled: content arriving."));
    updateGeometry();
    update();
}

QSize AttemptTimeline::sizeHint() const { return {240, static_cast<int>(m_attempts.size()) * kLane + kAxis}; }
QSize AttemptTimeline::minimumSizeHint() const { return {120, sizeHint().height()}; }

double AttemptTimeline::xOf(double ms) const {
    const double usable = width() - 2.0;
    return 1.0 + (m_totalMs > 0 ? std::clamp(ms / m_totalMs, 0.0, 1.0) * usable : 0.0);
}

void AttemptTimeline::paintBar(QPainter& painter, const evidence::Attempt& attempt, const QRectF& lane) const {
    const QColor color = Theme::instance().color(toneOf(attempt.outcome));
    const double from = xOf(attempt.startedMs);
    const double to = std::max(xOf(attempt.endedMs), from + 3.0);
    const QRectF bar(from, lane.center().y() - kBar / 2.0, to - from, kBar);
    painter.setPen(QPen(color, 1.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(bar, 2, 2);
    if (!attempt.firstContentMs) return;
    QRectF content = bar;
    content.setLeft(std::clamp(xOf(*attempt.firstContentMs), bar.left(), bar.right() - 1.0));
    painter.setBrush(color);
    painter.drawRoundedRect(content, 2, 2);
}

void AttemptTimeline::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Theme::instance();
    for (std::size_t i = 0; i < m_attempts.size(); ++i)
        paintBar(painter, m_attempts[i], QRectF(0, static_cast<double>(i) * kLane, width(), kLane));

    const QRectF axis(0, static_cast<double>(m_attempts.size()) * kLane, width(), kAxis);
    painter.setPen(theme.color(Surface::hairline));
    painter.drawLine(QPointF(1, axis.top() + 1), QPointF(width() - 1, axis.top() + 1));
    painter.setPen(theme.color(Surface::textMuted));
    painter.setFont(theme.smallFont());
    const QRectF text = axis.adjusted(0, 2, 0, 0);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, tr("0 ms"));
    painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter, format::milliseconds(m_totalMs));
}

}  // namespace signalbox::ui
