// SPDX-License-Identifier: MIT
#include "router/strategy/pool_members.h"

namespace signalbox::strategy {

std::vector<PoolMember> poolMembers(const config::Model& model, const RouterContext& context) {
    std::vector<PoolMember> out;
    out.reserve(model.routes.size());
    for (const config::Route& route : model.routes) {
        const config::Provider* provider = context.config.findProvider(route.provider);
        out.push_back({context.members->of(route, model.id), route,
                       provider == nullptr ? config::Capabilities{} : provider->capabilitiesOf(route.model),
                       provider == nullptr ? std::nullopt : provider->pricingOf(route.model), route.endpointId(),
                       provider == nullptr ? policy::Carrier{} : policy::carrierOf(*provider)});
    }
    return out;
}

std::string exclusionOf(const PoolMember& member, const policy::smart::Needs& needs) {
    policy::smart::CapabilitySet missing = policy::smart::missing(needs, member.capabilities);
    missing.addUncarried(policy::uncarried(member.carrier, needs.dialect, needs.peculiarities, needs.stopSequences));
    if (!missing.empty()) return std::string(kLacking) + missing.words().front();
    return std::string(member.member.adapter == nullptr ? kNotCallable : std::string_view());
}

std::string exclusionOf(const PoolMember& member, const dispatch::EndpointScope& scope, const dispatch::RequestRun& run) {
    if (!scope.allows(member.id)) return std::string(kOutOfScope);
    if (run.mayUse && !run.mayUse(member.member.target)) return "not_allowed";
    return exclusionOf(member, run.needs);
}

dispatch::PoolMemberView viewOf(const PoolMember& member) {
    dispatch::PoolMemberView out;
    out.endpointId = member.id;
    out.kind = toString(member.route.kind);
    out.billing = toString(member.route.billing);
    out.weight = member.route.weight;
    out.resources = member.route.resources;
    return out;
}

}  // namespace signalbox::strategy
