// SPDX-License-Identifier: MIT
#include "ui/charts/stack_view.h"

#include "ui/theme/colors.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

#include <QtCharts/QAreaSeries>

#include <QLocale>

#include <cmath>

namespace signalbox::ui {

StackView::StackView(QWidget* parent) : TimePlot(parent) { rebuild(); }

void StackView::setSeries(const TimeSeries& series) {
    m_series = series;
    setTimes(series.starts, series.bucket);
    rebuild();
}

QColor StackView::colorOf(const TimeSeries::Line& line) const {
    const Theme& theme = Theme::instance();
    QColor color = theme.seriesColor(line.entity);
    if (line.kind == TimeSeries::Kind::rest) color = colors::mix(theme.color(Surface::panel), theme.color(Surface::textMuted), 0.45);
    const bool faded = emphasis() && (line.kind == TimeSeries::Kind::rest || line.entity != *emphasis());
    return faded ? colors::mix(theme.color(Surface::panel), color, 0.22) : color;
}

LineLook StackView::lookOf(const TimeSeries::Line& line) const {
    const QColor color = colorOf(line);
    // What no preset served is hatched: it stands apart from every series colour.
    if (line.kind == TimeSeries::Kind::none) return {QBrush(color, Qt::BDiagPattern), color};
    return {QBrush(color), std::nullopt};
}

void StackView::addBand(std::size_t index, std::vector<double>& stacked) {
    const auto& line = m_series.lines[index];
    QList<QPointF> lower, upper;
    for (std::size_t i = 0; i < m_series.starts.size(); ++i) {
        const double from = millis(m_series.starts[i]), to = millis(m_series.starts[i] + m_series.bucket);
        const double below = stacked[i];
        stacked[i] += static_cast<double>(line.counts[i]);
        lower << QPointF(from, below) << QPointF(to, below);
        upper << QPointF(from, stacked[i]) << QPointF(to, stacked[i]);
    }
    // A hairline in the colour of the ground keeps neighbouring bands apart without relying on hue.
    const LineLook look = lookOf(line);
    addArea(lower, upper, look.fill, QPen(look.edge.value_or(Theme::instance().color(Surface::panel)), 0.8))->setName(line.label);
}

void StackView::addSeries() {
    std::vector<double> stacked(m_series.starts.size(), 0.0);
    for (std::size_t i = 0; i < m_series.lines.size(); ++i) addBand(i, stacked);
}

std::optional<std::size_t> StackView::lineAt(std::size_t index, double y) const { return m_series.lineAt(index, countAtY(y)); }

PlotReading StackView::reading(std::size_t index) const {
    PlotReading reading;
    reading.head = rangeText(m_series.rangeOf(index));
    QStringList spoken{tr("%1: %2 %3").arg(reading.head, format::count(m_series.totalAt(index)), m_series.unit)};
    for (const auto& line : m_series.lines)
        reading.rows.push_back({line.label, format::count(line.counts[index]), lookOf(line), line.counts[index] == 0});
    for (std::size_t i = m_series.lines.size(); i-- > 0;)
        if (m_series.lines[i].counts[index] > 0) spoken << tr("%1 %2").arg(m_series.lines[i].label, format::count(m_series.lines[i].counts[index]));
    reading.total = PlotReading::Row{m_series.unit, format::count(m_series.totalAt(index)), {}, false};
    reading.sentence = spoken.join(QStringLiteral(", "));
    return reading;
}

static QString percent(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) return {};
    const double share = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    if (part > 0 && share < 0.5) return QStringLiteral("<1 %");
    return QLocale().toString(std::round(share), 'f', 0) + QStringLiteral(" %");
}

std::optional<std::size_t> StackView::lastCounted() const {
    for (std::size_t i = m_series.starts.size(); i-- > 0;)
        if (m_series.totalAt(i) > 0) return i;
    return std::nullopt;
}

std::vector<EndLabel> StackView::endLabels() const {
    std::vector<EndLabel> labels;
    const auto last = lastCounted();
    const std::uint64_t total = m_series.total();
    double below = 0;
    for (const auto& line : m_series.lines) {
        const double count = last ? static_cast<double>(line.counts[*last]) : 0;
        const bool strong = emphasis() && line.kind != TimeSeries::Kind::rest && *emphasis() == line.entity;
        labels.push_back({line.label, percent(line.total, total), tr("%1: %2 %3").arg(line.label, format::count(line.total), m_series.unit),
                          lookOf(line), yOf(below + count / 2), strong, emphasis().has_value() && !strong});
        below += count;
    }
    return labels;
}

bool StackView::endsCanBePointedAt() const {
    constexpr double kLeastPixelsPerLine = 6;
    const auto last = lastCounted();
    const double height = last ? yOf(0) - yOf(static_cast<double>(m_series.totalAt(*last))) : 0;
    return height > static_cast<double>(m_series.lines.size()) * kLeastPixelsPerLine;
}

}  // namespace signalbox::ui
