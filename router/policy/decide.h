// SPDX-License-Identifier: MIT
#pragma once

#include "router/table/types.h"

#include <cstdint>
#include <memory>
#include <optional>
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

/// A table prepared for deciding: names hashed to families, rules grouped by family in order.
/// Immutable and safe to share between threads; keeps the table alive.
class TableIndex {
public:
    explicit TableIndex(std::shared_ptr<const table::RoutingTable> table);

    [[nodiscard]] TableDecision decide(std::string_view model, const table::Cell& cell) const;
    /// As `decide`, choosing only among `allowedPresets` (a provider's, where a group chose the model).
    [[nodiscard]] TableDecision decideAmong(std::string_view model, const table::Cell& cell,
                                            const std::vector<std::string>& allowedPresets) const;

    struct Family {
        std::optional<std::string> label;
        std::optional<NullCause> cause;
    };
    /// What `model` names: preset key, then model, then served name (choice T9).
    [[nodiscard]] Family familyOf(std::string_view model) const;
    [[nodiscard]] const table::RoutingTable& table() const { return *m_table; }

private:
    struct FamilyRules {
        std::vector<std::size_t> rules;
        std::optional<std::size_t> defaultPreset;
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    template <class T>
    using Map = std::unordered_map<std::string, T, Hash, std::equal_to<>>;

    std::shared_ptr<const table::RoutingTable> m_table;
    Map<Family> m_familyByName;
    Map<FamilyRules> m_rulesByFamily;
};

}  // namespace signalbox::policy
