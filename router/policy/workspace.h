// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/read.h"
#include "router/policy/snapshot.h"
#include "router/table/read.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace signalbox::policy {

/// Table and configuration of a workspace read, checked and joined, as serve, check, decide and the console do it.
struct LoadedWorkspace {
    std::filesystem::path tableFile, configFile;
    table::LoadedTable table;
    config::LoadedConfig config;  ///< with the overrides of the environment
    /// As gateway.toml says it, before the environment had its say; null exactly when it holds an error.
    std::shared_ptr<const config::GatewayConfig> writtenConfig;
    Findings crossFindings;
    std::vector<config::Override> overrides;
    /// Null when something holds an error.
    std::shared_ptr<const PolicySnapshot> snapshot;
};

/// The one way in which a policy comes together, whether its texts come from files or from an editor: overrides, what
/// only shows between both, snapshot. Errors: an environment override with a bad value.
[[nodiscard]] Result<LoadedWorkspace> joinWorkspace(table::LoadedTable table, config::LoadedConfig config,
                                                    const config::Environment& environment);
/// The same files with other texts, judged as if they had been loaded; a text that is not given stays as it is and is
/// not read again. `before` holds no error.
[[nodiscard]] Result<LoadedWorkspace> withTexts(const LoadedWorkspace& before, std::optional<std::string> tableText,
                                                std::optional<std::string> configText,
                                                const config::Environment& environment, Timestamp now);

/// An empty path stands for no table, or for the default configuration. Errors: a file that cannot be read, an
/// environment override with a bad value. Everything that is wrong inside the files is in the findings.
[[nodiscard]] Result<LoadedWorkspace> loadWorkspace(const std::filesystem::path& tableFile,
                                                    const std::filesystem::path& configFile,
                                                    const config::Environment& environment, Timestamp now);

}  // namespace signalbox::policy
