// SPDX-License-Identifier: MIT
#include "router/gateway/group_recording.h"

#include "router/policy/smart/what_if.h"

#include <algorithm>

namespace signalbox::gateway {

namespace {

namespace smart = policy::smart;
using evidence::RecordedCandidate;
using evidence::RecordedGroup;

RecordedCandidate recordedCandidate(const smart::GroupCandidate& candidate, const smart::CandidateTerms& terms,
                                    const smart::CapabilitySet& missing) {
    RecordedCandidate out;
    out.endpointId = candidate.endpointId;
    out.cut = smart::toString(terms.cut);
    out.missing = missing.words();
    out.quality = terms.quality;
    out.latencyMs = terms.latencyMs;
    out.costUsd = terms.costUsd;
    out.reliability = terms.reliability;
    out.affinity = terms.affinity;
    out.score = terms.score;
    return out;
}

/// Positions, ascending and each once; no more than a handful.
using Wanted = std::vector<std::size_t>;

void want(Wanted& wanted, std::size_t i) {
    const auto at = std::lower_bound(wanted.begin(), wanted.end(), i);
    if (at == wanted.end() || *at != i)
        wanted.insert(at, i);
}

/// Those that must be there, then the first of the others, all in configured order.
Wanted chosenOf(std::size_t total, const Wanted& wanted) {
    Wanted chosen;
    chosen.reserve(std::min(total, RecordedGroup::kMostCandidates));
    auto must = wanted.begin();
    for (std::size_t i = 0; i < total && chosen.size() < RecordedGroup::kMostCandidates; ++i) {
        const auto places = RecordedGroup::kMostCandidates - chosen.size();
        const bool isWanted = must != wanted.end() && *must == i;
        if (isWanted || places > static_cast<std::size_t>(wanted.end() - must))
            chosen.push_back(i);
        if (isWanted)
            ++must;
    }
    return chosen;
}

void recordCandidates(RecordedGroup& out, const smart::Group& group, const std::vector<smart::CandidateTerms>& terms,
                      const std::vector<smart::CapabilitySet>& missing, const Wanted& wanted) {
    out.candidatesTotal = static_cast<std::uint32_t>(terms.size());
    const Wanted chosen = chosenOf(terms.size(), wanted);
    out.candidates.reserve(chosen.size());
    for (const std::size_t i : chosen)
        out.candidates.push_back(recordedCandidate(group.candidates[i], terms[i],
                                                   i < missing.size() ? missing[i] : smart::CapabilitySet{}));
}

void recordRollout(RecordedGroup& out, const smart::Settings& settings, const smart::Assignment& assignment,
                   const smart::Sizes& sizes) {
    out.bucket = assignment.bucket;
    out.activationPercent = settings.activationPercent;
    out.sessionAffinity = assignment.sessionHash.has_value();
    out.inputTokens = sizes.inputTokens;
    out.outputTokens = sizes.outputTokens;
}

std::array<double, 4> sharesOf(const smart::Weights& weights) {
    return {weights.quality, weights.cost, weights.latency, weights.reliability};
}

} // namespace

RecordedGroup recordedGroup(const policy::PolicySnapshot& snapshot, const policy::GroupDecision& decision) {
    const smart::Group& group = snapshot.smart.groups()[decision.group];
    const smart::Plan& plan = decision.plan;
    RecordedGroup out;
    out.groupId = group.id;
    out.profile = plan.facts.profile;
    out.selected = group.candidates[plan.selected].endpointId;
    out.recommended = group.candidates[plan.recommended].endpointId;
    out.candidateCount = static_cast<std::uint32_t>(plan.facts.candidateCount);
    out.selectedScore = plan.facts.selectedScore;
    out.recommendedScore = plan.facts.recommendedScore;
    out.reasons.reserve(plan.facts.reasons.size());
    for (const smart::Reason reason : plan.facts.reasons)
        out.reasons.emplace_back(smart::toString(reason));
    recordRollout(out, snapshot.smart.settings(), decision.assignment, decision.sizes);
    out.shadowDisagreement = plan.facts.shadowDisagreement;
    out.affinity = smart::toString(smart::affinityResult(plan));
    Wanted wanted;
    wanted.reserve(3);
    want(wanted, plan.selected);
    want(wanted, plan.recommended);
    if (plan.affinityFavourite) {
        out.affinityFavourite = group.candidates[*plan.affinityFavourite].endpointId;
        want(wanted, *plan.affinityFavourite);
    }
    if (plan.selected != plan.recommended)
        out.decidingTerm = smart::toString(smart::decidingTerm(plan.candidates[plan.recommended],
                                                               plan.candidates[plan.selected], plan.weights));
    out.weights = sharesOf(plan.weights);
    out.minLatencyMs = plan.extremes.minLatencyMs;
    out.maxLatencyMs = plan.extremes.maxLatencyMs;
    out.minCostUsd = plan.extremes.minCostUsd;
    out.maxCostUsd = plan.extremes.maxCostUsd;
    recordCandidates(out, group, plan.candidates, decision.missing, wanted);
    return out;
}

RecordedGroup recordedRefusal(const policy::PolicySnapshot& snapshot, const policy::GroupRefusal& refusal) {
    const smart::Group& group = snapshot.smart.groups()[refusal.group];
    RecordedGroup out;
    out.groupId = group.id;
    out.reasons.emplace_back(smart::toString(refusal.refusal.error));
    recordRollout(out, snapshot.smart.settings(), refusal.assignment, refusal.sizes);
    recordCandidates(out, group, refusal.refusal.candidates, refusal.missing, {});
    return out;
}

} // namespace signalbox::gateway
