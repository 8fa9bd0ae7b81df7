// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/workspace.h"

namespace signalbox::strategy {

// The functions of policy/workspace.h, which cannot know routers, with the findings of `checkRouters` among those that
// concern both files; serve, check, decide and the console all judge a policy by these (F87).

[[nodiscard]] Result<policy::LoadedWorkspace> withTexts(const policy::LoadedWorkspace& before, std::optional<std::string> tableText,
                                                        std::optional<std::string> configText,
                                                        const config::Environment& environment, Timestamp now);
[[nodiscard]] Result<policy::LoadedWorkspace> loadWorkspace(const std::filesystem::path& tableFile,
                                                            const std::filesystem::path& configFile,
                                                            const config::Environment& environment, Timestamp now);

}  // namespace signalbox::strategy
