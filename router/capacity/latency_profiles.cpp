// SPDX-License-Identifier: MIT
#include "router/capacity/latency_profiles.h"

namespace signalbox::capacity {
namespace {

// Passthrough providers let callers invent model names; beyond this many those that nobody holds are forgotten.
constexpr std::size_t kManyProfiles = 4096;

}  // namespace

std::shared_ptr<LatencyProfile> LatencyProfiles::of(std::string_view endpointId) {
    const std::lock_guard lock(m_mutex);
    if (const auto found = m_profiles.find(endpointId); found != m_profiles.end()) return found->second;
    if (m_profiles.size() >= kManyProfiles)
        std::erase_if(m_profiles, [](const auto& item) { return item.second.use_count() == 1; });
    return m_profiles.emplace(endpointId, std::make_shared<LatencyProfile>(m_options)).first->second;
}

}  // namespace signalbox::capacity
