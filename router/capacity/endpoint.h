// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/process_state.h"
#include "router/policy/smart/eligibility.h"
#include "router/policy/smart/group.h"

#include <span>

namespace signalbox::capacity {

class AttemptPermit;

/// Everything that is learned about one endpoint, in one hand, so that no attempt is counted in one place and
/// forgotten in another. Cheap to copy; thread safe.
class Endpoint {
public:
    /// `hintMs` is what a failed attempt counts as at least; 0 for endpoints outside groups.
    Endpoint(std::string_view providerId, std::string_view endpointId, double hintMs, ProcessState& process,
             std::shared_ptr<RoutingRuntime> runtime);

    /// A candidate that a pool serves: without circuit and profile, which its endpoints have, and with totals of its own in
    /// the place of a provider's. Learns from `poolEnded` alone; may not be used for attempts.
    [[nodiscard]] static Endpoint ofPool(std::string_view poolEndpointId, double hintMs, ProcessState& process,
                                         std::shared_ptr<RoutingRuntime> runtime);

    /// How a request that was handed to the pool ended, over all of its attempts there, and how long that took.
    void poolEnded(bool served, double ms) const;
    /// Before every attempt; empty while the circuit is open.
    [[nodiscard]] std::optional<AttemptPermit> tryBegin() const;
    /// For a plan whose reason is `all_candidates_cooling`; empty while drained.
    [[nodiscard]] std::optional<AttemptPermit> beginAnyway() const;
    /// Fills what is measured: cooling, provider totals, outcomes. Leaves credential, capability and policy alone.
    void read(Steady now, policy::smart::CandidateSignals& out) const;
    [[nodiscard]] const std::shared_ptr<Circuit>& circuit() const { return m_circuit; }
    /// How long it takes to its first content, whoever asks.
    [[nodiscard]] const std::shared_ptr<LatencyProfile>& profile() const { return m_profile; }
    /// The same candidate where a table sends it to another endpoint of its provider: what comes of an attempt there is
    /// an outcome of the candidate, but circuit and profile are the other endpoint's.
    [[nodiscard]] Endpoint movedTo(std::shared_ptr<Circuit> circuit, std::shared_ptr<LatencyProfile> profile) const;

private:
    friend class AttemptPermit;
    Endpoint() = default;
    std::shared_ptr<Circuit> m_circuit;
    std::shared_ptr<ProviderTotals> m_provider;
    std::shared_ptr<LatencyProfile> m_profile;
    std::shared_ptr<RoutingRuntime> m_runtime;  // keeps the outcome alive
    Outcome* m_outcome = nullptr;               // null outside groups
    double m_hintMs = 0;
};

/// One attempt that may be made. Report its end; dropping it counts nothing (cancelled, not sent).
class AttemptPermit {
public:
    void succeeded(double latencyMs);
    /// Counts as the fault says, and tells `blame` so that a poisonous request does not cool the whole fleet.
    void failed(const Fault& fault, double latencyMs, RequestBlame& blame);
    [[nodiscard]] bool isProbe() const { return m_permit.isProbe(); }

private:
    friend class Endpoint;
    AttemptPermit(Endpoint endpoint, Permit permit) : m_endpoint(std::move(endpoint)), m_permit(std::move(permit)) {}
    Endpoint m_endpoint;
    Permit m_permit;
};

/// The endpoints of one group, in its order.
class GroupEndpoints {
public:
    GroupEndpoints(const policy::smart::Group& group, ProcessState& process,
                   const std::shared_ptr<RoutingRuntime>& runtime);
    [[nodiscard]] const Endpoint& at(std::size_t candidate) const { return m_endpoints[candidate]; }
    [[nodiscard]] std::size_t size() const { return m_endpoints.size(); }
    /// `out` has one element for each candidate.
    void read(Steady now, std::span<policy::smart::CandidateSignals> out) const;

private:
    std::vector<Endpoint> m_endpoints;
};

}  // namespace signalbox::capacity
