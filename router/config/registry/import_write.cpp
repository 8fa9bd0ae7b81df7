// SPDX-License-Identifier: MIT
#include "router/config/registry/import_write.h"

#include "router/base/json_document.h"
#include "router/config/edit_parts.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace signalbox::config {
namespace {

/// A table to be made, or an element of an array of tables with its index.
struct NewTable {
    Path path;
    Members members;
    std::optional<std::size_t> element;
};
using NewTables = std::vector<NewTable>;

const Provider& whatStands(const PlannedProvider& planned) { return planned.existing != nullptr ? *planned.existing : planned.made; }

void addText(Members& out, const char* key, const std::optional<std::string>& value) {
    if (value && !value->empty()) out.push_back({key, *value});
}

void addFlag(Members& out, const char* key, std::optional<bool> value) {
    if (value) out.push_back({key, *value});
}

void addTokens(Members& out, const char* key, std::optional<std::uint64_t> value) {
    if (value) out.push_back({key, static_cast<std::int64_t>(*value)});
}

Members membersOf(const Provider& provider) {
    Members out;
    addText(out, "display_name", provider.displayName);
    if (provider.protocol != Protocol::openaiCompat) out.push_back({"protocol", std::string(toString(provider.protocol))});
    addText(out, "base_url", provider.baseUrl);
    addText(out, "base_url_env", provider.baseUrlEnv);
    addText(out, "api_key_env", provider.apiKeyEnv);
    // As in that system, where a route without its key is no route.
    if (provider.apiKeyEnv) out.push_back({"api_key_required", true});
    if (provider.domain != RouteKind::cloud) out.push_back({"domain", std::string(toString(provider.domain))});
    out.push_back({"models", provider.models});
    return out;
}

Members membersOf(const Pricing& pricing) {
    Members out{{"input_per_million", pricing.inputPerMillion}, {"output_per_million", pricing.outputPerMillion}};
    if (pricing.cacheWritePerMillion != 0) out.push_back({"cache_write_per_million", pricing.cacheWritePerMillion});
    if (pricing.cacheReadPerMillion != 0) out.push_back({"cache_read_per_million", pricing.cacheReadPerMillion});
    return out;
}

Members membersOf(const Capabilities& can) {
    Members out;
    addFlag(out, "tools", can.tools);
    addFlag(out, "structured_output", can.structuredOutput);
    addFlag(out, "vision", can.vision);
    addTokens(out, "context_tokens", can.contextTokens);
    addTokens(out, "max_output_tokens", can.maxOutputTokens);
    return out;
}

Members membersOf(const Resource& resource) {
    Members out{{"kind", std::string(toString(resource.kind))}, {"limit", static_cast<std::int64_t>(resource.limit)}};
    if (resource.window) out.push_back({"window_s", static_cast<std::int64_t>(resource.window->count())});
    return out;
}

Members membersOf(const Route& route, const Model& model, const Provider& provider) {
    Members out{{"provider", route.provider}};
    if (route.model != model.id) out.push_back({"model", route.model});
    if (route.kind != provider.domain) out.push_back({"kind", std::string(toString(route.kind))});
    if (route.weight != 1) out.push_back({"weight", route.weight});
    if (route.billing != provider.billing) out.push_back({"provider_type", std::string(toString(route.billing))});
    std::vector<std::string> resources = route.resources;
    std::erase_if(resources, [&](const std::string& name) { return name == provider.resource; });
    if (!resources.empty()) out.push_back({"resources", std::move(resources)});
    return out;
}

std::optional<Scalar> scalarOf(const OrderedJson& json) {
    if (json.is_boolean()) return json.get<bool>();
    if (json.is_number_integer()) return json.get<std::int64_t>();
    if (json.is_number()) return json.get<double>();
    if (json.is_string()) return json.get<std::string>();
    return std::nullopt;
}

/// Parameters and the tables in them. A list of texts is all that a list can be.
void addParameters(const OrderedJson& json, const Path& path, NewTables& out) {
    NewTable table{path, {}, {}};
    NewTables below;
    for (const auto& [key, value] : json.items()) {
        Path inside = path;
        inside.emplace_back(key);
        if (value.is_object()) addParameters(value, inside, below);
        else if (auto scalar = scalarOf(value)) table.members.push_back({key, std::move(*scalar)});
        else if (value.is_array() && std::all_of(value.begin(), value.end(), [](const OrderedJson& item) { return item.is_string(); }))
            table.members.push_back({key, value.get<std::vector<std::string>>()});
    }
    if (!table.members.empty() || below.empty()) out.push_back(std::move(table));
    std::move(below.begin(), below.end(), std::back_inserter(out));
}

void addProvider(const PlannedProvider& planned, NewTables& out) {
    const Path path{std::string("providers"), planned.made.id};
    const auto below = [&](const char* table, const std::string& model) {
        Path inside = path;
        inside.emplace_back(std::string(table));
        inside.emplace_back(model);
        return inside;
    };
    if (planned.existing == nullptr) out.push_back({path, membersOf(planned.made), {}});
    for (const auto& [model, pricing] : planned.pricing) out.push_back({below("model_pricing", model), membersOf(pricing.rates), {}});
    for (const auto& [model, can] : planned.capabilities) out.push_back({below("model_capabilities", model), membersOf(can.first), {}});
}

void addModel(const Model& model, const ImportPlan& plan, NewTables& out) {
    Members members;
    if (!model.aliases.empty()) members.push_back({"aliases", model.aliases});
    members.push_back({"router", std::string(toString(model.router))});
    const Path path{std::string("models"), model.id};
    out.push_back({path, std::move(members), {}});
    const auto inside = [&](const char* key) {
        Path at = path;
        at.emplace_back(std::string(key));
        return at;
    };
    if (!model.parametersJson.empty()) addParameters(OrderedJson::parse(model.parametersJson), inside("router_params"), out);
    for (std::size_t i = 0; i < model.routes.size(); ++i) {
        const Route& route = model.routes[i];
        const auto provider = std::find_if(plan.providers.begin(), plan.providers.end(), [&](const PlannedProvider& p) { return p.made.id == route.provider; });
        out.push_back({inside("route"), membersOf(route, model, whatStands(*provider)), i});
    }
}

NewTables tablesOf(const ImportPlan& plan) {
    NewTables out;
    for (const PlannedResource& planned : plan.resources)
        if (planned.needed && !planned.exists) out.push_back({{std::string("resources"), planned.resource.name}, membersOf(planned.resource), {}});
    for (const PlannedProvider& planned : plan.providers)
        if (planned.needed) addProvider(planned, out);
    for (const Model& model : plan.models) addModel(model, plan, out);
    return out;
}

/// All at once: a large registry makes thousands of tables, and each reading of the text takes a while. Places that follow
/// each other keep their order, so each table comes to stand behind the one before it.
Result<std::string> addAll(std::string_view text, const NewTables& tables) {
    return edited(text, [&](const TomlLayout& layout) -> Splices {
        TextSplices out;
        for (const NewTable& table : tables) {
            auto splices = createTable(layout, table.path, table.members, table.element.has_value());
            if (!splices) return splices;
            std::move(splices->begin(), splices->end(), std::back_inserter(out));
        }
        return out;
    });
}

/// For files with inline tables, which cannot take several at one place.
Result<std::string> addEach(std::string_view text, const NewTables& tables) {
    Result<std::string> now(text);
    for (const NewTable& table : tables) {
        if (!now) return now;
        now = table.element ? insertElement(*now, table.path, *table.element, table.members) : addTable(*now, table.path, table.members);
    }
    return now;
}

}  // namespace

Result<std::string> withImport(std::string_view text, const ImportPlan& plan) {
    Result<std::string> now(text);
    for (const PlannedProvider& planned : plan.providers) {
        if (!now || !planned.needed || planned.existing == nullptr || planned.newModels.empty()) continue;
        std::vector<std::string> models = planned.existing->models;
        models.insert(models.end(), planned.newModels.begin(), planned.newModels.end());
        now = setValue(*now, {std::string("providers"), planned.existing->id, std::string("models")}, models);
    }
    NewTables tables = tablesOf(plan);
    if (!now || tables.empty()) return now;
    // The first one shows how the others are to be laid out, also in a file without any table.
    const NewTables first{tables.front()};
    tables.erase(tables.begin());
    now = addEach(*now, first);
    if (!now) return now;
    auto all = addAll(*now, tables);
    return all ? all : addEach(*now, tables);
}

}  // namespace signalbox::config
