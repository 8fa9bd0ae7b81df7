// SPDX-License-Identifier: MIT
#include "ui/pages/groups/new_groups.h"

#include <algorithm>

namespace signalbox::ui {

template <class IsTaken>
static std::string firstFree(const std::string& wanted, const IsTaken& isTaken) {
    std::string name = wanted;
    for (int i = 2; isTaken(name); ++i) name = wanted + "-" + std::to_string(i);
    return name;
}

std::string freeGroupId(const config::GatewayConfig& config, const std::string& wanted) {
    return firstFree(wanted, [&](const std::string& name) {
        return std::any_of(config.routing.groups.begin(), config.routing.groups.end(), [&](const auto& group) { return group.id == name; });
    });
}

std::string freeAlias(const config::GatewayConfig& config, const std::string& wanted) {
    return firstFree(wanted, [&](const std::string& name) {
        return config.aliases.contains(name) || config.findGroupByAlias(name) != nullptr ||
               std::any_of(config.providers.begin(), config.providers.end(), [&](const auto& provider) { return provider.lists(name); });
    });
}

static void addOnce(std::vector<std::string>& list, const std::string& name) {
    if (!name.empty() && std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
}

std::vector<std::string> knownModels(const config::GatewayConfig& config, const std::string& provider) {
    std::vector<std::string> models;
    const config::Provider* found = config.findProvider(provider);
    if (found == nullptr) return models;
    for (const std::string& model : found->models) addOnce(models, model);
    addOnce(models, found->defaultModel.value_or(std::string()));
    for (const auto& [model, price] : found->modelPricing) addOnce(models, model);
    for (const config::PresetBinding& binding : config.presetBindings)
        if (binding.provider == provider) addOnce(models, binding.model.value_or(std::string()));
    for (const config::SmartGroup& group : config.routing.groups)
        for (const config::Candidate& candidate : group.candidates)
            if (candidate.provider == provider) addOnce(models, candidate.model);
    return models;
}

std::optional<config::SmartGroup> newGroup(const config::GatewayConfig& config) {
    config::SmartGroup group;
    for (const config::Provider& provider : config.providers) {
        if (!provider.isCallable() || group.candidates.size() == 2) continue;
        for (const std::string& model : knownModels(config, provider.id)) {
            if (!provider.accepts(model)) continue;
            config::Candidate candidate;
            candidate.provider = provider.id;
            candidate.model = model;
            group.candidates.push_back(candidate);
            break;
        }
    }
    if (group.candidates.empty()) return std::nullopt;
    group.id = freeGroupId(config, "auto");
    group.aliases = {freeAlias(config, group.id)};
    return group;
}

config::SmartGroup duplicateOf(const config::GatewayConfig& config, const config::SmartGroup& group) {
    config::SmartGroup copy = group;
    copy.id = freeGroupId(config, group.id + "-copy");
    for (std::string& alias : copy.aliases) alias = freeAlias(config, alias + "-copy");
    return copy;
}

static bool has(const config::SmartGroup& group, const std::string& provider, const std::string& model) {
    return std::any_of(group.candidates.begin(), group.candidates.end(),
                       [&](const auto& candidate) { return candidate.provider == provider && candidate.model == model; });
}

std::optional<config::Candidate> unusedCandidate(const config::GatewayConfig& config, const config::SmartGroup& group) {
    for (const bool callable : {true, false})
        for (const config::Provider& provider : config.providers) {
            if (provider.isCallable() != callable) continue;
            for (const std::string& model : knownModels(config, provider.id)) {
                if (!provider.accepts(model) || has(group, provider.id, model)) continue;
                config::Candidate candidate;
                candidate.provider = provider.id;
                candidate.model = model;
                return candidate;
            }
        }
    return std::nullopt;
}

}  // namespace signalbox::ui
