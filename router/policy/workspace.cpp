// SPDX-License-Identifier: MIT
#include "router/policy/workspace.h"

#include <algorithm>
#include <set>

namespace signalbox::policy {

namespace {

bool routesWithoutTable(const config::GatewayConfig& config) {
    return !config.routing.groups.empty() || !config.models.empty() || !config.aliases.empty() ||
           std::any_of(config.providers.begin(), config.providers.end(), [](const config::Provider& provider) { return !provider.models.empty(); });
}

/// A table without presets is a warning only where nothing else routes, else a note. The other file decides that, and may have
/// changed since this table was read.
void judgeEmptyTable(table::LoadedTable& table, const config::GatewayConfig& config) {
    const bool isFine = routesWithoutTable(config);
    Findings& from = isFine ? table.findings : table.advisories;
    const auto at = std::find_if(from.begin(), from.end(), [](const Finding& finding) { return finding.code == "no_presets"; });
    if (at == from.end()) return;
    Finding finding = std::move(*at);
    from.erase(at);
    finding.severity = isFine ? Severity::note : Severity::warning;
    (isFine ? table.advisories : table.findings).push_back(std::move(finding));
}

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

/// What the table has to say of the other aliases where the file is refused for some of them alone: whoever mends those should
/// not be told of the next ones only then. The refused ones are read as comments, which moves no line.
Findings ofOtherAliases(const config::LoadedConfig& refused, const table::RoutingTable& table) {
    std::string text = refused.text;
    std::set<std::string> left;
    for (const Finding& finding : refused.findings) {
        if (finding.severity != Severity::error) continue;
        if (!finding.pointer.starts_with("aliases.")) return {};
        left.insert(finding.pointer);
        std::size_t at = 0;
        for (std::size_t line = 1; line < finding.position.line && at != std::string::npos; ++line) {
            const std::size_t end = text.find('\n', at);
            at = end == std::string::npos ? end : end + 1;
        }
        if (at == std::string::npos) return {};
        text.insert(at, 1, '#');
    }
    const auto rest = config::readConfig(std::move(text));
    if (!rest.config) return {};
    Findings found = config::crossCheck(*rest.config, table);
    std::erase_if(found, [](const Finding& one) { return one.severity != Severity::error || !one.pointer.starts_with("aliases."); });
    // One that leads to a refused alias may be well as soon as that is.
    const auto pathOf = [](const std::string& alias, const char* quote) { return std::string("aliases.") + quote + alias + quote; };
    for (const auto& [name, target] : rest.config->aliases) {
        if (!left.contains(pathOf(target, "")) && !left.contains(pathOf(target, "\""))) continue;
        const std::string plain = pathOf(name, ""), quoted = pathOf(name, "\"");
        std::erase_if(found, [&](const Finding& one) { return one.pointer == plain || one.pointer == quoted; });
    }
    return found;
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
    if (workspace.table.table && !workspace.config.config)
        workspace.crossFindings = ofOtherAliases(workspace.config, *workspace.table.table);
    if (!workspace.table.table || !workspace.config.config) return workspace;
    judgeEmptyTable(workspace.table, *workspace.config.config);
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
