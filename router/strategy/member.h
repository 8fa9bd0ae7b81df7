// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/capacity_book.h"
#include "router/capacity/endpoint_book.h"
#include "router/dispatch/leaf.h"
#include "router/policy/resolve.h"

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

namespace signalbox::strategy {

/// Provider id -> its adapter.
using AdapterMap = std::map<std::string, std::shared_ptr<dispatch::Adapter>, std::less<>>;
/// Provider id -> why it has no adapter, for the message of a refused attempt.
using NotCallable = std::map<std::string, std::string, std::less<>>;

/// One endpoint as a router uses it: who executes, what governs it, what a call takes.
struct Member {
    policy::RouteTarget target;
    std::shared_ptr<dispatch::Adapter> adapter;  ///< null when the provider cannot be called
    std::string whyNotCallable;                  ///< a sentence, when it cannot
    capacity::Endpoint endpoint;
    capacity::EndpointCapacity capacity;
    /// Bound and checked once for all attempts; null where that failed, which an attempt then tells.
    std::shared_ptr<const dispatch::LeafBackend> leaf;
};

/// What runs a member's calls. Error: an identity that does not fit, or an adapter that answers for several endpoints.
[[nodiscard]] Result<std::shared_ptr<const dispatch::LeafBackend>> bindLeaf(const Member& member);

/// Makes members of what policies and pools name. Immutable; shared by all routers of one policy.
class MemberSource {
public:
    MemberSource(AdapterMap adapters, NotCallable notCallable, std::shared_ptr<const capacity::EndpointBook> endpoints,
                 std::shared_ptr<const capacity::CapacityBook> capacity);

    /// A target of a plan that is no pool: with what is learned for the group's candidate that it stands for, if any.
    [[nodiscard]] Member of(const policy::RoutePlan& plan, std::size_t target) const;
    /// The same without making one, its target without a preset; null where nothing is at hand: for candidates that a table
    /// moved to another endpoint, and for endpoints that the policy does not name.
    [[nodiscard]] const Member* known(const policy::RoutePlan& plan, std::size_t target) const;
    [[nodiscard]] Member of(const config::Route& route, const std::string& poolId) const;
    [[nodiscard]] const capacity::EndpointBook& endpoints() const { return *m_endpoints; }
    [[nodiscard]] const capacity::CapacityBook& capacity() const { return *m_capacity; }

private:
    [[nodiscard]] Member make(policy::RouteTarget target, capacity::Endpoint endpoint,
                              capacity::EndpointCapacity capacity) const;

    AdapterMap m_adapters;
    NotCallable m_notCallable;
    std::shared_ptr<const capacity::EndpointBook> m_endpoints;
    std::shared_ptr<const capacity::CapacityBook> m_capacity;

    /// Provider and model, as a member's own target holds them.
    using Name = std::pair<std::string_view, std::string_view>;
    struct NameHash {
        std::size_t operator()(const Name& name) const {
            return std::hash<std::string_view>()(name.first) * 31 + std::hash<std::string_view>()(name.second);
        }
    };
    std::unordered_map<Name, std::unique_ptr<const Member>, NameHash> m_named;
    /// By group and candidate; null for pools.
    std::vector<std::vector<std::unique_ptr<const Member>>> m_candidates;
    [[nodiscard]] std::unique_ptr<const Member> make(std::string_view endpointId, const capacity::Endpoint& endpoint) const;
};

}  // namespace signalbox::strategy
