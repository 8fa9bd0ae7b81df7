// SPDX-License-Identifier: MIT
#include "router/evidence/record.h"

#include "router/base/text.h"
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

void putOrigin(JsonLine& line, const DecisionRecord& record) {
    line.put("id", record.id.text());
    line.put("created_at", toIso8601(record.createdAt));
    line.put("origin", toString(record.origin));
    line.put("target", record.target);
    line.put("environment", record.environment);
    line.put("client_request_id", record.clientRequestId);
    line.put("principal", record.principal);
    line.put("team", record.team);
    line.put("edge", toString(record.edge));
    line.put("requested_model", record.requestedModel);
    line.put("resolved_by", record.resolvedBy);
    line.put("policy_hash", record.policyHash);
    line.put("table_sha256", record.tableSha256);
    line.put("policy_version", record.policyVersion);
    line.put("mode", record.mode);
}

void putFeatures(JsonLine& line, const classify::RequestFeatures& features) {
    line.put("stream", features.stream);
    line.put("include_usage", features.includeUsage);
    line.put("workload_class", table::toString(features.cell.workload));
    line.put("expected_output_length", table::toString(features.cell.length));
    line.put("concurrency_mode", table::toString(features.cell.concurrency));
    line.put("workload_found_by", classify::toString(features.workloadFoundBy));
    line.put("length_found_by", classify::toString(features.lengthFoundBy));
    line.put("input_tokens_estimate", features.inputTokens);
    line.put("input_tokens_found_by", classify::toString(features.inputTokensFoundBy));
    line.put("output_cap", features.outputCap);
    line.put("output_cap_field", word(features.outputCapField));
    line.put("in_flight", features.inFlight);
    line.put("tools_offered", features.toolsOffered);
    line.put("parallel_tools", features.parallelTools);
    line.put("structured_output", features.structuredOutput);
    line.put("vision", features.vision);
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

void putAttempts(JsonLine& line, const std::vector<Attempt>& attempts) {
    line.beginArray("attempts");
    for (const Attempt& attempt : attempts) {
        line.beginElement();
        line.put("endpoint", attempt.endpointId);
        line.put("role", toString(attempt.role));
        line.put("outcome", toString(attempt.outcome));
        line.put("status", attempt.status);
        line.put("reason", attempt.reason);
        line.put("started_ms", attempt.startedMs);
        line.put("first_content_ms", attempt.firstContentMs);
        line.put("ended_ms", attempt.endedMs);
        line.endObject();
    }
    line.endArray();
}

void putOutcome(JsonLine& line, const DecisionRecord& record) {
    line.put("endpoint", record.endpointId);
    putAttempts(line, record.attempts);
    line.put("outcome", toString(record.outcome));
    line.put("status", record.status);
    line.put("error_code", record.errorCode);
    line.put("queue_ms", record.queueMs);
    line.put("decide_us", record.decideUs);
    line.put("first_content_ms", record.firstContentMs);
    line.put("total_ms", record.totalMs);
    line.put("input_tokens", record.inputTokens);
    line.put("cached_tokens", record.cachedTokens);
    line.put("output_tokens", record.outputTokens);
    line.put("cost_usd", record.costUsd);
    line.put("tools_called", record.toolsCalled);
    line.put("simulated", record.simulated);
}

}  // namespace

std::string encodeRecord(const DecisionRecord& record) {
    JsonLine line;
    line.reserve(2048);
    line.beginObject();
    putOrigin(line, record);
    putFeatures(line, record.features);
    putDecision(line, record);
    putOutcome(line, record);
    line.endObject();
    return line.take();
}

}  // namespace signalbox::evidence
