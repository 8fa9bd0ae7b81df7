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

namespace {

/// Of each kind of token, by the weights of the routes; equal where all weights are 0.
config::Pricing poolPrice(const config::GatewayConfig& config, const config::Model& model) {
    double weights = 0;
    for (const config::Route& route : model.routes) weights += route.weight;
    config::Pricing out;
    for (const config::Route& route : model.routes) {
        const config::Provider* provider = config.findProvider(route.provider);
        const config::Pricing price = (provider == nullptr ? std::nullopt : provider->pricingOf(route.model)).value_or(kDefaultPricing);
        const double share = weights > 0 ? route.weight / weights : 1.0 / static_cast<double>(model.routes.size());
        out.inputPerMillion += share * price.inputPerMillion;
        out.outputPerMillion += share * price.outputPerMillion;
        out.cacheWritePerMillion += share * price.cacheWritePerMillion;
        out.cacheReadPerMillion += share * price.cacheReadPerMillion;
    }
    return out;
}

/// A pool that is unknown or has no route reads as a candidate of a provider that is unknown.
GroupCandidate poolCandidate(const config::GatewayConfig& config, const std::string& pool) {
    GroupCandidate out = makeCandidate("pool", pool);
    out.provider.clear();
    const config::Model* model = config.findModel(pool);
    out.providerKnown = model != nullptr && !model->routes.empty();
    out.providerCallable = false;
    if (!out.providerKnown) return out;
    for (const config::Route& route : model->routes) {
        const config::Provider* provider = config.findProvider(route.provider);
        const bool callable = provider != nullptr && provider->isCallable();
        out.providerCallable = out.providerCallable || callable;
        out.pool.push_back({route.provider, route.model, route.endpointId(),
                            provider == nullptr ? config::Capabilities{} : provider->capabilitiesOf(route.model), callable});
    }
    out.pricing = poolPrice(config, *model);
    return out;
}

}  // namespace

std::string endpointIdOf(const config::Candidate& candidate) {
    return candidate.pool ? "pool:" + *candidate.pool : candidate.provider + ":" + candidate.model;
}

CapabilitySet missingOf(const Needs& needs, const GroupCandidate& candidate) {
    if (!candidate.isPool()) return missing(needs, candidate.capabilities);
    std::optional<CapabilitySet> first;
    for (const PoolEndpoint& one : candidate.pool) {
        if (!one.callable) continue;
        const CapabilitySet lacks = missing(needs, one.capabilities);
        if (lacks.empty()) return lacks;
        if (!first) first = lacks;
    }
    return first.value_or(CapabilitySet{});
}

Group prepareGroup(const config::GatewayConfig& config, const config::SmartGroup& group) {
    Group out;
    out.id = group.id;
    if (group.defaultProfile) out.defaultProfile = parseProfile(*group.defaultProfile);
    out.candidates.reserve(group.candidates.size());
    for (const config::Candidate& candidate : group.candidates) {
        GroupCandidate& prepared = out.candidates.emplace_back(
            candidate.pool ? poolCandidate(config, *candidate.pool) : makeCandidate(candidate.provider, candidate.model));
        prepared.quality = candidate.quality;
        prepared.latencyHintMs = candidate.latencyHintMs;
        prepared.enabled = candidate.enabled;
        if (candidate.pool) continue;
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
