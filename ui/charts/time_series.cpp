// SPDX-License-Identifier: MIT
#include "ui/charts/time_series.h"

#include "ui/theme/format.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace signalbox::ui {

namespace {
struct TimeSeriesWords {
    Q_DECLARE_TR_FUNCTIONS(TimeSeries)
};
}  // namespace

TimeSeries toTimeSeries(const evidence::PresetSeries& answer) {
    TimeSeries series;
    series.bucket = answer.bucket;
    series.starts = answer.starts;
    series.unit = TimeSeriesWords::tr("requests");
    for (const auto& line : answer.presets) {
        const bool none = line.presetKey.empty();
        series.lines.push_back({format::text(line.presetKey), none ? TimeSeriesWords::tr("no preset") : format::text(line.presetKey),
                                none ? TimeSeries::Kind::none : TimeSeries::Kind::entity, line.counts, line.total});
    }
    // The presets stand on the ground line, where they can be compared; what none of them served lies on top.
    std::stable_partition(series.lines.begin(), series.lines.end(), [](const auto& line) { return line.kind == TimeSeries::Kind::entity; });
    return series;
}

std::uint64_t TimeSeries::total() const {
    std::uint64_t sum = 0;
    for (const Line& line : lines) sum += line.total;
    return sum;
}

std::uint64_t TimeSeries::totalAt(std::size_t index) const {
    std::uint64_t sum = 0;
    for (const Line& line : lines) sum += line.counts[index];
    return sum;
}

std::uint64_t TimeSeries::highest() const {
    std::uint64_t highest = 0;
    for (std::size_t i = 0; i < starts.size(); ++i) highest = std::max(highest, totalAt(i));
    return highest;
}

std::optional<std::size_t> TimeSeries::indexAt(Timestamp at) const {
    if (starts.empty() || at < from() || at >= to()) return std::nullopt;
    return static_cast<std::size_t>((at - from()) / std::chrono::microseconds(bucket));
}

std::optional<std::size_t> TimeSeries::lineAt(std::size_t index, double value) const {
    double top = 0;
    if (value < 0) return std::nullopt;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        top += static_cast<double>(lines[i].counts[index]);
        if (value < top) return i;
    }
    return std::nullopt;
}

TimeSeries coarsened(TimeSeries series, std::size_t most) {
    if (most == 0 || series.starts.size() <= most) return series;
    const std::size_t join = (series.starts.size() + most - 1) / most;
    std::vector<Timestamp> starts;
    for (std::size_t i = 0; i < series.starts.size(); i += join) starts.push_back(series.starts[i]);
    for (auto& line : series.lines) {
        std::vector<std::uint64_t> counts(starts.size());
        for (std::size_t i = 0; i < line.counts.size(); ++i) counts[i / join] += line.counts[i];
        line.counts = std::move(counts);
    }
    series.starts = std::move(starts);
    series.bucket *= static_cast<int>(join);
    return series;
}

TimeSeries largest(TimeSeries series, std::size_t most, const QString& restLabel) {
    if (series.lines.size() <= most) return series;
    // What no entity did is kept apart however little it is.
    std::stable_sort(series.lines.begin(), series.lines.end(), [](const auto& a, const auto& b) {
        return std::pair(a.kind == TimeSeries::Kind::none, a.total) > std::pair(b.kind == TimeSeries::Kind::none, b.total);
    });
    const std::size_t kept = most - 1;
    TimeSeries::Line rest{{}, restLabel.arg(series.lines.size() - kept), TimeSeries::Kind::rest, std::vector<std::uint64_t>(series.starts.size()), 0};
    for (std::size_t i = kept; i < series.lines.size(); ++i) {
        for (std::size_t at = 0; at < rest.counts.size(); ++at) rest.counts[at] += series.lines[i].counts[at];
        rest.total += series.lines[i].total;
    }
    series.lines.resize(kept);
    std::stable_partition(series.lines.begin(), series.lines.end(), [](const auto& line) { return line.kind != TimeSeries::Kind::none; });
    const auto above = std::find_if(series.lines.begin(), series.lines.end(), [](const auto& line) { return line.kind == TimeSeries::Kind::none; });
    series.lines.insert(above, std::move(rest));
    return series;
}

QString csvCell(QString cell) {
    if (!cell.contains(QLatin1Char(',')) && !cell.contains(QLatin1Char('"')) && !cell.contains(QLatin1Char('\n'))) return cell;
    return QLatin1Char('"') + cell.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
}

QString toCsv(const TimeSeries& series) {
    QStringList header{QStringLiteral("from_utc"), QStringLiteral("from_local"), QStringLiteral("seconds")};
    for (const auto& line : series.lines) header << csvCell(line.label);
    header << QStringLiteral("total");
    QString csv = header.join(QLatin1Char(',')) + QStringLiteral("\r\n");
    for (std::size_t i = 0; i < series.starts.size(); ++i) {
        const QDateTime local = format::local(series.starts[i]);
        QStringList cells{local.toUTC().toString(Qt::ISODate), local.toString(QStringLiteral("yyyy-MM-ddTHH:mm:ss")),
                          QString::number(series.bucket.count())};
        for (const auto& line : series.lines) cells << QString::number(line.counts[i]);
        cells << QString::number(series.totalAt(i));
        csv += cells.join(QLatin1Char(',')) + QStringLiteral("\r\n");
    }
    return csv;
}

QString rangeText(const evidence::TimeRange& range) {
    const QDateTime from = format::local(range.from), to = format::local(range.to);
    const QLocale locale;
    const QString day = QStringLiteral("ddd d MMM "), time = QStringLiteral("HH:mm");
    // A whole day would end where it begins.
    if (to.time() == QTime(0, 0) && from.date().addDays(1) == to.date())
        return TimeSeriesWords::tr("%1 – %2").arg(locale.toString(from, day + time), locale.toString(QTime(0, 0), QStringLiteral("'24':mm")));
    return TimeSeriesWords::tr("%1 – %2").arg(locale.toString(from, day + time), locale.toString(to, from.date() == to.date() ? time : day + time));
}

QString bucketText(std::chrono::seconds bucket) {
    const auto whole = [&](int seconds) { return bucket.count() >= seconds && bucket.count() % seconds == 0; };
    if (whole(86'400)) return TimeSeriesWords::tr("%1 d").arg(bucket.count() / 86'400);
    if (whole(3600)) return TimeSeriesWords::tr("%1 h").arg(bucket.count() / 3600);
    if (whole(60)) return TimeSeriesWords::tr("%1 min").arg(bucket.count() / 60);
    return TimeSeriesWords::tr("%1 s").arg(bucket.count());
}

}  // namespace signalbox::ui
