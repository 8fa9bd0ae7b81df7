// SPDX-License-Identifier: MIT
#pragma once

#include "router/table/types.h"

namespace signalbox::table {

/// Where a cell of a family lands, best first.
enum class Landing : std::uint8_t {
    ruleMeasured,
    ruleInferred,
    ruleUntagged,  ///< a rule whose evidence_tag is null
    familyDefault,
    declaredGap,   ///< no rule, no default, but the table says so
    nothing,
};
[[nodiscard]] std::string_view toString(Landing landing);

struct CellCoverage {
    Cell cell;
    Landing landing = Landing::nothing;
    std::optional<std::size_t> ruleIndex;
    /// Preset that a rule or the default names.
    std::optional<std::string> presetKey;
    /// Declared gaps that name this cell; they stay visible beside a rule or a default too.
    std::vector<std::size_t> gapIndexes;
};

struct FamilyCoverage {
    std::string family;
    /// No preset of the family differs from its siblings in K, so there is nothing to route between.
    bool singlePresetByDesign = false;
    std::optional<std::string> defaultPresetKey;
    std::array<CellCoverage, kCellCount> cells;
};

struct Coverage {
    /// Without the label `unknown`: no request can have it.
    std::vector<FamilyCoverage> families;
    /// Gaps whose prose names no cell (indexes into RoutingTable::gaps).
    std::vector<std::size_t> unplacedGaps;
};

/// The cells that `missing_cell` names by its leading `axis=v(/v)*( AND axis=v(/v)*)*`; nullopt if it names none.
[[nodiscard]] std::optional<When> parseMissingCell(std::string_view prose);
[[nodiscard]] Coverage computeCoverage(const RoutingTable& table);
/// Declared gaps of `family` (or of `all`) that name `cell`.
[[nodiscard]] std::vector<std::size_t> gapsForCell(const RoutingTable& table, std::string_view family, const Cell& cell);

}  // namespace signalbox::table
