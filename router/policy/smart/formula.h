// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/types.h"

#include <cstdint>

namespace signalbox::policy::smart {

/// Prices of a candidate for which neither its model nor its provider has any: 1 and 4 USD per million (choice S1).
inline constexpr config::Pricing kDefaultPricing{.inputPerMillion = 1.0, .outputPerMillion = 4.0};

/// What a request is expected to read and write.
struct Sizes {
    std::uint64_t inputTokens = 0;
    std::uint64_t outputTokens = 0;
    bool operator==(const Sizes&) const = default;
};

/// USD, from the planning sizes; not an invoice.
[[nodiscard]] double estimatedCostUsd(const Sizes& sizes, const config::Pricing& pricing);

/// Milliseconds: the hint, giving way to the moving average with n/(n+10), n counted up to 1000, so that one fast or
/// slow observation cannot replace the prior.
[[nodiscard]] double blendedLatencyMs(double hintMs, std::uint64_t attempts, double averageMs);

/// (s + 2) / (n + 4): half at first, conservative with few observations.
[[nodiscard]] double reliability(std::uint64_t attempts, std::uint64_t successes);

/// 1 at the minimum, 0 at the maximum; 1 when both are closer than 2^-52 (choice S13).
[[nodiscard]] double inverseNormalised(double value, double min, double max);

/// Four decimals, half away from zero; for showing and recording, never for ranking.
[[nodiscard]] double fourDecimals(double score);

/// The moving average after one more observation; the first one replaces nothing.
[[nodiscard]] double movingAverageMs(double averageMs, std::uint64_t attemptsBefore, double observedMs);

/// What a failed attempt counts as: never less than the hint and the average, so that failing fast does not look
/// fast (F59).
[[nodiscard]] double failedLatencyMs(double ownMs, double hintMs, double averageMs);

}  // namespace signalbox::policy::smart
