// SPDX-License-Identifier: MIT
#pragma once

#include "router/strategy/pool_spec.h"

namespace signalbox::strategy {

/// The admission profile, which has no defaults, the policy's name, and one local route at least.
[[nodiscard]] Findings checkGreedyPool(const PoolSpec& spec);

/// Admits to the local server by its KV tokens and predicted first token; what it refuses goes to the cloud part of the
/// pool, where RouteWise chooses (contract C).
[[nodiscard]] PoolResult makeGreedyPool(const PoolSpec& spec, const RouterContext& context);

}  // namespace signalbox::strategy
