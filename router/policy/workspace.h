// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/read.h"
#include "router/policy/snapshot.h"
#include "router/table/read.h"

#include <filesystem>
#include <memory>

namespace signalbox::policy {

/// Table and configuration of a workspace read, checked and joined, as serve, check, decide and the console do it.
struct LoadedWorkspace {
    std::filesystem::path tableFile, configFile;
    table::LoadedTable table;
    config::LoadedConfig config;
    Findings crossFindings;
    std::vector<config::Override> overrides;
    /// Null when something holds an error.
    std::shared_ptr<const PolicySnapshot> snapshot;
};
/// An empty path stands for no table, or for the default configuration. Errors: a file that cannot be read, an
/// environment override with a bad value. Everything that is wrong inside the files is in the findings.
[[nodiscard]] Result<LoadedWorkspace> loadWorkspace(const std::filesystem::path& tableFile,
                                                    const std::filesystem::path& configFile,
                                                    const config::Environment& environment, Timestamp now);

}  // namespace signalbox::policy
