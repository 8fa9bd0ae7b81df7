// SPDX-License-Identifier: MIT
#include "router/config/registry/import_plan.h"

#include "router/base/json_document.h"
#include "router/config/registry/import_providers.h"
#include "router/config/registry/import_resources.h"
#include "router/config/section.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace signalbox::config {
namespace {


bool isSame(const Route& a, const Route& b) {
    return a.provider == b.provider && a.model == b.model && a.kind == b.kind && a.weight == b.weight && a.billing == b.billing &&
           a.resources == b.resources;
}

/// The order of keys means nothing, and 5 is 5.0.
nlohmann::json unordered(const std::string& json) { return json.empty() ? nlohmann::json::object() : nlohmann::json::parse(json); }

/// What a model of gateway.toml says otherwise; empty when it is the same.
std::string difference(const Model& there, const Model& wanted) {
    std::string out;
    const auto add = [&](bool same, std::string_view what) {
        if (!same) out += (out.empty() ? "" : ", ") + std::string(what);
    };
    add(there.aliases == wanted.aliases, "aliases");
    add(there.router == wanted.router, "router");
    add(unordered(there.parametersJson) == unordered(wanted.parametersJson), "router_params");
    add(std::equal(there.routes.begin(), there.routes.end(), wanted.routes.begin(), wanted.routes.end(), isSame), "routes");
    return out;
}

class Planner {
public:
    Planner(const std::vector<RegistryModel>& models, const GatewayConfig& existing, const ModelJudge& judge, RegistryContext& context)
        : m_models(models), m_existing(existing), m_judge(judge), m_report(context.report), m_providers(models, existing, context),
          m_resources(existing, context) {
        for (const RegistryModel& model : models) m_names.insert(model.id);
    }

    ImportPlan plan() {
        for (const RegistryModel& model : m_models) plan(model);
        return {m_providers.take(), m_resources.take(), std::move(m_planned)};
    }

private:
    /// A route with what it came from.
    struct Planned {
        Route route;
        const RegistryRoute* from;
        PlannedProvider* provider;
    };

    void plan(const RegistryModel& from) {
        if (!m_ids.insert(from.id).second) {
            m_report.add(ImportOutcome::notCarried, "model_twice", from.place, "a model " + inQuotes(from.id) + " stands above already; this one is left out");
            return;
        }
        const Model* there = m_existing.findModel(from.id);
        if (there != nullptr && there->id != from.id) {
            m_report.add(ImportOutcome::conflict, "name_taken", from.place, "in gateway.toml " + inQuotes(from.id) + " is an alias of the model " + inQuotes(there->id),
                         "Rename one of them.");
            return;
        }
        Model model;
        model.id = from.id;
        model.router = from.router;
        model.parametersJson = from.parametersJson;
        addAliases(from, model);
        const std::vector<Planned> routes = routesOf(from);
        for (const Planned& planned : routes) model.routes.push_back(planned.route);
        if (!isGoodForItsRouter(from, model)) return;
        settle(from, std::move(model), there, routes);
    }

    void settle(const RegistryModel& from, Model model, const Model* there, const std::vector<Planned>& routes) {
        const std::string header = "[" + joinPath("models", model.id) + "]";
        if (there != nullptr) {
            if (const std::string differs = difference(*there, model); !differs.empty()) {
                m_report.add(ImportOutcome::conflict, "differs", from.place, "gateway.toml has " + header + " with other " + differs + ", which stay",
                             "Rename or remove one of them.");
                return;
            }
            m_report.add(ImportOutcome::present, "model", from.place, header + " stands there already");
        } else {
            const std::string count = std::to_string(model.routes.size()) + (model.routes.size() == 1 ? " route" : " routes");
            m_report.add(ImportOutcome::carried, "model", from.place, header + ", " + std::string(toString(model.router)) + ", " + count);
        }
        for (const Planned& planned : routes) {
            m_providers.use(*planned.provider, *planned.from);
            for (const std::string& name : planned.route.resources) m_resources.use(name);
        }
        if (there == nullptr) m_planned.push_back(std::move(model));
    }

    void addAliases(const RegistryModel& from, Model& model) {
        for (const auto& [alias, place] : from.aliases) {
            const Model* there = m_existing.findModel(alias);
            const bool free = (there == nullptr || there->id == from.id) && !m_names.contains(alias);
            if (free) {
                m_names.insert(alias);
                model.aliases.push_back(alias);
            } else if (std::find(model.aliases.begin(), model.aliases.end(), alias) == model.aliases.end()) {
                m_report.add(ImportOutcome::notCarried, "name_taken", place, "the name " + inQuotes(alias) + " belongs to another model", "Every name leads to one model.");
            }
        }
    }

    std::vector<Planned> routesOf(const RegistryModel& from) {
        std::vector<Planned> out;
        for (const RegistryRoute& route : from.routes) {
            if (route.keys.size() > 1)
                m_report.addOnce(ImportOutcome::changed, "several_keys", std::to_string(route.keys.size()), route.place,
                                 std::to_string(route.keys.size()) + " keys are as many providers here, whose routes share the weight and what they consume",
                                 "A circuit that opens for one key leaves the others in use.");
            if (route.keys.empty()) addRoute(route, nullptr, 1, out);
            for (const RegistryKey& key : route.keys) addRoute(route, &key, route.keys.size(), out);
        }
        return out;
    }

    void addRoute(const RegistryRoute& from, const RegistryKey* key, std::size_t keys, std::vector<Planned>& out) {
        PlannedProvider& provider = m_providers.of(from, key);
        Route route;
        route.provider = provider.made.id;
        route.model = from.model;
        route.kind = from.kind;
        route.weight = from.weight / static_cast<double>(keys);
        route.billing = from.billing;
        const auto same = std::find_if(out.begin(), out.end(), [&](const Planned& planned) { return planned.route.endpointId() == route.endpointId(); });
        if (same != out.end()) {
            same->route.weight += route.weight;
            m_report.add(ImportOutcome::changed, "route_twice", from.place, "this leads to " + inQuotes(route.endpointId()) + " as a route above does; their weights were added");
            return;
        }
        if (provider.existing != nullptr && provider.existing->resource) route.resources.push_back(*provider.existing->resource);
        // The keys of one route share what it consumes, so it is named after the first.
        const std::string endpoint = m_providers.of(from, from.keys.empty() ? nullptr : &from.keys.front()).made.id + "-" + from.model;
        const auto take = [&](const std::optional<RegistryLimit>& limit, Resource::Kind kind) {
            if (!limit) return;
            std::string name = m_resources.of(*limit, kind, endpoint);
            if (std::find(route.resources.begin(), route.resources.end(), name) == route.resources.end()) route.resources.push_back(std::move(name));
        };
        take(from.quota, Resource::Kind::quota);
        take(from.concurrency, Resource::Kind::concurrency);
        out.push_back({std::move(route), &from, &provider});
    }

    /// Asks the strategy, and drops the parameters that it refuses.
    bool isGoodForItsRouter(const RegistryModel& from, Model& model) {
        while (m_judge) {
            const Findings findings = m_judge(model);
            const auto worst = std::find_if(findings.begin(), findings.end(), [](const Finding& f) { return f.severity == Severity::error; });
            if (worst == findings.end()) return true;
            if (dropParameters(from, findings, model)) continue;
            m_report.add(ImportOutcome::notCarried, worst->code, from.place, worst->message + ", so the model " + inQuotes(model.id) + " is left out", worst->hint);
            return false;
        }
        return true;
    }

    /// False when none of the errors is about a parameter that was given.
    bool dropParameters(const RegistryModel& from, const Findings& findings, Model& model) {
        static constexpr std::string_view kBelow = ".router_params.";
        OrderedJson json = model.parametersJson.empty() ? OrderedJson::object() : OrderedJson::parse(model.parametersJson);
        const std::size_t before = json.size();
        for (const Finding& finding : findings) {
            const std::size_t at = finding.pointer.rfind(kBelow);
            if (finding.severity != Severity::error || at == std::string::npos) continue;
            const std::string below = finding.pointer.substr(at + kBelow.size());
            const std::string name = below.substr(0, below.find('.'));
            const auto place = from.parameterPlaces.find(name);
            if (place == from.parameterPlaces.end() || json.erase(name) == 0) continue;
            m_report.addOnce(ImportOutcome::notCarried, finding.code, name, place->second, finding.message, finding.hint);
        }
        if (json.size() == before) return false;
        model.parametersJson = json.empty() ? std::string() : json.dump();
        return true;
    }

    const std::vector<RegistryModel>& m_models;
    const GatewayConfig& m_existing;
    const ModelJudge& m_judge;
    ImportReport& m_report;
    ProviderPlanner m_providers;
    ResourcePlanner m_resources;
    std::set<std::string> m_ids;    ///< of models planned so far
    std::set<std::string> m_names;  ///< ids of all, and aliases so far
    std::vector<Model> m_planned;
};

}  // namespace

ImportPlan planImport(const std::vector<RegistryModel>& models, const GatewayConfig& existing, const ModelJudge& judge, RegistryContext& context) {
    return Planner(models, existing, judge, context).plan();
}

}  // namespace signalbox::config
