// SPDX-License-Identifier: MIT
#include "router/capacity/circuits.h"

#include <algorithm>

namespace signalbox::capacity {

std::shared_ptr<Circuit> Circuits::of(std::string_view endpointId) {
    const std::lock_guard lock(m_mutex);
    if (const auto found = m_circuits.find(endpointId); found != m_circuits.end()) return found->second;
    if (m_circuits.size() >= m_forgetAt) forgetIdle();
    auto circuit = std::make_shared<Circuit>(std::string(endpointId), m_settings, m_clock, m_watch);
    m_circuits.emplace(endpointId, circuit);
    return circuit;
}

// Neither cooling nor drained and held by nobody else. Nobody can come by one meanwhile, since that takes our lock.
// What has cooled may go too: nobody might ever come to probe it. Looked for again only when there are twice as many as
// stayed, since a look costs as much as there are.
void Circuits::forgetIdle() {
    std::erase_if(m_circuits, [](const auto& item) {
        if (item.second.use_count() != 1) return false;
        const CircuitView view = item.second->view();
        return view.state != CircuitState::open && !view.drained;
    });
    m_forgetAt = std::max(kManyCircuits, 2 * m_circuits.size());
}

void Circuits::configure(const CircuitSettings& settings) {
    const std::lock_guard lock(m_mutex);
    m_settings = settings;
    for (const auto& [id, circuit] : m_circuits) circuit->configure(settings);
}

std::vector<CircuitView> Circuits::views() const {
    const std::lock_guard lock(m_mutex);
    std::vector<CircuitView> out;
    out.reserve(m_circuits.size());
    for (const auto& [id, circuit] : m_circuits) out.push_back(circuit->view());
    return out;
}

void RequestBlame::failed(std::shared_ptr<Circuit> circuit, SampleId sample, const Fault& fault) {
    if (!mayBlameRequest(fault)) return;
    bool seenElsewhere = false;
    for (Failure& before : m_failures) {
        if (before.circuit == circuit || !before.fault.isSameAs(fault)) continue;
        seenElsewhere = true;
        before.circuit->excuse(before.sample);  // not granted is fine: then the sample stays
    }
    if (seenElsewhere) circuit->excuse(sample);
    m_failures.push_back({std::move(circuit), sample, fault});
}

}  // namespace signalbox::capacity
