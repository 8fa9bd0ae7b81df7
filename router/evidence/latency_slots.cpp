// SPDX-License-Identifier: MIT
#include "router/evidence/latency_slots.h"

#include <algorithm>
#include <cmath>

namespace signalbox::evidence {
namespace {

constexpr double kGrowth = 1.04;
// A microsecond to eleven days; what lies outside counts as the edge.
constexpr double kLeastMs = 1e-3;
constexpr double kMostMs = 1e9;

}  // namespace

std::int16_t latencySlot(double milliseconds) {
    // Written so that NaN ends at the lower edge.
    const double bounded = milliseconds > kLeastMs ? std::min(milliseconds, kMostMs) : kLeastMs;
    return static_cast<std::int16_t>(std::ceil(std::log(bounded) / std::log(kGrowth)));
}

double latencyOf(std::int16_t slot) { return 2.0 * std::pow(kGrowth, slot) / (1.0 + kGrowth); }

std::optional<double> percentile(const std::map<std::int16_t, std::uint64_t>& counts, double quantile) {
    std::uint64_t total = 0;
    for (const auto& [slot, count] : counts) total += count;
    if (total == 0) return std::nullopt;
    const double rank = std::max(1.0, std::ceil(quantile * static_cast<double>(total)));
    std::uint64_t seen = 0;
    for (const auto& [slot, count] : counts) {
        seen += count;
        if (static_cast<double>(seen) >= rank) return latencyOf(slot);
    }
    return latencyOf(counts.rbegin()->first);
}

}  // namespace signalbox::evidence
