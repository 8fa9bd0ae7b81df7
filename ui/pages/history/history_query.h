// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/history.h"

#include <QString>
#include <QVariantMap>

#include <optional>
#include <vector>

namespace signalbox::ui {

/// What the history page is asked to show. The range comes from the view; a slice narrows the table to a part of it
/// while the chart keeps the whole.
struct HistoryQuery {
    enum class Field { slice, preset, rule, family, cells, coverage, outcome, endpoint, attempted, team, model, group, profile, mode, selected,
                       recommended, decidingTerm, disagreement, marginSlot };

    std::optional<evidence::TimeRange> slice;
    std::optional<std::string> preset;  ///< empty: no preset served it
    std::optional<std::uint32_t> rule;
    std::optional<std::string> family;
    std::vector<std::uint32_t> cells;
    std::optional<std::string> coverage;
    std::optional<evidence::Outcome> outcome;
    std::optional<std::string> endpoint;
    std::optional<std::string> attempted;  ///< endpoint of any attempt
    std::optional<std::string> team;       ///< empty: of no team
    std::optional<std::string> model;      ///< as the client named it
    // Of the smart group's decision.
    std::optional<std::string> group, profile, mode;
    std::optional<std::string> selected, recommended;
    std::optional<std::string> decidingTerm;
    std::optional<bool> disagreement;
    std::optional<std::uint32_t> marginSlot;
    bool operator==(const HistoryQuery&) const = default;

    [[nodiscard]] bool has(Field field) const;
    /// The same without one of its conditions.
    [[nodiscard]] HistoryQuery without(Field field) const;
    [[nodiscard]] bool isUnfiltered() const { return *this == HistoryQuery(); }

    /// For the rows of the table.
    [[nodiscard]] evidence::HistoryFilter tableFilter(const evidence::TimeRange& range) const;
    /// For the chart: its own presets stay in, so that one can be seen among the others.
    [[nodiscard]] evidence::HistoryFilter chartFilter(const evidence::TimeRange& range) const;

    /// Arguments of Page::open: preset, rule (index), family, cell (index), coverage, outcome, endpoint, attempted, team, model,
    /// gap (index), group, profile, mode, selected, recommended, term, differs (bool), margin (slot), from and to
    /// (microseconds since 1970). A gap becomes the cells that it names; `table` may be null.
    [[nodiscard]] static HistoryQuery fromArguments(const QVariantMap& arguments, const table::RoutingTable* table);
    /// What `fromArguments` reads back to the same query.
    [[nodiscard]] QVariantMap toArguments() const;
};

inline constexpr HistoryQuery::Field kHistoryFields[] = {
    HistoryQuery::Field::slice,        HistoryQuery::Field::preset,       HistoryQuery::Field::rule,     HistoryQuery::Field::family,
    HistoryQuery::Field::cells,        HistoryQuery::Field::coverage,     HistoryQuery::Field::outcome,  HistoryQuery::Field::endpoint,
    HistoryQuery::Field::attempted,    HistoryQuery::Field::team,         HistoryQuery::Field::model,    HistoryQuery::Field::group,
    HistoryQuery::Field::profile,      HistoryQuery::Field::mode,         HistoryQuery::Field::disagreement, HistoryQuery::Field::selected,
    HistoryQuery::Field::recommended,  HistoryQuery::Field::decidingTerm, HistoryQuery::Field::marginSlot};

/// The database's rule for a record that has just happened.
[[nodiscard]] bool matches(const evidence::HistoryFilter& filter, const evidence::DecisionRecord& record);

}  // namespace signalbox::ui
