// SPDX-License-Identifier: MIT
#include "ui/pages/rules/gaps_panel.h"

#include "ui/widgets/action_button.h"
#include "ui/widgets/cards/card_list.h"
#include "ui/widgets/forms/row_commands.h"
#include "ui/widgets/section.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace signalbox::ui {

static constexpr int kLeastColumnWidth = 240;  // below what the matrix takes: then one scrolls to its right side

static constexpr int kMostHeight = 112;

GapsPanel::GapsPanel(QWidget* parent) : QWidget(parent) {
    m_placed.section = new Section(tr("Declared gaps"));
    m_placed.list = new CardList(tr("Declared gaps of the family"));
    m_prose.section = new Section(tr("Gaps that name no cell"));
    m_prose.list = new CardList(tr("Declared gaps that name no cell"));
    // Side by side: the matrix above needs the height.
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kMargin);
    for (Part* part : {&m_placed, &m_prose}) {
        part->commands = new RowCommands(part->list, tr("Declare a gap"));
        part->list->fitContents(kMostHeight);
        part->section->body()->setContentsMargins(0, 0, 0, 0);
        part->section->body()->addWidget(part->list);
        layout->addWidget(part->section, 1, Qt::AlignTop);
        connectPart(*part);
    }
    m_placed.section->addControl(new ActionButton(m_placed.commands->addAction(), QStringLiteral("plus"), ButtonRole::quiet));
}

void GapsPanel::connectPart(Part& part) {
    const auto gapAt = [&part](int row) { return part.gaps[static_cast<std::size_t>(row)]; };
    connect(part.list, &CardList::hovered, this, [this, gapAt](int row) { Q_EMIT hovered(row < 0 ? std::nullopt : std::optional(gapAt(row))); });
    connect(part.list, &CardList::selected, this, [this, gapAt](int row) { Q_EMIT selected(gapAt(row)); });
    connect(part.list, &CardList::opened, this, [this, gapAt](int row) { Q_EMIT opened(gapAt(row)); });
    connect(part.commands, &RowCommands::addWanted, this, &GapsPanel::addWanted);
    connect(part.commands, &RowCommands::duplicateWanted, this, [this, gapAt](int row) { Q_EMIT duplicateWanted(gapAt(row)); });
    connect(part.commands, &RowCommands::removeWanted, this, [this, gapAt](int row) { Q_EMIT removeWanted(gapAt(row)); });
    connect(part.commands, &RowCommands::moveWanted, this, [this, gapAt](int from, int to) { Q_EMIT moveWanted(gapAt(from), gapAt(to)); });
}

void GapsPanel::letGo() {
    for (const Part* part : {&m_placed, &m_prose}) part->list->disconnect(this);
}

void GapsPanel::setEditable(bool editable) {
    for (const Part* part : {&m_placed, &m_prose}) part->commands->setEnabled(editable);
}

void GapsPanel::show(const FamilyView& view, const std::optional<evidence::CellHits>& hits) {
    m_placed.gaps = view.placedGaps();
    m_prose.gaps = view.proseGaps();
    m_placed.list->cards()->set(view.gapCards(hits));
    m_prose.list->cards()->set(view.proseGapCards());
    m_placed.section->setNote(m_placed.gaps.empty() ? tr("none") : QString::number(m_placed.gaps.size()));
    m_placed.list->setVisible(!m_placed.gaps.empty());
    m_prose.section->setVisible(!m_prose.gaps.empty());
}

bool GapsPanel::select(std::size_t gap) {
    for (const Part* part : {&m_placed, &m_prose}) {
        const auto it = std::find(part->gaps.begin(), part->gaps.end(), gap);
        if (it == part->gaps.end()) continue;
        part->list->selectRow(static_cast<int>(it - part->gaps.begin()));
        return true;
    }
    return false;
}

void GapsPanel::selectNone() {
    for (const Part* part : {&m_placed, &m_prose}) part->list->selectionModel()->clear();
}

RowCommands* GapsPanel::commandsOf(std::size_t gap) const {
    return std::find(m_prose.gaps.begin(), m_prose.gaps.end(), gap) == m_prose.gaps.end() ? m_placed.commands : m_prose.commands;
}

void GapsPanel::light(const std::vector<std::size_t>& gaps) {
    QSet<int> rows;
    for (std::size_t i = 0; i < m_placed.gaps.size(); ++i)
        if (std::find(gaps.begin(), gaps.end(), m_placed.gaps[i]) != gaps.end()) rows << static_cast<int>(i);
    m_placed.list->setLit(rows);
}

QWidget* inScrollArea(QWidget* column) {
    auto* area = new QScrollArea;
    column->setProperty("role", QStringLiteral("canvas"));
    area->setWidget(column);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->viewport()->setAutoFillBackground(false);
    area->setMinimumWidth(kLeastColumnWidth);
    return area;
}

}  // namespace signalbox::ui
