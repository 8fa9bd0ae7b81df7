// SPDX-License-Identifier: MIT
#pragma once

#include "router/strategy/pool_spec.h"

namespace signalbox::strategy {

/// What readParameters finds, and what the pool lacks (a quota candidate without any price to calibrate by).
[[nodiscard]] Findings checkRouteWisePool(const PoolSpec& spec);

/// Mixes the endpoints of a pool by effective cost and mean time to first content within a cost budget, draws one,
/// reserves it, and hedges when asked to (contract C).
[[nodiscard]] PoolResult makeRouteWisePool(const PoolSpec& spec, const RouterContext& context);

}  // namespace signalbox::strategy
