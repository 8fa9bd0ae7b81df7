// SPDX-License-Identifier: MIT
#pragma once

#include "router/strategy/plan_router.h"
#include "router/strategy/pool_spec.h"

namespace signalbox::strategy {

/// Builds the router of every model at once, so that a bad strategy or parameter is known before the first request.
/// The findings are those of all models, each with its path.
[[nodiscard]] tl::expected<PoolRouters, Findings> buildRouters(const RouterContext& context);

/// The same findings without building anything: for `check` and for the editor.
[[nodiscard]] Findings checkRouters(const config::GatewayConfig& config);

}  // namespace signalbox::strategy
