// SPDX-License-Identifier: MIT
#include "ui/charts/chart_labels.h"

#include "ui/theme/plain_tip.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace signalbox::ui {

static constexpr double kGap = 19, kLeader = 22, kSwatch = 9;

std::vector<double> spread(std::vector<double> centres, double gap, double top, double bottom) {
    double free = top;
    for (double& centre : centres) {
        centre = std::max(centre, free + gap / 2);
        free = centre + gap / 2;
    }
    free = bottom;
    for (auto it = centres.rbegin(); it != centres.rend() && *it > free - gap / 2; ++it) {
        *it = free - gap / 2;
        free = *it - gap / 2;
    }
    return centres;
}

ChartLabels::ChartLabels(const TimePlot* view, QWidget* parent) : QWidget(parent), m_view(view) {
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    connect(&Theme::instance(), &Theme::changed, this, &ChartLabels::refresh);
}

void ChartLabels::refresh() {
    m_labels = m_view->endLabels();
    m_leaders = m_view->endsCanBePointedAt();
    // From the top of the screen; a stack grows upwards, so of equal ends the last line is the highest.
    std::vector<std::size_t> order(m_labels.size());
    std::iota(order.rbegin(), order.rend(), std::size_t{0});
    if (m_leaders) std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) { return m_labels[a].y < m_labels[b].y; });
    const QRectF plot = m_view->plot();
    const double centred = plot.center().y() - static_cast<double>(order.size()) * kGap / 2;
    std::vector<double> fromTop;
    for (std::size_t i = 0; i < order.size(); ++i)
        fromTop.push_back(m_leaders ? m_labels[order[i]].y : centred + (static_cast<double>(i) + 0.5) * kGap);
    fromTop = spread(std::move(fromTop), kGap, plot.top(), plot.bottom());
    m_placed.assign(order.size(), 0.0);
    for (std::size_t i = 0; i < order.size(); ++i) m_placed[order[i]] = fromTop[i];
    update();
}

void ChartLabels::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    refresh();
}

void ChartLabels::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Theme::instance();
    for (std::size_t i = 0; i < m_labels.size(); ++i) {
        const EndLabel& label = m_labels[i];
        const double y = m_placed[i];
        const bool strong = static_cast<int>(i) == m_hovered || label.strong;
        painter.setPen(QPen(label.look.edge.value_or(label.look.fill.color()), 1.2));
        if (m_leaders) painter.drawPolyline(QPolygonF{{0, label.y}, {4, label.y}, {kLeader - 6, y}, {kLeader - 2, y}});
        painter.setBrush(label.look.fill);
        painter.drawRect(QRectF(kLeader, y - kSwatch / 2, kSwatch, kSwatch));

        QFont font = theme.smallFont();
        if (strong) font.setWeight(QFont::DemiBold);
        painter.setFont(font);
        painter.setPen(theme.color(label.faded && !strong ? Surface::textMuted : Surface::text));
        const QRectF row(kLeader + kSwatch + 6, y - kGap / 2, width() - kLeader - kSwatch - 8, kGap);
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, label.figure);
        const QRectF room = row.adjusted(0, 0, -QFontMetricsF(font).horizontalAdvance(label.figure) - 8, 0);
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, QFontMetricsF(font).elidedText(label.name, Qt::ElideMiddle, room.width()));
    }
}

int ChartLabels::lineAt(const QPointF& position) const {
    for (std::size_t i = 0; i < m_placed.size(); ++i)
        if (std::abs(position.y() - m_placed[i]) < kGap / 2 && position.x() > kLeader - 4) return static_cast<int>(i);
    return -1;
}

void ChartLabels::mouseMoveEvent(QMouseEvent* event) {
    const int line = lineAt(event->position());
    if (line == m_hovered) return;
    m_hovered = line;
    setCursor(line >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void ChartLabels::leaveEvent(QEvent*) {
    m_hovered = -1;
    update();
}

void ChartLabels::mouseReleaseEvent(QMouseEvent* event) {
    if (const int line = lineAt(event->position()); line >= 0 && event->button() == Qt::LeftButton) Q_EMIT chosen(line);
}

bool ChartLabels::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int line = lineAt(help->pos());
    if (line < 0) return false;
    QToolTip::showText(help->globalPos(), plainTip(m_labels[static_cast<std::size_t>(line)].tip), this);
    return true;
}

}  // namespace signalbox::ui
