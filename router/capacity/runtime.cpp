// SPDX-License-Identifier: MIT
#include "router/capacity/runtime.h"

namespace signalbox::capacity {

std::shared_ptr<RoutingRuntime> RuntimeKeeper::configure(std::string_view policyVersion,
                                                         const std::vector<std::string>& enabledCandidates) {
    const std::set<std::string> candidates(enabledCandidates.begin(), enabledCandidates.end());
    const std::lock_guard lock(m_mutex);
    if (m_current->policyVersion != policyVersion || m_current->candidates != candidates)
        m_current = std::make_shared<RoutingRuntime>(std::string(policyVersion), enabledCandidates);
    return m_current;
}

std::shared_ptr<RoutingRuntime> RuntimeKeeper::current() const {
    const std::lock_guard lock(m_mutex);
    return m_current;
}

}  // namespace signalbox::capacity
