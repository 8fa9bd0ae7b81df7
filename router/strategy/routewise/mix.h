// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace signalbox::strategy::routewise {

/// A candidate with its effective cost. `id` must outlive the call; an infinite, negative or NaN number leaves the
/// candidate out.
struct PricedCandidate {
    std::string_view id;
    double costUsd = 0;
    double meanTtftS = 0;
};

enum class MixStatus : std::uint8_t { optimal, singleProvider, cheapestFallback, noFeasibleCandidates };

[[nodiscard]] std::string_view toString(MixStatus status);

struct MixShare {
    /// Position among the candidates that were given.
    std::size_t candidate = 0;
    double probability = 0;
    bool operator==(const MixShare&) const = default;
};

/// Over how many and which candidates requests are spread, in the candidates' order.
struct Mix {
    MixStatus status = MixStatus::noFeasibleCandidates;
    double budgetUsd = 0;
    std::array<MixShare, 2> shares{};
    std::size_t support = 0;
    /// Mean seconds to first content plus the tie-break term; absent for a fallback and for nothing.
    std::optional<double> objectiveS;
    std::optional<double> expectedCostUsd;

    [[nodiscard]] std::span<const MixShare> parts() const { return std::span(shares).first(support); }
    bool operator==(const Mix&) const = default;
};

/// The mixture with the least mean time to first content whose expected cost stays within
/// `cheapest + alpha * (dearest - cheapest)`; `alpha` is held to [0, 1]. An optimum of this linear programme (two
/// constraints) needs at most two candidates, so singles and pairs around the budget are tried.
/// Equal objectives prefer the lower cost, then fewer members, then the weight vector that sorts first (choice R3).
/// 1e-9 is the tolerance for USD and weights (R2). Candidates with the same id are a mistake of the caller: all
/// requests then go to the cheapest (R14).
[[nodiscard]] Mix solveMix(std::span<const PricedCandidate> candidates, double alpha);

}  // namespace signalbox::strategy::routewise
