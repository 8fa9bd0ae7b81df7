// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/target.h"
#include "router/gateway/serving.h"

namespace signalbox::engine {

/// Every endpoint that the policy names, and those of its providers that were asked for, sorted by id.
[[nodiscard]] std::vector<EndpointHealth> endpointHealth(const gateway::RunningPolicy& running, Steady now);
/// Every model of the policy that has a router, in the policy's order.
[[nodiscard]] std::vector<dispatch::PoolView> poolViews(const gateway::RunningPolicy& running, Steady now);
/// Every resource of the policy, in its order.
[[nodiscard]] std::vector<ResourceView> resourceViews(const gateway::RunningPolicy& running, Steady now);
/// Error: notFound when the policy knows no such endpoint.
[[nodiscard]] Result<void> actOn(const gateway::RunningPolicy& running, const std::string& endpointId, EndpointAction action);
/// Every principal of the policy, in its order.
[[nodiscard]] std::vector<PrincipalUse> principalUse(const gateway::RunningPolicy& running);

} // namespace signalbox::engine
