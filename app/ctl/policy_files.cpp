// SPDX-License-Identifier: MIT
#include "app/ctl/policy_files.h"

#include "router/strategy/workspace.h"

#include <algorithm>
#include <ostream>

namespace signalbox::ctl {
namespace {

Findings atLeast(Severity least, Findings findings) {
    // Severities are declared from the gravest on.
    std::erase_if(findings, [&](const Finding& f) { return f.severity > least; });
    return findings;
}

Error notUsable(const std::filesystem::path& file) {
    return Error{ErrorKind::badInput, "it cannot be used because of the errors above", file.string(),
                 "`signalboxctl check` lists everything at once."};
}

std::shared_ptr<const config::GatewayConfig> standInConfig(const table::RoutingTable& table) {
    auto config = std::make_shared<config::GatewayConfig>();
    config::Provider provider;
    provider.id = "unconfigured";
    provider.protocol = config::Protocol::simulated;
    for (const auto& preset : table.presets)
        config->presetBindings.push_back({preset.presetKey, provider.id, std::nullopt, std::nullopt});
    config->providers.push_back(std::move(provider));
    return config;
}

Result<ReadyPolicy> readTableAlone(Context& context, const std::filesystem::path& file) {
    auto loaded = table::readTableFile(file, context.clock.now());
    if (!loaded) return tl::unexpected(withFirstStep(loaded.error(), file));
    printFindings(context.err, atLeast(Severity::error, loaded->findings), file.string());
    if (!loaded->table) return tl::unexpected(notUsable(file));
    return ReadyPolicy{policy::makeSnapshot(loaded->table, loaded->sha256, standInConfig(*loaded->table)), false};
}

}  // namespace

Error withFirstStep(Error error, const std::filesystem::path& file) {
    if (error.kind != ErrorKind::notFound || error.where != file.string()) return error;
    if (file.filename() == "routing-table.json")
        error.hint = "It says which preset serves a kind of request, and a workspace needs one even where nothing is said in it: "
                     "`signalboxctl init FOLDER` writes an empty one beside gateway.toml. Or check the path.";
    else if (file.extension() == ".toml")
        error.hint = "Check the path, or write it: `signalboxctl init FOLDER` does, and `signalboxctl check --help` shows a first gateway.toml.";
    return error;
}

void printTroubles(std::ostream& to, const policy::LoadedWorkspace& workspace, Severity least) {
    forEachTrouble(workspace, least, [&](const Finding& finding, const std::string& file) { to << finding.text(file) << '\n'; });
}

void forEachTrouble(const policy::LoadedWorkspace& workspace, Severity least,
                    const std::function<void(const Finding&, const std::string& file)>& tell) {
    const auto tellThose = [&](const Findings& findings, const std::filesystem::path& file) {
        for (const Finding& finding : atLeast(least, findings)) tell(finding, file.string());
    };
    tellThose(workspace.table.findings, workspace.tableFile);
    tellThose(workspace.config.findings, workspace.configFile);
    tellThose(workspace.crossFindings, workspace.configFile);
}

Result<ReadyPolicy> readPolicy(Context& context, const FileArguments& arguments) {
    auto files = filesOf(arguments);
    if (!files) return tl::unexpected(files.error());
    if (!files->table)
        return fail(ErrorKind::badInput, "a routing table is needed", {}, "Name a workspace or --table FILE.");
    std::error_code ignored;
    const bool configGiven = !arguments.config.empty();
    if (!files->config || (!configGiven && !std::filesystem::exists(*files->config, ignored)))
        return readTableAlone(context, *files->table);

    auto workspace = strategy::loadWorkspace(*files->table, *files->config, context.environment, context.clock.now());
    if (!workspace) return tl::unexpected(withFirstStep(withFirstStep(workspace.error(), *files->config), *files->table));
    printTroubles(context.err, *workspace, Severity::error);
    if (!workspace->snapshot)
        return tl::unexpected(notUsable(workspace->table.table ? *files->config : *files->table));
    return ReadyPolicy{workspace->snapshot, true};
}

}  // namespace signalbox::ctl
