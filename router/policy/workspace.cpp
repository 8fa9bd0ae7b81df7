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

Result<LoadedWorkspace> joinWorkspace(table::LoadedTable table, config::LoadedConfig config, const config::Environment& environment) {
    LoadedWorkspace workspace;
    workspace.table = std::move(table);
    workspace.config = std::move(config);
    workspace.writtenConfig = workspace.config.config;
    if (workspace.writtenConfig) {
        auto overridden = std::make_shared<config::GatewayConfig>(*workspace.writtenConfig);
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

Result<LoadedWorkspace> withTexts(const LoadedWorkspace& before, std::optional<std::string> tableText, std::optional<std::string> configText,
                                  const config::Environment& environment, Timestamp now) {
    table::LoadedTable table = tableText ? table::readTable(std::move(*tableText), now) : before.table;
    config::LoadedConfig written = before.config;
    written.config = before.writtenConfig;
    if (configText) written = config::readConfig(std::move(*configText));
    auto workspace = joinWorkspace(std::move(table), std::move(written), environment);
    if (!workspace) return workspace;
    workspace->tableFile = before.tableFile;
    workspace->configFile = before.configFile;
    return workspace;
}

Result<LoadedWorkspace> loadWorkspace(const std::filesystem::path& tableFile, const std::filesystem::path& configFile,
                                      const config::Environment& environment, Timestamp now) {
    auto table = loadTable(tableFile, now);
    if (!table) return tl::unexpected(std::move(table.error()));
    auto configuration = loadConfig(configFile);
    if (!configuration) return tl::unexpected(std::move(configuration.error()));
    auto workspace = joinWorkspace(std::move(*table), std::move(*configuration), environment);
    if (!workspace) return workspace;
    workspace->tableFile = tableFile;
    workspace->configFile = configFile;
    return workspace;
}

}  // namespace signalbox::policy
