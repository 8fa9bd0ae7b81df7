// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::evidence {

/// The columns of `decisions` that the writer fills. The receipt comes first because libpqxx 6.4 builds a line by
/// putting each value before the rest; the last one never ends in a backslash, which it would refuse.
inline constexpr std::array<std::string_view, 60> kDecisionColumns{
    "receipt", "id", "created_at", "origin", "target", "environment", "principal", "team", "edge", "requested_model",
    "resolved_by", "policy_hash", "mode", "family", "rule_index", "preset", "reason", "coverage", "gap_index",
    "workload_class", "expected_output_length", "concurrency_mode", "cell", "endpoint", "attempts", "outcome", "status",
    "error_code", "queue_ms", "first_content_ms", "total_ms", "input_tokens", "cached_tokens", "output_tokens", "cost_usd",
    "route_group", "profile", "selected", "recommended", "candidate_count", "selected_score", "recommended_score",
    "reason_codes", "session_affinity", "shadow_disagreement", "affinity", "deciding_term", "margin", "margin_slot",
    "canary_bucket", "activation_percent", "selected_cost_usd", "selected_latency_ms", "recommended_cost_usd",
    "recommended_latency_ms", "candidates", "cooling", "also_tried", "calls", "simulated"};

/// One value as PostgreSQL reads it; nullopt is NULL.
struct Field {
    std::optional<std::string> text;
};
using DecisionRow = std::array<Field, kDecisionColumns.size()>;

[[nodiscard]] DecisionRow toRow(const DecisionRecord& record, std::string_view receipt);
/// Without NUL characters, which PostgreSQL's text cannot hold.
[[nodiscard]] std::string storable(std::string_view text);

/// A literal of text[].
[[nodiscard]] std::string textArray(const std::vector<std::string_view>& texts);

}  // namespace signalbox::evidence
