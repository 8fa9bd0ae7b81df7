// SPDX-License-Identifier: MIT
#include "router/engine/modes.h"

namespace signalbox::engine {

std::shared_ptr<const policy::PolicySnapshot> withModeOff(const policy::PolicySnapshot& snapshot) {
    return withMode(snapshot, config::RoutingMode::off, snapshot.config->routing.activationPercent);
}

std::shared_ptr<const policy::PolicySnapshot> withMode(const policy::PolicySnapshot& snapshot, config::RoutingMode mode,
                                                       std::uint8_t percent) {
    auto config = std::make_shared<config::GatewayConfig>(*snapshot.config);
    config->routing.mode = mode;
    config->routing.activationPercent = percent;
    return policy::makeSnapshot(snapshot.table, snapshot.tableSha256, std::move(config));
}

std::vector<std::string> overridesIn(const config::GatewayConfig& config, const config::Environment& environment) {
    // Reading them again finds their names; that they are valid was seen when the policy was loaded.
    config::GatewayConfig scratch;
    scratch.routing = config.routing;
    std::vector<std::string> out;
    if (const auto overrides = config::applyEnvironmentOverrides(scratch, environment)) {
        for (const config::Override& one : *overrides)
            out.push_back(one.variable + "=" + one.value);
    }
    return out;
}

} // namespace signalbox::engine
