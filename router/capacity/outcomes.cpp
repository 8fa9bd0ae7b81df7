// SPDX-License-Identifier: MIT
#include "router/capacity/outcomes.h"

#include "router/policy/smart/formula.h"

namespace signalbox::capacity {

namespace smart = policy::smart;

double OutcomeView::successRate() const {
    return attempts == 0 ? 0 : static_cast<double>(successes) / static_cast<double>(attempts);
}

void Outcome::record(bool success, double latencyMs) {
    const std::lock_guard lock(m_mutex);
    add(success, latencyMs);
}

void Outcome::recordFailure(double ownMs, double hintMs) {
    const std::lock_guard lock(m_mutex);
    add(false, smart::failedLatencyMs(ownMs, hintMs, m_view.latencyEwmaMs));
}

void Outcome::add(bool success, double latencyMs) {
    m_view.latencyEwmaMs = smart::movingAverageMs(m_view.latencyEwmaMs, m_view.attempts, latencyMs);
    ++m_view.attempts;
    if (success) ++m_view.successes;
}

OutcomeView Outcome::view() const {
    const std::lock_guard lock(m_mutex);
    return m_view;
}

OutcomeTable::OutcomeTable(const std::vector<std::string>& candidates) {
    for (const std::string& candidate : candidates) m_outcomes.try_emplace(candidate, std::make_unique<Outcome>());
}

Outcome* OutcomeTable::find(std::string_view candidate) const {
    const auto found = m_outcomes.find(candidate);
    return found == m_outcomes.end() ? nullptr : found->second.get();
}

std::map<std::string, OutcomeView> OutcomeTable::views() const {
    std::map<std::string, OutcomeView> out;
    for (const auto& [candidate, outcome] : m_outcomes)
        if (const OutcomeView view = outcome->view(); view.attempts > 0) out.emplace(candidate, view);
    return out;
}

}  // namespace signalbox::capacity
