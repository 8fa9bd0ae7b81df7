// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/rules/family_view.h"

#include <QWidget>

class QLabel;

namespace signalbox::ui {

class CardList;
class RowCommands;
class Section;

/// The rules of a family in the order in which they are asked.
class RulesColumn : public QWidget {
    Q_OBJECT
public:
    explicit RulesColumn(QWidget* parent = nullptr);

    void show(const FamilyView& view, const std::optional<evidence::CellHits>& hits, const std::optional<evidence::CellCaps>& caps);
    void setEditable(bool editable);
    [[nodiscard]] CardList* list() const { return m_list; }
    [[nodiscard]] RowCommands* commands() const { return m_commands; }

private:
    Section* m_section;
    CardList* m_list;
    QLabel* m_none;
    RowCommands* m_commands;
    bool m_editable = false;
};

}  // namespace signalbox::ui
