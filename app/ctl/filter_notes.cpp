// SPDX-License-Identifier: MIT
#include "app/ctl/filter_notes.h"

#include "app/shared/paths.h"
#include "router/base/text.h"
#include "router/policy/names.h"
#include "router/policy/targets.h"
#include "router/policy/workspace.h"
#include "router/table/read.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

namespace signalbox::ctl {
namespace {

using Names = std::vector<std::string>;

/// What a policy calls by name. A list that could not be read is none, of which nothing is said.
struct PolicyNames {
    std::shared_ptr<const config::GatewayConfig> config;
    std::optional<Names> endpoints, groups, presets, teams;
};

Names endpointsNamedBy(const config::GatewayConfig& config, const std::vector<table::Preset>& presets) {
    Names out;
    for (const auto& provider : config.providers)
        for (const auto& model : provider.models) out.push_back(provider.id + ':' + model);
    for (const auto& [alias, endpoint] : config.aliases) out.push_back(endpoint);
    for (const auto& group : config.routing.groups)
        for (const auto& candidate : group.candidates)
            if (!candidate.pool) out.push_back(candidate.provider + ':' + candidate.model);
    for (const auto& model : config.models)
        for (const auto& route : model.routes) out.push_back(route.endpointId());
    for (const auto& preset : presets)
        if (const auto* binding = config.findBinding(preset.presetKey); binding != nullptr && !binding->pool)
            out.push_back(binding->provider + ':' + binding->model.value_or(preset.servedModelName.value_or(preset.model)));
    return out;
}

PolicyNames namesInFiles(const std::filesystem::path& workspace, const Clock& clock) {
    PolicyNames out;
    const config::WorkspacePaths paths{workspace.empty() ? std::filesystem::path(".") : workspace};
    std::vector<table::Preset> presets;
    if (const auto loaded = table::readTableFile(paths.table(), clock.now()); loaded && loaded->table) {
        presets = loaded->table->presets;
        out.presets.emplace();
        for (const auto& preset : presets) out.presets->push_back(preset.presetKey);
    }
    if (auto loaded = config::readConfigFile(paths.config()); loaded && loaded->config) {
        out.endpoints = endpointsNamedBy(*loaded->config, presets);
        out.groups.emplace();
        for (const auto& group : loaded->config->routing.groups) out.groups->push_back(group.id);
        out.teams.emplace();
        for (const auto& principal : loaded->config->principals)
            if (!principal.team.empty()) out.teams->push_back(principal.team);
        out.config = loaded->config;
    }
    return out;
}

/// A provider may take models that no list names.
bool isAccepted(const PolicyNames& names, const std::string& endpointId) {
    const auto endpoint = names.config ? policy::parseEndpoint(*names.config, endpointId) : std::nullopt;
    return endpoint && endpoint->provider->accepts(endpoint->model);
}

/// Whether something was said.
bool noteUnknown(Context& context, const char* option, const std::string& value, const std::optional<Names>& known,
                 const std::string& nobody) {
    if (value.empty() || !known || std::find(known->begin(), known->end(), value) != known->end()) return false;
    const auto near = nearestName(value, *known);
    context.err << "signalboxctl: note: " << option << ' ' << value << ": " << nobody << '.'
                << (near ? " Did you mean \"" + *near + "\"?" : "") << '\n';
    return true;
}

/// A client may name a model in more ways than a list has: the policy itself is asked whether it knows one.
void noteUnknownModel(const std::filesystem::path& workspace, const std::string& model, const char* nobody, Context& context) {
    if (model.empty()) return;
    const config::WorkspacePaths paths{workspace.empty() ? std::filesystem::path(".") : workspace};
    const auto loaded = policy::loadWorkspace(paths.table(), paths.config(), context.environment, context.clock.now());
    if (!loaded || !loaded->snapshot) return;
    classify::RequestFeatures features;
    features.model = model;
    const auto plan = policy::resolve(*loaded->snapshot, features);
    if (plan || plan.error().kind != ErrorKind::notFound) return;
    noteUnknown(context, "--model", model, policy::knownNames(*loaded->snapshot), nobody);
}

std::optional<Names> endpointsOf(engine::AdminClient& gateway) {
    const auto endpoints = gateway.endpoints();
    if (!endpoints) return std::nullopt;
    Names out;
    for (const auto& endpoint : *endpoints) out.push_back(endpoint.endpointId);
    return out;
}

std::optional<Names> groupsOf(engine::AdminClient& gateway) {
    const auto text = gateway.routerStatusJson();
    const auto document = text ? nlohmann::json::parse(*text, nullptr, false) : nlohmann::json();
    const auto groups = document.is_object() ? document.find("groups") : document.end();
    if (groups == document.end() || !groups->is_array()) return std::nullopt;
    Names out;
    for (const auto& group : *groups)
        if (group.is_object() && group.contains("id") && group["id"].is_string()) out.push_back(group["id"].get<std::string>());
    return out;
}

}  // namespace

void noteFilters(const HistoryOptions& options, Context& context) {
    const PolicyNames names = namesInFiles(options.workspace, context.clock);
    const auto endpoint = [&](const char* option, const std::string& value) {
        return !isAccepted(names, value) &&
               noteUnknown(context, option, value, names.endpoints, "the workspace's policy has no such endpoint");
    };
    const bool unknown = endpoint("--endpoint", options.endpoint);
    static_cast<void>(endpoint("--attempted", options.attempted));
    noteUnknown(context, "--group", options.group, names.groups, "the workspace's policy has no such group");
    noteUnknown(context, "--preset", options.preset, names.presets, "the workspace's routing table has no such preset");
    noteUnknown(context, "--team", options.team, names.teams, "no principal of the workspace's policy is of that team");
    noteUnknownModel(options.workspace, options.model, "the workspace's policy knows no such model", context);
    if (!unknown && !options.endpoint.empty() && options.outcome != "served" && options.attempted.empty())
        context.err << "signalboxctl: note: --endpoint asks for what an endpoint answered; --attempted finds what failed there, too.\n";
}

void noteFilters(const TailOptions& options, engine::AdminClient& gateway, Context& context) {
    if (!options.endpoint.empty() || !options.attempted.empty()) {
        const auto known = endpointsOf(gateway);
        const std::string nobody = "the gateway has no such endpoint so far, nothing may come";
        noteUnknown(context, "--endpoint", options.endpoint, known, nobody);
        noteUnknown(context, "--attempted", options.attempted, known, nobody);
    }
    if (!options.group.empty())
        noteUnknown(context, "--group", options.group, groupsOf(gateway), "the gateway has no such group, nothing may come");
    if ((options.preset.empty() && options.team.empty() && options.model.empty()) || !options.to.target.empty()) return;
    const auto folders = app::userFolders(context.environment);
    const auto folder = options.to.demo && folders ? folders->demo() : options.to.workspace;
    const PolicyNames names = namesInFiles(folder, context.clock);
    noteUnknown(context, "--preset", options.preset, names.presets, "the workspace's routing table has no such preset, nothing may come");
    noteUnknown(context, "--team", options.team, names.teams, "no principal of the workspace's policy is of that team, nothing may come");
    noteUnknownModel(folder, options.model, "the workspace's policy knows no such model, nothing may come", context);
}

}  // namespace signalbox::ctl
