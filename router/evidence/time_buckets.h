// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/history.h"

#include <chrono>
#include <cstddef>
#include <vector>

namespace signalbox::evidence {

/// An unset range is everything.
[[nodiscard]] bool isUnset(const TimeRange& range);
/// Widened to whole minutes.
[[nodiscard]] TimeRange snapped(const TimeRange& range);

/// The equal steps of a time axis, whole multiples of `step` since 1970.
struct TimeBuckets {
    std::chrono::seconds step{60};
    Timestamp first{};
    std::size_t count = 0;
    [[nodiscard]] std::vector<Timestamp> starts() const;
    /// Of a time inside of the axis.
    [[nodiscard]] std::size_t indexOf(Timestamp at) const;
};

/// At most `maxBuckets` of them over `range`, but two where its ends need them; each a step that a person can name and
/// at least `least`.
[[nodiscard]] TimeBuckets bucketsFor(const TimeRange& range, std::size_t maxBuckets, std::chrono::seconds least);

}  // namespace signalbox::evidence
