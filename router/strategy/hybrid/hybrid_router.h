// SPDX-License-Identifier: MIT
#pragma once

#include "router/strategy/pool_spec.h"

namespace signalbox::strategy {

/// Experimental (`hybrid_composition`): plans attempts over the local and the cloud part of a `fixed` model. The primary
/// is a DelegatePool with a preference, each planned fallback an ExecuteEndpoint; at most four backend attempts.
[[nodiscard]] PoolResult makeHybridPool(const PoolSpec& spec, const RouterContext& context);

}  // namespace signalbox::strategy
