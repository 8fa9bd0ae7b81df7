// SPDX-License-Identifier: MIT
#include "router/policy/smart/formula.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace signalbox::policy::smart {
namespace {

constexpr double kTokensPerPrice = 1e6;
constexpr std::uint64_t kMaxWeighingAttempts = 1000;
constexpr double kPriorAttempts = 10;
constexpr double kNewShare = 0.2;

}  // namespace

double estimatedCostUsd(const Sizes& sizes, const config::Pricing& pricing) {
    return static_cast<double>(sizes.inputTokens) / kTokensPerPrice * pricing.inputPerMillion +
           static_cast<double>(sizes.outputTokens) / kTokensPerPrice * pricing.outputPerMillion;
}

double blendedLatencyMs(double hintMs, std::uint64_t attempts, double averageMs) {
    const auto n = static_cast<double>(std::min(attempts, kMaxWeighingAttempts));
    const double share = n / (n + kPriorAttempts);
    return hintMs * (1 - share) + averageMs * share;
}

double reliability(std::uint64_t attempts, std::uint64_t successes) {
    return (static_cast<double>(successes) + 2) / (static_cast<double>(attempts) + 4);
}

double inverseNormalised(double value, double min, double max) {
    const double spread = max - min;
    if (spread < std::numeric_limits<double>::epsilon()) return 1;
    return std::clamp(1 - (value - min) / spread, 0.0, 1.0);
}

double fourDecimals(double score) { return std::round(score * 10'000) / 10'000; }

double movingAverageMs(double averageMs, std::uint64_t attemptsBefore, double observedMs) {
    return attemptsBefore == 0 ? observedMs : averageMs * (1 - kNewShare) + observedMs * kNewShare;
}

double failedLatencyMs(double ownMs, double hintMs, double averageMs) { return std::max({ownMs, hintMs, averageMs}); }

}  // namespace signalbox::policy::smart
