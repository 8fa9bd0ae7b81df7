// SPDX-License-Identifier: MIT
#include "router/engine/target_views.h"

namespace signalbox::engine {

namespace {

std::string_view providerOf(std::string_view endpointId) {
    return endpointId.substr(0, endpointId.find(':'));
}

EndpointHealth healthOf(const gateway::RunningPolicy& running, const capacity::CircuitView& circuit, Steady now) {
    const std::string_view provider = providerOf(circuit.endpointId);
    EndpointHealth out;
    out.endpointId = circuit.endpointId;
    out.circuit = toString(circuit.state);
    out.cause = toString(circuit.cause);
    out.coolsFor = circuit.remaining;
    out.consecutiveFailures = circuit.consecutiveFailures;
    out.openedTotal = circuit.openedTotal;
    running.endpoints->of(provider, circuit.endpointId).read(now, out.signals);
    out.credentialReady = running.callableProviders->contains(provider);
    out.signals.credentialReady = out.credentialReady;
    return out;
}

} // namespace

std::vector<EndpointHealth> endpointHealth(const gateway::RunningPolicy& running, Steady now) {
    std::vector<EndpointHealth> out;
    for (const capacity::CircuitView& circuit : running.endpoints->process()->circuits.views()) {
        const bool named = running.endpoints->named().contains(circuit.endpointId);
        // Circuits outlive policies: those of an earlier one's providers are not this one's endpoints.
        if (named || running.snapshot->config->findProvider(providerOf(circuit.endpointId)) != nullptr)
            out.push_back(healthOf(running, circuit, now));
    }
    return out;
}

std::vector<PrincipalUse> principalUse(const gateway::RunningPolicy& running) {
    capacity::PrincipalAccounts& accounts = running.endpoints->process()->principals;
    const bool known = accounts.spentKnown();
    std::vector<PrincipalUse> out;
    for (const config::Principal& principal : running.snapshot->config->principals) {
        const auto account = accounts.of(principal.id);
        out.push_back({principal.id, account->requestsThisMinute(), account->spentUsd(), known});
    }
    return out;
}

} // namespace signalbox::engine
