// SPDX-License-Identifier: MIT
#include "router/config/read_parts.h"

#include <algorithm>
#include <set>

namespace signalbox::config {
namespace {

void checkAliasTarget(Section& section, const LocatedText& target, const GatewayConfig& config) {
    if (isBlank(target.value) || hasControl(target.value)) {
        section.reportAt(Severity::error, "alias_target_invalid", target, "an alias stands for a name on one line",
                         "Write \"provider:model\".");
        return;
    }
    const auto colon = target.value.find(':');
    const std::string id = target.value.substr(0, colon);
    const Provider* provider = colon == std::string::npos ? nullptr : config.findProvider(id);
    // A table's name, which may hold a colon itself, or another alias: known only together with the table.
    if (provider == nullptr) return;
    const std::string model = target.value.substr(colon + 1);
    if (isBlank(model))
        section.reportAt(Severity::error, "alias_target_invalid", target, "the model is missing after the colon",
                         "Write \"provider:model\".");
    else if (!provider->accepts(model))
        section.reportAt(Severity::error, "alias_model_not_accepted", target,
                         "provider " + inQuotes(id) + " does not accept the model " + inQuotes(model),
                         modelAdvice(*provider, model));
}

/// An alias may choose the provider of a model that several list; otherwise nobody asks for the model by its name any more.
void checkHidesModel(Section& section, const std::string& name, const LocatedText& target, const GatewayConfig& config) {
    const auto colon = target.value.find(':');
    const bool isSameModel = colon != std::string::npos && target.value.substr(colon + 1) == name;
    if (isSameModel && config.findProvider(target.value.substr(0, colon)) != nullptr) return;
    const auto hidden = std::find_if(config.providers.begin(), config.providers.end(),
                                     [&](const Provider& one) { return one.lists(name); });
    if (hidden == config.providers.end()) return;
    section.reportAt(Severity::warning, "alias_hides_model", target,
                     "the alias " + inQuotes(name) + " hides a model of provider " + inQuotes(hidden->id),
                     "Requests for that name go to " + inQuotes(target.value) + "; only " + inQuotes(hidden->id + ":" + name) +
                         " still reaches the model. Rename the alias unless that is meant.");
}

void checkAliasCycle(Section& section, const std::string& name, const LocatedText& target,
                     const GatewayConfig& config) {
    std::set<std::string> seen{name};
    for (auto at = config.aliases.find(target.value); at != config.aliases.end();
         at = config.aliases.find(at->second)) {
        if (at->first == name) {
            section.reportAt(Severity::error, "alias_cycle", target,
                             "the alias " + inQuotes(name) + " leads back to itself",
                             "Let one of them name a provider:model.");
            return;
        }
        if (!seen.insert(at->first).second) return;  // a circle further on; it is reported at its own members
    }
}

void bindPool(const std::optional<std::string>& pool, Section& section, PresetBinding binding, GatewayConfig& config) {
    if (section.has("provider"))
        section.report(Severity::error, "preset_provider_and_pool", "pool",
                       "a preset is served by one endpoint or by a pool, not by both", "Remove provider or pool.");
    if (!pool) return;
    std::vector<std::string> known;
    for (const Model& model : config.models) known.push_back(model.id);
    if (std::find(known.begin(), known.end(), *pool) == known.end()) {
        section.report(Severity::error, "preset_pool_missing", "pool", "there is no [models] entry " + inQuotes(*pool),
                       known.empty() ? "Add [models." + *pool + "] with its routes, or name a provider."
                                     : didYouMean(*pool, known));
        return;
    }
    if (binding.model)
        section.report(Severity::warning, "preset_model_ignored", "model",
                       "the routes of the pool say how each endpoint calls the model", "Remove it.");
    binding.pool = *pool;
    config.presetBindings.push_back(std::move(binding));
}

void readBinding(const std::string& key, Section& section, GatewayConfig& config) {
    PresetBinding binding;
    binding.presetKey = key;
    binding.model = section.text("model");
    const auto naturalFor = section.locatedTexts("natural_for");
    const auto provider = section.text("provider");
    const auto pool = section.text("pool");
    section.finish();
    for (const LocatedText& model : naturalFor) {
        checkNameLength(section, model);
        const auto [at, fresh] = config.naturalPresets.emplace(model.value, key);
        if (!fresh)
            section.reportAt(Severity::error, "natural_preset_duplicate", model,
                             "the natural preset of " + inQuotes(model.value) + " is already " + inQuotes(at->second),
                             "A model has one natural preset.");
    }
    if (binding.model && (isBlank(*binding.model) || binding.model->size() > kMaxModelBytes || hasControl(*binding.model)))
        section.report(Severity::error, "preset_model_invalid", "model", "a model name has 1 to 240 bytes on one line");
    if (section.has("pool")) return bindPool(pool, section, std::move(binding), config);
    if (!section.has("provider")) {
        section.reportHere(Severity::error, "preset_field_missing", "a preset needs the provider or the pool that serves it",
                           "Add provider = \"ID\", or pool = \"MODEL\" with a model of [models].");
        return;
    }
    if (!provider) return;
    binding.provider = *provider;
    const Provider* found = config.findProvider(binding.provider);
    if (found == nullptr) {
        section.report(Severity::error, "preset_provider_missing", "provider",
                       "there is no provider " + inQuotes(binding.provider),
                       didYouMean(binding.provider, providerIds(config)));
    } else if (binding.model && !found->models.empty() && !found->accepts(*binding.model)) {
        section.report(Severity::warning, "preset_model_not_listed", "model",
                       "provider " + inQuotes(found->id) + " does not list the model " + inQuotes(*binding.model),
                       didYouMean(*binding.model, found->models));
    }
    config.presetBindings.push_back(std::move(binding));
}

}  // namespace

void readAliases(Section& root, GatewayConfig& config) {
    auto section = root.section("aliases");
    if (!section) return;
    const auto pairs = section->allTexts();
    for (const auto& [name, target] : pairs) {
        if (isBlank(name) || name.size() > kMaxAliasBytes || hasControl(name))
            section->reportAt(Severity::error, "alias_invalid", target, "an alias has 1 to 160 bytes on one line");
        else if (config.findProvider(name.substr(0, name.find(':'))) != nullptr && name.find(':') != std::string::npos)
            section->reportAt(Severity::warning, "alias_unreachable", target,
                              "the alias " + inQuotes(name) + " reads as an explicit provider:model and is never asked",
                              "Choose a name without a colon.");
        config.aliases.emplace(name, target.value);
    }
    for (const auto& [name, target] : pairs) {
        checkAliasTarget(*section, target, config);
        checkHidesModel(*section, name, target, config);
        checkAliasCycle(*section, name, target, config);
    }
}

void readPresetBindings(Section& root, GatewayConfig& config) {
    for (auto& [key, section] : root.children("presets")) readBinding(key, section, config);
}

}  // namespace signalbox::config
