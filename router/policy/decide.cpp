// SPDX-License-Identifier: MIT
#include "router/policy/decide.h"

#include "router/table/coverage.h"

#include <algorithm>

namespace signalbox::policy {

namespace {

/// The label that emitters give to a model they cannot place.
constexpr std::string_view kUnknownFamily = "unknown";
/// The family of a gap that concerns all of them.
constexpr std::string_view kEveryFamily = "all";

TableDecision noPreset(std::optional<std::string> family, NullCause cause) {
    TableDecision decision;
    decision.family = std::move(family);
    decision.nullCause = cause;
    return decision;
}

std::vector<std::optional<table::When>> gapConditions(const table::RoutingTable& table) {
    std::vector<std::optional<table::When>> conditions;
    for (const table::CoverageGap& gap : table.gaps) conditions.push_back(table::parseMissingCell(gap.missingCell));
    return conditions;
}

bool isAllowed(const std::vector<std::string>* allowed, const std::string& presetKey) {
    return allowed == nullptr || std::find(allowed->begin(), allowed->end(), presetKey) != allowed->end();
}

}  // namespace

std::string_view toString(DecisionReason reason) {
    switch (reason) {
        case DecisionReason::rule: return "rule";
        case DecisionReason::defaultForFamily: return "default_for_family";
        case DecisionReason::unknownFamily: return "unknown_family";
    }
    return "unknown_family";
}

std::string_view toString(NullCause cause) {
    switch (cause) {
        case NullCause::modelMissing: return "model_missing";
        case NullCause::modelNotListed: return "model_not_listed";
        case NullCause::familyLabelUnknown: return "family_label_unknown";
        case NullCause::ambiguousFamily: return "ambiguous_family";
        case NullCause::familyWithoutDefault: return "family_without_default";
        case NullCause::tableNotApplicable: return "table_not_applicable";
    }
    return "model_not_listed";
}

TableIndex::TableIndex(std::shared_ptr<const table::RoutingTable> table) : m_table(std::move(table)) {
    const bool applies = m_table->isApplicable();
    m_missing = unanswered(applies ? NullCause::modelMissing : NullCause::tableNotApplicable);
    m_notListed = unanswered(applies ? NullCause::modelNotListed : NullCause::tableNotApplicable);
    if (!applies) return;
    indexNames();
    groupRules();
    decideCells();
}

void TableIndex::indexNames() {
    const std::vector<table::Preset>& presets = m_table->presets;
    for (std::size_t i = 0; i < presets.size(); ++i) {
        Entry& entry = m_names[presets[i].presetKey];
        entry.isPresetKey = true;
        entry.presets.push_back(i);
    }
    // A weaker level adds names only where no stronger one knew them, so each level is judged by itself first.
    const auto addLevel = [&](auto nameOf) {
        Map<std::vector<std::size_t>> level;
        for (std::size_t i = 0; i < presets.size(); ++i)
            if (const std::string* name = nameOf(presets[i])) level[*name].push_back(i);
        for (auto& [name, indexes] : level)
            if (!m_names.contains(name)) m_names[name].presets = std::move(indexes);
    };
    addLevel([](const table::Preset& preset) { return &preset.model; });
    addLevel([](const table::Preset& preset) { return preset.servedModelName ? &*preset.servedModelName : nullptr; });
    m_names.erase("");
}

void TableIndex::groupRules() {
    for (std::size_t i = 0; i < m_table->rules.size(); ++i) m_families[m_table->rules[i].modelFamily].rules.push_back(i);
    for (std::size_t i = 0; i < m_table->presets.size(); ++i) {
        const table::Preset& preset = m_table->presets[i];
        FamilyRules& family = m_families[preset.modelFamily];
        if (preset.defaultForFamily && !family.defaultPreset) family.defaultPreset = i;
    }
}

TableIndex::Family TableIndex::sharedFamily(const std::vector<std::size_t>& presets) const {
    const std::string& label = m_table->presets[presets.front()].modelFamily;
    const bool isOne = std::all_of(presets.begin(), presets.end(),
                                   [&](std::size_t i) { return m_table->presets[i].modelFamily == label; });
    if (!isOne) return {std::nullopt, NullCause::ambiguousFamily};
    if (label == kUnknownFamily) return {std::nullopt, NullCause::familyLabelUnknown};
    return {label, std::nullopt};
}

void TableIndex::decideCells() {
    const GapConditions gaps = gapConditions(*m_table);
    const Entry ambiguous = unanswered(NullCause::ambiguousFamily);
    const Entry unknown = unanswered(NullCause::familyLabelUnknown);
    Map<std::shared_ptr<const Landings>> byFamily;
    for (auto& [name, entry] : m_names) {
        entry.family = sharedFamily(entry.presets);
        if (!entry.family.label) {
            entry.landings = entry.family.cause == ambiguous.family.cause ? ambiguous.landings : unknown.landings;
            continue;
        }
        auto& landings = byFamily[*entry.family.label];
        if (!landings) landings = landingsOf(*entry.family.label, gaps);
        entry.landings = landings;
    }
}

TableIndex::Entry TableIndex::unanswered(NullCause cause) {
    auto landings = std::make_shared<Landings>();
    landings->decisions.fill(noPreset(std::nullopt, cause));
    Entry entry;
    entry.family.cause = cause;
    entry.landings = std::move(landings);
    return entry;
}

std::shared_ptr<const TableIndex::Landings> TableIndex::landingsOf(const std::string& family,
                                                                   const GapConditions& gaps) const {
    auto landings = std::make_shared<Landings>();
    for (std::size_t i = 0; i < table::kCellCount; ++i) {
        const table::Cell cell = table::Cell::fromIndex(i);
        landings->decisions[i] = decideCell(family, cell, nullptr);
        for (std::size_t gap = 0; gap < gaps.size() && !landings->gaps[i]; ++gap) {
            const std::string& gapFamily = m_table->gaps[gap].modelFamily;
            const bool concerns = gapFamily == family || gapFamily == kEveryFamily;
            if (concerns && gaps[gap] && gaps[gap]->matches(cell)) landings->gaps[i] = gap;
        }
    }
    return landings;
}

TableDecision TableIndex::decideCell(const std::string& family, const table::Cell& cell,
                                     const std::vector<std::string>* allowedPresets) const {
    const FamilyRules& known = m_families.find(family)->second;
    for (const std::size_t index : known.rules) {
        const table::RoutingRule& rule = m_table->rules[index];
        if (rule.when.matches(cell) && isAllowed(allowedPresets, rule.presetKey))
            return {family, index, rule.presetKey, DecisionReason::rule, std::nullopt};
    }
    if (known.defaultPreset) {
        const std::string& presetKey = m_table->presets[*known.defaultPreset].presetKey;
        if (isAllowed(allowedPresets, presetKey))
            return {family, std::nullopt, presetKey, DecisionReason::defaultForFamily, std::nullopt};
    }
    return noPreset(family, NullCause::familyWithoutDefault);
}

const TableIndex::Entry& TableIndex::entryOf(std::string_view model) const {
    if (model.empty()) return m_missing;
    const auto it = m_names.find(model);
    return it == m_names.end() ? m_notListed : it->second;
}

const TableDecision& TableIndex::decide(std::string_view model, const table::Cell& cell) const {
    return entryOf(model).landings->decisions[cell.index()];
}

TableDecision TableIndex::decideAmong(std::string_view model, const table::Cell& cell,
                                      const std::vector<std::string>& allowedPresets) const {
    const Family& family = familyOf(model);
    return family.label ? decideCell(*family.label, cell, &allowedPresets) : noPreset(std::nullopt, *family.cause);
}

const TableIndex::Family& TableIndex::familyOf(std::string_view model) const { return entryOf(model).family; }

std::span<const std::size_t> TableIndex::presetsNamed(std::string_view model) const { return entryOf(model).presets; }

const table::Preset* TableIndex::findPreset(std::string_view presetKey) const {
    const Entry& entry = entryOf(presetKey);
    return entry.isPresetKey ? &m_table->presets[entry.presets.front()] : nullptr;
}

const TableIndex::FamilyRules* TableIndex::rulesOf(std::string_view family) const {
    const auto it = m_families.find(family);
    return it == m_families.end() ? nullptr : &it->second;
}

std::optional<std::size_t> TableIndex::gapFor(std::string_view model, const table::Cell& cell) const {
    return entryOf(model).landings->gaps[cell.index()];
}

}  // namespace signalbox::policy
