// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/finding.h"
#include "router/dispatch/pool_router.h"
#include "router/strategy/member.h"

#include <memory>
#include <string>
#include <tl/expected.hpp>

namespace signalbox::strategy {

/// What routers of pools are built from; shared by all pools of one policy.
struct RouterContext {
    const config::GatewayConfig& config;
    std::shared_ptr<const MemberSource> members;
    std::shared_ptr<capacity::ProcessState> process;  ///< what is learned lives there and outlives the policy
    const Clock& clock;                               ///< outlives the routers
};

/// One model of `[models]` on its way to a router.
struct PoolSpec {
    const config::Model& model;
    std::string parametersPath;  ///< `models.NAME.router_params`, for findings
};

using PoolResult = tl::expected<std::shared_ptr<dispatch::PoolRouter>, Findings>;

/// All endpoints of a model.
[[nodiscard]] dispatch::PoolGrant grantOf(const config::Model& model);
/// Those of one kind.
[[nodiscard]] dispatch::EndpointScope::Ids endpointsOf(const config::Model& model, config::RouteKind kind);
/// A model with the routes of one kind only, for a router over a part of the pool.
[[nodiscard]] config::Model restrictedTo(const config::Model& model, config::RouteKind kind);

}  // namespace signalbox::strategy
