// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/latency_profile.h"

#include <map>
#include <string>
#include <string_view>

namespace signalbox::capacity {

/// One latency profile for each endpoint, whoever sends there. Thread safe.
class LatencyProfiles {
public:
    explicit LatencyProfiles(LatencyProfileOptions options = {}) : m_options(options) {}
    /// Keep the pointer where the endpoint is known beforehand: this looks it up under a lock.
    [[nodiscard]] std::shared_ptr<LatencyProfile> of(std::string_view endpointId);

private:
    const LatencyProfileOptions m_options;
    std::mutex m_mutex;
    std::map<std::string, std::shared_ptr<LatencyProfile>, std::less<>> m_profiles;
};

}  // namespace signalbox::capacity
