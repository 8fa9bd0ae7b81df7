// SPDX-License-Identifier: MIT
#include "router/evidence/history_reader.h"

#include "router/evidence/time_buckets.h"

#include <algorithm>
#include <map>

namespace signalbox::evidence {

Result<PresetSeries> PgHistoryReader::presetsOverTime(const HistoryFilter& filter, std::size_t maxBuckets,
                                                      const CancelToken& cancel) {
    PresetSeries series;
    auto scope = scopeOf(filter.range, cancel);
    if (!scope) return tl::unexpected(scope.error());
    if (!*scope) return series;
    const TimeRange range = snapped((*scope)->range);
    const bool byRows = asksTheRows(filter);
    const auto least = std::chrono::seconds((*scope)->source == CountSource::hours && !byRows ? 3600 : 60);
    const TimeBuckets buckets = bucketsFor(range, maxBuckets, least);
    series.bucket = buckets.step;
    series.starts = buckets.starts();

    HistoryFilter inRange = filter;
    inRange.range = range;
    const Conditions conditions = byRows ? pageConditions(inRange, std::nullopt) : countConditions(filter);
    const std::string from =
        byRows ? "(SELECT date_trunc('minute', created_at) AS bucket, coalesce(preset, '') AS preset, 1::bigint AS requests"
                 " FROM signalbox.decisions" + conditions.where() + ") AS counts"
               : countsFrom((*scope)->source, range) + conditions.where();
    auto rows = ask("SELECT " + bucketNumber(buckets) + ", preset, sum(requests)::bigint FROM " + from + " GROUP BY 1, 2",
                    conditions.parameters(), cancel);
    if (!rows) return tl::unexpected(rows.error());
    std::map<std::string, PresetSeries::Line> lines;
    for (int i = 0; *rows && i < (*rows)->count(); ++i) {
        const std::string preset((*rows)->text(i, 1));
        auto& line = lines.try_emplace(preset, PresetSeries::Line{preset, std::vector<std::uint64_t>(buckets.count), 0}).first->second;
        const auto at = static_cast<std::size_t>((*rows)->number(i, 0));
        const auto count = static_cast<std::uint64_t>((*rows)->number(i, 2));
        if (at < buckets.count) line.counts[at] += count;
        line.total += count;
        series.total += count;
    }
    for (auto& [key, line] : lines) series.presets.push_back(std::move(line));
    std::stable_sort(series.presets.begin(), series.presets.end(),
                     [](const auto& a, const auto& b) { return a.total > b.total; });
    return series;
}

}  // namespace signalbox::evidence
