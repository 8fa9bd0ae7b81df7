// SPDX-License-Identifier: MIT
#include "router/evidence/decision_rows.h"

#include "router/evidence/copy_line.h"
#include "router/evidence/exact_receipt.h"
#include "router/evidence/history.h"
#include "router/evidence/json_line.h"
#include "router/evidence/sum_tables.h"

#include <algorithm>

namespace signalbox::evidence {
namespace {

using SomeText = std::optional<std::string_view>;

/// Every other endpoint, once.
void putAlsoTried(CopyLine& line, const DecisionRecord& record) {
    const Attempt* const first = record.attempts.data();
    line.array(record.attempts, [&](const Attempt& attempt) {
        const bool isKnown = attempt.endpointId == record.endpointId ||
                             std::any_of(first, &attempt, [&](const Attempt& before) { return before.endpointId == attempt.endpointId; });
        return isKnown ? SomeText() : attempt.endpointId;
    });
}

void writeCalls(const DecisionRecord& record, std::string& out) {
    out.clear();
    JsonLine json(out);
    json.beginArray();
    for (const Attempt& attempt : record.attempts) {
        json.beginElement();
        if (attempt.endpointId.find('\0') == std::string::npos) json.put("e", attempt.endpointId);
        else json.put("e", storable(attempt.endpointId));  // jsonb cannot hold it, even escaped
        json.put("o", toString(attempt.outcome));
        json.put("s", attempt.status);
        json.put("ms", attempt.endedMs - attempt.startedMs);
        if (attempt.firstContentMs) json.put("f", *attempt.firstContentMs - attempt.startedMs);
        json.put("c", costOf(record, attempt));
        json.endObject();
    }
    json.endArray();
}

/// The columns from `route_group` to `cooling`.
void putGroup(CopyLine& line, const RecordedGroup& group) {
    const auto putEstimate = [&](const RecordedCandidate* candidate) {
        line.number(candidate != nullptr ? candidate->costUsd : 0.0);
        line.number(candidate != nullptr ? candidate->latencyMs : 0.0);
    };
    const double margin = group.recommendedScore - group.selectedScore;
    line.text(group.groupId);
    line.text(group.profile);
    line.text(group.selected);
    line.text(group.recommended);
    line.count(group.candidateCount);
    line.number(group.selectedScore);
    line.number(group.recommendedScore);
    line.array(group.reasons);
    line.truth(group.sessionAffinity);
    line.truth(group.shadowDisagreement);
    line.text(group.affinity);
    line.text(group.decidingTerm);
    line.number(margin);
    line.count(marginSlot(margin));
    line.count(std::min(group.bucket, 99U));
    line.count(std::min(group.activationPercent, 100U));
    putEstimate(candidateOf(group, group.selected));
    putEstimate(candidateOf(group, group.recommended));
    line.array(group.candidates, [](const RecordedCandidate& candidate) { return SomeText(candidate.endpointId); });
    line.array(group.candidates, [](const RecordedCandidate& candidate) {
        return candidate.cut == "provider_cooldown" ? SomeText(candidate.endpointId) : SomeText();
    });
}
constexpr int kGroupColumns = 22;

void putOriginColumns(CopyLine& line, const DecisionRecord& record, const WrittenOrigin& origin) {
    line.text(std::string_view(origin.id).substr(4));
    line.text(origin.createdAt);
    line.text(toString(record.origin));
    line.text(record.target);
    line.text(record.environment);
    line.text(record.principal);
    line.text(record.team);
    line.text(toString(record.edge));
    line.text(record.requestedModel);
    line.text(record.resolvedBy);
    line.text(record.policyHash);
    line.text(record.mode);
}

void putDecisionColumns(CopyLine& line, const DecisionRecord& record) {
    const table::Cell& cell = record.features.cell;
    line.textOrNull(record.family);
    line.count(record.ruleIndex);
    line.textOrNull(record.presetKey);
    line.text(record.reason);
    line.text(record.coverage);
    line.count(record.gapIndex);
    line.text(table::toString(cell.workload));
    line.text(table::toString(cell.length));
    line.text(table::toString(cell.concurrency));
    line.count(cell.index());
}

void putOutcomeColumns(CopyLine& line, const DecisionRecord& record) {
    line.text(record.endpointId);
    line.count(record.attempts.size());
    line.text(toString(record.outcome));
    line.integer(record.status);
    line.text(record.errorCode);
    line.number(record.queueMs);
    line.number(record.firstContentMs);
    line.number(record.totalMs);
    line.count(record.inputTokens);
    line.count(record.cachedTokens);
    line.count(record.outputTokens);
    line.number(record.costUsd);
}

}  // namespace

void appendRow(const DecisionRecord& record, std::string& out) { appendRow(record, WrittenOrigin(record), out); }

void appendRow(const DecisionRecord& record, const WrittenOrigin& origin, std::string& out) {
    CopyLine line(out);
    putOriginColumns(line, record, origin);
    putDecisionColumns(line, record);
    putOutcomeColumns(line, record);
    if (record.group) putGroup(line, *record.group);
    else line.nulls(kGroupColumns);
    putAlsoTried(line, record);
    if (record.attempts.empty()) {
        line.null();
    } else {
        static thread_local std::string json;  // kept for its memory
        writeCalls(record, json);
        line.written(json);
    }
    line.truth(record.simulated);
}

}  // namespace signalbox::evidence
