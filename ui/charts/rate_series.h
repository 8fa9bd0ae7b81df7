// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/time_series.h"

namespace signalbox::ui {

/// A share with its 95 % confidence interval, all in 0..1.
struct Rate {
    std::uint64_t part = 0, whole = 0;
    double value = 0, low = 0, high = 1;
    /// Half of the interval's width.
    [[nodiscard]] double margin() const { return (high - low) / 2; }
};
/// Wilson's score interval (1927), which stays within 0..1 and is honest for few trials; 0..1 for none.
[[nodiscard]] Rate wilson(std::uint64_t part, std::uint64_t whole);

/// One drawn point: neighbouring buckets joined until they hold enough to say anything.
struct RatePoint {
    std::size_t first = 0, last = 0;  ///< buckets, both included; the first and last with any trial
    Rate rate;
};
/// Fewer trials than this are joined with their neighbours: their band would span half of the scale.
inline constexpr std::uint64_t kLeastTrials = 40;
/// Points in order of time, each with at least `least` trials; a single one with fewer if there are no more in all.
[[nodiscard]] std::vector<RatePoint> joinThin(const std::vector<std::uint64_t>& part, const std::vector<std::uint64_t>& whole,
                                              std::uint64_t least = kLeastTrials);

/// Shares of several entities in time buckets of equal width.
struct RateSeries {
    struct Line {
        QString entity;  ///< names the colour; empty for the joined rest
        QString label;
        std::vector<std::uint64_t> part, whole;  ///< one per start
        std::uint64_t totalPart = 0, totalWhole = 0;
        std::vector<RatePoint> points;           ///< filled by `joinLines`
    };
    std::chrono::seconds bucket{60};
    std::vector<Timestamp> starts;
    std::vector<Line> lines;
    QString unit;  ///< "shadow decisions"
    QString what;  ///< "differ"

    [[nodiscard]] evidence::TimeRange rangeOf(const RatePoint& point) const { return {starts[point.first], starts[point.last] + bucket}; }
    /// The point of a line that covers a bucket; nullptr between points.
    [[nodiscard]] static const RatePoint* pointAt(const Line& line, std::size_t index);
};

/// Makes it fit to be drawn: at most `points` buckets and `lines` lines, the smallest joined into one called
/// `restLabel` ("%1 others"), with each line's points.
[[nodiscard]] RateSeries readyToDraw(RateSeries series, std::size_t points, std::size_t lines, const QString& restLabel);

/// "18.4 %"
[[nodiscard]] QString rateText(double share);
/// "18.4 % ±0.5 of 22,000"
[[nodiscard]] QString rateText(const Rate& rate);
/// RFC 4180: one row for each line and point: times, trials, share and band.
[[nodiscard]] QString toCsv(const RateSeries& series);

}  // namespace signalbox::ui
