// SPDX-License-Identifier: MIT
#include "ui/pages/presets/preset_rows.h"

#include "router/policy/natural.h"
#include "router/policy/targets.h"

#include <algorithm>

namespace signalbox::ui {

std::vector<PresetRow> presetRows(const policy::LoadedWorkspace& workspace) {
    std::vector<PresetRow> rows;
    if (!workspace.table.table) return rows;
    const table::RoutingTable& table = *workspace.table.table;
    for (std::size_t i = 0; i < table.presets.size(); ++i) {
        PresetRow row{.index = i, .target = std::nullopt, .rules = {}, .requests = std::nullopt};
        const std::string& key = table.presets[i].presetKey;
        if (workspace.snapshot) row.target = policy::targetOfPreset(*workspace.snapshot, key, "as the table has it");
        for (std::size_t rule = 0; rule < table.rules.size(); ++rule)
            if (table.rules[rule].presetKey == key) row.rules.push_back(rule);
        rows.push_back(std::move(row));
    }
    return rows;
}

void setRequests(std::vector<PresetRow>& rows, const table::RoutingTable& table, const std::optional<evidence::PresetSeries>& series) {
    for (PresetRow& row : rows) {
        row.requests.reset();
        if (!series) continue;
        const auto line = std::find_if(series->presets.begin(), series->presets.end(),
                                       [&](const auto& l) { return l.presetKey == table.presets[row.index].presetKey; });
        row.requests = line == series->presets.end() ? 0 : line->total;
    }
}

static bool isDecidedEverywhere(const policy::PolicySnapshot& snapshot, const std::string& name) {
    for (std::size_t cell = 0; cell < table::kCellCount; ++cell)
        if (!snapshot.index.decide(name, table::Cell::fromIndex(cell)).presetKey) return false;
    return true;
}

std::vector<NameToDo> namesWithoutNaturalPreset(const policy::LoadedWorkspace& workspace) {
    std::vector<NameToDo> todo;
    if (!workspace.snapshot || !workspace.table.table) return todo;
    std::vector<std::string> seen;
    const auto judge = [&](const std::string& name) {
        if (std::find(seen.begin(), seen.end(), name) != seen.end()) return;
        seen.push_back(name);
        const std::size_t presets = workspace.snapshot->index.presetsNamed(name).size();
        if (presets < 2 || isDecidedEverywhere(*workspace.snapshot, name)) return;
        if (auto answer = policy::naturalAnswer(*workspace.snapshot, name); !answer) todo.push_back({name, presets, std::move(answer.error())});
    };
    for (const table::Preset& preset : workspace.table.table->presets) {
        judge(preset.model);
        if (preset.servedModelName) judge(*preset.servedModelName);
    }
    return todo;
}

bool isKnownRole(const std::optional<std::string>& role) {
    return !role || *role == "default" || *role == "structured" || *role == "gateway";
}

}  // namespace signalbox::ui
