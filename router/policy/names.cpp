// SPDX-License-Identifier: MIT
#include "router/policy/names.h"

#include "router/policy/callable.h"
#include "router/policy/targets.h"

#include <unordered_set>

namespace signalbox::policy {

bool leadsToGroup(const PolicySnapshot& snapshot, const std::string& name) {
    if (snapshot.smart.groups().empty()) return false;
    constexpr int kMaxAliasSteps = 8;
    const std::string* asked = &name;
    for (int step = 0; step < kMaxAliasSteps; ++step) {
        if (snapshot.smart.findByAlias(*asked) != nullptr) return true;
        const auto next = snapshot.config->aliases.find(*asked);
        if (next == snapshot.config->aliases.end()) return false;
        asked = &next->second;
    }
    return false;
}

std::vector<std::string> knownNames(const PolicySnapshot& snapshot) {
    std::vector<std::string> names;
    std::unordered_set<std::string> seen;
    const auto add = [&](const std::string& name) {
        const bool canBeAsked = !name.empty() && name.size() <= table::kMaxRequestNameBytes;
        if (canBeAsked && seen.insert(name).second) names.push_back(name);
    };
    for (const table::Preset& preset : snapshot.table->presets) {
        add(preset.model);
        if (preset.servedModelName) add(*preset.servedModelName);
    }
    for (const table::Preset& preset : snapshot.table->presets) add(preset.presetKey);
    for (const auto& [model, preset] : snapshot.config->naturalPresets) add(model);
    // With smart routing off its aliases still work but are not shown (contract B).
    if (snapshot.config->routing.mode != config::RoutingMode::off)
        for (const config::SmartGroup& group : snapshot.config->routing.groups)
            for (const std::string& alias : group.aliases) add(alias);
    for (const auto& [alias, target] : snapshot.config->aliases) add(alias);
    for (const config::Model& model : snapshot.config->models) {
        add(model.id);
        for (const std::string& alias : model.aliases) add(alias);
    }
    for (const config::Provider* provider : providersInOrder(*snapshot.config)) {
        for (const std::string& model : provider->models) add(model);
        if (provider->defaultModel) add(*provider->defaultModel);
    }
    return names;
}

namespace {

/// Nobody outside need know who is in a pool.
std::string ownerOf(const RouteTarget& target) { return target.isPool() ? std::string("signalbox") : target.providerId; }

}  // namespace

std::vector<ListedModel> listModels(const PolicySnapshot& snapshot, const config::Principal* principal,
                                    const ProviderIds* callable) {
    std::vector<ListedModel> listed;
    classify::RequestFeatures features;
    for (std::string& name : knownNames(snapshot)) {
        features.model = name;
        auto plan = resolve(snapshot, features, {.principal = principal});
        if (callable != nullptr) {
            const CallableQuestion question{snapshot, features, principal, *callable};
            if (plan) passOverUncallable(question, *plan);
            else if (auto other = planWithoutUncallable(question, plan.error())) plan = std::move(other->plan);
        }
        if (plan) listed.push_back({std::move(name), ownerOf(callable == nullptr ? plan->targets.front() : calledFirst(*plan, *callable))});
    }
    return listed;
}

namespace {

bool countsByEndpoint(const PolicySnapshot& snapshot) {
    return snapshot.config->server.concurrencyScope == config::ConcurrencyScope::endpoint;
}

/// Of a name that the table may know.
std::optional<std::string> keyInTable(const PolicySnapshot& snapshot, std::string_view name) {
    const auto& family = snapshot.index.familyOf(name).label;
    if (!family || !countsByEndpoint(snapshot)) return family;
    const TableIndex::FamilyRules* rules = snapshot.index.rulesOf(*family);
    if (rules == nullptr || !rules->defaultPreset) return std::nullopt;
    const auto target = targetOfPreset(snapshot, snapshot.table->presets[*rules->defaultPreset].presetKey, "default");
    if (!target) return std::nullopt;
    return target->endpointId();
}

/// Before the group has chosen: the first candidate that can be counted, since what the table does not know has no cells. A
/// candidate's model is a name of its provider or of the table, never an alias: it may even be called like its own group.
std::optional<std::string> keyOfGroup(const PolicySnapshot& snapshot, const config::SmartGroup& group) {
    for (const config::Candidate& candidate : group.candidates) {
        if (!candidate.enabled) continue;
        if (auto key = keyInTable(snapshot, candidate.pool ? *candidate.pool : candidate.model)) return key;
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> concurrencyKey(const PolicySnapshot& snapshot, std::string_view model) {
    const config::GatewayConfig& config = *snapshot.config;
    std::string name(model);
    // An alias chain longer than the list of aliases is a circle, which resolve reports.
    for (std::size_t i = 0; i <= config.aliases.size(); ++i) {
        const auto alias = config.aliases.find(name);
        if (alias == config.aliases.end() || config.findGroupByAlias(name) != nullptr) break;
        name = alias->second;
    }
    if (const config::SmartGroup* group = config.findGroupByAlias(name)) return keyOfGroup(snapshot, *group);
    if (parseEndpoint(config, name)) {
        if (!countsByEndpoint(snapshot)) return std::nullopt;
        return name;
    }
    return keyInTable(snapshot, name);
}

}  // namespace signalbox::policy
