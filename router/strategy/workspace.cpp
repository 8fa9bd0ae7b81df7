// SPDX-License-Identifier: MIT
#include "router/strategy/workspace.h"

#include "router/strategy/registry.h"

#include <iterator>

namespace signalbox::strategy {
namespace {

Result<policy::LoadedWorkspace> judged(Result<policy::LoadedWorkspace> workspace) {
    if (!workspace || !workspace->config.config) return workspace;
    Findings found = checkRouters(*workspace->config.config);
    if (hasErrors(found)) workspace->snapshot.reset();
    workspace->crossFindings.insert(workspace->crossFindings.end(), std::move_iterator(found.begin()),
                                    std::move_iterator(found.end()));
    return workspace;
}

}  // namespace

Result<policy::LoadedWorkspace> withTexts(const policy::LoadedWorkspace& before, std::optional<std::string> tableText,
                                          std::optional<std::string> configText, const config::Environment& environment,
                                          Timestamp now) {
    return judged(policy::withTexts(before, std::move(tableText), std::move(configText), environment, now));
}

Result<policy::LoadedWorkspace> loadWorkspace(const std::filesystem::path& tableFile,
                                              const std::filesystem::path& configFile,
                                              const config::Environment& environment, Timestamp now) {
    return judged(policy::loadWorkspace(tableFile, configFile, environment, now));
}

}  // namespace signalbox::strategy
