// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/history.h"
#include "router/policy/resolve.h"
#include "router/policy/workspace.h"

#include <optional>
#include <string>
#include <vector>

namespace signalbox::ui {

/// What is known of one preset: its place in the table, who serves it, what leads to it, how much it served.
struct PresetRow {
    std::size_t index = 0;  ///< into RoutingTable::presets
    /// nullopt while the workspace holds an error, so that nobody can say.
    std::optional<Result<policy::RouteTarget>> target;
    std::vector<std::size_t> rules;  ///< indexes of the rules that name it
    std::optional<std::uint64_t> requests;  ///< in the range; nullopt while history cannot tell
};

/// A name that clients may ask for although nothing says what serves it.
struct NameToDo {
    std::string name;
    std::size_t presets = 0;  ///< how many share it
    Error problem;
};

[[nodiscard]] std::vector<PresetRow> presetRows(const policy::LoadedWorkspace& workspace);
void setRequests(std::vector<PresetRow>& rows, const table::RoutingTable& table, const std::optional<evidence::PresetSeries>& series);
/// Model and served names of several presets for which the policy has neither an answer in every cell nor a natural
/// preset. Empty while the workspace holds an error.
[[nodiscard]] std::vector<NameToDo> namesWithoutNaturalPreset(const policy::LoadedWorkspace& workspace);
/// True for default, structured, gateway and no role at all.
[[nodiscard]] bool isKnownRole(const std::optional<std::string>& role);

}  // namespace signalbox::ui
