// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/rules/family_view.h"

#include <QWidget>

#include <array>

namespace signalbox::ui {

class CardList;
class RowCommands;
class Section;

/// The declared gaps of a family: those that name cells of the matrix, and those whose prose names none.
class GapsPanel : public QWidget {
    Q_OBJECT
public:
    explicit GapsPanel(QWidget* parent = nullptr);

    void show(const FamilyView& view, const std::optional<evidence::CellHits>& hits);
    void setEditable(bool editable);
    /// Selects the card of a gap of the table; false when it is not among them.
    bool select(std::size_t gap);
    void selectNone();
    /// Marks the cards of these gaps.
    void light(const std::vector<std::size_t>& gaps);
    [[nodiscard]] RowCommands* commands() const { return m_placed.commands; }
    /// For the gap whose card is in the list that was used last.
    [[nodiscard]] RowCommands* commandsOf(std::size_t gap) const;
    void letGo();

Q_SIGNALS:
    /// Indexes into the table's gaps; of `hovered` nullopt when the pointer leaves.
    void hovered(std::optional<std::size_t> gap);
    void selected(std::size_t gap);
    void opened(std::size_t gap);
    void addWanted();
    void duplicateWanted(std::size_t gap);
    void removeWanted(std::size_t gap);
    void moveWanted(std::size_t from, std::size_t to);

private:
    struct Part {
        Section* section = nullptr;
        CardList* list = nullptr;
        RowCommands* commands = nullptr;
        std::vector<std::size_t> gaps;
    };
    void connectPart(Part& part);

    Part m_placed, m_prose;
};

/// In a low window `column` is scrolled, rather than its cells cut or the window held open.
[[nodiscard]] QWidget* inScrollArea(QWidget* column);

}  // namespace signalbox::ui
