// SPDX-License-Identifier: MIT
#include "ui/pages/endpoints/mix_plot.h"

#include "ui/models/pool_words.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/theme.h"

#include <QLineF>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace signalbox::ui {

static constexpr double kLeft = 58, kBottom = 34, kPlotTop = 26, kRight = 12, kPoint = 4.5;

MixPlot::MixPlot(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("mixPlot"));
    setAccessibleName(tr("Cost against time to the first token"));
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

// 1, 2 or 5 times a power of ten, so that at most four steps reach `highest`; costs are far below 1.
static double stepFor(double highest) {
    const double rough = std::max(highest, 1e-9) / 4, power = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough) return factor * power;
    return 10 * power;
}

void MixPlot::set(const dispatch::PoolView& pool) {
    m_points.clear();
    double ms = 0, usd = 0;
    for (const auto& member : pool.members) {
        if (!member.costUsd || !member.meanTtftMs) continue;
        m_points.push_back(member);
        ms = std::max(ms, *member.meanTtftMs);
        usd = std::max(usd, *member.costUsd);
    }
    m_mix = pool.mix.value_or(dispatch::MixView{});
    usd = std::max(usd, m_mix.budgetUsd);
    m_stepMs = stepFor(ms * 1.08);
    m_stepUsd = stepFor(usd * 1.08);
    m_mostMs = std::ceil(ms * 1.08 / m_stepMs) * m_stepMs;
    m_mostUsd = std::ceil(usd * 1.08 / m_stepUsd) * m_stepUsd;
    if (m_mostMs <= 0) m_mostMs = m_stepMs;
    if (m_mostUsd <= 0) m_mostUsd = m_stepUsd;
    describe();
    update();
}

void MixPlot::describe() {
    QStringList parts;
    for (const auto& point : m_points) parts << sentenceOf(point);
    parts << tr("Budget %1 USD a request").arg(words::usd(m_mix.budgetUsd));
    setAccessibleDescription(parts.join(QStringLiteral(". ")));
}

QString MixPlot::sentenceOf(const dispatch::PoolMemberView& member) const {
    const QString what = tr("%1: %2 USD (estimate), %3 to the first token").arg(format::text(member.endpointId), words::usd(member.costUsd), format::milliseconds(member.meanTtftMs));
    return member.excluded.empty() ? tr("%1, share %2 %").arg(what, QLocale().toString(100 * member.share, 'f', 0)) : tr("%1, left out: %2").arg(what, words::excluded(member.excluded));
}

QRectF MixPlot::plot() const { return {kLeft, kPlotTop, std::max(20.0, width() - kLeft - kRight), std::max(20.0, height() - kPlotTop - kBottom)}; }

QPointF MixPlot::at(double ms, double usd) const {
    const QRectF area = plot();
    return {area.left() + ms / m_mostMs * area.width(), area.bottom() - usd / m_mostUsd * area.height()};
}

double MixPlot::budgetY() const { return at(0, m_mix.budgetUsd).y(); }

std::optional<QPointF> MixPlot::pointOf(const std::string& endpointId) const {
    for (const auto& point : m_points)
        if (point.endpointId == endpointId) return at(*point.meanTtftMs, *point.costUsd);
    return std::nullopt;
}

void MixPlot::paintAxes(QPainter& painter) const {
    const Theme& theme = Theme::instance();
    const QRectF area = plot();
    painter.setFont(theme.smallFont());
    const QLocale locale;
    const int digits = std::clamp(static_cast<int>(-std::floor(std::log10(m_stepUsd))), 0, 7);
    for (int i = 0; m_stepUsd * i <= m_mostUsd * 1.001; ++i) {
        const double y = at(0, m_stepUsd * i).y();
        painter.setPen(theme.color(Surface::hairline));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(theme.color(Surface::textMuted));
        painter.drawText(QRectF(0, y - 8, kLeft - 6, 16), Qt::AlignRight | Qt::AlignVCenter, locale.toString(m_stepUsd * i, 'f', digits));
    }
    for (int i = 0; m_stepMs * i <= m_mostMs * 1.001; ++i) {
        const double x = at(m_stepMs * i, 0).x();
        painter.setPen(theme.color(Surface::textMuted));
        painter.drawText(QRectF(std::min(x - 30, width() - 60.0), area.bottom() + 3, 60, 14), (x + 30 > width() ? Qt::AlignRight : Qt::AlignHCenter) | Qt::AlignVCenter, locale.toString(m_stepMs * i, 'f', 0));
    }
    painter.setPen(theme.color(Surface::textMuted));
    painter.drawText(QRectF(area.left(), area.bottom() + 17, area.width(), 15), Qt::AlignCenter, tr("first token, mean ms"));
    painter.drawText(QRectF(0, 0, width(), 15), Qt::AlignLeft | Qt::AlignVCenter, tr("USD a request, estimate"));
}

void MixPlot::paintBudget(QPainter& painter) const {
    const Theme& theme = Theme::instance();
    const double y = budgetY();
    painter.setPen(QPen(theme.color(Tone::caution), 1.2, Qt::DashLine));
    painter.drawLine(QPointF(plot().left(), y), QPointF(plot().right(), y));
    painter.setFont(theme.smallFont());
    painter.setPen(theme.color(Tone::caution));
    const double top = y - 16 < kPlotTop ? y + 1 : y - 16;
    painter.drawText(QRectF(plot().left() + 4, top, plot().width() - 4, 15), Qt::AlignLeft | Qt::AlignVCenter, tr("budget"));
}

// The support: those that are drawn from, joined, with the mix as a diamond on the line.
void MixPlot::paintMix(QPainter& painter) const {
    const Theme& theme = Theme::instance();
    std::vector<QPointF> support;
    for (const auto& point : m_points)
        if (point.share > 0 && point.excluded.empty()) support.push_back(at(*point.meanTtftMs, *point.costUsd));
    painter.setPen(QPen(theme.color(Surface::accent), 2));
    for (std::size_t i = 1; i < support.size(); ++i) painter.drawLine(support[i - 1], support[i]);
    if (support.size() < 2 || !m_mix.expectedCostUsd || !m_mix.objectiveS) return;
    const QPointF mix = at(*m_mix.objectiveS * 1000, *m_mix.expectedCostUsd);
    const QPointF corners[] = {{mix.x(), mix.y() - 6}, {mix.x() + 6, mix.y()}, {mix.x(), mix.y() + 6}, {mix.x() - 6, mix.y()}};
    painter.setPen(QPen(theme.color(Surface::panel), 1));
    painter.setBrush(theme.color(Surface::accent));
    painter.drawPolygon(corners, 4);
    painter.setFont(theme.smallFont());
    painter.setPen(theme.color(Surface::accent));
    painter.drawText(QRectF(mix.x() + 9, mix.y() - 17, 60, 15), Qt::AlignLeft | Qt::AlignVCenter, tr("the mix"));
}

void MixPlot::paintPoints(QPainter& painter) const {
    const Theme& theme = Theme::instance();
    for (const auto& point : m_points) {
        const QPointF place = at(*point.meanTtftMs, *point.costUsd);
        const QColor color = theme.seriesColor(format::text(point.endpointId));
        painter.setPen(QPen(color, 1.6));
        painter.setBrush(point.excluded.empty() ? QBrush(color) : QBrush(theme.color(Surface::panel)));
        painter.drawEllipse(place, kPoint, kPoint);
        if (point.share <= 0 || !point.excluded.empty()) continue;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.color(Surface::accent), 1.4));
        painter.drawEllipse(place, kPoint + 3.5, kPoint + 3.5);
    }
}

void MixPlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintAxes(painter);
    paintBudget(painter);
    paintMix(painter);
    paintPoints(painter);
}

void MixPlot::mouseMoveEvent(QMouseEvent* event) {
    for (const auto& point : m_points)
        if (QLineF(at(*point.meanTtftMs, *point.costUsd), event->position()).length() < 9)
            return QToolTip::showText(event->globalPosition().toPoint(), plainTip(sentenceOf(point)), this);
    QToolTip::hideText();
}

}  // namespace signalbox::ui
