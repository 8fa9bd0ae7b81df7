// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/types.h"
#include "router/dispatch/adapter.h"
#include "router/evidence/record.h"
#include "router/policy/resolve.h"

namespace signalbox::gateway {

/// Writes into a record what the policy said about its request: resolution, family, rule or default, gap,
/// why each rule of the family did or did not match, and what a smart group answered.
void recordPlan(evidence::DecisionRecord& record, const policy::PolicySnapshot& snapshot,
                const policy::RoutePlan& plan);

/// Writes down where the answer came from: endpoint, preset, what the upstream counted, estimated cost.
void recordAnswer(evidence::DecisionRecord& record, const config::GatewayConfig& config,
                  const policy::RouteTarget& target, const dispatch::Usage& usage, const dispatch::ToolOutcome& tools);

/// Estimated cost of each attempt that the upstream counted tokens for or that has its estimate already, and the request's as
/// their sum: a lost hedge leg is paid for too.
void priceAttempts(evidence::DecisionRecord& record, const config::GatewayConfig& config);

/// The words of a caller's request id that we keep: at most 128 visible ASCII characters, else nothing.
[[nodiscard]] std::string_view boundedRequestId(std::string_view text);

} // namespace signalbox::gateway
