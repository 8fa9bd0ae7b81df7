// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/bridge.h"

#include <string>
#include <vector>

namespace signalbox::ui {

/// What history can be filtered by name: what the policy calls so and what the records at hand do, since a name that is gone
/// from the policy stands in history. Sorted, but for what was asked.
struct FilterNames {
    std::vector<std::string> endpoints;
    std::vector<std::string> teams;
    std::vector<std::string> askedModels;  ///< by clients, as the records say; the most frequent first, and not all of them
    std::vector<std::string> otherModels;  ///< names of the policy that nobody asked for there
};

/// `workspace` may be null.
[[nodiscard]] FilterNames filterNames(const WorkspacePtr& workspace, const std::vector<RecordPtr>& records);
/// Its teams alone.
[[nodiscard]] std::vector<std::string> teamNames(const WorkspacePtr& workspace, const std::vector<RecordPtr>& records);

}  // namespace signalbox::ui
