// SPDX-License-Identifier: MIT
#pragma once

#include "router/strategy/routewise/mix.h"

namespace signalbox::strategy::routewise {

/// The position of the share that `u` in [0, 1) falls on: the first whose cumulative weight exceeds `u` times the
/// total (choice R7: a boundary belongs to the next one). Weights need not sum to 1 and must not be negative.
/// nullopt if no weight is positive.
[[nodiscard]] std::optional<std::size_t> drawWeighted(std::span<const double> weights, double u);

/// The candidate drawn from a mixture; nullopt for an empty one. Taking the largest share instead would break the
/// budget's guarantee (R8).
[[nodiscard]] std::optional<std::size_t> drawCandidate(const Mix& mix, double u);

}  // namespace signalbox::strategy::routewise
