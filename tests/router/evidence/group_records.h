// SPDX-License-Identifier: MIT
#pragma once

#include "tests/router/evidence/sample_records.h"

#include <cmath>

namespace signalbox::test {

/// Any request that a gateway with two smart groups could have recorded: most of them asked one.
class GroupRecords {
public:
    explicit GroupRecords(std::uint64_t seed) : m_random(seed) {}

    [[nodiscard]] evidence::DecisionRecord next(Timestamp at) {
        evidence::DecisionRecord record = sampleRecord(at, m_count++);
        record.principal = pick({"p1", "p2", "p \"3\"", ""});
        if (m_count % 5 == 0) record.team = "blue";
        if (m_count % 5 == 1) record.team.clear();
        if (m_count % 3 == 0) record.requestedModel = record.features.model = "auto";
        record.origin = chance(0.1) ? evidence::Origin::simulation : chance(0.3) ? evidence::Origin::demo : evidence::Origin::traffic;
        record.edge = chance(0.3) ? evidence::Edge::anthropic : evidence::Edge::openai;
        if (chance(0.8)) addGroup(record);
        addAttempts(record);
        if (chance(0.8)) record.costUsd = 0.001 * m_random.unit();
        return record;
    }

private:
    bool chance(double share) { return m_random.unit() < share; }
    std::string pick(const std::vector<std::string>& words) { return words[static_cast<std::size_t>(m_random.unit() * static_cast<double>(words.size()))]; }
    double score() { return std::round(m_random.unit() * 5000) / 10'000; }

    void addGroup(evidence::DecisionRecord& record) {
        auto& group = record.group.emplace();
        group.groupId = pick({"auto", "auto-extract"});
        group.profile = pick({"balanced", "economy"});
        record.mode = pick({"shadow", "shadow", "canary_control", "active", "off_static"});
        group.reasons = {"profile_balanced", pick({"expected_cost", "quote\" and \\"})};
        for (const std::string& endpoint : endpoints()) {
            group.candidates.push_back({endpoint, chance(0.2) ? "provider_cooldown" : "", m_random.unit(), 100 + 3000 * m_random.unit(),
                                        0.01 * m_random.unit(), 0.9, 0.01, score()});
        }
        group.candidatesTotal = 3;
        if (chance(0.05)) return;  // refused
        const std::string best = pick(endpoints());
        const bool differs = (record.mode == "shadow" || record.mode == "canary_control") && chance(0.5);
        group.recommended = best;
        group.selected = differs ? (best == "a:x" ? "b:y" : "a:x") : best;
        group.selectedScore = score();
        group.recommendedScore = differs ? group.selectedScore + 0.0001 + score() : group.selectedScore;
        group.shadowDisagreement = differs;
        if (differs) group.decidingTerm = pick({"quality", "cost", "latency"});
        group.affinity = pick({"no_session", "followed", "not_selected", "favourite_cut"});
        group.bucket = static_cast<std::uint32_t>(m_random.unit() * 100);
    }

    void addAttempts(evidence::DecisionRecord& record) {
        using evidence::AttemptOutcome;
        record.attempts.clear();
        double clock = 1;
        record.outcome = evidence::Outcome::failed;
        record.endpointId.clear();
        for (int n = static_cast<int>(m_random.unit() * 4); n > 0 && record.endpointId.empty(); --n) {
            evidence::Attempt attempt;
            attempt.endpointId = pick({"a:x", "b:y", "c \"z\\", "other:m"});
            attempt.outcome = chance(0.6) ? AttemptOutcome::served : static_cast<AttemptOutcome>(1 + static_cast<int>(m_random.unit() * 3));
            attempt.status = attempt.outcome == AttemptOutcome::served ? 200 : chance(0.5) ? 429 : 503;
            attempt.startedMs = clock;
            clock += 1 + 5000 * m_random.unit() * m_random.unit();
            attempt.endedMs = clock;
            if (attempt.outcome == AttemptOutcome::served) {
                if (chance(0.9)) attempt.firstContentMs = attempt.startedMs + 0.3 * (clock - attempt.startedMs);
                record.endpointId = attempt.endpointId;
                record.outcome = evidence::Outcome::served;
            }
            record.attempts.push_back(attempt);
        }
        record.totalMs = clock;
    }

    static std::vector<std::string> endpoints() { return {"a:x", "b:y", "c \"z\\"}; }

    FastRandom m_random;
    std::uint64_t m_count = 0;
};

}  // namespace signalbox::test
