// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/smart/assignment.h"
#include "router/policy/smart/facts.h"
#include "router/policy/smart/group.h"

#include <span>
#include <tl/expected.hpp>
#include <vector>

namespace signalbox::policy::smart {

/// Everything that planning looks at; nothing here is changed and nothing else is read.
struct PlanInput {
    const Settings& settings;
    const Group& group;
    std::span<const CandidateSignals> signals;  ///< one for each candidate of the group, in its order
    const Assignment& assignment;
    std::optional<Profile> profile;  ///< what the request asked for; else the group's, else the policy's default
    Sizes sizes;
};

/// The largest group that a plan can hold; configuration allows 256 candidates.
inline constexpr std::size_t kMaxPlanCandidates = 65'535;

/// One candidate in one decision: what it was judged by, and what it came to.
struct CandidateTerms {
    Cut cut = Cut::none;
    double affinity = 0;  ///< in 0..0.02, weighted; known for cut candidates too (F63)
    // The rest is measured for eligible candidates only.
    double quality = 0;
    double reliability = 0;
    double latencyMs = 0;
    double costUsd = 0;
    double latencyValue = 0;  ///< 1 is the fastest of this decision, 0 the slowest
    double costValue = 0;
    double score = 0;         ///< unrounded
    [[nodiscard]] bool eligible() const { return cut == Cut::none; }
};

/// Minimum and maximum over the eligible candidates: what turns raw inputs into values again.
struct Extremes {
    double minLatencyMs = 0, maxLatencyMs = 0;
    double minCostUsd = 0, maxCostUsd = 0;
};

/// The answer of a group: what to try in which order, what the scores recommend, and every term behind both.
struct Plan {
    Facts facts;
    Profile profile = Profile::balanced;
    Weights weights;
    std::uint16_t selected = 0;     ///< positions in the group
    std::uint16_t recommended = 0;
    std::vector<std::uint16_t> attemptOrder;  ///< never empty; begins with `selected`
    std::vector<CandidateTerms> candidates;   ///< one for each candidate of the group
    Extremes extremes;
    CutCounts cuts{};
    /// The candidate that the session leans to most; cut if `candidates[…].cut` says so (F63, F65).
    std::optional<std::uint16_t> affinityFavourite;
};

/// What became of a session's favourite, for the record: affinity is a preference and never a pin (F63), and a session
/// that never gets its favourite must be visible (F65).
enum class AffinityResult : std::uint8_t { noSession, followed, notSelected, favouriteCut };
[[nodiscard]] std::string_view toString(AffinityResult result);
[[nodiscard]] AffinityResult affinityResult(const Plan& plan);

/// A group that has nothing to offer, with the cut of every candidate.
struct Refusal {
    PlanError error = PlanError::noEligibleCandidate;
    CutCounts cuts{};
    std::vector<CandidateTerms> candidates;
};
/// 403 (denied) or 503 (unavailable) at the edge, saying how many candidates were cut and why; 400 (badInput) where every
/// enabled candidate lacks something for this request, which no repetition changes.
[[nodiscard]] Error toError(const Refusal& refusal, const Group& group);

/// Plans one request for a group of 1..kMaxPlanCandidates candidates. Pure.
///
/// Cooling candidates come back, as a last resort, only if nothing else is left; everything is then judged again
/// without the cooldown check (choice S5).
[[nodiscard]] tl::expected<Plan, Refusal> plan(const PlanInput& input);

/// The terms of a score as they add up to it: quality, cost, latency, reliability, affinity.
[[nodiscard]] std::array<double, 5> contributions(const CandidateTerms& terms, const Weights& weights);

}  // namespace signalbox::policy::smart
