// SPDX-License-Identifier: MIT
#include "router/capacity/decision_counters.h"

namespace signalbox::capacity {
namespace {

using policy::smart::ServedMode;

void countName(std::map<std::string, std::uint64_t, std::less<>>& counts, std::string_view name) {
    if (name.empty()) return;
    const auto found = counts.find(name);
    if (found != counts.end()) ++found->second;
    else counts.emplace(name, 1);
}

}  // namespace

void DecisionCounters::count(const DecisionCount& decision) {
    DecisionLabels labels{decision.mode, std::string(decision.profile), std::string(decision.provider)};
    const std::lock_guard lock(m_mutex);
    ++m_totals.decisions;
    switch (decision.mode) {
    case ServedMode::active: ++m_totals.active; break;
    case ServedMode::shadow:
    case ServedMode::canaryControl: ++m_totals.shadow; break;
    case ServedMode::offStatic:
    case ServedMode::explicitStatic: ++m_totals.fixed; break;
    }
    if (decision.shadowDisagreement && mayDisagree(decision.mode)) ++m_totals.shadowDisagreements;
    countName(m_totals.selectedByCandidate, decision.selected);
    countName(m_totals.recommendedByCandidate, decision.recommended);
    ++m_totals.byLabels[std::move(labels)];
}

DecisionTotals DecisionCounters::totals() const {
    const std::lock_guard lock(m_mutex);
    return m_totals;
}

}  // namespace signalbox::capacity
