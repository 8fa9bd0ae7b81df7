// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"

#include <chrono>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace signalbox::capacity {

struct CostEnvelopeOptions {
    /// Percentiles, 0..100.
    double lowerPercentile = 10;
    double upperPercentile = 90;
    std::chrono::duration<double> window = std::chrono::hours(24);
    std::size_t minSamples = 1;
    /// Bounds memory and the time of one observation; the oldest make room.
    std::size_t maxSamples = 20000;
};

/// What requests usually cost, in USD per request: between these bounds the shadow price of a quota moves.
struct CostBounds {
    double lower = 0;
    double upper = 0;
    std::size_t samples = 0;
    bool operator==(const CostBounds&) const = default;
};

/// Percentiles of the costs in a sliding window, linearly interpolated between neighbours. A lower bound that is not
/// below the upper one becomes a thousandth of it, so that there is always room for a price to move (choice R4).
/// Safe to use from several threads.
class CostEnvelope {
public:
    explicit CostEnvelope(CostEnvelopeOptions options = {});

    /// Costs that are not positive numbers are left out: a free request says nothing about prices.
    void observe(Steady at, double costUsd);
    /// nullopt while fewer than `minSamples` (at least one) are in the window.
    [[nodiscard]] std::optional<CostBounds> bounds(Steady now);

private:
    struct Sample {
        Steady at;
        double costUsd;
    };

    void age(Steady now);
    void dropOldest();
    [[nodiscard]] double percentile(double percent) const;

    const CostEnvelopeOptions m_options;
    std::mutex m_mutex;
    std::deque<Sample> m_samples;  // oldest first
    std::vector<double> m_sorted;  // the same costs
};

}  // namespace signalbox::capacity
