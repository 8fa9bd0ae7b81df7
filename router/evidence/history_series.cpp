// SPDX-License-Identifier: MIT
#include "router/evidence/history_reader.h"

#include <algorithm>
#include <array>
#include <map>

namespace signalbox::evidence {
namespace {

using std::chrono::seconds;

// Steps a person can name; weeks at the end, doubled while a range needs more.
constexpr std::array kSteps{60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800};

std::int64_t epochSeconds(Timestamp at) {
    return std::chrono::floor<seconds>(at).time_since_epoch().count();
}

std::int64_t floorTo(std::int64_t value, std::int64_t step) { return value - ((value % step) + step) % step; }

std::size_t bucketCount(const TimeRange& range, std::int64_t step) {
    const std::int64_t first = floorTo(epochSeconds(range.from), step);
    const std::int64_t end = std::chrono::ceil<seconds>(range.to).time_since_epoch().count();
    return static_cast<std::size_t>((end - first + step - 1) / step);
}

std::int64_t stepFor(const TimeRange& range, std::size_t maxBuckets, std::int64_t least) {
    for (const std::int64_t step : kSteps)
        if (step >= least && bucketCount(range, step) <= maxBuckets) return step;
    std::int64_t step = kSteps.back();
    // Two buckets are the least that an unaligned range can need.
    while (bucketCount(range, step) > std::max<std::size_t>(maxBuckets, 2)) step *= 2;
    return step;
}

}  // namespace

Result<PresetSeries> PgHistoryReader::presetsOverTime(const HistoryFilter& filter, std::size_t maxBuckets,
                                                      const CancelToken& cancel) {
    PresetSeries series;
    auto scope = scopeOf(filter.range, cancel);
    if (!scope) return tl::unexpected(scope.error());
    if (!*scope) return series;
    const TimeRange range = snapped((*scope)->range);
    const std::int64_t step = stepFor(range, maxBuckets, (*scope)->source == CountSource::hours ? 3600 : 60);
    const std::int64_t first = floorTo(epochSeconds(range.from), step);
    const std::size_t buckets = bucketCount(range, step);
    series.bucket = seconds(step);
    for (std::size_t i = 0; i < buckets; ++i)
        series.starts.emplace_back(seconds(first + static_cast<std::int64_t>(i) * step));

    const Conditions conditions = countConditions(filter);
    const std::string bucket = "floor((extract(epoch FROM bucket) - " + std::to_string(first) + ") / " +
                               std::to_string(step) + ")::bigint";
    auto rows = ask("SELECT " + bucket + ", preset, sum(requests)::bigint FROM " + countsFrom((*scope)->source, range) +
                        conditions.where() + " GROUP BY 1, 2",
                    conditions.parameters(), cancel);
    if (!rows) return tl::unexpected(rows.error());
    std::map<std::string, PresetSeries::Line> lines;
    for (int i = 0; *rows && i < (*rows)->count(); ++i) {
        const std::string preset((*rows)->text(i, 1));
        auto& line = lines.try_emplace(preset, PresetSeries::Line{preset, std::vector<std::uint64_t>(buckets), 0}).first->second;
        const auto at = static_cast<std::size_t>((*rows)->number(i, 0));
        const auto count = static_cast<std::uint64_t>((*rows)->number(i, 2));
        if (at < buckets) line.counts[at] += count;
        line.total += count;
        series.total += count;
    }
    for (auto& [key, line] : lines) series.presets.push_back(std::move(line));
    std::stable_sort(series.presets.begin(), series.presets.end(),
                     [](const auto& a, const auto& b) { return a.total > b.total; });
    return series;
}

}  // namespace signalbox::evidence
