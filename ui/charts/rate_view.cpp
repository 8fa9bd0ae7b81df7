// SPDX-License-Identifier: MIT
#include "ui/charts/rate_view.h"

#include "ui/theme/colors.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

#include <QtCharts/QAreaSeries>
#include <QtCharts/QLineSeries>

#include <algorithm>
#include <cmath>

namespace signalbox::ui {

RateView::RateView(QWidget* parent) : TimePlot(parent) { rebuild(); }

void RateView::setSeries(RateSeries series) {
    m_series = std::move(series);
    setTimes(m_series.starts, m_series.bucket);
    rebuild();
}

void RateView::chooseColors() {
    m_others.clear();
    const auto palette = colors::series();
    const Theme& theme = Theme::instance();
    std::vector<bool> used(palette.size());
    const auto slotOf = [&](const QColor& color) {
        return static_cast<std::size_t>(std::find_if(palette.begin(), palette.end(), [&](const auto& pair) { return pair.of(theme.scheme()) == color; }) - palette.begin());
    };
    for (const auto& line : m_series.lines) {
        if (line.entity.isEmpty()) continue;
        std::size_t slot = slotOf(theme.seriesColor(line.entity));
        if (slot < used.size() && used[slot]) {
            slot = static_cast<std::size_t>(std::find(used.begin(), used.end(), false) - used.begin());
            if (slot < used.size()) m_others.insert(line.entity, slot);
        }
        if (slot < used.size()) used[slot] = true;
    }
}

// The scale holds the lines and their bands; a band of few trials at the edge may be cut off by twice the rest.
double RateView::highest() const {
    double high = 0, value = 0;
    for (const auto& line : m_series.lines)
        for (const RatePoint& point : line.points) {
            value = std::max(value, point.rate.value);
            high = std::max(high, point.rate.high);
        }
    return 100 * std::min(high, std::max(2 * value, 0.05));
}

QColor RateView::colorOf(const RateSeries::Line& line) const {
    const Theme& theme = Theme::instance();
    const auto other = m_others.constFind(line.entity);
    const QColor color = line.entity.isEmpty()          ? theme.color(Surface::textMuted)
                         : other != m_others.constEnd() ? colors::series()[*other].of(theme.scheme())
                                                        : theme.seriesColor(line.entity);
    return isFaded(line) ? colors::mix(theme.color(Surface::panel), color, 0.3) : color;
}

// From centre to centre, with level ends, so that a joined point shows how far it reaches.
template <class ValueOf>
static QList<QPointF> outline(const RateSeries& series, const RateSeries::Line& line, ValueOf&& valueOf) {
    const auto ms = [](Timestamp at) { return static_cast<double>(at.time_since_epoch().count()) / 1000.0; };
    QList<QPointF> points;
    for (std::size_t i = 0; i < line.points.size(); ++i) {
        const auto range = series.rangeOf(line.points[i]);
        const double value = 100 * valueOf(line.points[i].rate);
        if (i == 0) points << QPointF(ms(range.from), value);
        points << QPointF((ms(range.from) + ms(range.to)) / 2, value);
        if (i + 1 == line.points.size()) points << QPointF(ms(range.to), value);
    }
    return points;
}

void RateView::addBand(const RateSeries::Line& line) {
    QColor fill = colorOf(line);
    fill.setAlphaF(isFaded(line) ? 0.06F : 0.16F);
    const double top = highest();
    addArea(outline(m_series, line, [](const Rate& rate) { return rate.low; }),
            outline(m_series, line, [top](const Rate& rate) { return std::min(rate.high, top / 100); }), fill, QPen(Qt::NoPen));
}

void RateView::addLine(const RateSeries::Line& line) {
    auto* drawn = new QLineSeries;
    drawn->setName(line.label);
    drawn->replace(outline(m_series, line, [](const Rate& rate) { return rate.value; }));
    drawn->setPen(QPen(colorOf(line), isFaded(line) ? 1.2 : 2, line.entity.isEmpty() ? Qt::DashLine : Qt::SolidLine));
    add(drawn);
}

// Bands below all lines, the largest line on top of the others.
void RateView::addSeries() {
    chooseColors();
    for (auto it = m_series.lines.rbegin(); it != m_series.lines.rend(); ++it) addBand(*it);
    for (auto it = m_series.lines.rbegin(); it != m_series.lines.rend(); ++it) addLine(*it);
}

std::optional<std::size_t> RateView::lineAt(std::size_t index, double y) const {
    constexpr double kReach = 14;
    std::optional<std::size_t> nearest;
    double best = kReach;
    for (std::size_t i = 0; i < m_series.lines.size(); ++i) {
        const RatePoint* point = RateSeries::pointAt(m_series.lines[i], index);
        if (point == nullptr) continue;
        const double away = std::abs(yOf(100 * point->rate.value) - y);
        if (away < best) {
            best = away;
            nearest = i;
        }
    }
    return nearest;
}

PlotReading RateView::reading(std::size_t index) const {
    PlotReading reading;
    reading.head = rangeText(rangeOf(index));
    reading.lastFirst = false;  // the largest first
    QStringList spoken{reading.head};
    for (const auto& line : m_series.lines) {
        const RatePoint* point = RateSeries::pointAt(line, index);
        const QString figure = point != nullptr ? rateText(point->rate) : format::none();
        reading.rows.push_back({line.label, figure, {QBrush(colorOf(line)), std::nullopt}, point == nullptr});
        if (point != nullptr) spoken << tr("%1 %2").arg(line.label, figure);
    }
    reading.sentence = spoken.join(QStringLiteral(", "));
    return reading;
}

std::vector<EndLabel> RateView::endLabels() const {
    std::vector<EndLabel> labels;
    for (const auto& line : m_series.lines) {
        const Rate whole = wilson(line.totalPart, line.totalWhole);
        const double end = line.points.empty() ? 0 : line.points.back().rate.value;
        const bool strong = emphasis() && !isFaded(line);
        labels.push_back({line.label, whole.whole > 0 ? rateText(whole.value) : format::none(), tr("%1: %2 %3").arg(line.label, rateText(whole), m_series.unit),
                          {QBrush(colorOf(line)), std::nullopt}, yOf(100 * end), strong, isFaded(line)});
    }
    return labels;
}

evidence::TimeRange RateView::rangeBehind(std::size_t index, int line) const {
    if (line >= 0 && static_cast<std::size_t>(line) < m_series.lines.size())
        if (const RatePoint* point = RateSeries::pointAt(m_series.lines[static_cast<std::size_t>(line)], index)) return m_series.rangeOf(*point);
    return rangeOf(index);
}

}  // namespace signalbox::ui
