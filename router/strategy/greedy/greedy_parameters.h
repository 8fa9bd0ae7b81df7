// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/output_predictor.h"
#include "router/strategy/admission/types.h"
#include "router/strategy/pool_spec.h"

namespace signalbox::strategy {

/// The `router_params` of a model with `router = "greedy"`.
struct GreedyParameters {
    /// What one local server can do; the five measured numbers have no defaults.
    admission::Profile profile;
    admission::Policy policy = admission::Policy::greedy;
    /// From arrival at the router to the first token.
    double ttftDeadlineS = 3;
    /// How long a request may wait for a local server; 0 decides at once.
    double maxWaitS = 0;
    /// `cloud = {…}`: RouteWise's parameters for the cloud part, as JSON; empty when none were given.
    std::string cloudJson;
    /// Of the `cloud` table: how long answers are thought to be before any was seen.
    capacity::OutputPredictorOptions output;
};

/// Longer waits than this are typing errors.
inline constexpr double kLongestGreedyWaitS = 600;

/// Every missing measurement, unknown name and senseless value is a finding below `spec.parametersPath`.
[[nodiscard]] tl::expected<GreedyParameters, Findings> readGreedyParameters(const PoolSpec& spec);

/// What RouteWise builds the cloud part from.
[[nodiscard]] config::Model cloudPartOf(const config::Model& model, const GreedyParameters& parameters);

}  // namespace signalbox::strategy
