// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/rules/family_view.h"

#include <QVariantMap>

#include <functional>

class QWidget;

namespace signalbox::ui {

/// What the inspector shows of a rule, a gap or a cell. `showRequests` goes to history with its filter.
struct RulesInspector {
    const FamilyView& view;
    const std::optional<evidence::CellHits>& hits;
    std::function<void(const QVariantMap& filter)> showRequests;

    [[nodiscard]] QWidget* rule(std::size_t index) const;
    [[nodiscard]] QWidget* gap(std::size_t index) const;
    [[nodiscard]] QWidget* cell(const table::Cell& cell) const;

private:
    [[nodiscard]] QWidget* withRequestsButton(QWidget* content, const QVariantMap& filter) const;
};

/// Arguments for the history page: requests of the family in these cells, or decided by this rule.
[[nodiscard]] QVariantMap historyFilterOfCells(const FamilyView& view, table::CellSet cells);
[[nodiscard]] QVariantMap historyFilterOfRule(const FamilyView& view, std::size_t rule);

}  // namespace signalbox::ui
