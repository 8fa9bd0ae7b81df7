// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"

#include <string>

namespace signalbox::test {

/// The start of an hour: 2025-11-29 08:00:00 UTC.
inline const Timestamp kStart{std::chrono::seconds(1'764'403'200)};

/// A plain served request; `n` makes it one of its kind.
inline evidence::DecisionRecord sampleRecord(Timestamp at, std::uint64_t n) {
    FastRandom random(n + 1);
    evidence::DecisionRecord record;
    record.id = DecisionId::make(at, random);
    record.createdAt = at;
    record.target = "local";
    record.environment = "test";
    record.clientRequestId = "client-" + std::to_string(n);
    record.principal = "p1";
    record.team = "red";
    record.requestedModel = "qwen3.6-27b";
    record.resolvedBy = "table";
    record.policyHash = std::string(64, 'a');
    record.features.model = record.requestedModel;
    record.features.cell = table::Cell::fromIndex(n % table::kCellCount);
    record.features.inputTokens = 100 + n;
    record.family = "qwen";
    record.ruleIndex = 3;
    record.presetKey = "qwen-k4";
    record.reason = "rule";
    record.coverage = "rule";
    record.endpointId = "sim:qwen";
    record.attempts = {{"sim:qwen", evidence::AttemptRole::primary, evidence::AttemptOutcome::served, 200, "", 0.1, 12.5, 80}};
    record.firstContentMs = 10.0 + static_cast<double>(n % 100);
    record.totalMs = 80;
    record.inputTokens = 100;
    record.outputTokens = 20;
    return record;
}

}  // namespace signalbox::test
