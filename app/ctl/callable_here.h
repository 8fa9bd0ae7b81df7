// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/read.h"
#include "router/policy/explain.h"

#include <vector>

namespace signalbox::ctl {

/// A decision as a gateway would make it that is started in this environment.
struct DecisionHere {
    Result<policy::RoutePlan> plan;
    /// Whom a gateway in this environment would not call: of the plan's targets, in their order; or whom the name means first, where
    /// the plan is without it.
    std::vector<policy::NotCallableHere> notCalled;
    /// The position of the target that would be called; 0 where none would.
    std::size_t called = 0;
};

/// Of several providers that offer a plain name the first that can be called serves. Candidates of groups and the endpoints of pools
/// are not asked about.
[[nodiscard]] DecisionHere decisionHere(const policy::PolicySnapshot& snapshot, const classify::RequestFeatures& features,
                                        const policy::RequestContext& asked, Result<policy::RoutePlan> plan,
                                        const config::Environment& environment);

}  // namespace signalbox::ctl
