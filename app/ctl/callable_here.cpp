// SPDX-License-Identifier: MIT
#include "app/ctl/callable_here.h"

#include "router/policy/callable.h"
#include "router/upstream/why_not_callable.h"

#include <utility>

namespace signalbox::ctl {
namespace {

/// Asked only where it matters, since it may read certificates.
policy::ProviderIds callableIn(const config::GatewayConfig& config, const config::Environment& environment) {
    policy::ProviderIds out;
    for (const config::Provider& provider : config.providers)
        if (!upstream::whyNotCallable(provider, environment)) out.insert(provider.id);
    return out;
}

std::optional<policy::NotCallableHere> notCalled(const policy::RouteTarget& target, const config::GatewayConfig& config,
                                                 const config::Environment& environment) {
    const config::Provider* provider = target.isPool() ? nullptr : config.findProvider(target.providerId);
    if (provider == nullptr) return std::nullopt;
    const auto why = upstream::whyNotCallable(*provider, environment);
    if (!why) return std::nullopt;
    return policy::NotCallableHere{target.endpointId(), why->message};
}

}  // namespace

DecisionHere decisionHere(const policy::PolicySnapshot& snapshot, const classify::RequestFeatures& features,
                          const policy::RequestContext& asked, Result<policy::RoutePlan> plan,
                          const config::Environment& environment) {
    const config::GatewayConfig& config = *snapshot.config;
    DecisionHere out{std::move(plan), {}, 0};
    if (!out.plan) {
        if (asked.pin) return out;
        const policy::ProviderIds callable = callableIn(config, environment);
        auto other = policy::planWithoutUncallable({snapshot, features, asked.principal, callable}, out.plan.error());
        if (!other) return out;
        if (auto first = notCalled(other->passedOver, config, environment)) out.notCalled.push_back(std::move(*first));
        out.plan = std::move(other->plan);
        return out;
    }
    if (out.plan->group) return out;
    if (!notCalled(out.plan->targets.front(), config, environment)) return out;
    policy::passOverUncallable({snapshot, features, asked.principal, callableIn(config, environment)}, *out.plan);
    for (std::size_t i = 0; i < out.plan->targets.size(); ++i) {
        if (auto one = notCalled(out.plan->targets[i], config, environment)) out.notCalled.push_back(std::move(*one));
        else if (out.called == 0) out.called = i;
    }
    return out;
}

}  // namespace signalbox::ctl
