// SPDX-License-Identifier: MIT
#include "router/config/types.h"

#include <algorithm>

namespace signalbox::config {

std::string_view Provider::whyNotCallable() const {
    if (protocol == Protocol::simulated) return {};
    return baseUrl || baseUrlEnv || !baseUrlEnvFallbacks.empty() ? std::string_view() : "has no base URL";
}

Capabilities Provider::capabilitiesOf(std::string_view model) const {
    if (modelCapabilities.empty()) return capabilities;
    const auto own = modelCapabilities.find(std::string(model));
    if (own == modelCapabilities.end()) return capabilities;
    Capabilities out = own->second;
    const auto fill = [](auto& value, const auto& weaker) {
        if (!value) value = weaker;
    };
    fill(out.tools, capabilities.tools);
    fill(out.parallelTools, capabilities.parallelTools);
    fill(out.structuredOutput, capabilities.structuredOutput);
    fill(out.vision, capabilities.vision);
    fill(out.contextTokens, capabilities.contextTokens);
    fill(out.maxOutputTokens, capabilities.maxOutputTokens);
    return out;
}

std::optional<Pricing> Provider::pricingOf(std::string_view model) const {
    if (modelPricing.empty()) return pricing;
    const auto own = modelPricing.find(std::string(model));
    return own != modelPricing.end() ? std::optional(own->second) : pricing;
}

bool Provider::lists(std::string_view model) const {
    return std::find(models.begin(), models.end(), model) != models.end();
}

bool Provider::accepts(std::string_view model) const {
    if (passthroughUnknownModels || lists(model) || defaultModel == model) return true;
    return std::any_of(modelPrefixes.begin(), modelPrefixes.end(),
                       [&](const std::string& prefix) { return model.starts_with(prefix); });
}

const Provider* GatewayConfig::findProvider(std::string_view id) const {
    const auto at = std::find_if(providers.begin(), providers.end(), [&](const Provider& p) { return p.id == id; });
    return at == providers.end() ? nullptr : &*at;
}

const PresetBinding* GatewayConfig::findBinding(std::string_view presetKey) const {
    const auto at = std::find_if(presetBindings.begin(), presetBindings.end(),
                                 [&](const PresetBinding& b) { return b.presetKey == presetKey; });
    return at == presetBindings.end() ? nullptr : &*at;
}

const Resource* GatewayConfig::findResource(std::string_view name) const {
    const auto at = std::find_if(resources.begin(), resources.end(), [&](const Resource& r) { return r.name == name; });
    return at == resources.end() ? nullptr : &*at;
}

const Model* GatewayConfig::findModel(std::string_view name) const {
    const auto at = std::find_if(models.begin(), models.end(), [&](const Model& model) { return model.answersTo(name); });
    return at == models.end() ? nullptr : &*at;
}

const SmartGroup* GatewayConfig::findGroupByAlias(std::string_view alias) const {
    const auto at = std::find_if(routing.groups.begin(), routing.groups.end(), [&](const SmartGroup& group) {
        return std::find(group.aliases.begin(), group.aliases.end(), alias) != group.aliases.end();
    });
    return at == routing.groups.end() ? nullptr : &*at;
}

bool Model::answersTo(std::string_view name) const {
    return id == name || std::find(aliases.begin(), aliases.end(), name) != aliases.end();
}

bool isLoopbackHost(std::string_view host) {
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
    if (host == "localhost" || host == "::1") return true;
    // A name such as 127.evil.example also starts with "127." but is looked up elsewhere.
    return host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string_view::npos &&
           std::count(host.begin(), host.end(), '.') == 3 && host.back() != '.';
}

std::string_view toString(Protocol value) {
    switch (value) {
    case Protocol::openaiCompat: return "openai_compat";
    case Protocol::anthropic: return "anthropic";
    case Protocol::simulated: return "simulated";
    }
    return {};
}

std::string_view toString(AuthMode value) {
    switch (value) {
    case AuthMode::token: return "token";
    case AuthMode::none: return "none";
    }
    return {};
}

std::string_view toString(ConcurrencyScope value) {
    switch (value) {
    case ConcurrencyScope::family: return "family";
    case ConcurrencyScope::endpoint: return "endpoint";
    }
    return {};
}

std::string_view toString(RoutingMode value) {
    switch (value) {
    case RoutingMode::off: return "off";
    case RoutingMode::shadow: return "shadow";
    case RoutingMode::active: return "active";
    }
    return {};
}

std::string_view toString(TokensField value) {
    switch (value) {
    case TokensField::asSent: return "as_sent";
    case TokensField::maxTokens: return "max_tokens";
    case TokensField::maxCompletionTokens: return "max_completion_tokens";
    case TokensField::both: return "both";
    }
    return {};
}

std::string_view toString(SimulatedBehaviour::Fault value) {
    using Fault = SimulatedBehaviour::Fault;
    switch (value) {
    case Fault::status500: return "status_500";
    case Fault::status429: return "status_429";
    case Fault::errorFrame: return "error_frame";
    case Fault::disconnect: return "disconnect";
    case Fault::stall: return "stall";
    }
    return {};
}

std::string_view toString(Resource::Kind value) {
    switch (value) {
    case Resource::Kind::concurrency: return "concurrency";
    case Resource::Kind::quota: return "quota";
    }
    return {};
}

std::string_view toString(RouteKind value) {
    switch (value) {
    case RouteKind::local: return "local";
    case RouteKind::cloud: return "cloud";
    }
    return {};
}

std::string_view toString(Billing value) {
    switch (value) {
    case Billing::onDemand: return "on_demand";
    case Billing::quota: return "quota";
    case Billing::concurrency: return "concurrency";
    }
    return {};
}

std::string_view toString(RouterKind value) {
    switch (value) {
    case RouterKind::fixed: return "fixed";
    case RouterKind::routewise: return "routewise";
    case RouterKind::greedy: return "greedy";
    }
    return {};
}

}  // namespace signalbox::config
