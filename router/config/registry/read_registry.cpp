// SPDX-License-Identifier: MIT
#include "router/config/registry/read_registry.h"

#include "router/base/text.h"
#include "router/config/read_parts.h"
#include "router/config/section.h"

#include <algorithm>
#include <array>

namespace signalbox::config {
namespace {


/// Keys whose values are keys to services, wherever they stand.
bool namesKey(std::string_view name) {
    static constexpr std::array<std::string_view, 14> kNames{"api_key", "api_keys", "apikey",   "key",      "keys",          "token",      "secret",
                                                             "bearer",  "password", "passwd", "authorization", "credential", "credentials", "auth"};
    static constexpr std::array<std::string_view, 5> kEnds{"_api_key", "_api_keys", "_secret", "_token", "_password"};
    std::string lower = asciiLower(name);
    std::replace(lower.begin(), lower.end(), '-', '_');
    return std::find(kNames.begin(), kNames.end(), lower) != kNames.end() ||
           std::any_of(kEnds.begin(), kEnds.end(), [&](std::string_view end) { return lower.ends_with(end); });
}

void collectSecrets(const YamlNode& node, bool isKey, RegistrySecrets& out) {
    if (node.kind == YamlNode::Kind::scalar && isKey) {
        const RegistryText reference = readReference(node.text);
        if (reference.text && !readNumber(*reference.text)) out.add(*reference.text);
    }
    for (const YamlPtr& item : node.items) collectSecrets(*item, isKey, out);
    for (const YamlMember& member : node.members) collectSecrets(*member.value, isKey || namesKey(member.key), out);
}

bool isGoodName(const std::string& name) { return !isBlank(name) && name.size() <= kMaxAliasBytes && !hasControl(name); }

/// False when the parameters belong to a router that is not known here.
bool readRouter(RegistrySection& section, RegistryModel& out) {
    static constexpr std::array kRouters{RouterKind::fixed, RouterKind::routewise, RouterKind::greedy};
    const char* key = section.take("router") != nullptr ? "router" : "routing_strategy";
    section.ignore("routing_strategy");
    const auto word = section.text(key);
    if (!word) return true;
    const auto known = std::find_if(kRouters.begin(), kRouters.end(), [&](RouterKind one) { return toString(one) == asciiLower(*word); });
    if (known != kRouters.end()) {
        out.router = *known;
        return true;
    }
    section.say(ImportOutcome::notCarried, "router_unknown", key, section.shown(*word) + " is no router of this gateway; the model is carried with fixed and without parameters",
                "Choose fixed, routewise or greedy.");
    section.ignore("router_params");
    return false;
}

void readRoutes(RegistrySection& section, RegistryModel& out) {
    const YamlNode* routes = section.take("route");
    const char* key = "route";
    if (routes == nullptr) {
        routes = section.take("routes");
        key = "routes";
    }
    if (routes == nullptr) {
        // The model is its own only route.
        YamlNode none;
        none.kind = YamlNode::Kind::map;
        none.at = section.here().at;
        RegistrySection route(section.context(), none, section.here().path);
        if (auto read = readRegistryRoute(route, section, out.id)) out.routes.push_back(std::move(*read));
        return;
    }
    const RegistryPlace place = section.placeOf(key);
    const std::vector<YamlPtr> single{std::make_shared<YamlNode>(*routes)};
    const std::vector<YamlPtr>& items = routes->kind == YamlNode::Kind::map ? single : routes->items;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::string path = place.path + "[" + std::to_string(i) + "]";
        if (items[i]->kind != YamlNode::Kind::map) {
            section.context().report.add(ImportOutcome::notCarried, "route_form", {path, items[i]->at}, "a route is a map with kind and base_url");
            continue;
        }
        RegistrySection route(section.context(), *items[i], path);
        if (auto read = readRegistryRoute(route, section, out.id)) out.routes.push_back(std::move(*read));
    }
}

void leaveRest(RegistrySection& section, std::size_t routes) {
    if (const auto role = section.text("required_role"); role && *role != "free")
        section.leave("required_role", "roles are not carried: whoever may use the gateway may use this model", "Restrict it with allowed_models of [principals].");
    if (const auto admin = section.boolean("admin_only"); admin && *admin)
        section.leave("admin_only", "roles are not carried: whoever may use the gateway may use this model", "Restrict it with allowed_models of [principals].");
    for (const char* key : {"type", "model_type"})
        if (const auto type = section.text(key); type && asciiLower(*type) == "embedding" && routes > 1)
            section.say(ImportOutcome::changed, "embedding_order", key, "routes of embedding models are tried in order there; here they share by weight",
                        "Set the weights.");
    section.leave("extra_body", "requests go upstream as the client sent them");
    section.leave("processor", "answers are passed on as the upstream sends them");
    section.leave("route_metadata", "nothing here reads it");
    section.leave("pricing_schedule", "an endpoint has one price at a time");
    section.leave("name", "a model has no second name to show");
    section.leave("on_demand", "nothing here starts servers");
    for (const char* key : {"supported_params", "reasoning_efforts"}) section.leave(key, "requests go upstream as the client sent them");
    // Routes inherit these, and some have their own.
    for (const char* key : {"provider", "base_url", "api_key", "api_keys", "provider_model_id", "pricing"}) section.ignore(key);
    for (const char* key : {"quantization", "output_modalities", "description", "created", "owned_by", "hugging_face_id"}) section.ignore(key);
}

std::optional<RegistryModel> readModel(RegistrySection& section, const std::string& keyInMap) {
    RegistryModel out;
    out.place = section.here();
    const auto id = section.text("id");
    out.id = id.value_or(section.context().secrets.inside(keyInMap) ? std::string() : keyInMap);
    if (!isGoodName(out.id)) {
        section.context().report.add(ImportOutcome::notCarried, "model_without_id", out.place, "a model needs an id of 1 to 160 bytes on one line, so this one is left out",
                                     "Add id.");
        return std::nullopt;
    }
    for (auto& alias : section.texts("aliases")) {
        if (alias.first == out.id) continue;
        if (isGoodName(alias.first)) out.aliases.push_back(std::move(alias));
        else section.context().report.add(ImportOutcome::notCarried, "alias_invalid", alias.second, "an alias has 1 to 160 bytes on one line");
    }
    if (readRouter(section, out)) readRegistryParameters(section, out);
    readRoutes(section, out);
    leaveRest(section, out.routes.size());
    section.finish();
    if (!out.routes.empty()) return out;
    section.context().report.add(ImportOutcome::notCarried, "model_without_route", out.place, "no route of " + section.shown(out.id) + " can be carried, so the model is left out");
    return std::nullopt;
}

void readModels(const YamlNode& models, RegistryContext& context, std::vector<RegistryModel>& out) {
    const auto read = [&](const YamlNode& node, std::size_t index, const std::string& keyInMap) {
        const std::string path = "models[" + std::to_string(index) + "]";
        if (node.kind != YamlNode::Kind::map) {
            context.report.add(ImportOutcome::notCarried, "model_form", {path, node.at}, "a model is a map with id and route");
            return;
        }
        RegistrySection section(context, node, path);
        if (auto model = readModel(section, keyInMap)) out.push_back(std::move(*model));
    };
    for (std::size_t i = 0; i < models.items.size(); ++i) read(*models.items[i], i, {});
    for (std::size_t i = 0; i < models.members.size(); ++i) read(*models.members[i].value, i, models.members[i].key);
}

}  // namespace

std::vector<RegistryModel> readRegistry(const YamlTree& tree, RegistryContext& context) {
    std::vector<RegistryModel> out;
    const YamlNode& root = *tree.root;
    collectSecrets(root, false, context.secrets);
    for (const YamlDuplicate& twice : tree.duplicates)
        context.report.add(ImportOutcome::notCarried, "duplicate_key", {context.secrets.inside(twice.path) ? "…" : twice.path, twice.at}, "this key stands twice; the last one counts, as in that system", "Remove one of them.");
    if (root.kind == YamlNode::Kind::list) {
        readModels(root, context, out);
        return out;
    }
    RegistrySection top(context, root, "");
    if (const YamlNode* models = top.take("models")) readModels(*models, context, out);
    // Where anchors are kept.
    for (const YamlMember& member : root.members)
        if (member.key.starts_with("x-") || member.key.starts_with('.')) top.ignore(member.key);
    top.finish();
    return out;
}

}  // namespace signalbox::config
