// SPDX-License-Identifier: MIT
#include "ui/charts/rate_series.h"

#include "ui/theme/format.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace signalbox::ui {

namespace {
struct RateSeriesWords {
    Q_DECLARE_TR_FUNCTIONS(RateSeries)
};
}  // namespace

Rate wilson(std::uint64_t part, std::uint64_t whole) {
    constexpr double z = 1.959963984540054;  // 97.5 % quantile of the standard normal distribution
    if (whole == 0) return {};
    part = std::min(part, whole);
    const double n = static_cast<double>(whole), p = static_cast<double>(part) / n;
    const double scale = 1 + z * z / n;
    const double centre = (p + z * z / (2 * n)) / scale;
    const double half = z / scale * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    // Rounding may leave the end of 0 of n or n of n a hair short of the share itself.
    return {part, whole, p, std::clamp(centre - half, 0.0, p), std::clamp(centre + half, p, 1.0)};
}

std::vector<RatePoint> joinThin(const std::vector<std::uint64_t>& part, const std::vector<std::uint64_t>& whole, std::uint64_t least) {
    std::vector<RatePoint> points;
    RatePoint open;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        if (whole[i] == 0) continue;
        if (open.rate.whole == 0) open.first = i;
        open.last = i;
        open.rate.part += part[i];
        open.rate.whole += whole[i];
        if (open.rate.whole < least) continue;
        points.push_back(open);
        open = {};
    }
    // What is left over at the end is too thin for a point of its own.
    if (open.rate.whole > 0 && points.empty()) points.push_back(open);
    else if (open.rate.whole > 0) {
        points.back().last = open.last;
        points.back().rate.part += open.rate.part;
        points.back().rate.whole += open.rate.whole;
    }
    for (RatePoint& point : points) point.rate = wilson(point.rate.part, point.rate.whole);
    return points;
}

const RatePoint* RateSeries::pointAt(const Line& line, std::size_t index) {
    const auto it = std::lower_bound(line.points.begin(), line.points.end(), index, [](const RatePoint& point, std::size_t at) { return point.last < at; });
    return it != line.points.end() && it->first <= index ? &*it : nullptr;
}

static std::vector<std::uint64_t> joined(const std::vector<std::uint64_t>& counts, std::size_t join) {
    std::vector<std::uint64_t> out((counts.size() + join - 1) / join);
    for (std::size_t i = 0; i < counts.size(); ++i) out[i / join] += counts[i];
    return out;
}

static void addTo(std::vector<std::uint64_t>& sum, const std::vector<std::uint64_t>& counts) {
    sum.resize(std::max(sum.size(), counts.size()));
    for (std::size_t i = 0; i < counts.size(); ++i) sum[i] += counts[i];
}

static void joinRest(RateSeries& series, std::size_t most, const QString& restLabel) {
    if (series.lines.size() <= most) return;
    RateSeries::Line rest;
    rest.label = restLabel.arg(series.lines.size() - (most - 1));
    for (std::size_t i = most - 1; i < series.lines.size(); ++i) {
        addTo(rest.part, series.lines[i].part);
        addTo(rest.whole, series.lines[i].whole);
        rest.totalPart += series.lines[i].totalPart;
        rest.totalWhole += series.lines[i].totalWhole;
    }
    series.lines.resize(most - 1);
    series.lines.push_back(std::move(rest));
}

RateSeries readyToDraw(RateSeries series, std::size_t points, std::size_t lines, const QString& restLabel) {
    const std::size_t join = points == 0 ? 1 : (series.starts.size() + points - 1) / points;
    for (auto& line : series.lines) {
        line.totalPart = std::accumulate(line.part.begin(), line.part.end(), std::uint64_t{0});
        line.totalWhole = std::accumulate(line.whole.begin(), line.whole.end(), std::uint64_t{0});
    }
    std::stable_sort(series.lines.begin(), series.lines.end(), [](const auto& a, const auto& b) { return a.totalWhole > b.totalWhole; });
    joinRest(series, std::max<std::size_t>(lines, 1), restLabel);
    if (join > 1) {
        std::vector<Timestamp> starts;
        for (std::size_t i = 0; i < series.starts.size(); i += join) starts.push_back(series.starts[i]);
        series.starts = std::move(starts);
        series.bucket *= static_cast<int>(join);
        for (auto& line : series.lines) {
            line.part = joined(line.part, join);
            line.whole = joined(line.whole, join);
        }
    }
    for (auto& line : series.lines) line.points = joinThin(line.part, line.whole);
    return series;
}

QString rateText(double share) { return RateSeriesWords::tr("%1 %").arg(QLocale().toString(100 * share, 'f', 1)); }

QString rateText(const Rate& rate) {
    if (rate.whole == 0) return format::none();
    return RateSeriesWords::tr("%1 ±%2 of %3").arg(rateText(rate.value), QLocale().toString(100 * rate.margin(), 'f', 1), format::count(rate.whole));
}

QString toCsv(const RateSeries& series) {
    QString csv = QStringLiteral("line,from_utc,to_utc,%1,%2,share,low_95,high_95\r\n").arg(csvCell(series.unit), csvCell(series.what));
    for (const auto& line : series.lines)
        for (const RatePoint& point : line.points) {
            const auto range = series.rangeOf(point);
            const auto utc = [](Timestamp at) { return format::local(at).toUTC().toString(Qt::ISODate); };
            const auto number = [](double value) { return QString::number(value, 'f', 6); };
            csv += QStringList{csvCell(line.label), utc(range.from), utc(range.to), QString::number(point.rate.whole), QString::number(point.rate.part),
                               number(point.rate.value), number(point.rate.low), number(point.rate.high)}
                       .join(QLatin1Char(',')) +
                   QStringLiteral("\r\n");
        }
    return csv;
}

}  // namespace signalbox::ui
