// SPDX-License-Identifier: MIT
#include "router/evidence/time_buckets.h"

#include <algorithm>
#include <array>

namespace signalbox::evidence {
namespace {

using std::chrono::ceil;
using std::chrono::floor;
using std::chrono::minutes;
using std::chrono::seconds;

// Steps a person can name; weeks at the end, doubled while a range needs more.
constexpr std::array kSteps{60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800};

std::int64_t floorTo(std::int64_t value, std::int64_t step) { return value - ((value % step) + step) % step; }

TimeBuckets bucketsOf(const TimeRange& range, std::int64_t step) {
    const std::int64_t first = floorTo(floor<seconds>(range.from).time_since_epoch().count(), step);
    const std::int64_t end = ceil<seconds>(range.to).time_since_epoch().count();
    return {seconds(step), Timestamp(seconds(first)), static_cast<std::size_t>((end - first + step - 1) / step)};
}

}  // namespace

bool isUnset(const TimeRange& range) { return range == TimeRange{}; }

TimeRange snapped(const TimeRange& range) { return {floor<minutes>(range.from), ceil<minutes>(range.to)}; }

std::vector<Timestamp> TimeBuckets::starts() const {
    std::vector<Timestamp> out;
    out.reserve(count);
    for (std::size_t i = 0; i < count; ++i) out.push_back(first + static_cast<std::int64_t>(i) * step);
    return out;
}

std::size_t TimeBuckets::indexOf(Timestamp at) const { return static_cast<std::size_t>((at - first) / step); }

TimeBuckets bucketsFor(const TimeRange& range, std::size_t maxBuckets, seconds least) {
    for (const std::int64_t step : kSteps)
        if (const auto buckets = bucketsOf(range, step); seconds(step) >= least && buckets.count <= maxBuckets) return buckets;
    std::int64_t step = kSteps.back();
    // Two buckets are the least that an unaligned range can need.
    while (bucketsOf(range, step).count > std::max<std::size_t>(maxBuckets, 2)) step *= 2;
    return bucketsOf(range, step);
}

}  // namespace signalbox::evidence
