// SPDX-License-Identifier: MIT
#include "router/table/lint.h"

#include "router/base/text.h"
#include "router/table/coverage.h"
#include "router/table/when.h"

#include <algorithm>

namespace signalbox::table {
namespace {

std::string pointer(std::string_view list, std::size_t index, std::string_view key = {}) {
    std::string out = "/" + std::string(list) + "/" + std::to_string(index);
    if (!key.empty()) out += "/" + std::string(key);
    return out;
}

std::string inQuotes(std::string_view text) { return "\"" + elided(text, 80) + "\""; }

void lintDefault(const RoutingTable& table, std::size_t index, Remarks& remarks) {
    const Preset& preset = table.presets[index];
    if (preset.specDecodeK != 1)
        remarks.warning("default_preset_k_above_one", pointer("presets", index, "spec_decode_K"),
                        "the default of the family " + inQuotes(preset.modelFamily) + " has K " +
                            std::to_string(preset.specDecodeK) + "; the default is meant to be K 1",
                        "Make a preset with K 1 the default, or set its K to 1.");
    if (preset.modelFamily == kUnlabelledFamily)
        remarks.warning("default_of_unlabelled_family", pointer("presets", index, "default_for_family"),
                        "the label \"unknown\" is not a family, so this default is never used",
                        "Give the preset the name of its family.");
}

void lintFamily(const FamilyMembers& family, Remarks& remarks) {
    if (family.presets.empty() || family.defaultPreset) return;
    const std::string at = pointer("presets", family.presets.front(), "model_family");
    if (family.rules.empty())
        remarks.note("family_without_rule_or_default", at,
                     "the family " + inQuotes(family.name) + " has neither a rule nor a default",
                     "Each of its requests goes to the natural preset of its model.");
    else
        remarks.warning("family_without_default", at, "the family " + inQuotes(family.name) + " has rules but no default",
                        "Mark one of its presets \"default_for_family\"; requests that no rule matches have none now.");
}

/// The first rule that covers a cell of the gap, if any.
std::optional<std::size_t> ruleBeside(const RoutingTable& table, const CoverageGap& gap, const When& when,
                                      const FamilyIndex& families) {
    const CellSet cells = cellsOf(when);
    const auto covers = [&](std::size_t rule) { return (cellsOf(table.rules[rule].when) & cells) != 0; };
    if (gap.modelFamily == kEveryFamily) {
        for (std::size_t i = 0; i < table.rules.size(); ++i)
            if (covers(i)) return i;
        return std::nullopt;
    }
    const FamilyMembers* family = families.find(gap.modelFamily);
    if (family == nullptr) return std::nullopt;
    const auto it = std::find_if(family->rules.begin(), family->rules.end(), covers);
    return it == family->rules.end() ? std::nullopt : std::optional(*it);
}

}  // namespace

FamilyIndex::FamilyIndex(const RoutingTable& table) {
    for (std::size_t i = 0; i < table.presets.size(); ++i) {
        FamilyMembers* family = at(table.presets[i].modelFamily);
        if (family == nullptr) continue;
        family->presets.push_back(i);
        if (table.presets[i].defaultForFamily) family->defaultPreset = i;
    }
    for (std::size_t i = 0; i < table.rules.size(); ++i)
        if (FamilyMembers* family = at(table.rules[i].modelFamily)) family->rules.push_back(i);
    for (std::size_t i = 0; i < table.gaps.size(); ++i)
        if (FamilyMembers* family = at(table.gaps[i].modelFamily)) family->gaps.push_back(i);
}

FamilyMembers* FamilyIndex::at(std::string_view name) {
    if (name == kUnlabelledFamily || name == kEveryFamily) return nullptr;
    const auto [it, added] = m_byName.emplace(name, m_families.size());
    if (added) m_families.push_back({.name = name});
    return &m_families[it->second];
}

const FamilyMembers* FamilyIndex::find(std::string_view name) const {
    const auto it = m_byName.find(name);
    return it == m_byName.end() ? nullptr : &m_families[it->second];
}

void lint(const RoutingTable& table, Remarks& remarks) {
    const FamilyIndex families(table);
    lintPresets(table, families, remarks);
    lintNames(table, families, remarks);
    lintRules(table, families, remarks);
    lintGaps(table, families, remarks);
}

void lintPresets(const RoutingTable& table, const FamilyIndex& families, Remarks& remarks) {
    if (table.presets.empty())
        remarks.warning("no_presets", "/presets", "the table has no presets, so it routes nothing",
                        "Check that the emitter found its presets. Groups, models and aliases of gateway.toml need none.");
    for (std::size_t i = 0; i < table.presets.size(); ++i)
        if (table.presets[i].defaultForFamily) lintDefault(table, i, remarks);
    for (const FamilyMembers& family : families.families()) lintFamily(family, remarks);
}

void lintGaps(const RoutingTable& table, const FamilyIndex& families, Remarks& remarks) {
    for (std::size_t i = 0; i < table.gaps.size(); ++i) {
        const std::string at = pointer("coverage_gaps", i, "missing_cell");
        const auto when = parseMissingCell(table.gaps[i].missingCell);
        if (!when) {
            remarks.note("gap_names_no_cell", at, "the prose of this gap names no cell, so it is listed but not placed",
                         "Start it with axis=value, such as concurrency_mode=multi_conc, or map it to cells yourself.");
            continue;
        }
        if (const auto rule = ruleBeside(table, table.gaps[i], *when, families))
            remarks.note("gap_beside_rule", at,
                         "the gap names cells that the rule " + pointer("routing_rules", *rule) + " covers",
                         "Both stay: the rule may be measured for one class and the gap honest about another.");
    }
}

}  // namespace signalbox::table
