// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/exact_receipt.h"

#include <array>
#include <string>
#include <string_view>

namespace signalbox::evidence {

/// The columns of `decisions` that the writer fills.
inline constexpr std::array<std::string_view, 60> kDecisionColumns{
    "receipt", "id", "created_at", "origin", "target", "environment", "principal", "team", "edge", "requested_model",
    "resolved_by", "policy_hash", "mode", "family", "rule_index", "preset", "reason", "coverage", "gap_index",
    "workload_class", "expected_output_length", "concurrency_mode", "cell", "endpoint", "attempts", "outcome", "status",
    "error_code", "queue_ms", "first_content_ms", "total_ms", "input_tokens", "cached_tokens", "output_tokens", "cost_usd",
    "route_group", "profile", "selected", "recommended", "candidate_count", "selected_score", "recommended_score",
    "reason_codes", "session_affinity", "shadow_disagreement", "affinity", "deciding_term", "margin", "margin_slot",
    "canary_bucket", "activation_percent", "selected_cost_usd", "selected_latency_ms", "recommended_cost_usd",
    "recommended_latency_ms", "candidates", "cooling", "also_tried", "calls", "simulated"};

/// Appends the values of all but the first of them, the receipt, as COPY's text format has them; no newline. The record's
/// texts must be UTF-8.
void appendRow(const DecisionRecord& record, std::string& out);
void appendRow(const DecisionRecord& record, const WrittenOrigin& origin, std::string& out);

}  // namespace signalbox::evidence
