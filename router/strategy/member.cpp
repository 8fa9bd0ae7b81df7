// SPDX-License-Identifier: MIT
#include "router/strategy/member.h"

#include <algorithm>
#include <utility>

namespace signalbox::strategy {

MemberSource::MemberSource(AdapterMap adapters, NotCallable notCallable,
                           std::shared_ptr<const capacity::EndpointBook> endpoints,
                           std::shared_ptr<const capacity::CapacityBook> capacity)
    : m_adapters(std::move(adapters)), m_notCallable(std::move(notCallable)), m_endpoints(std::move(endpoints)),
      m_capacity(std::move(capacity)) {
    for (const auto& [id, endpoint] : m_endpoints->named()) {
        auto member = make(id, endpoint);
        const Name name(member->target.providerId, member->target.model);
        m_named.emplace(name, std::move(member));
    }
    m_candidates.resize(m_endpoints->groups());
    for (std::size_t i = 0; i < m_candidates.size(); ++i) {
        const capacity::GroupEndpoints& group = m_endpoints->group(i);
        for (std::size_t candidate = 0; candidate < group.size(); ++candidate) {
            const capacity::Endpoint& endpoint = group.at(candidate);
            m_candidates[i].push_back(endpoint.circuit() == nullptr ? nullptr : make(endpoint.circuit()->endpointId(), endpoint));
        }
    }
}

std::unique_ptr<const Member> MemberSource::make(std::string_view endpointId, const capacity::Endpoint& endpoint) const {
    const std::size_t colon = std::min(endpointId.find(':'), endpointId.size());
    policy::RouteTarget target{std::string(endpointId.substr(0, colon)),
                               std::string(endpointId.substr(std::min(colon + 1, endpointId.size()))), std::nullopt, std::nullopt};
    auto limits = m_capacity->ofProvider(target.providerId);
    return std::make_unique<const Member>(make(std::move(target), endpoint, std::move(limits)));
}

const Member* MemberSource::known(const policy::RoutePlan& plan, std::size_t target) const {
    const policy::RouteTarget& asked = plan.targets[target];
    if (asked.pool) return nullptr;
    if (plan.group) {
        const Member* own = m_candidates[plan.group->group][plan.group->candidateOf[target]].get();
        const bool isOwn = own != nullptr && own->target.providerId == asked.providerId && own->target.model == asked.model;
        return isOwn ? own : nullptr;
    }
    const auto found = m_named.find(Name(asked.providerId, asked.model));
    return found == m_named.end() ? nullptr : found->second.get();
}

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
    Member out{std::move(target), nullptr, {}, std::move(endpoint), std::move(capacity), nullptr};
    if (const auto found = m_adapters.find(out.target.providerId); found != m_adapters.end() && found->second) {
        out.adapter = found->second;
        if (auto leaf = bindLeaf(out)) out.leaf = std::move(*leaf);
        return out;
    }
    const auto why = m_notCallable.find(out.target.providerId);
    out.whyNotCallable = why != m_notCallable.end() ? why->second
                                                    : "Provider " + out.target.providerId +
                                                          " is not callable: the running policy gave it no adapter";
    return out;
}

Result<std::shared_ptr<const dispatch::LeafBackend>> bindLeaf(const Member& member) {
    auto leaf = dispatch::EndpointBinding::make(member.target.endpointId(), member.target.model, member.adapter, member.target.pool)
                    .and_then([](dispatch::EndpointBinding&& binding) {
                        return dispatch::LeafBackend::make(std::move(binding));
                    });
    if (!leaf) return tl::unexpected(std::move(leaf.error()));
    return std::make_shared<const dispatch::LeafBackend>(std::move(*leaf));
}

}  // namespace signalbox::strategy
