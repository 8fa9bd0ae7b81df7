// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/smart/plan.h"

namespace signalbox::policy::smart {

/// Over the eligible candidates; meaningless when there is none.
[[nodiscard]] Extremes extremesOf(std::span<const CandidateTerms> candidates);

/// Values and scores of the eligible candidates from their raw inputs.
void scoreAll(std::span<CandidateTerms> candidates, const Extremes& extremes, const Weights& weights);

/// Higher score first, then configured order (choice S11).
[[nodiscard]] inline bool isBetter(std::span<const CandidateTerms> candidates, std::uint16_t a, std::uint16_t b) {
    if (candidates[a].score != candidates[b].score) return candidates[a].score > candidates[b].score;
    return a < b;
}

/// The best eligible candidate; nullopt when there is none.
[[nodiscard]] std::optional<std::uint16_t> recommendedOf(std::span<const CandidateTerms> candidates);

}  // namespace signalbox::policy::smart
