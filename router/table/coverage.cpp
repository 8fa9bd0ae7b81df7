// SPDX-License-Identifier: MIT
#include "router/table/coverage.h"

#include "router/table/when.h"

#include <algorithm>
#include <utility>

namespace signalbox::table {
namespace {

bool isWordCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Takes the word at the start of `text` off it.
std::string takeWord(std::string_view& text) {
    const auto end = std::find_if_not(text.begin(), text.end(), isWordCharacter);
    std::string word(text.begin(), end);
    text.remove_prefix(word.size());
    return word;
}

bool takePrefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

enum class Term { condition, comment, meaningless };

/// One `axis=v(/v)*`. A term that looks like a condition but names an unknown axis or value must not be dropped as
/// comment: without it the gap would claim cells that it does not mean.
Term takeTerm(std::string_view& text, When& when) {
    std::string_view rest = text;
    const std::string name = takeWord(rest);
    if (name.empty() || !takePrefix(rest, "=")) return Term::comment;
    const auto axis = parseAxis(name);
    if (!axis || wordsOf(when, *axis)) return Term::meaningless;
    const auto known = axisWords(*axis);
    std::vector<std::string> words;
    do {
        words.push_back(takeWord(rest));
        if (std::find(known.begin(), known.end(), words.back()) == known.end()) return Term::meaningless;
    } while (takePrefix(rest, "/"));
    wordsOf(when, *axis) = std::move(words);
    text = rest;
    return Term::condition;
}

bool concerns(const CoverageGap& gap, std::string_view family) {
    return gap.modelFamily == family || gap.modelFamily == kEveryFamily;
}

Landing landingOf(const RoutingRule& rule) {
    if (rule.evidenceTag == "measured") return Landing::ruleMeasured;
    if (rule.evidenceTag == "inferred") return Landing::ruleInferred;
    return Landing::ruleUntagged;
}

/// The conditions of all gaps, parsed once.
std::vector<std::optional<When>> gapConditions(const RoutingTable& table) {
    std::vector<std::optional<When>> out;
    for (const CoverageGap& gap : table.gaps) out.push_back(parseMissingCell(gap.missingCell));
    return out;
}

CellCoverage coverCell(const RoutingTable& table, const std::vector<std::optional<When>>& gaps,
                       const FamilyCoverage& family, const Cell& cell) {
    CellCoverage out{.cell = cell};
    for (std::size_t i = 0; i < gaps.size(); ++i)
        if (gaps[i] && concerns(table.gaps[i], family.family) && gaps[i]->matches(cell)) out.gapIndexes.push_back(i);
    const auto rule = std::find_if(table.rules.begin(), table.rules.end(), [&](const RoutingRule& r) {
        return r.modelFamily == family.family && r.when.matches(cell);
    });
    if (rule != table.rules.end()) {
        out.landing = landingOf(*rule);
        out.ruleIndex = static_cast<std::size_t>(rule - table.rules.begin());
        out.presetKey = rule->presetKey;
    } else if (family.defaultPresetKey) {
        out.landing = Landing::familyDefault;
        out.presetKey = family.defaultPresetKey;
    } else {
        out.landing = out.gapIndexes.empty() ? Landing::nothing : Landing::declaredGap;
    }
    return out;
}

FamilyCoverage coverFamily(const RoutingTable& table, const std::vector<std::optional<When>>& gaps,
                           const std::string& name) {
    FamilyCoverage out;
    out.family = name;
    std::optional<std::int64_t> k;
    bool severalK = false;
    for (const Preset& preset : table.presets) {
        if (preset.modelFamily != name) continue;
        if (preset.defaultForFamily && !out.defaultPresetKey) out.defaultPresetKey = preset.presetKey;
        if (k && *k != preset.specDecodeK) severalK = true;
        k = preset.specDecodeK;
    }
    out.singlePresetByDesign = k && !severalK;
    for (std::size_t i = 0; i < kCellCount; ++i) out.cells[i] = coverCell(table, gaps, out, Cell::fromIndex(i));
    return out;
}

}  // namespace

std::string_view toString(Landing landing) {
    switch (landing) {
    case Landing::ruleMeasured: return "rule_measured";
    case Landing::ruleInferred: return "rule_inferred";
    case Landing::ruleUntagged: return "rule_untagged";
    case Landing::familyDefault: return "default";
    case Landing::declaredGap: return "gap";
    case Landing::nothing: return "none";
    }
    return {};
}

std::optional<When> parseMissingCell(std::string_view prose) {
    When when;
    std::string_view rest = prose;
    if (takeTerm(rest, when) != Term::condition) return std::nullopt;
    while (takePrefix(rest, " AND ")) {
        const Term term = takeTerm(rest, when);
        if (term == Term::meaningless) return std::nullopt;
        if (term == Term::comment) break;
    }
    updateMasks(when);
    return when;
}

Coverage computeCoverage(const RoutingTable& table) {
    Coverage out;
    const auto gaps = gapConditions(table);
    for (std::size_t i = 0; i < gaps.size(); ++i)
        if (!gaps[i]) out.unplacedGaps.push_back(i);
    for (const std::string& family : table.families())
        if (family != kUnlabelledFamily) out.families.push_back(coverFamily(table, gaps, family));
    return out;
}

std::vector<std::size_t> gapsForCell(const RoutingTable& table, std::string_view family, const Cell& cell) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < table.gaps.size(); ++i) {
        if (!concerns(table.gaps[i], family)) continue;
        const auto when = parseMissingCell(table.gaps[i].missingCell);
        if (when && when->matches(cell)) out.push_back(i);
    }
    return out;
}

}  // namespace signalbox::table
