// SPDX-License-Identifier: MIT
#include "ui/charts/chart_labels.h"

#include "ui/theme/theme.h"
#include "ui/theme/format.h"

#include <QHelpEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

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

ChartLabels::ChartLabels(const StackView* view, QWidget* parent) : QWidget(parent), m_view(view) {
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void ChartLabels::refresh() {
    const TimeSeries& series = m_view->series();
    m_wanted.clear();
    std::size_t last = series.starts.size();
    while (last > 0 && series.totalAt(last - 1) == 0) --last;
    double below = 0;
    for (const auto& line : series.lines) {
        const double count = last > 0 ? static_cast<double>(line.counts[last - 1]) : 0;
        m_wanted.push_back(m_view->yOf(below + count / 2));
        below += count;
    }
    // The stack grows upwards: its last line is the highest on the screen.
    std::vector<double> fromTop(m_wanted.rbegin(), m_wanted.rend());
    const QRectF plot = m_view->plot();
    m_leaders = m_view->yOf(0) - m_view->yOf(below) > static_cast<double>(series.lines.size()) * kGap / 3;
    const double centred = plot.center().y() - static_cast<double>(series.lines.size()) * kGap / 2;
    for (std::size_t i = 0; !m_leaders && i < fromTop.size(); ++i) fromTop[i] = centred + (static_cast<double>(i) + 0.5) * kGap;
    fromTop = spread(std::move(fromTop), kGap, plot.top(), plot.bottom());
    m_placed.assign(fromTop.rbegin(), fromTop.rend());
    update();
}

void ChartLabels::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    refresh();
}

static QString percent(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) return {};
    const double share = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    if (part > 0 && share < 0.5) return QStringLiteral("<1 %");
    return QLocale().toString(std::round(share), 'f', 0) + QStringLiteral(" %");
}

void ChartLabels::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Theme::instance();
    const TimeSeries& series = m_view->series();
    const std::uint64_t total = series.total();
    for (std::size_t i = 0; i < series.lines.size(); ++i) {
        const auto& line = series.lines[i];
        const double y = m_placed[i];
        const bool strong = static_cast<int>(i) == m_hovered || (m_view->emphasis() && line.kind != TimeSeries::Kind::rest && *m_view->emphasis() == line.entity);
        const bool faded = m_view->emphasis().has_value() && !strong;
        painter.setPen(QPen(m_view->colorOf(line), 1.2));
        if (m_leaders) painter.drawPolyline(QPolygonF{{0, m_wanted[i]}, {4, m_wanted[i]}, {kLeader - 6, y}, {kLeader - 2, y}});
        painter.setBrush(m_view->brushOf(line));
        painter.drawRect(QRectF(kLeader, y - kSwatch / 2, kSwatch, kSwatch));

        QFont font = theme.smallFont();
        if (strong) font.setWeight(QFont::DemiBold);
        painter.setFont(font);
        painter.setPen(theme.color(faded ? Surface::textMuted : Surface::text));
        const QRectF row(kLeader + kSwatch + 6, y - kGap / 2, width() - kLeader - kSwatch - 8, kGap);
        const QString share = percent(line.total, total);
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, share);
        const QRectF room = row.adjusted(0, 0, -QFontMetricsF(font).horizontalAdvance(share) - 8, 0);
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, QFontMetricsF(font).elidedText(line.label, Qt::ElideMiddle, room.width()));
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
    if (const int line = lineAt(event->position()); line >= 0) Q_EMIT chosen(line);
}

bool ChartLabels::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int line = lineAt(help->pos());
    if (line < 0) return false;
    const auto& shown = m_view->series().lines[static_cast<std::size_t>(line)];
    QToolTip::showText(help->globalPos(), tr("%1: %2 %3").arg(shown.label, format::count(shown.total), m_view->series().unit), this);
    return true;
}

}  // namespace signalbox::ui
