// SPDX-License-Identifier: MIT
#include "router/capacity/provider_health.h"

namespace signalbox::capacity {

std::shared_ptr<ProviderTotals> ProviderHealth::of(std::string_view provider) {
    const std::lock_guard lock(m_mutex);
    const auto found = m_totals.find(provider);
    if (found != m_totals.end()) return found->second;
    return m_totals.emplace(provider, std::make_shared<ProviderTotals>()).first->second;
}

}  // namespace signalbox::capacity
