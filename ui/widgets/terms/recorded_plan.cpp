// SPDX-License-Identifier: MIT
#include "ui/widgets/terms/recorded_plan.h"

#include "router/policy/smart/formula.h"

namespace signalbox::ui {

namespace smart = policy::smart;

static smart::Cut cutOf(const std::string& word) {
    for (std::size_t i = 0; i < smart::kCutCount; ++i)
        if (smart::toString(static_cast<smart::Cut>(i)) == word) return static_cast<smart::Cut>(i);
    return smart::Cut::policy;  // a word of a newer version: cut, whatever for
}

smart::CandidateTerms termsOf(const evidence::RecordedCandidate& candidate, const evidence::RecordedGroup& group) {
    smart::CandidateTerms terms;
    terms.cut = cutOf(candidate.cut);
    terms.affinity = candidate.affinity;
    if (!terms.eligible()) return terms;
    terms.quality = candidate.quality;
    terms.reliability = candidate.reliability;
    terms.latencyMs = candidate.latencyMs;
    terms.costUsd = candidate.costUsd;
    terms.latencyValue = smart::inverseNormalised(candidate.latencyMs, group.minLatencyMs, group.maxLatencyMs);
    terms.costValue = smart::inverseNormalised(candidate.costUsd, group.minCostUsd, group.maxCostUsd);
    terms.score = candidate.score;
    return terms;
}

static std::optional<std::uint16_t> positionOf(const evidence::RecordedGroup& group, const std::string& endpointId) {
    for (std::size_t i = 0; i < group.candidates.size(); ++i)
        if (group.candidates[i].endpointId == endpointId) return static_cast<std::uint16_t>(i);
    return std::nullopt;
}

std::optional<smart::Plan> planOf(const evidence::RecordedGroup& group) {
    const auto selected = positionOf(group, group.selected), recommended = positionOf(group, group.recommended);
    if (!selected || !recommended) return std::nullopt;
    smart::Plan plan;
    plan.profile = smart::parseProfile(group.profile).value_or(smart::Profile::balanced);
    plan.weights = {group.weights[0], group.weights[1], group.weights[2], group.weights[3]};
    plan.selected = *selected;
    plan.recommended = *recommended;
    plan.extremes = {group.minLatencyMs, group.maxLatencyMs, group.minCostUsd, group.maxCostUsd};
    for (const auto& candidate : group.candidates) {
        plan.candidates.push_back(termsOf(candidate, group));
        ++plan.cuts[static_cast<std::size_t>(plan.candidates.back().cut)];
    }
    // choiceUnder needs somebody to choose.
    if (!plan.candidates[*recommended].eligible()) return std::nullopt;
    plan.affinityFavourite = group.affinityFavourite.empty() ? std::nullopt : positionOf(group, group.affinityFavourite);
    return plan;
}

bool holdsAllCandidates(const evidence::RecordedGroup& group) { return group.candidatesTotal <= group.candidates.size(); }

}  // namespace signalbox::ui
