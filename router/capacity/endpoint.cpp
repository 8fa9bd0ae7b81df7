// SPDX-License-Identifier: MIT
#include "router/capacity/endpoint.h"

namespace signalbox::capacity {

Endpoint::Endpoint(std::string_view providerId, std::string_view endpointId, double hintMs, ProcessState& process,
                   std::shared_ptr<RoutingRuntime> runtime)
    : m_circuit(process.circuits.of(endpointId)),
      m_provider(process.providers.of(providerId)),
      m_profile(process.profiles.of(endpointId)),
      m_runtime(std::move(runtime)),
      m_outcome(m_runtime->outcomes.find(endpointId)),
      m_hintMs(hintMs) {}

Endpoint Endpoint::ofPool(std::string_view poolEndpointId, double hintMs, ProcessState& process,
                          std::shared_ptr<RoutingRuntime> runtime) {
    Endpoint out;
    // No provider is called so: its id would have a colon.
    out.m_provider = process.providers.of(poolEndpointId);
    out.m_runtime = std::move(runtime);
    out.m_outcome = out.m_runtime->outcomes.find(poolEndpointId);
    out.m_hintMs = hintMs;
    return out;
}

void Endpoint::poolEnded(bool served, double ms) const {
    m_provider->count(served);
    if (m_outcome == nullptr) return;
    if (served) m_outcome->record(true, ms);
    else m_outcome->recordFailure(ms, m_hintMs);
}

std::optional<AttemptPermit> Endpoint::tryBegin() const {
    auto permit = m_circuit->tryAdmit();
    if (!permit) return std::nullopt;
    return AttemptPermit(*this, std::move(*permit));
}

std::optional<AttemptPermit> Endpoint::beginAnyway() const {
    auto permit = m_circuit->admitAnyway();
    if (!permit) return std::nullopt;
    return AttemptPermit(*this, std::move(*permit));
}

Endpoint Endpoint::movedTo(std::shared_ptr<Circuit> circuit, std::shared_ptr<LatencyProfile> profile) const {
    Endpoint out = *this;
    out.m_circuit = std::move(circuit);
    out.m_profile = std::move(profile);
    return out;
}

void Endpoint::read(Steady now, policy::smart::CandidateSignals& out) const {
    out.cooling = m_circuit != nullptr && m_circuit->isCooling(now);
    out.providerSuccesses = m_provider->successes();
    out.providerAttempts = m_provider->attempts();
    if (m_outcome == nullptr) return;
    const OutcomeView view = m_outcome->view();
    out.attempts = view.attempts;
    out.latencyEwmaMs = view.latencyEwmaMs;
}

void AttemptPermit::succeeded(double latencyMs) {
    m_permit.succeeded();
    m_endpoint.m_provider->count(true);
    if (m_endpoint.m_outcome != nullptr) m_endpoint.m_outcome->record(true, latencyMs);
}

void AttemptPermit::failed(const Fault& fault, double latencyMs, RequestBlame& blame) {
    if (const auto sample = m_permit.failed(fault)) blame.failed(m_endpoint.m_circuit, *sample, fault);
    if (sampleOf(fault) == Sample::none) return;
    m_endpoint.m_provider->count(false);
    if (m_endpoint.m_outcome != nullptr) m_endpoint.m_outcome->recordFailure(latencyMs, m_endpoint.m_hintMs);
}

GroupEndpoints::GroupEndpoints(const policy::smart::Group& group, ProcessState& process,
                               const std::shared_ptr<RoutingRuntime>& runtime) {
    m_endpoints.reserve(group.candidates.size());
    for (const policy::smart::GroupCandidate& candidate : group.candidates)
        m_endpoints.push_back(candidate.isPool()
                                  ? Endpoint::ofPool(candidate.endpointId, candidate.latencyHintMs, process, runtime)
                                  : Endpoint(candidate.provider, candidate.endpointId, candidate.latencyHintMs, process, runtime));
}

void GroupEndpoints::read(Steady now, std::span<policy::smart::CandidateSignals> out) const {
    for (std::size_t i = 0; i < m_endpoints.size(); ++i) m_endpoints[i].read(now, out[i]);
}

}  // namespace signalbox::capacity
