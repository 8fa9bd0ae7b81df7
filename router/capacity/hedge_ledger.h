// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>

namespace signalbox::capacity {

/// What the hedging of one pool did and cost since the process began. Thread safe.
class HedgeLedger {
public:
    enum class End : std::uint8_t { won, lost, failed };
    struct Counts {
        std::uint64_t requests = 0;  ///< that might have been hedged
        std::uint64_t sent = 0;      ///< backups; won + lost + failed + those on their way or called off by the client
        std::uint64_t won = 0, lost = 0, failed = 0;
        std::uint64_t skippedForSpend = 0;
    };
    using Booking = std::uint64_t;

    void countRequest();
    /// Books `usd` (an estimate) for a backup that is about to be sent. Nothing is booked, and the skip is counted, when
    /// that would bring the last hour above `capUsd`.
    [[nodiscard]] std::optional<Booking> book(Steady now, double usd, std::optional<double> capUsd);
    /// The backup was not sent after all.
    void takeBack(Booking booking);
    void countSent();
    /// What it cost in the end, where that is known better than the estimate.
    void settle(Booking booking, double usd);
    void countEnd(End end);

    [[nodiscard]] Counts counts() const;
    /// USD booked in the hour before `now`.
    [[nodiscard]] double spentLastHour(Steady now);

private:
    struct Spent {
        Booking id;
        Steady at;
        std::int64_t nanoUsd;
    };
    void age(Steady now);
    [[nodiscard]] std::deque<Spent>::iterator find(Booking booking);

    mutable std::mutex m_mutex;
    Counts m_counts;
    Booking m_last = 0;
    std::deque<Spent> m_hour;      // oldest first, ids ascending
    std::int64_t m_total = 0;      // nano-USD of the hour; whole numbers, so that adding and taking away never drifts
};

}  // namespace signalbox::capacity
