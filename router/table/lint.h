// SPDX-License-Identifier: MIT
#pragma once

#include "router/table/remarks.h"
#include "router/table/types.h"

#include <string_view>
#include <unordered_map>

namespace signalbox::table {

/// What belongs to one family, as indexes into the table.
struct FamilyMembers {
    std::string_view name;
    std::vector<std::size_t> presets;
    std::vector<std::size_t> rules;
    std::vector<std::size_t> gaps;
    std::optional<std::size_t> defaultPreset;
};

/// The members of every family, gathered in one pass over the table, which must outlive it.
class FamilyIndex {
public:
    explicit FamilyIndex(const RoutingTable& table);
    /// In order of first appearance in presets, rules, gaps; `unknown` and `all` are not families.
    [[nodiscard]] const std::vector<FamilyMembers>& families() const { return m_families; }
    [[nodiscard]] const FamilyMembers* find(std::string_view name) const;

private:
    FamilyMembers* at(std::string_view name);

    std::vector<FamilyMembers> m_families;
    std::unordered_map<std::string_view, std::size_t> m_byName;
};

/// Remarks what is suspicious about a table that can be used: warnings and advisories of contract A.
void lint(const RoutingTable& table, Remarks& remarks);

void lintPresets(const RoutingTable& table, const FamilyIndex& families, Remarks& remarks);
void lintNames(const RoutingTable& table, const FamilyIndex& families, Remarks& remarks);
void lintRules(const RoutingTable& table, const FamilyIndex& families, Remarks& remarks);
void lintGaps(const RoutingTable& table, const FamilyIndex& families, Remarks& remarks);

}  // namespace signalbox::table
