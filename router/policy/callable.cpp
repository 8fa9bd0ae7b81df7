// SPDX-License-Identifier: MIT
#include "router/policy/callable.h"

#include "router/policy/carrying.h"
#include "router/policy/names.h"
#include "router/policy/permissions.h"
#include "router/policy/targets.h"

#include <algorithm>
#include <utility>

namespace signalbox::policy {

namespace {

/// The same that `resolve` asks of a target that is no group's.
bool mayServe(const CallableQuestion& question, const RoutePlan& plan, const RouteTarget& target) {
    Permissions permissions(question.principal);
    permissions.addName(question.features.model);
    if (!plan.steps.empty()) permissions.addName(question.snapshot.config->aliases.at(plan.steps.back()));
    return !permissions.refusalOf(question.snapshot, target) &&
           uncarried(*question.snapshot.config, target, question.features).empty();
}

bool canCallAll(const CallableQuestion& question) {
    return question.callable.size() == question.snapshot.config->providers.size();
}

/// Whether the plan is one of a name that several providers may offer.
bool isByName(const RoutePlan& plan) {
    return plan.fallbackAllowed && !plan.group && plan.targets.size() == 1 && !plan.targets.front().isPool();
}

/// The same, and leads to one that cannot be called.
bool meansUncallable(const CallableQuestion& question, const RoutePlan& plan) {
    if (canCallAll(question)) return false;
    return isByName(plan) && !question.callable.contains(plan.targets.front().providerId);
}

}  // namespace

void passOverUncallable(const CallableQuestion& question, RoutePlan& plan) {
    if (!meansUncallable(question, plan)) return;
    for (RouteTarget& other : othersFor(question.snapshot, plan.targets.front())) {
        if (!mayServe(question, plan, other)) continue;
        const bool isCallable = question.callable.contains(other.providerId);
        plan.targets.push_back(std::move(other));
        if (isCallable) return;
    }
    plan.targets.erase(plan.targets.begin() + 1, plan.targets.end());  // nobody can be called: the first says what it lacks
}

std::optional<PlanOfAnother> planWithoutUncallable(const CallableQuestion& question, const Error& refusal) {
    if (canCallAll(question)) return std::nullopt;
    if (refusal.kind != ErrorKind::denied && refusal.kind != ErrorKind::badInput) return std::nullopt;
    if (leadsToGroup(question.snapshot, question.features.model)) return std::nullopt;
    // Whom the name means, whoever asks and whatever for.
    classify::RequestFeatures plain = question.features;
    plain.peculiarities = {};
    plain.stopSequences = 0;
    auto plan = resolve(question.snapshot, plain);
    if (!plan || !meansUncallable(question, *plan)) return std::nullopt;
    for (RouteTarget& other : othersFor(question.snapshot, plan->targets.front())) {
        if (!question.callable.contains(other.providerId) || !mayServe(question, *plan, other)) continue;
        RouteTarget passedOver = std::exchange(plan->targets.front(), std::move(other));
        return PlanOfAnother{std::move(*plan), std::move(passedOver)};
    }
    return std::nullopt;
}

bool isOfferedBySeveral(const PolicySnapshot& snapshot, const RoutePlan& plan) {
    return isByName(plan) && !othersFor(snapshot, plan.targets.front()).empty();
}

const RouteTarget& calledFirst(const RoutePlan& plan, const ProviderIds& callable) {
    const auto found = std::find_if(plan.targets.begin(), plan.targets.end(), [&](const RouteTarget& target) {
        return target.isPool() || callable.contains(target.providerId);
    });
    return found == plan.targets.end() ? plan.targets.front() : *found;
}

}  // namespace signalbox::policy
