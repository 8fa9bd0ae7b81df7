// SPDX-License-Identifier: MIT
#include "router/policy/workspace.h"

namespace signalbox::policy {

namespace {

Result<table::LoadedTable> loadTable(const std::filesystem::path& file, Timestamp now) {
    if (!file.empty()) return table::readTableFile(file, now);
    table::LoadedTable empty;
    empty.table = std::make_shared<const table::RoutingTable>();
    return empty;
}

Result<config::LoadedConfig> loadConfig(const std::filesystem::path& file) {
    if (!file.empty()) return config::readConfigFile(file);
    config::LoadedConfig empty;
    empty.config = std::make_shared<const config::GatewayConfig>();
    return empty;
}

}  // namespace

Result<LoadedWorkspace> loadWorkspace(const std::filesystem::path& tableFile, const std::filesystem::path& configFile,
                                      const config::Environment& environment, Timestamp now) {
    auto table = loadTable(tableFile, now);
    if (!table) return tl::unexpected(std::move(table.error()));
    auto configuration = loadConfig(configFile);
    if (!configuration) return tl::unexpected(std::move(configuration.error()));

    LoadedWorkspace workspace;
    workspace.tableFile = tableFile;
    workspace.configFile = configFile;
    workspace.table = std::move(*table);
    workspace.config = std::move(*configuration);
    if (workspace.config.config) {
        auto overridden = std::make_shared<config::GatewayConfig>(*workspace.config.config);
        auto overrides = config::applyEnvironmentOverrides(*overridden, environment);
        if (!overrides) return tl::unexpected(std::move(overrides.error()));
        workspace.overrides = std::move(*overrides);
        workspace.config.config = std::move(overridden);
    }
    if (!workspace.table.table || !workspace.config.config) return workspace;
    workspace.crossFindings = config::crossCheck(*workspace.config.config, *workspace.table.table);
    if (!hasErrors(workspace.crossFindings))
        workspace.snapshot = makeSnapshot(workspace.table.table, workspace.table.sha256, workspace.config.config);
    return workspace;
}

}  // namespace signalbox::policy
