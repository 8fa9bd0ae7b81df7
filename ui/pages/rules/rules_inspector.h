// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/rules/family_view.h"

#include <QVariantMap>

#include <functional>

class QWidget;

namespace signalbox::ui {

class FactList;

/// What the inspector shows of a rule, a gap or a cell. `showRequests` goes to history with its filter.
struct RulesInspector {
    const FamilyView& view;
    const std::optional<evidence::CellHits>& hits;
    const std::optional<evidence::CellCaps>& caps;
    std::function<void(const QVariantMap& filter)> showRequests;

    /// To be read; `why` says why there is no form for it, if it has a reason of its own.
    [[nodiscard]] QWidget* rule(std::size_t index, const QString& why = {}) const;
    [[nodiscard]] QWidget* gap(std::size_t index, const QString& why = {}) const;
    /// What is known of a rule or gap beside its own values, for `facts`.
    void fillRule(FactList* facts, std::size_t index) const;
    void fillGap(FactList* facts, std::size_t index) const;
    [[nodiscard]] QWidget* cell(const table::Cell& cell) const;

private:
    void addMisses(FactList* facts, std::size_t index) const;
    [[nodiscard]] QWidget* withRequestsButton(QWidget* content, const QVariantMap& filter) const;
};

/// A form, the buttons of its row, what is known of it, and the way to its requests.
[[nodiscard]] QWidget* makeFormSheet(QWidget* form, QWidget* buttons, FactList* facts, const std::function<void()>& showRequests);

/// Goes to the history page with a filter.
[[nodiscard]] std::function<void(const QVariantMap&)> historyOpener(std::function<void(const QString& page, const QVariantMap& arguments)> go);

/// Arguments for the history page: requests of the family in these cells, or decided by this rule.
[[nodiscard]] QVariantMap historyFilterOfCells(const FamilyView& view, table::CellSet cells);
[[nodiscard]] QVariantMap historyFilterOfRule(const FamilyView& view, std::size_t rule);

}  // namespace signalbox::ui
