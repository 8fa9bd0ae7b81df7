// SPDX-License-Identifier: MIT
#include "router/evidence/rollups.h"

#include "router/evidence/decision_rows.h"
#include "router/evidence/latency_slots.h"

namespace signalbox::evidence {

void Rollups::add(const DecisionRecord& record) {
    const auto minute = std::chrono::floor<std::chrono::minutes>(record.createdAt);
    const std::string origin(toString(record.origin));
    const std::string preset = storable(record.presetKey.value_or(""));
    const std::int64_t rule = record.ruleIndex ? static_cast<std::int64_t>(*record.ruleIndex) : -1;
    ++m_counts[{minute, origin, preset, storable(record.family.value_or("")),
                static_cast<std::int64_t>(record.features.cell.index()), rule, storable(record.coverage), storable(record.endpointId),
                std::string(toString(record.outcome))}];
    if (record.firstContentMs) ++m_latencies[{minute, origin, preset, "first_content", latencySlot(*record.firstContentMs)}];
    // The time of a refused request says nothing about serving.
    if (record.outcome == Outcome::served) ++m_latencies[{minute, origin, preset, "total", latencySlot(record.totalMs)}];
}

}  // namespace signalbox::evidence
