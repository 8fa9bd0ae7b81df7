// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/history.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace signalbox::ui {

/// Counts of several entities in time buckets of equal width, as a stacked chart draws them.
struct TimeSeries {
    enum class Kind { entity, none, rest };
    struct Line {
        QString entity;  ///< names the colour; empty for what belongs to no entity
        QString label;
        Kind kind = Kind::entity;
        std::vector<std::uint64_t> counts;  ///< one per start
        std::uint64_t total = 0;
    };
    std::chrono::seconds bucket{60};
    std::vector<Timestamp> starts;
    std::vector<Line> lines;  ///< bottom of the stack first
    QString unit;             ///< "requests"

    [[nodiscard]] bool isEmpty() const { return total() == 0; }
    [[nodiscard]] std::uint64_t total() const;
    [[nodiscard]] std::uint64_t totalAt(std::size_t index) const;
    [[nodiscard]] std::uint64_t highest() const;  ///< of all buckets' totals
    [[nodiscard]] Timestamp from() const { return starts.empty() ? Timestamp{} : starts.front(); }
    [[nodiscard]] Timestamp to() const { return starts.empty() ? Timestamp{} : starts.back() + bucket; }
    [[nodiscard]] evidence::TimeRange rangeOf(std::size_t index) const { return {starts[index], starts[index] + bucket}; }
    /// Bucket that holds `at`; nullopt outside.
    [[nodiscard]] std::optional<std::size_t> indexAt(Timestamp at) const;
    /// Line whose band holds `value` in the stack of a bucket; nullopt above the stack.
    [[nodiscard]] std::optional<std::size_t> lineAt(std::size_t index, double value) const;
};

/// The chart's view of requests by preset.
[[nodiscard]] TimeSeries toTimeSeries(const evidence::PresetSeries& answer);

/// Neighbouring buckets joined until at most `most` remain. Counts are added: the highest of two neighbours would
/// invent a stack that never was.
[[nodiscard]] TimeSeries coarsened(TimeSeries series, std::size_t most);
/// Keeps the `most` largest lines and joins the others into one called `restLabel` ("%1 others").
[[nodiscard]] TimeSeries largest(TimeSeries series, std::size_t most, const QString& restLabel);

/// RFC 4180: times in UTC and local, one column a line, then the total.
[[nodiscard]] QString toCsv(const TimeSeries& series);

/// One cell as RFC 4180 wants it.
[[nodiscard]] QString csvCell(QString cell);

/// "Sun 29 Nov 14:00 – 14:15", local.
[[nodiscard]] QString rangeText(const evidence::TimeRange& range);
/// 900 s -> "15 min"
[[nodiscard]] QString bucketText(std::chrono::seconds bucket);

}  // namespace signalbox::ui
