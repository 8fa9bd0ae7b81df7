// SPDX-License-Identifier: MIT
#include "router/policy/smart/group.h"

#include "router/policy/smart/assignment.h"

#include <set>

namespace signalbox::policy::smart {

GroupCandidate makeCandidate(std::string provider, std::string model) {
    GroupCandidate out;
    out.endpointId = provider + ":" + model;
    out.affinitySuffix = affinitySuffix(provider, model);
    out.provider = std::move(provider);
    out.model = std::move(model);
    return out;
}

Group prepareGroup(const config::GatewayConfig& config, const config::SmartGroup& group) {
    Group out;
    out.id = group.id;
    if (group.defaultProfile) out.defaultProfile = parseProfile(*group.defaultProfile);
    out.candidates.reserve(group.candidates.size());
    for (const config::Candidate& candidate : group.candidates) {
        GroupCandidate& prepared = out.candidates.emplace_back(makeCandidate(candidate.provider, candidate.model));
        prepared.quality = candidate.quality;
        prepared.latencyHintMs = candidate.latencyHintMs;
        prepared.enabled = candidate.enabled;
        const config::Provider* provider = config.findProvider(candidate.provider);
        prepared.providerKnown = provider != nullptr;
        if (provider == nullptr) continue;
        prepared.providerCallable = provider->isCallable();
        prepared.pricing = provider->pricingOf(candidate.model).value_or(kDefaultPricing);
        prepared.capabilities = provider->capabilitiesOf(candidate.model);
        for (const config::PresetBinding& binding : config.presetBindings)
            if (binding.provider == provider->id) prepared.boundPresets.push_back(binding.presetKey);
    }
    return out;
}

WeightTable weightsOfVersion(const config::Routing& routing, std::string_view version) {
    WeightTable out = builtinWeights();
    if (version == kBuiltinVersion) return out;
    for (const config::NamedPolicy& policy : routing.policies) {
        if (policy.name != version) continue;
        for (const auto& [name, written] : policy.profiles) {
            const auto profile = parseProfile(name);
            const auto weights = makeWeights({written.quality, written.cost, written.latency, written.reliability});
            // A reader refuses what has no shares; a configuration made in code keeps the built-in ones there.
            if (profile && weights) out[static_cast<std::size_t>(*profile)] = *weights;
        }
    }
    return out;
}

SmartPolicy::SmartPolicy(const config::GatewayConfig& config) {
    const config::Routing& routing = config.routing;
    m_settings.mode = routing.mode;
    m_settings.defaultProfile = parseProfile(routing.defaultProfile).value_or(Profile::balanced);
    m_settings.policyVersion = routing.policyVersion;
    m_settings.activationPercent = routing.activationPercent;
    m_settings.weights = weightsOfVersion(routing, routing.policyVersion);
    for (const config::SmartGroup& group : routing.groups) {
        for (const std::string& alias : group.aliases) m_byAlias.emplace(alias, m_groups.size());
        m_groups.push_back(prepareGroup(config, group));
    }
}

const Group* SmartPolicy::findByAlias(std::string_view alias) const {
    const auto found = m_byAlias.find(alias);
    return found == m_byAlias.end() ? nullptr : &m_groups[found->second];
}

std::vector<std::string> SmartPolicy::enabledCandidates() const {
    std::set<std::string> out;
    for (const Group& group : m_groups)
        for (const GroupCandidate& candidate : group.candidates)
            if (candidate.enabled) out.insert(candidate.endpointId);
    return {out.begin(), out.end()};
}

}  // namespace signalbox::policy::smart
