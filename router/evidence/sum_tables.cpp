// SPDX-License-Identifier: MIT
#include "router/evidence/sum_tables.h"

#include "router/evidence/decision_rows.h"
#include "router/evidence/history.h"
#include "router/evidence/latency_slots.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace signalbox::evidence {

const SumTable& sumTable(Question question) {
    static const std::array<SumTable, kQuestions> kTables{{
        {"shadow", true, {"route_group", "profile"}, {"decisions", "disagreements"}},
        {"shadow_pair", true, {"route_group", "profile", "selected", "recommended", "deciding_term"},
         {"decisions", "selected_cost_usd", "selected_latency_ms", "recommended_cost_usd", "recommended_latency_ms"}},
        {"shadow_margin", true, {"route_group", "profile", "margin_slot"}, {"decisions"}},
        {"group_served", true, {"route_group", "profile", "mode", "edge"}, {"decisions"}},
        {"group_affinity", true, {"route_group", "profile", "affinity"}, {"decisions"}},
        {"group_candidate", true, {"route_group", "profile", "endpoint"}, {"decisions", "cooling"}},
        {"call", true, {"endpoint", "outcome", "status"}, {"calls", "cost_calls", "cost_usd"}},
        {"call_latency", true, {"endpoint", "measure", "slot"}, {"calls"}},
        {"spend", false, {"principal"}, {"cost_usd"}},
    }};
    return kTables[static_cast<std::size_t>(question)];
}

const RecordedCandidate* candidateOf(const RecordedGroup& group, std::string_view endpointId) {
    const auto found = std::find_if(group.candidates.begin(), group.candidates.end(),
                                    [&](const RecordedCandidate& candidate) { return candidate.endpointId == endpointId; });
    return found == group.candidates.end() ? nullptr : &*found;
}

bool mayDisagree(const DecisionRecord& record) { return record.mode == "shadow" || record.mode == "canary_control"; }

std::optional<double> costOf(const DecisionRecord& record, const Attempt& attempt) {
    const bool paidFor = attempt.outcome == AttemptOutcome::served && attempt.endpointId == record.endpointId;
    return paidFor ? record.costUsd : std::nullopt;
}

void SumRollups::add(const DecisionRecord& record) {
    m_minute = std::chrono::floor<std::chrono::minutes>(record.createdAt);
    m_origin = toString(record.origin);
    if (record.group) addGroup(record, *record.group);
    for (const Attempt& attempt : record.attempts) addCall(record, attempt);
    if (record.costUsd && !record.principal.empty()) count(Question::spend, {record.principal}, {*record.costUsd});
}

void SumRollups::addGroup(const DecisionRecord& record, const RecordedGroup& group) {
    for (const RecordedCandidate& candidate : group.candidates)
        count(Question::candidate, {group.groupId, group.profile, candidate.endpointId},
              {1, candidate.cut == "provider_cooldown" ? 1.0 : 0.0});
    if (group.selected.empty()) return;  // refused: nothing was chosen and nothing recommended
    count(Question::served, {group.groupId, group.profile, record.mode, toString(record.edge)}, {1});
    if (!group.affinity.empty()) count(Question::affinity, {group.groupId, group.profile, group.affinity}, {1});
    if (mayDisagree(record)) addOpinion(group);
}

void SumRollups::addOpinion(const RecordedGroup& group) {
    static const RecordedCandidate kUnknown{};
    const auto* known = candidateOf(group, group.selected);
    const RecordedCandidate& selected = known != nullptr ? *known : kUnknown;
    known = candidateOf(group, group.recommended);
    const RecordedCandidate& recommended = known != nullptr ? *known : kUnknown;
    count(Question::shadow, {group.groupId, group.profile}, {1, group.shadowDisagreement ? 1.0 : 0.0});
    count(Question::pair, {group.groupId, group.profile, group.selected, group.recommended, group.decidingTerm},
          {1, selected.costUsd, selected.latencyMs, recommended.costUsd, recommended.latencyMs});
    if (group.shadowDisagreement)
        count(Question::margin,
              {group.groupId, group.profile, std::to_string(marginSlot(group.recommendedScore - group.selectedScore))}, {1});
}

void SumRollups::addCall(const DecisionRecord& record, const Attempt& attempt) {
    const auto cost = costOf(record, attempt);
    count(Question::call, {attempt.endpointId, toString(attempt.outcome), std::to_string(attempt.status)},
          {1, cost ? 1.0 : 0.0, cost.value_or(0)});
    if (attempt.outcome != AttemptOutcome::served) return;
    count(Question::callLatency,
          {attempt.endpointId, "total", std::to_string(latencySlot(attempt.endedMs - attempt.startedMs))}, {1});
    if (attempt.firstContentMs)
        count(Question::callLatency,
              {attempt.endpointId, "first_content", std::to_string(latencySlot(*attempt.firstContentMs - attempt.startedMs))}, {1});
}

void SumRollups::count(Question question, std::initializer_list<std::string_view> keys, std::initializer_list<double> sums) {
    assert(keys.size() == sumTable(question).keys.size() && sums.size() == sumTable(question).sums.size());
    const auto put = [&](std::string_view part) {
        if (part.find('\0') == std::string_view::npos)
            m_key.second += part;
        else
            m_key.second += storable(part);
        m_key.second += '\0';
    };
    m_key.first = m_minute;
    m_key.second.clear();
    put(m_origin);
    for (const std::string_view key : keys) put(key);
    auto& row = m_rows[static_cast<std::size_t>(question)].try_emplace(m_key).first->second;
    std::size_t i = 0;
    for (const double sum : sums) row[i++] += std::isfinite(sum) ? sum : 0;
}

}  // namespace signalbox::evidence
