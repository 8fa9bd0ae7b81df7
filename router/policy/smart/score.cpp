// SPDX-License-Identifier: MIT
#include "router/policy/smart/score.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace signalbox::policy::smart {

Extremes extremesOf(std::span<const CandidateTerms> candidates) {
    constexpr double kFar = std::numeric_limits<double>::infinity();
    Extremes out{kFar, -kFar, kFar, -kFar};
    for (const CandidateTerms& terms : candidates) {
        if (!terms.eligible()) continue;
        out.minLatencyMs = std::min(out.minLatencyMs, terms.latencyMs);
        out.maxLatencyMs = std::max(out.maxLatencyMs, terms.latencyMs);
        out.minCostUsd = std::min(out.minCostUsd, terms.costUsd);
        out.maxCostUsd = std::max(out.maxCostUsd, terms.costUsd);
    }
    return out;
}

void scoreAll(std::span<CandidateTerms> candidates, const Extremes& extremes, const Weights& weights) {
    for (CandidateTerms& terms : candidates) {
        if (!terms.eligible()) continue;
        terms.latencyValue = inverseNormalised(terms.latencyMs, extremes.minLatencyMs, extremes.maxLatencyMs);
        terms.costValue = inverseNormalised(terms.costUsd, extremes.minCostUsd, extremes.maxCostUsd);
        const auto parts = contributions(terms, weights);
        terms.score = std::accumulate(parts.begin(), parts.end(), 0.0);
    }
}

std::optional<std::uint16_t> recommendedOf(std::span<const CandidateTerms> candidates) {
    std::optional<std::uint16_t> best;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const auto index = static_cast<std::uint16_t>(i);
        if (candidates[i].eligible() && (!best || isBetter(candidates, index, *best))) best = index;
    }
    return best;
}

std::array<double, 5> contributions(const CandidateTerms& terms, const Weights& weights) {
    return {terms.quality * weights.quality, terms.costValue * weights.cost, terms.latencyValue * weights.latency,
            terms.reliability * weights.reliability, terms.affinity};
}

}  // namespace signalbox::policy::smart
