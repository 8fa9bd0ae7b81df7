// SPDX-License-Identifier: MIT
#include "router/policy/targets.h"

#include "router/policy/phrases.h"

#include <algorithm>

namespace signalbox::policy {

namespace {

using config::GatewayConfig;
using config::Provider;

tl::unexpected<Error> notCallable(const Provider& provider, const std::string& what) {
    return fail(ErrorKind::unavailable, what + " is served by provider " + inQuotes(provider.id) + ", which " +
                    std::string(provider.whyNotCallable()),
                "providers." + provider.id, "Give it a base_url, or bind another provider, in gateway.toml");
}

// The model name under which this provider lists the preset.
std::optional<std::string> listedName(const Provider& provider, const table::Preset& preset) {
    if (preset.servedModelName && provider.lists(*preset.servedModelName)) return preset.servedModelName;
    if (provider.lists(preset.model)) return preset.model;
    return std::nullopt;
}

std::string upstreamName(const config::PresetBinding& binding, const table::Preset* preset) {
    if (binding.model) return *binding.model;
    if (preset == nullptr) return binding.presetKey;
    return preset->servedModelName.value_or(preset->model);
}

bool listsExactly(const Provider& provider, std::string_view model) {
    return provider.lists(model) || provider.defaultModel == model;
}

bool hasPrefixOf(const Provider& provider, std::string_view model) {
    return std::any_of(provider.modelPrefixes.begin(), provider.modelPrefixes.end(),
                       [&](const std::string& prefix) { return model.starts_with(prefix); });
}

bool passesAll(const Provider& provider, std::string_view) { return provider.passthroughUnknownModels; }

/// By which of the three ways the provider came to serve a model that no preset stands for.
using Offers = bool (*)(const Provider&, std::string_view);
Offers wayTo(const Provider& chosen, std::string_view model) {
    return listsExactly(chosen, model) ? listsExactly : hasPrefixOf(chosen, model) ? hasPrefixOf : passesAll;
}

bool isBound(const GatewayConfig& config, const std::string& presetKey) {
    const config::PresetBinding* binding = config.findBinding(presetKey);
    return binding != nullptr && (binding->pool || !binding->provider.empty());
}

}  // namespace

std::vector<const Provider*> providersInOrder(const GatewayConfig& config) {
    std::vector<const Provider*> ordered;
    const auto add = [&](const Provider* provider) {
        if (provider != nullptr && std::find(ordered.begin(), ordered.end(), provider) == ordered.end())
            ordered.push_back(provider);
    };
    for (const std::string& id : config.providerOrder) add(config.findProvider(id));
    for (const Provider& provider : config.providers) add(&provider);
    return ordered;
}

std::string bindingAdvice(std::string_view presetKey) {
    std::string key;
    for (const char c : presetKey) {
        if (c == '"' || c == '\\') key += '\\';
        key += c;
    }
    return "Add [presets.\"" + key + "\"] with provider = \"PROVIDER\" to gateway.toml";
}

Result<RouteTarget> targetOfPreset(const PolicySnapshot& snapshot, std::string_view presetKey, std::string_view because) {
    return targetOfPreset(snapshot, presetKey, [&] { return std::string(because); });
}

Result<RouteTarget> targetOfPreset(const PolicySnapshot& snapshot, std::string_view presetKey,
                                   const std::function<std::string()>& because) {
    const GatewayConfig& config = *snapshot.config;
    const table::Preset* preset = snapshot.index.findPreset(presetKey);
    const auto what = [&] { return "preset " + inQuotes(presetKey) + " (" + because() + ")"; };
    const config::PresetBinding* binding = config.findBinding(presetKey);
    if (binding != nullptr && binding->pool) {
        const config::Model* pool = config.findModel(*binding->pool);
        if (pool == nullptr)
            return fail(ErrorKind::unavailable, what() + " is bound to the unknown pool " + inQuotes(*binding->pool),
                        "presets." + std::string(presetKey), "Name a model of [models] there");
        auto target = targetOfPool(config, *pool);
        if (target) target->presetKey = std::string(presetKey);
        return target;
    }
    if (binding != nullptr && !binding->provider.empty()) {
        const Provider* provider = config.findProvider(binding->provider);
        if (provider == nullptr)
            return fail(ErrorKind::unavailable, what() + " is bound to the unknown provider " + inQuotes(binding->provider),
                        "presets." + std::string(presetKey), "Name a provider of gateway.toml there");
        if (!provider->isCallable()) return notCallable(*provider, what());
        return RouteTarget{provider->id, upstreamName(*binding, preset), std::string(presetKey)};
    }
    const Provider* uncallable = nullptr;
    for (const Provider* provider : providersInOrder(config)) {
        const auto name = preset == nullptr ? std::nullopt : listedName(*provider, *preset);
        if (!name) continue;
        if (provider->isCallable()) return RouteTarget{provider->id, *name, std::string(presetKey)};
        if (uncallable == nullptr) uncallable = provider;
    }
    if (uncallable != nullptr) return notCallable(*uncallable, what());
    return fail(ErrorKind::unavailable,
                what() + " has no endpoint: no binding names it and no provider lists its served name or model", {},
                bindingAdvice(presetKey));
}

Result<RouteTarget> targetOfPool(const GatewayConfig& config, const config::Model& model) {
    const bool callable = std::any_of(model.routes.begin(), model.routes.end(), [&](const config::Route& route) {
        const Provider* provider = config.findProvider(route.provider);
        return provider != nullptr && provider->isCallable();
    });
    if (!callable)
        return fail(ErrorKind::unavailable, "the model " + inQuotes(model.id) + " has no route to a provider that can be called",
                    "models." + model.id, "Give one of its providers a base_url");
    return RouteTarget{{}, model.id, std::nullopt, model.id};
}

std::optional<EndpointName> parseEndpoint(const GatewayConfig& config, std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || colon + 1 == text.size()) return std::nullopt;
    const Provider* provider = config.findProvider(text.substr(0, colon));
    if (provider == nullptr) return std::nullopt;
    return EndpointName{provider, std::string(text.substr(colon + 1))};
}

Result<RouteTarget> targetOfEndpoint(const EndpointName& name) {
    const Provider& provider = *name.provider;
    if (!provider.accepts(name.model))
        return fail(ErrorKind::notFound, "provider " + inQuotes(provider.id) + " does not serve the model " + inQuotes(name.model),
                    {}, "Ask for one of its models, or add this one to providers." + provider.id + ".models in gateway.toml");
    if (!provider.isCallable()) return notCallable(provider, "model " + inQuotes(name.model));
    return RouteTarget{provider.id, name.model, std::nullopt};
}

std::optional<Result<RouteTarget>> targetInInventory(const GatewayConfig& config, std::string_view model) {
    std::vector<const Provider*> providers = providersInOrder(config);
    const auto lists = [&](const Provider* p) { return listsExactly(*p, model); };
    const auto prefixed = [&](const Provider* p) { return hasPrefixOf(*p, model); };
    const auto passes = [&](const Provider* p) { return passesAll(*p, model); };
    const Provider* uncallable = nullptr;
    const auto firstCallable = [&](auto matches) -> const Provider* {
        for (const Provider* provider : providers) {
            if (!matches(provider)) continue;
            if (provider->isCallable()) return provider;
            if (uncallable == nullptr) uncallable = provider;
        }
        return nullptr;
    };
    const Provider* found = firstCallable(lists);
    if (found == nullptr && uncallable == nullptr) found = firstCallable(prefixed);
    if (found == nullptr && uncallable == nullptr) {
        std::stable_partition(providers.begin(), providers.end(),
                              [&](const Provider* p) { return p->id == config.defaultProvider; });
        found = firstCallable(passes);
    }
    if (found != nullptr) return RouteTarget{found->id, std::string(model), std::nullopt};
    if (uncallable != nullptr) return notCallable(*uncallable, "model " + inQuotes(model));
    return std::nullopt;
}

std::vector<RouteTarget> othersFor(const PolicySnapshot& snapshot, const RouteTarget& target) {
    std::vector<RouteTarget> others;
    const GatewayConfig& config = *snapshot.config;
    const Provider* chosen = config.findProvider(target.providerId);
    if (chosen == nullptr || (target.presetKey && isBound(config, *target.presetKey))) return others;
    const table::Preset* preset = target.presetKey ? snapshot.index.findPreset(*target.presetKey) : nullptr;
    const Offers offers = wayTo(*chosen, target.model);
    for (const Provider* provider : providersInOrder(config)) {
        if (provider == chosen || !provider->isCallable()) continue;
        if (preset != nullptr) {
            if (auto name = listedName(*provider, *preset)) others.push_back({provider->id, std::move(*name), target.presetKey});
        } else if (offers(*provider, target.model)) {
            others.push_back({provider->id, target.model, std::nullopt});
        }
    }
    return others;
}

}  // namespace signalbox::policy
