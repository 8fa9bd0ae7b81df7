// SPDX-License-Identifier: MIT
#pragma once

#include "router/gateway/principal_limits.h"
#include "router/gateway/routing_headers.h"

namespace signalbox::gateway {

/// One request as the policy is asked about it.
struct PlanQuestion {
    const Serving& serving;
    const Caller& caller;
    const PrincipalLimits& limits;
    const classify::RequestFeatures& features;
    std::string_view body;
    const RoutingWishes& wishes;
    std::string_view requestId; ///< the client's own when it sent one, so that a repetition keeps its canary bucket
    Steady now;
};

/// What a pool's router weighs a request by.
struct PoolInputs {
    policy::smart::Needs needs;
    std::uint64_t promptTokens = 0; ///< estimate
    std::optional<std::string> session; ///< hash
};

struct PlanAnswer {
    Result<policy::RoutePlan> plan;
    std::optional<policy::GroupRefusal> refused; ///< beside an error: the group that had nothing to offer
    std::optional<policy::RouteTarget> passedOver; ///< not in the plan: whom the name means first, who cannot be called
    bool overBudget = false;                     ///< a candidate was cut because the caller cannot pay for it
    std::optional<PoolInputs> pool;              ///< when a target of the plan is a pool
    bool degraded = false;                       ///< planning failed and was repeated without what is measured
};

/// Reads what planning needs, which is little unless a smart group is asked, and plans. Of several providers that offer a plain
/// name those that cannot be called stand in the plan before the one that can.
[[nodiscard]] PlanAnswer askPolicy(const PlanQuestion& question);

/// Whether only the operator can change that there is no plan: something is not configured, or a credential is missing.
[[nodiscard]] bool needsOperator(const PlanAnswer& answer);

/// Answers a question with the context it is given; `resolve`, but for tests that make it fail.
using Resolver = std::function<Result<policy::RoutePlan>(const policy::RequestContext&,
                                                         std::optional<policy::GroupRefusal>&)>;
/// Nothing that scoring does may fail a request (F73): when planning throws, it is repeated without signals, profile
/// and session, so that the group's configured order serves, and `degraded` is set. What the principal may use still
/// holds. Only when the second try throws too does the exception go on.
[[nodiscard]] PlanAnswer planSafely(const policy::RequestContext& context, const Resolver& resolver);

} // namespace signalbox::gateway
