// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/usual.h"
#include "router/policy/workspace.h"
#include "router/table/when.h"
#include "ui/widgets/cards/card_model.h"

#include <chrono>
#include <optional>
#include <vector>

namespace signalbox::ui {

/// Everything the rules page shows of one family, computed from table, findings and recorded hits. Pure.
class FamilyView {
public:
    FamilyView(std::shared_ptr<const policy::LoadedWorkspace> workspace, const table::Coverage& coverage, std::size_t family);

    [[nodiscard]] const table::FamilyCoverage& coverage() const { return m_coverage; }
    [[nodiscard]] const table::RoutingTable& table() const { return *m_workspace->table.table; }
    /// Indexes into the table, in its order.
    [[nodiscard]] const std::vector<std::size_t>& rules() const { return m_rules; }
    /// Gaps of the family and of every family that name cells, and those whose prose names none.
    [[nodiscard]] const std::vector<std::size_t>& placedGaps() const { return m_placedGaps; }
    [[nodiscard]] const std::vector<std::size_t>& proseGaps() const { return m_proseGaps; }

    /// Cells that the rule decides; fewer than it permits where an earlier rule comes first.
    [[nodiscard]] table::CellSet cellsOfRule(std::size_t rule) const;
    [[nodiscard]] table::CellSet cellsOfGap(std::size_t gap) const;
    /// Requests recorded in the cells that the rule decides.
    [[nodiscard]] std::uint64_t hitsOfRule(std::size_t rule, const evidence::CellHits& hits) const;
    [[nodiscard]] std::uint64_t hitsOfGap(std::size_t gap, const evidence::CellHits& hits) const;
    /// Findings and advisories at the rule, worst first.
    [[nodiscard]] Findings findingsOfRule(std::size_t rule) const;

    /// "Of the 30 kinds of request to x, 12 land on a measured rule, …"
    [[nodiscard]] QString sentence() const;
    /// How much of what was recorded in that time its rules decide.
    [[nodiscard]] QString trafficSentence(const evidence::CellHits& hits, std::chrono::seconds span) const;

    [[nodiscard]] std::vector<Card> ruleCards(const std::optional<evidence::CellHits>& hits, const std::optional<evidence::CellCaps>& caps) const;
    [[nodiscard]] std::vector<Card> gapCards(const std::optional<evidence::CellHits>& hits) const;
    [[nodiscard]] std::vector<Card> proseGapCards() const;

private:
    [[nodiscard]] std::uint64_t sum(table::CellSet cells, const evidence::CellHits& hits) const;

    std::shared_ptr<const policy::LoadedWorkspace> m_workspace;
    table::FamilyCoverage m_coverage;
    std::vector<std::size_t> m_rules, m_placedGaps, m_proseGaps;
};

}  // namespace signalbox::ui
