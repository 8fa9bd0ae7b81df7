// SPDX-License-Identifier: MIT
#include "router/capacity/endpoint_book.h"

#include "router/policy/targets.h"

#include <algorithm>

namespace signalbox::capacity {
namespace {

/// An endpoint asked for by its own name is judged as its slowest candidate would be: failing fast must not look fast
/// to any group (F59).
std::map<std::string, double, std::less<>> hintsOf(const std::vector<policy::smart::Group>& groups) {
    std::map<std::string, double, std::less<>> out;
    for (const policy::smart::Group& group : groups)
        for (const policy::smart::GroupCandidate& candidate : group.candidates) {
            double& hint = out[candidate.endpointId];
            hint = std::max(hint, candidate.latencyHintMs);
        }
    return out;
}

}  // namespace

EndpointBook::EndpointBook(const std::vector<policy::smart::Group>& groups, const Known& known,
                           std::shared_ptr<ProcessState> process, std::shared_ptr<RoutingRuntime> runtime)
    : m_process(std::move(process)), m_runtime(std::move(runtime)) {
    Known all = known;
    for (const policy::smart::Group& group : groups) {
        m_groups.emplace_back(group, *m_process, m_runtime);
        for (const policy::smart::GroupCandidate& candidate : group.candidates)
            if (!candidate.isPool()) all.try_emplace(candidate.endpointId, candidate.provider);
    }
    const auto hints = hintsOf(groups);
    for (const policy::smart::Group& group : groups)
        for (const policy::smart::GroupCandidate& candidate : group.candidates)
            if (candidate.isPool())
                m_pools.try_emplace(candidate.model, Endpoint::ofPool(candidate.endpointId, hints.find(candidate.endpointId)->second,
                                                                      *m_process, m_runtime));
    for (const auto& [id, provider] : all) {
        const auto hint = hints.find(id);
        m_named.emplace(id, Endpoint(provider, id, hint == hints.end() ? 0 : hint->second, *m_process, m_runtime));
    }
}

const Endpoint* EndpointBook::pool(std::string_view poolId) const {
    const auto found = m_pools.find(poolId);
    return found == m_pools.end() ? nullptr : &found->second;
}

Endpoint EndpointBook::of(std::string_view providerId, std::string_view endpointId) const {
    if (const auto found = m_named.find(endpointId); found != m_named.end()) return found->second;
    return Endpoint(providerId, endpointId, 0, *m_process, m_runtime);
}

Endpoint EndpointBook::of(std::size_t group, std::size_t candidate, std::string_view endpointId) const {
    const Endpoint& own = m_groups[group].at(candidate);
    if (own.circuit()->endpointId() == endpointId) return own;
    if (const auto found = m_named.find(endpointId); found != m_named.end())
        return own.movedTo(found->second.circuit(), found->second.profile());
    return own.movedTo(m_process->circuits.of(endpointId), m_process->profiles.of(endpointId));
}

EndpointBook::Known endpointsNamedBy(const policy::PolicySnapshot& snapshot) {
    EndpointBook::Known out;
    for (const config::Provider& provider : snapshot.config->providers) {
        for (const std::string& model : provider.models) out.emplace(provider.id + ":" + model, provider.id);
        if (provider.defaultModel) out.emplace(provider.id + ":" + *provider.defaultModel, provider.id);
    }
    for (const config::Model& model : snapshot.config->models)
        for (const config::Route& route : model.routes) out.emplace(route.endpointId(), route.provider);
    for (const table::Preset& preset : snapshot.table->presets)
        if (const auto target = policy::targetOfPreset(snapshot, preset.presetKey, "named"); target && !target->isPool())
            out.emplace(target->endpointId(), target->providerId);
    return out;
}

}  // namespace signalbox::capacity
