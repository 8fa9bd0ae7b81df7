// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/endpoint.h"
#include "router/capacity/process_state.h"
#include "router/policy/snapshot.h"

#include <map>
#include <string>

namespace signalbox::capacity {

/// The endpoints of one policy, looked up once when the policy starts to run. Immutable but for what the endpoints
/// themselves learn; safe to share between threads.
class EndpointBook {
public:
    /// Provider of each endpoint id.
    using Known = std::map<std::string, std::string, std::less<>>;

    EndpointBook(const std::vector<policy::smart::Group>& groups, const Known& known,
                 std::shared_ptr<ProcessState> process, std::shared_ptr<RoutingRuntime> runtime);

    /// Any endpoint; one that the policy does not name itself (a passthrough model) is looked up under locks.
    [[nodiscard]] Endpoint of(std::string_view providerId, std::string_view endpointId) const;
    /// What stands for a candidate of a group, at the endpoint that the table moved it to, if it did.
    [[nodiscard]] Endpoint of(std::size_t group, std::size_t candidate, std::string_view endpointId) const;
    /// What groups learn of a pool that is a candidate; null for any other.
    [[nodiscard]] const Endpoint* pool(std::string_view poolId) const;
    [[nodiscard]] const GroupEndpoints& group(std::size_t index) const { return m_groups[index]; }
    [[nodiscard]] std::size_t groups() const { return m_groups.size(); }
    /// Those that the policy names, by id.
    [[nodiscard]] const std::map<std::string, Endpoint, std::less<>>& named() const { return m_named; }
    [[nodiscard]] const std::shared_ptr<RoutingRuntime>& runtime() const { return m_runtime; }
    [[nodiscard]] const std::shared_ptr<ProcessState>& process() const { return m_process; }

private:
    std::shared_ptr<ProcessState> m_process;
    std::shared_ptr<RoutingRuntime> m_runtime;
    std::vector<GroupEndpoints> m_groups;
    std::map<std::string, Endpoint, std::less<>> m_named;
    std::map<std::string, Endpoint, std::less<>> m_pools;
};

/// The endpoints that a policy names: inventories, default models, routes of models and what serves the table's presets.
[[nodiscard]] EndpointBook::Known endpointsNamedBy(const policy::PolicySnapshot& snapshot);

}  // namespace signalbox::capacity
