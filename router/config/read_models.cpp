// SPDX-License-Identifier: MIT
#include "router/config/read_parts.h"

#include <algorithm>
#include <array>
#include <set>

namespace signalbox::config {
namespace {

constexpr std::array kKinds{RouteKind::local, RouteKind::cloud};
constexpr std::array kBillings{Billing::onDemand, Billing::quota, Billing::concurrency};
constexpr std::array kRouters{RouterKind::fixed, RouterKind::routewise, RouterKind::greedy};
constexpr std::array kResourceKinds{Resource::Kind::concurrency, Resource::Kind::quota};
constexpr double kMaxWeight = 1e9;
constexpr std::int64_t kMostCalls = 1'000'000'000;
constexpr std::int64_t kLongestWindowS = 366 * 86'400;

std::vector<std::string> resourceNames(const GatewayConfig& config) {
    std::vector<std::string> out;
    for (const Resource& resource : config.resources) out.push_back(resource.name);
    return out;
}

Resource readResource(const std::string& name, Section& section) {
    Resource out;
    out.name = name;
    if (isBlank(name) || name.size() > kMaxAliasBytes || hasControl(name))
        section.reportHere(Severity::error, "resource_name_invalid", "a resource has a name of 1 to 160 bytes on one line");
    if (const auto kind = section.word<Resource::Kind>("kind", kResourceKinds)) out.kind = *kind;
    if (!section.has("limit"))
        section.reportHere(Severity::error, "resource_limit_missing", "a resource needs its limit",
                           "Add limit = N: calls at once, or requests in a window for kind = \"quota\".");
    if (const auto limit = section.integer("limit", 1, kMostCalls)) out.limit = static_cast<std::uint64_t>(*limit);
    if (const auto window = section.integer("window_s", 1, kLongestWindowS)) out.window = std::chrono::seconds(*window);
    if (out.kind == Resource::Kind::concurrency && out.window)
        section.report(Severity::warning, "window_ignored", "window_s", "slots have no window: they come back when a call ends",
                       "Remove it, or write kind = \"quota\".");
    section.finish();
    return out;
}

/// One `[[models.NAME.route]]`.
class RouteReader {
public:
    RouteReader(Section& section, const Model& model, const GatewayConfig& config)
        : m_section(section), m_model(model), m_config(config) {}

    std::optional<Route> read() {
        Route out;
        const Provider* provider = readProvider(out);
        out.model = m_section.text("model").value_or(m_model.id);
        if (provider != nullptr) {
            out.kind = provider->domain;
            out.billing = provider->billing;
            if (provider->resource) out.resources.push_back(*provider->resource);
            checkAccepted(*provider, out.model);
        }
        if (const auto kind = m_section.word<RouteKind>("kind", kKinds)) out.kind = *kind;
        if (const auto weight = m_section.number("weight", 0, kMaxWeight, "weight_range")) out.weight = *weight;
        if (const auto billing = m_section.word<Billing>("provider_type", kBillings)) out.billing = *billing;
        readResources(out);
        checkBilling(out);
        if (provider != nullptr) checkPrice(*provider, out);
        m_section.finish();
        return provider == nullptr ? std::nullopt : std::optional(std::move(out));
    }

private:
    const Provider* readProvider(Route& out) {
        const auto id = m_section.text("provider");
        if (!m_section.has("provider"))
            m_section.reportHere(Severity::error, "route_provider_missing", "a route needs the provider that it leads to",
                                 "Add provider = \"ID\".");
        if (!id) return nullptr;
        out.provider = *id;
        const Provider* found = m_config.findProvider(*id);
        if (found == nullptr)
            m_section.report(Severity::error, "provider_missing", "provider", "there is no provider " + inQuotes(*id),
                             didYouMean(*id, providerIds(m_config)));
        return found;
    }

    void checkAccepted(const Provider& provider, const std::string& model) {
        if (isBlank(model) || model.size() > kMaxModelBytes || hasControl(model))
            m_section.report(Severity::error, "route_model_invalid", "model", "a model name has 1 to 240 bytes on one line");
        else if (!provider.accepts(model))
            m_section.report(Severity::error, "route_model_not_accepted", "model",
                             "provider " + inQuotes(provider.id) + " does not accept the model " + inQuotes(model),
                             modelAdvice(provider, model));
    }

    void readResources(Route& out) {
        if (!m_section.has("resources")) return;
        const std::vector<std::string> known = resourceNames(m_config);
        for (const LocatedText& name : m_section.locatedTexts("resources")) {
            if (std::find(known.begin(), known.end(), name.value) == known.end())
                m_section.reportAt(Severity::error, "resource_missing", name,
                                   "there is no [resources] entry " + inQuotes(name.value), didYouMean(name.value, known));
            else if (std::find(out.resources.begin(), out.resources.end(), name.value) == out.resources.end())
                out.resources.push_back(name.value);
        }
    }

    void checkBilling(const Route& out) {
        if (out.billing == Billing::onDemand) return;
        const auto wanted = out.billing == Billing::quota ? Resource::Kind::quota : Resource::Kind::concurrency;
        const bool named = std::any_of(out.resources.begin(), out.resources.end(), [&](const std::string& name) {
            const Resource* resource = m_config.findResource(name);
            return resource != nullptr && resource->kind == wanted;
        });
        if (named) return;
        m_section.reportHere(Severity::error, "billing_without_resource",
                             "provider_type = " + inQuotes(toString(out.billing)) + " needs a resource of kind " +
                                 inQuotes(toString(wanted)) + " that says how much there is",
                             "Add it under [resources] and name it in resources = […].");
    }

    void checkPrice(const Provider& provider, const Route& out) {
        if (m_model.router != RouterKind::routewise || out.billing != Billing::onDemand || provider.pricingOf(out.model)) return;
        m_section.reportHere(Severity::warning, "route_without_price",
                             "this route is paid per token but has no price, so it counts as free and gets most requests",
                             "Add [providers." + provider.id + ".pricing], or say with provider_type how it is paid for.");
    }

    Section& m_section;
    const Model& m_model;
    const GatewayConfig& m_config;
};

void readName(const LocatedText& name, Section& section, const GatewayConfig& config, std::set<std::string>& taken) {
    if (isBlank(name.value) || name.value.size() > kMaxAliasBytes || hasControl(name.value))
        section.reportAt(Severity::error, "alias_invalid", name, "an alias has 1 to 160 bytes on one line");
    else if (!taken.insert(name.value).second)
        section.reportAt(Severity::error, "model_name_duplicate", name,
                         "the name " + inQuotes(name.value) + " belongs to another model or stands here twice",
                         "Every name leads to one model.");
    else if (config.aliases.contains(name.value))
        section.reportAt(Severity::warning, "model_hidden_by_alias", name,
                         "the alias " + inQuotes(name.value) + " is asked first, so this name never reaches the model",
                         "Rename one of them.");
}

void checkWeights(Section& section, const Model& model) {
    if (model.router != RouterKind::fixed || model.routes.empty()) return;
    const bool any = std::any_of(model.routes.begin(), model.routes.end(), [](const Route& route) { return route.weight > 0; });
    if (!any)
        section.reportHere(Severity::warning, "weights_all_zero", "all weights are 0, so all routes get equal shares",
                           "Give at least one route a weight above 0.");
}

Model readModel(const std::string& id, Section& section, const GatewayConfig& config, std::set<std::string>& taken) {
    Model out;
    out.id = id;
    readName({id, section.path(), section.position()}, section, config, taken);
    for (const LocatedText& alias : section.locatedTexts("aliases")) {
        readName(alias, section, config, taken);
        out.aliases.push_back(alias.value);
    }
    if (const auto router = section.word<RouterKind>("router", kRouters)) out.router = *router;
    if (auto parameters = section.rawTable("router_params")) out.parametersJson = std::move(*parameters);
    std::set<std::string> endpoints;
    for (Section& route : section.tableArray("route")) {
        auto read = RouteReader(route, out, config).read();
        if (!read) continue;
        if (!endpoints.insert(read->endpointId()).second)
            route.reportHere(Severity::error, "route_duplicate",
                             "the endpoint " + inQuotes(read->endpointId()) + " stands in this model twice",
                             "Raise its weight instead.");
        out.routes.push_back(std::move(*read));
    }
    if (!section.has("route"))
        section.reportHere(Severity::error, "model_without_route", "a model needs at least one route",
                           "Add [[" + section.path() + ".route]] with provider = \"ID\".");
    checkWeights(section, out);
    section.finish();
    return out;
}

}  // namespace

void readResources(Section& root, GatewayConfig& config) {
    for (auto& [name, section] : root.children("resources")) config.resources.push_back(readResource(name, section));
}

void readModels(Section& root, GatewayConfig& config) {
    std::set<std::string> taken;
    for (auto& [id, section] : root.children("models")) config.models.push_back(readModel(id, section, config, taken));
}

void readCircuits(Section& root, GatewayConfig& config) {
    auto section = root.section("circuits");
    if (!section) return;
    CircuitSettings& out = config.circuits;
    if (const auto most = section->integer("consecutive_failures", 1, 1000)) out.consecutiveFailures = static_cast<std::uint32_t>(*most);
    if (const auto least = section->number("min_availability", 0, 1)) out.minAvailability = *least;
    if (const auto window = section->integer("window", 1, 1000)) out.window = static_cast<std::uint32_t>(*window);
    if (const auto least = section->integer("min_attempts", 1, 1000)) out.minAttempts = static_cast<std::uint32_t>(*least);
    section->milliseconds("cool_for_ms", out.coolFor);
    if (const auto most = section->integer("max_retry_after_s", 1, 7 * 86'400)) out.maxRetryAfter = std::chrono::seconds(*most);
    if (out.minAttempts > out.window)
        section->report(Severity::error, "min_attempts_above_window", "min_attempts",
                        "availability looks back on " + std::to_string(out.window) + " attempts, so it never sees that many",
                        "Keep min_attempts at or below window.");
    section->finish();
}

}  // namespace signalbox::config
