// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"
#include "tests/support/fakes.h"

namespace signalbox::test {

/// Counts up, so that ids differ and follow time.
class CountingRandom final : public Random {
public:
    std::uint64_t next() override { return ++m_value; }

private:
    std::uint64_t m_value = 0;
};

inline evidence::DecisionRecord record(Timestamp at, Random& random, const std::string& preset = "p1") {
    evidence::DecisionRecord made;
    made.id = DecisionId::make(at, random);
    made.createdAt = at;
    made.requestedModel = "gemma-4-26b";
    made.resolvedBy = "table";
    made.family = "gemma";
    made.reason = "rule";
    made.coverage = "rule";
    made.ruleIndex = 0;
    if (!preset.empty()) made.presetKey = preset;
    made.endpointId = "lab_a:gemma-4-26b";
    made.firstContentMs = 420;
    made.totalMs = 2400;
    made.inputTokens = 577;
    made.outputTokens = 500;
    return made;
}

}  // namespace signalbox::test
