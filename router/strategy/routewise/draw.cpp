// SPDX-License-Identifier: MIT
#include "router/strategy/routewise/draw.h"

#include <numeric>

namespace signalbox::strategy::routewise {

std::optional<std::size_t> drawWeighted(std::span<const double> weights, double u) {
    const double target = u * std::accumulate(weights.begin(), weights.end(), 0.0);
    std::optional<std::size_t> lastPositive;
    double cumulative = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (!(weights[i] > 0)) continue;
        lastPositive = i;
        cumulative += weights[i];
        if (target < cumulative) return i;
    }
    // Rounding can leave the last boundary a hair below the total.
    return lastPositive;
}

std::optional<std::size_t> drawCandidate(const Mix& mix, double u) {
    std::array<double, 2> weights{};
    for (std::size_t i = 0; i < mix.support; ++i) weights[i] = mix.shares[i].probability;
    const auto drawn = drawWeighted(std::span(weights).first(mix.support), u);
    if (!drawn) return std::nullopt;
    return mix.shares[*drawn].candidate;
}

}  // namespace signalbox::strategy::routewise
