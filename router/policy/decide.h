// SPDX-License-Identifier: MIT
#pragma once

#include "router/table/types.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace signalbox::policy {

enum class DecisionReason : std::uint8_t { rule, defaultForFamily, unknownFamily };
/// Why the table names no preset.
enum class NullCause : std::uint8_t {
    modelMissing,
    modelNotListed,
    familyLabelUnknown,
    ambiguousFamily,
    familyWithoutDefault,
    tableNotApplicable,  ///< unknown schema version
};
[[nodiscard]] std::string_view toString(DecisionReason reason);
[[nodiscard]] std::string_view toString(NullCause cause);

/// The table's answer for one request (seed 1's pseudo-code).
struct TableDecision {
    std::optional<std::string> family;
    std::optional<std::size_t> ruleIndex;
    std::optional<std::string> presetKey;
    DecisionReason reason = DecisionReason::unknownFamily;
    std::optional<NullCause> nullCause;
    bool operator==(const TableDecision&) const = default;
};

/// A table prepared for deciding: one hash lookup finds what a name means, and for each family every one of its cells
/// has been decided beforehand. Immutable and safe to share between threads; keeps the table alive.
class TableIndex {
public:
    explicit TableIndex(std::shared_ptr<const table::RoutingTable> table);

    /// The reference lives as long as the index or a copy of it.
    [[nodiscard]] const TableDecision& decide(std::string_view model, const table::Cell& cell) const;
    /// As `decide`, choosing only among `allowedPresets` (a provider's, where a group chose the model).
    [[nodiscard]] TableDecision decideAmong(std::string_view model, const table::Cell& cell,
                                            const std::vector<std::string>& allowedPresets) const;

    struct Family {
        std::optional<std::string> label;
        std::optional<NullCause> cause;
    };
    /// What `model` names: preset key, then model, then served name (choice T9).
    [[nodiscard]] const Family& familyOf(std::string_view model) const;
    /// The presets that `model` names at the first of those three levels that knows it, in table order.
    [[nodiscard]] std::span<const std::size_t> presetsNamed(std::string_view model) const;
    [[nodiscard]] const table::Preset* findPreset(std::string_view presetKey) const;
    /// The rules and the default of a family; null when it has neither rule nor preset.
    struct FamilyRules {
        std::vector<std::size_t> rules;
        std::optional<std::size_t> defaultPreset;
    };
    [[nodiscard]] const FamilyRules* rulesOf(std::string_view family) const;
    /// The first declared gap that names this cell of the model's family.
    [[nodiscard]] std::optional<std::size_t> gapFor(std::string_view model, const table::Cell& cell) const;
    [[nodiscard]] const table::RoutingTable& table() const { return *m_table; }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    template <class T>
    using Map = std::unordered_map<std::string, T, Hash, std::equal_to<>>;

    /// Every cell of one family, decided.
    struct Landings {
        std::array<TableDecision, table::kCellCount> decisions;
        std::array<std::optional<std::size_t>, table::kCellCount> gaps;
    };
    /// What one name means.
    struct Entry {
        Family family;
        std::vector<std::size_t> presets;
        std::shared_ptr<const Landings> landings;
        bool isPresetKey = false;
    };

    void indexNames();
    void groupRules();
    void decideCells();
    /// The cells that each declared gap names, where its prose names any.
    using GapConditions = std::vector<std::optional<table::When>>;
    [[nodiscard]] static Entry unanswered(NullCause cause);
    [[nodiscard]] Family sharedFamily(const std::vector<std::size_t>& presets) const;
    [[nodiscard]] std::shared_ptr<const Landings> landingsOf(const std::string& family, const GapConditions& gaps) const;
    [[nodiscard]] TableDecision decideCell(const std::string& family, const table::Cell& cell,
                                           const std::vector<std::string>* allowedPresets) const;
    [[nodiscard]] const Entry& entryOf(std::string_view model) const;

    std::shared_ptr<const table::RoutingTable> m_table;
    Map<Entry> m_names;
    Map<FamilyRules> m_families;
    Entry m_missing;
    Entry m_notListed;
};

}  // namespace signalbox::policy
