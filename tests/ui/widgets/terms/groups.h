// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"
#include "router/policy/smart/score.h"

#include <numeric>

namespace signalbox::test {

inline evidence::RecordedCandidate candidate(const char* endpointId, double quality, double latencyMs, double costUsd, double reliability, double affinity) {
    evidence::RecordedCandidate made;
    made.endpointId = endpointId;
    made.quality = quality;
    made.latencyMs = latencyMs;
    made.costUsd = costUsd;
    made.reliability = reliability;
    made.affinity = affinity;
    return made;
}

/// A group's answer with scores as the gateway would compute them. Three candidates compete, one is cooling.
inline evidence::RecordedGroup recordedGroup() {
    evidence::RecordedGroup group;
    group.groupId = "auto";
    group.profile = "balanced";
    group.weights = {0.35, 0.30, 0.20, 0.15};
    group.candidates = {candidate("local:qwen3-9b", 0.72, 1200, 0.0004, 0.97, 0.012), candidate("deepseek:flash", 0.88, 900, 0.0021, 0.91, 0.004),
                        candidate("lab_b:gemma-4-26b-instruct-long-name", 0.81, 2400, 0.0009, 0.88, 0.018), candidate("openrouter:mid", 0, 0, 0, 0, 0.007)};
    group.candidates[3].cut = "provider_cooldown";
    group.candidateCount = 3;
    group.candidatesTotal = 4;
    group.minLatencyMs = 900, group.maxLatencyMs = 2400, group.minCostUsd = 0.0004, group.maxCostUsd = 0.0021;
    group.inputTokens = 1200, group.outputTokens = 600;
    namespace smart = policy::smart;
    const smart::Weights weights{0.35, 0.30, 0.20, 0.15};
    std::vector<smart::CandidateTerms> terms;
    for (const auto& of : group.candidates) {
        smart::CandidateTerms term;
        term.cut = of.cut.empty() ? smart::Cut::none : smart::Cut::cooldown;
        term.affinity = of.affinity;
        term.quality = of.quality;
        term.reliability = of.reliability;
        term.latencyMs = of.latencyMs;
        term.costUsd = of.costUsd;
        terms.push_back(term);
    }
    smart::scoreAll(terms, smart::extremesOf(terms), weights);
    for (std::size_t i = 0; i < terms.size(); ++i) group.candidates[i].score = terms[i].score;
    group.selected = "deepseek:flash";
    group.recommended = "local:qwen3-9b";
    group.selectedScore = group.candidates[1].score;
    group.recommendedScore = group.candidates[0].score;
    group.shadowDisagreement = true;
    group.sessionAffinity = true;
    group.affinity = "not_selected";
    group.affinityFavourite = "lab_b:gemma-4-26b-instruct-long-name";
    group.decidingTerm = "cost";
    group.reasons = {"profile_balanced", "expected_cost", "shadow_no_route_change", "filtered_provider_cooldown"};
    group.bucket = 41;
    return group;
}

}  // namespace signalbox::test
