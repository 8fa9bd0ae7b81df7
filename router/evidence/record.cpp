// SPDX-License-Identifier: MIT
#include "router/evidence/record.h"

#include "router/base/text.h"
#include "router/classify/peculiar_words.h"
#include "router/evidence/exact_receipt.h"
#include "router/evidence/json_line.h"

namespace signalbox::evidence {
namespace {

std::string_view word(classify::OutputCapField field) {
    switch (field) {
    case classify::OutputCapField::none: return "none";
    case classify::OutputCapField::maxTokens: return "max_tokens";
    case classify::OutputCapField::maxCompletionTokens: return "max_completion_tokens";
    }
    return "";
}

// What decodeRecord assumes where nothing is said.
const DecisionRecord kUsual{};
const Attempt kUsualAttempt{};

template <std::size_t N, class E>
void putWord(JsonLine& line, const char (&name)[N], E value, E usual) {
    if (value != usual) line.put(name, toString(value));
}

void putOrigin(JsonLine& line, const DecisionRecord& record, const WrittenOrigin& origin) {
    line.put("id", origin.id);
    line.put("created_at", origin.createdAt);
    putWord(line, "origin", record.origin, kUsual.origin);
    line.put("target", record.target);
    line.put("environment", record.environment);
    line.put("client_request_id", record.clientRequestId);
    line.put("principal", record.principal);
    line.put("team", record.team);
    putWord(line, "edge", record.edge, kUsual.edge);
    line.put("requested_model", record.requestedModel);
    line.put("resolved_by", record.resolvedBy);
    line.put("policy_hash", record.policyHash);
    line.put("table_sha256", record.tableSha256);
    line.put("policy_version", record.policyVersion);
    line.put("mode", record.mode);
}

template <std::size_t N, class Values>
void putArray(JsonLine& line, const char (&name)[N], const Values& values, const Values& usual) {
    if (values == usual) return;
    line.beginArray(name);
    for (const auto& value : values) line.putElement(value);
    line.endArray();
}

void putFeatures(JsonLine& line, const classify::RequestFeatures& features) {
    const classify::RequestFeatures& usual = kUsual.features;
    line.putUnless(usual.stream, "stream", features.stream);
    line.putUnless(usual.includeUsage, "include_usage", features.includeUsage);
    line.put("workload_class", table::toString(features.cell.workload));
    line.put("expected_output_length", table::toString(features.cell.length));
    line.put("concurrency_mode", table::toString(features.cell.concurrency));
    putWord(line, "workload_found_by", features.workloadFoundBy, usual.workloadFoundBy);
    putWord(line, "length_found_by", features.lengthFoundBy, usual.lengthFoundBy);
    line.putUnless(usual.inputTokens, "input_tokens_estimate", features.inputTokens);
    putWord(line, "input_tokens_found_by", features.inputTokensFoundBy, usual.inputTokensFoundBy);
    line.put("output_cap", features.outputCap);
    if (features.outputCapField != usual.outputCapField) line.put("output_cap_field", word(features.outputCapField));
    line.put("in_flight", features.inFlight);
    line.putUnless(usual.toolsOffered, "tools_offered", features.toolsOffered);
    line.putUnless(usual.functionsOffered, "functions_offered", features.functionsOffered);
    line.putUnless(usual.parallelTools, "parallel_tools", features.parallelTools);
    line.putUnless(usual.structuredOutput, "structured_output", features.structuredOutput);
    line.putUnless(usual.vision, "vision", features.vision);
    if (features.peculiarities != usual.peculiarities) putArray(line, "peculiarities", classify::wordsOf(features.peculiarities), {});
}

void putDecision(JsonLine& line, const DecisionRecord& record) {
    line.put("family", record.family);
    line.put("rule_index", record.ruleIndex);
    line.put("preset", record.presetKey);
    line.put("reason", record.reason);
    line.put("null_cause", record.nullCause);
    line.put("natural_by", record.naturalBy);
    line.put("coverage", record.coverage);
    line.put("gap_index", record.gapIndex);
    if (record.rules.empty()) return;
    line.beginArray("rules");
    for (const RecordedRule& rule : record.rules) {
        line.beginElement();
        line.put("rule_index", rule.ruleIndex);
        line.put("preset", rule.presetKey);
        line.put("verdict", rule.verdict);
        line.endObject();
    }
    line.endArray();
}

void putCandidates(JsonLine& line, const std::vector<RecordedCandidate>& candidates) {
    if (candidates.empty()) return;
    line.beginArray("candidates");
    for (const RecordedCandidate& candidate : candidates) {
        line.beginElement();
        line.put("endpoint", candidate.endpointId);
        line.put("cut", candidate.cut);
        line.putUnless(0.0, "quality", candidate.quality);
        line.putUnless(0.0, "ms", candidate.latencyMs);
        line.putUnless(0.0, "usd", candidate.costUsd);
        line.putUnless(0.0, "reliability", candidate.reliability);
        line.putUnless(0.0, "affinity", candidate.affinity);
        line.putUnless(0.0, "score", candidate.score);
        putArray(line, "missing", candidate.missing, {});
        line.endObject();
    }
    line.endArray();
}

// Every request to a smart group carries one of these, so the names are short.
void putGroup(JsonLine& line, const RecordedGroup& group) {
    static const RecordedGroup usual{};
    line.beginObject("group");
    line.put("id", group.groupId);
    line.put("profile", group.profile);
    line.put("selected", group.selected);
    line.put("recommended", group.recommended);
    line.putUnless(0U, "eligible", group.candidateCount);
    line.putUnless(0.0, "selected_score", group.selectedScore);
    line.putUnless(0.0, "recommended_score", group.recommendedScore);
    putArray(line, "reasons", group.reasons, usual.reasons);
    line.putUnless(false, "session_affinity", group.sessionAffinity);
    line.putUnless(false, "disagreement", group.shadowDisagreement);
    line.put("affinity", group.affinity);
    line.put("favourite", group.affinityFavourite);
    line.put("deciding_term", group.decidingTerm);
    line.putUnless(0U, "bucket", group.bucket);
    line.putUnless(0U, "percent", group.activationPercent);
    putArray(line, "weights", group.weights, usual.weights);
    line.putUnless(0.0, "min_ms", group.minLatencyMs);
    line.putUnless(0.0, "max_ms", group.maxLatencyMs);
    line.putUnless(0.0, "min_usd", group.minCostUsd);
    line.putUnless(0.0, "max_usd", group.maxCostUsd);
    line.putUnless(usual.inputTokens, "input_tokens", group.inputTokens);
    line.putUnless(usual.outputTokens, "output_tokens", group.outputTokens);
    line.putUnless(0U, "total", group.candidatesTotal);
    putCandidates(line, group.candidates);
    line.endObject();
}

void putPoolCandidates(JsonLine& line, const std::vector<RecordedPoolCandidate>& candidates) {
    if (candidates.empty()) return;
    line.beginArray("candidates");
    for (const RecordedPoolCandidate& candidate : candidates) {
        line.beginElement();
        line.put("endpoint", candidate.endpointId);
        line.put("excluded", candidate.excluded);
        line.put("usd", candidate.costUsd);
        line.put("ms", candidate.meanTtftMs);
        line.putUnless(0.0, "share", candidate.share);
        line.endObject();
    }
    line.endArray();
}

void putPool(JsonLine& line, const RecordedPool& pool) {
    line.beginObject("pool");
    line.put("id", pool.poolId);
    line.put("router", pool.router);
    line.put("drawn", pool.drawn);
    line.put("affinity", pool.affinity);
    line.put("mix", pool.mixStatus);
    line.put("budget_usd", pool.budgetUsd);
    line.put("expected_usd", pool.expectedCostUsd);
    line.put("objective_s", pool.objectiveS);
    line.putUnless(0.0, "predicted_tokens", pool.predictedOutputTokens);
    line.put("hedge", pool.hedge);
    line.put("hedge_ms", pool.hedgeAtMs);
    line.put("admission", pool.admission);
    line.put("ttft_ms", pool.predictedTtftMs);
    line.put("tpot_ms", pool.predictedTpotMs);
    line.putUnless(0U, "total", pool.candidatesTotal);
    putPoolCandidates(line, pool.candidates);
    line.endObject();
}

void putAttempts(JsonLine& line, const std::vector<Attempt>& attempts) {
    if (attempts.empty()) return;
    line.beginArray("attempts");
    for (const Attempt& attempt : attempts) {
        line.beginElement();
        line.put("endpoint", attempt.endpointId);
        putWord(line, "role", attempt.role, kUsualAttempt.role);
        line.put("outcome", toString(attempt.outcome));
        line.putUnless(kUsualAttempt.status, "status", attempt.status);
        line.put("reason", attempt.reason);
        line.putUnless(kUsualAttempt.startedMs, "started_ms", attempt.startedMs);
        line.put("first_content_ms", attempt.firstContentMs);
        line.put("ended_ms", attempt.endedMs);
        line.put("input_tokens", attempt.inputTokens);
        line.put("output_tokens", attempt.outputTokens);
        line.put("cost_usd", attempt.costUsd);
        line.put("left_out", attempt.leftOut);
        line.endObject();
    }
    line.endArray();
}

void putOutcome(JsonLine& line, const DecisionRecord& record) {
    line.put("endpoint", record.endpointId);
    putAttempts(line, record.attempts);
    line.put("why_no_fallback", record.whyNoFallback);
    line.put("outcome", toString(record.outcome));
    line.put("status", record.status);
    line.put("error_code", record.errorCode);
    line.putUnless(kUsual.queueMs, "queue_ms", record.queueMs);
    line.putUnless(kUsual.decideUs, "decide_us", record.decideUs);
    line.put("first_content_ms", record.firstContentMs);
    line.put("total_ms", record.totalMs);
    line.put("input_tokens", record.inputTokens);
    line.put("cached_tokens", record.cachedTokens);
    line.put("output_tokens", record.outputTokens);
    line.put("cost_usd", record.costUsd);
    line.putUnless(kUsual.toolsCalled, "tools_called", record.toolsCalled);
    // Said even when 0: without it the record is of a version that did not look.
    if (record.toolsCalled > 0) line.put("tools_valid_json", record.toolsValidJson);
    line.putUnless(kUsual.toolsFitSchema, "tools_fit_schema", record.toolsFitSchema);
    line.putUnless(kUsual.toolsUnchecked, "tools_unchecked", record.toolsUnchecked);
    line.putUnless(kUsual.simulated, "simulated", record.simulated);
}

}  // namespace

WrittenOrigin::WrittenOrigin(const DecisionRecord& record) : id(record.id.text()), createdAt(toIso8601(record.createdAt)) {}

bool encodeExactReceipt(const DecisionRecord& record, const WrittenOrigin& origin, std::string& out) {
    JsonLine line(out);
    line.beginObject();
    putOrigin(line, record, origin);
    putFeatures(line, record.features);
    putDecision(line, record);
    if (record.group) putGroup(line, *record.group);
    if (record.pool) putPool(line, *record.pool);
    putOutcome(line, record);
    line.endObject();
    return !line.mended();
}

void encodeRecord(const DecisionRecord& record, std::string& out) {
    (void)encodeExactReceipt(record, WrittenOrigin(record), out);
}

std::string encodeRecord(const DecisionRecord& record) {
    std::string out;
    out.reserve(1024 + 80 * record.rules.size() + (record.group ? 512 + 160 * record.group->candidates.size() : 0));
    encodeRecord(record, out);
    return out;
}

}  // namespace signalbox::evidence
