// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/target.h"
#include "router/gateway/serving.h"

namespace signalbox::engine {

/// Every endpoint that the policy names, and those of its providers that were asked for, sorted by id.
[[nodiscard]] std::vector<EndpointHealth> endpointHealth(const gateway::RunningPolicy& running, Steady now);
/// Every principal of the policy, in its order.
[[nodiscard]] std::vector<PrincipalUse> principalUse(const gateway::RunningPolicy& running);

} // namespace signalbox::engine
