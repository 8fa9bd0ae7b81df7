// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/resolve.h"

namespace signalbox::policy {

/// One request, and which providers can be called for it: their keys and other settings are there, which only who makes adapters
/// knows.
struct CallableQuestion {
    const PolicySnapshot& snapshot;
    const classify::RequestFeatures& features;
    const config::Principal* principal = nullptr;  ///< null does not restrict
    const ProviderIds& callable;
};

/// For the plan of a name that several providers may offer: goes on to the next one that can be called. The others stay in the plan
/// before it, where each is a refused attempt with its reason. An upstream that fails is no reason to ask another one. Where nobody
/// can be called, and on every other way to a target, the plan stays.
void passOverUncallable(const CallableQuestion& question, RoutePlan& plan);

/// `resolve` judges the first provider of a name, and refuses for good what it may not be asked or cannot carry. Where it cannot be
/// called either, this is no reason to refuse what another one may and can serve: nullopt when none does. The first has no place in
/// that plan, for it would not have been asked with its key. Not to be asked of pins. Groups judge their candidates themselves.
struct PlanOfAnother {
    RoutePlan plan;
    RouteTarget passedOver;  ///< whom the name means first
};
[[nodiscard]] std::optional<PlanOfAnother> planWithoutUncallable(const CallableQuestion& question, const Error& refusal);

/// Whether the plan is one of a plain name that other providers offer, too: who lacks its key then decides who serves.
[[nodiscard]] bool isOfferedBySeveral(const PolicySnapshot& snapshot, const RoutePlan& plan);

/// The first target of the plan that can be called; its first where none can. Of a pool its router knows.
[[nodiscard]] const RouteTarget& calledFirst(const RoutePlan& plan, const ProviderIds& callable);

}  // namespace signalbox::policy
