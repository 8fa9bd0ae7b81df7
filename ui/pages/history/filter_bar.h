// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/history/filter_names.h"
#include "ui/pages/history/history_query.h"

#include <QWidget>

#include <functional>

class QMenu;
class QPushButton;

namespace signalbox::ui {

class WrapLayout;

/// One button that adds a condition, and a chip for each condition there is; a chip removes its condition.
class FilterBar : public QWidget {
    Q_OBJECT
public:
    explicit FilterBar(QWidget* parent = nullptr);

    void setQuery(const HistoryQuery& query);
    /// The table whose presets, rules and families can be chosen; may be null.
    void setTable(std::shared_ptr<const table::RoutingTable> table);
    /// Smart groups that can be chosen; none hides their part of the menu.
    void setGroups(std::vector<std::string> groups);
    /// Tells the endpoints, teams and models that can be chosen; asked each time the menu opens.
    void setNames(std::function<FilterNames()> known) { m_names = std::move(known); }
    /// Opens the menu, for the shortcut.
    void openMenu();

Q_SIGNALS:
    void changed(const signalbox::ui::HistoryQuery& query);

private:
    void fillMenu();
    void addChoice(QMenu* menu, const QString& text, const HistoryQuery& query, bool chosen);
    void fillPresets(QMenu* menu);
    void fillRules(QMenu* menu);
    void fillGroups(QMenu* menu);
    void fillEndpoints(const std::vector<std::string>& known);
    void fillEndpoints(QMenu* menu, const std::vector<std::string>& known, std::optional<std::string> HistoryQuery::*field);
    void fillModels(const FilterNames& names);
    void addModels(QMenu* menu, const std::vector<std::string>& models);
    void fillTeams(const std::vector<std::string>& teams);
    void showChips();

    HistoryQuery m_query;
    std::shared_ptr<const table::RoutingTable> m_table;
    std::vector<std::string> m_groups;
    std::function<FilterNames()> m_names;
    QPushButton* m_add;
    QMenu* m_menu;
    WrapLayout* m_line;
    std::vector<QPushButton*> m_chips;
    QPushButton* m_clear;
};

}  // namespace signalbox::ui
