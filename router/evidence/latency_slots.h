// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace signalbox::evidence {

/// Slots of the latency histograms: slot s holds (1.04^(s-1), 1.04^s] milliseconds, so any value in it is within
/// 2 % of its middle. Histograms add up slot by slot.
[[nodiscard]] std::int16_t latencySlot(double milliseconds);
/// Middle of a slot, milliseconds.
[[nodiscard]] double latencyOf(std::int16_t slot);
/// The value below which a part `quantile` (0..1) of the counts lies; nullopt without counts.
[[nodiscard]] std::optional<double> percentile(const std::map<std::int16_t, std::uint64_t>& counts, double quantile);

}  // namespace signalbox::evidence
