// SPDX-License-Identifier: MIT
#include "router/strategy/member.h"

#include <utility>

namespace signalbox::strategy {

MemberSource::MemberSource(AdapterMap adapters, NotCallable notCallable,
                           std::shared_ptr<const capacity::EndpointBook> endpoints,
                           std::shared_ptr<const capacity::CapacityBook> capacity)
    : m_adapters(std::move(adapters)), m_notCallable(std::move(notCallable)), m_endpoints(std::move(endpoints)),
      m_capacity(std::move(capacity)) {}

Member MemberSource::of(const policy::RoutePlan& plan, std::size_t target) const {
    const policy::RouteTarget& asked = plan.targets[target];
    const std::string id = asked.endpointId();
    auto endpoint = plan.group ? m_endpoints->of(plan.group->group, plan.group->candidateOf[target], id)
                               : m_endpoints->of(asked.providerId, id);
    return make(asked, std::move(endpoint), m_capacity->ofProvider(asked.providerId));
}

Member MemberSource::of(const config::Route& route, const std::string& poolId) const {
    policy::RouteTarget target{route.provider, route.model, std::nullopt, poolId};
    return make(std::move(target), m_endpoints->of(route.provider, route.endpointId()), m_capacity->of(route));
}

Member MemberSource::make(policy::RouteTarget target, capacity::Endpoint endpoint,
                          capacity::EndpointCapacity capacity) const {
    Member out{std::move(target), nullptr, {}, std::move(endpoint), std::move(capacity)};
    if (const auto found = m_adapters.find(out.target.providerId); found != m_adapters.end() && found->second) {
        out.adapter = found->second;
        return out;
    }
    const auto why = m_notCallable.find(out.target.providerId);
    out.whyNotCallable = why != m_notCallable.end() ? why->second
                                                    : "Provider " + out.target.providerId +
                                                          " is not callable: the running policy gave it no adapter";
    return out;
}

}  // namespace signalbox::strategy
