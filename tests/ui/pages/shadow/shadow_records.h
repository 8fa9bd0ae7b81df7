// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"
#include "router/policy/smart/formula.h"
#include "router/policy/smart/score.h"
#include "router/policy/smart/what_if.h"
#include "tests/ui/pages/history/records.h"
#include "tests/ui/widgets/terms/groups.h"

#include <memory>
#include <random>
#include <vector>

namespace signalbox::test {

/// Decisions of smart groups as a gateway in shadow would leave them: scored by the router's own functions from made-up
/// inputs. The local engine stands first, is estimated fast and cheap, and is neither as fast nor as good as they say.
class ShadowWeek {
public:
    explicit ShadowWeek(unsigned seed = 11) : m_random(seed) {}

    [[nodiscard]] evidence::DecisionRecord make(Timestamp at, const std::string& groupId, policy::smart::Profile profile) {
        namespace smart = policy::smart;
        auto record = test::record(at, m_ids, "");
        record.requestedModel = groupId;
        record.resolvedBy = "smart_alias";
        record.reason.clear();
        record.coverage = "none";
        record.family.reset();
        record.ruleIndex.reset();
        record.policyVersion = "builtin-v1";
        record.edge = uniform() < 0.8 ? evidence::Edge::openai : evidence::Edge::anthropic;
        evidence::RecordedGroup group;
        group.groupId = groupId;
        group.profile = smart::toString(profile);
        group.bucket = static_cast<std::uint32_t>(m_random() % 100);
        group.activationPercent = groupId == "auto" ? 0 : 20;
        record.mode = groupId == "auto" ? "shadow" : group.bucket < 20 ? "active" : "canary_control";
        group.inputTokens = 300 + m_random() % 4000;
        group.outputTokens = 80 + m_random() % 900;
        const smart::Weights weights = smart::weightsOf(smart::builtinWeights(), profile);
        group.weights = {weights.quality, weights.cost, weights.latency, weights.reliability};
        const auto terms = fillCandidates(group, weights);
        choose(record, group, terms, weights);
        call(record, group);
        record.group = std::move(group);
        return record;
    }

    /// `count` decisions of two groups, evenly between the two times.
    [[nodiscard]] std::shared_ptr<std::vector<evidence::DecisionRecord>> records(std::size_t count, Timestamp from, Timestamp to) {
        using policy::smart::Profile;
        auto made = std::make_shared<std::vector<evidence::DecisionRecord>>();
        made->reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            const double kind = uniform();
            const Profile profile = kind < 0.55 ? Profile::balanced : kind < 0.75 ? Profile::economy : kind < 0.9 ? Profile::latency : Profile::quality;
            made->push_back(make(from + (to - from) / static_cast<long>(count) * static_cast<long>(i), uniform() < 0.75 ? "auto" : "auto-extract", profile));
        }
        return made;
    }

private:
    struct Kind {
        const char* endpointId;
        double quality, latencyMs, perMillion, reliability, measuredMs, failing;
    };
    static constexpr Kind kKinds[] = {{"lab_a:qwen3-9b", 0.72, 1200, 0.18, 0.96, 3900, 0.012},
                                      {"deepseek:flash", 0.88, 900, 0.55, 0.93, 1150, 0.021},
                                      {"openrouter:mid", 0.80, 1500, 0.30, 0.95, 1480, 0.008}};

    double uniform() { return static_cast<double>(m_random()) / static_cast<double>(std::mt19937::max()); }

    std::vector<policy::smart::CandidateTerms> fillCandidates(evidence::RecordedGroup& group, const policy::smart::Weights& weights) {
        namespace smart = policy::smart;
        std::vector<smart::CandidateTerms> terms;
        const bool session = uniform() < 0.6, cooling = uniform() < 0.03;
        double most = -1;
        for (std::size_t i = 0; i < std::size(kKinds); ++i) {
            const Kind& kind = kKinds[i];
            smart::CandidateTerms candidate;
            if (cooling && i == 1) candidate.cut = smart::Cut::cooldown;
            candidate.affinity = session ? uniform() * smart::kAffinityWeight : 0;
            if (session && candidate.affinity > most) {
                most = candidate.affinity;
                group.affinityFavourite = kind.endpointId;
            }
            if (candidate.eligible()) {
                candidate.quality = kind.quality;
                candidate.reliability = std::min(1.0, kind.reliability - 0.05 + 0.08 * uniform());
                candidate.latencyMs = kind.latencyMs * (0.6 + 0.9 * uniform());
                candidate.costUsd = kind.perMillion * static_cast<double>(group.inputTokens + 3 * group.outputTokens) / 1e6;
            }
            terms.push_back(candidate);
        }
        const auto extremes = smart::extremesOf(terms);
        smart::scoreAll(terms, extremes, weights);
        group.minLatencyMs = extremes.minLatencyMs, group.maxLatencyMs = extremes.maxLatencyMs;
        group.minCostUsd = extremes.minCostUsd, group.maxCostUsd = extremes.maxCostUsd;
        for (std::size_t i = 0; i < terms.size(); ++i) {
            const auto& t = terms[i];
            group.candidateCount += t.eligible() ? 1 : 0;
            group.candidates.push_back(test::candidate(kKinds[i].endpointId, t.quality, t.latencyMs, t.costUsd, t.reliability, t.affinity));
            group.candidates.back().cut = smart::toString(t.cut);
            group.candidates.back().score = t.score;
        }
        group.candidatesTotal = static_cast<std::uint32_t>(terms.size());
        group.sessionAffinity = session;
        return terms;
    }

    void choose(evidence::DecisionRecord& record, evidence::RecordedGroup& group, const std::vector<policy::smart::CandidateTerms>& terms, const policy::smart::Weights& weights) {
        namespace smart = policy::smart;
        const std::uint16_t best = *smart::recommendedOf(terms);
        const std::uint16_t first = record.mode == "active" ? best : 0;
        group.selected = group.candidates[first].endpointId;
        group.recommended = group.candidates[best].endpointId;
        group.selectedScore = smart::fourDecimals(terms[first].score);
        group.recommendedScore = smart::fourDecimals(terms[best].score);
        group.shadowDisagreement = first != best;
        if (first != best) group.decidingTerm = smart::toString(smart::decidingTerm(terms[best], terms[first], weights));
        group.reasons = {"profile_" + group.profile, first != best ? "shadow_no_route_change" : "expected_cost"};
        if (group.affinityFavourite.empty()) group.affinity = "no_session";
        else if (group.affinityFavourite == group.selected) group.affinity = "followed";
        else group.affinity = "not_selected";
    }

    static evidence::Attempt attempt(const char* endpointId, evidence::AttemptOutcome outcome, int status, double endedMs) {
        evidence::Attempt made;
        made.endpointId = endpointId;
        made.outcome = outcome;
        made.status = status;
        if (outcome == evidence::AttemptOutcome::failed) made.reason = "status_" + std::to_string(status);
        else made.firstContentMs = endedMs * 0.3;
        made.startedMs = 1;
        made.endedMs = endedMs;
        return made;
    }

    void call(evidence::DecisionRecord& record, const evidence::RecordedGroup& group) {
        for (const Kind& kind : kKinds) {
            if (group.selected != kind.endpointId) continue;
            const double took = kind.measuredMs * (0.5 + uniform());
            if (uniform() < kind.failing * 4) {
                record.attempts.push_back(attempt(kind.endpointId, evidence::AttemptOutcome::failed, uniform() < 0.4 ? 429 : 503, 40));
                record.whyNoFallback = "last_target";
                record.outcome = evidence::Outcome::failed;
                record.status = 503;
                record.endpointId.clear();
                return;
            }
            record.attempts.push_back(attempt(kind.endpointId, evidence::AttemptOutcome::served, 200, took));
            record.endpointId = kind.endpointId;
            record.totalMs = took;
            record.firstContentMs = took * 0.3;
            record.costUsd = kind.perMillion * 1.15 * static_cast<double>(group.inputTokens + 2 * group.outputTokens) / 1e6;
        }
    }

    std::mt19937 m_random;
    CountingRandom m_ids;
};

}  // namespace signalbox::test
