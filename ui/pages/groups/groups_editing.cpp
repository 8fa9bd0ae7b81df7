// SPDX-License-Identifier: MIT
// What can be done on the groups page: its layout's buttons, its keys, and the edits behind both.
#include "ui/document/config_edits.h"
#include "ui/document/policy_document.h"
#include "ui/pages/groups/candidate_form.h"
#include "ui/pages/groups/candidates_model.h"
#include "ui/pages/groups/group_header.h"
#include "ui/pages/groups/groups_page.h"
#include "ui/pages/groups/new_groups.h"
#include "ui/pages/groups/preview_panel.h"
#include "ui/pages/groups/weights_panel.h"
#include "ui/pages/whose_health.h"
#include "ui/pages/whose_records.h"
#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/cards/card_list.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/mode_dial/mode_dial.h"
#include "ui/widgets/section.h"
#include "ui/widgets/table_view.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace signalbox::ui {

static constexpr int kListWidth = 220;

QWidget* GroupsPage::makeList() {
    m_listSection = new Section(tr("Groups"));
    m_newGroup = makeButton(tr("New group"), QStringLiteral("plus"));
    connect(m_newGroup, &QPushButton::clicked, this, &GroupsPage::newGroup);
    m_listSection->body()->setContentsMargins(0, 0, 0, 0);
    m_listSection->body()->addWidget(m_list, 1);
    m_listSection->body()->addWidget(m_newGroup);
    m_listSection->setFixedWidth(kListWidth);
    return m_listSection;
}

QWidget* GroupsPage::makeDetail() {
    m_table->setModel(m_model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setDragEnabled(true);
    m_table->setAcceptDrops(true);
    m_table->setDropIndicatorShown(true);
    m_table->setDragDropMode(QAbstractItemView::InternalMove);
    m_table->setDragDropOverwriteMode(false);
    m_tableSection = new Section(tr("Candidates"));
    m_addCandidate = makeButton(tr("Add candidate"), QStringLiteral("plus"));
    connect(m_addCandidate, &QPushButton::clicked, this, &GroupsPage::addCandidate);
    m_tableSection->addControl(m_addCandidate);
    m_tableSection->body()->addWidget(m_table);

    m_formSection = new Section(tr("Candidate"));
    const auto add = [this](const QString& text, ButtonRole role, void (GroupsPage::*does)()) {
        auto* button = makeButton(text, {}, role);
        connect(button, &QPushButton::clicked, this, does);
        m_formSection->addControl(button);
        m_candidateButtons << button;
    };
    add(tr("Move up"), ButtonRole::quiet, &GroupsPage::raiseCandidate);
    add(tr("Move down"), ButtonRole::quiet, &GroupsPage::lowerCandidate);
    add(tr("Duplicate"), ButtonRole::quiet, &GroupsPage::duplicateCandidate);
    add(tr("Delete"), ButtonRole::quiet, &GroupsPage::removeCandidate);
    m_formSection->body()->addWidget(m_form);

    auto* weights = new Section(tr("Weights"));
    weights->body()->addWidget(m_weights);
    auto* preview = new Section(tr("Last requests under this draft"));
    preview->body()->addWidget(m_preview);
    auto* below = new QHBoxLayout;
    below->setSpacing(Theme::kSection);
    below->addWidget(weights, 2);
    below->addWidget(preview, 3);

    auto* canvas = new QWidget;
    canvas->setProperty("role", QStringLiteral("canvas"));
    auto* layout = new QVBoxLayout(canvas);
    layout->setContentsMargins(0, 0, Theme::kSection, Theme::kMargin);
    layout->setSpacing(Theme::kMargin);
    layout->addWidget(m_header);
    layout->addWidget(m_tableSection);
    layout->addWidget(m_formSection);
    layout->addLayout(below);
    layout->addStretch(1);
    auto* area = new QScrollArea;
    area->setWidget(canvas);
    area->setWidgetResizable(true);
    area->setFocusPolicy(Qt::NoFocus);
    area->setFrameShape(QFrame::NoFrame);
    return area;
}

void GroupsPage::makeLayout() {
    auto* content = new QWidget;
    auto* columns = new QHBoxLayout(content);
    columns->setContentsMargins(Theme::kSection, Theme::kMargin, 0, 0);
    columns->setSpacing(Theme::kSection);
    columns->addWidget(makeList());
    columns->addWidget(makeDetail(), 1);
    m_stack->addWidget(content);
    m_stack->addWidget(m_empty);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto* dial = new ModeDial(m_context.bridge, m_context.document, m_context.gateway);
    connect(dial, &ModeDial::refused, this, [this](const Error& error) { m_context.complain(error); });
    auto* head = new QVBoxLayout;
    head->setContentsMargins(Theme::kSection, 0, Theme::kSection, 0);
    head->setSpacing(Theme::kGapWide);
    head->addWidget(dial);
    head->addWidget(makeHairline());
    head->addWidget(new WhoseRecords(m_context));
    m_health = new WhoseHealth(m_context, WhoseHealth::Apply::elsewhereOnThePage, this);
    head->addWidget(m_health);
    outer->addLayout(head);
    outer->addWidget(m_stack);
}

QAction* GroupsPage::addAction(QWidget* where, const QString& text, const QKeySequence& keys, void (GroupsPage::*does)()) {
    auto* action = new QAction(text, this);
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetShortcut);  // Delete means what has the focus
    connect(action, &QAction::triggered, this, does);
    where->addAction(action);
    m_pageActions << action;
    return action;
}

void GroupsPage::makeActions() {
    addAction(m_list, tr("New group"), Qt::Key_Insert, &GroupsPage::newGroup);
    addAction(m_list, tr("Rename group"), Qt::Key_F2, &GroupsPage::renameGroup);
    addAction(m_list, tr("Duplicate group"), Qt::CTRL | Qt::Key_D, &GroupsPage::duplicateGroup);
    addAction(m_list, tr("Delete group"), QKeySequence::Delete, &GroupsPage::removeGroup);
    addAction(m_table, tr("Add candidate"), Qt::Key_Insert, &GroupsPage::addCandidate);
    addAction(m_table, tr("Edit candidate"), Qt::Key_F2, &GroupsPage::editCandidate);
    addAction(m_table, tr("Duplicate candidate"), Qt::CTRL | Qt::Key_D, &GroupsPage::duplicateCandidate);
    addAction(m_table, tr("Delete candidate"), QKeySequence::Delete, &GroupsPage::removeCandidate);
    addAction(m_table, tr("Enable or disable candidate"), Qt::Key_Space, &GroupsPage::toggleCandidate);
    addAction(m_table, tr("Move candidate up"), Qt::ALT | Qt::Key_Up, &GroupsPage::raiseCandidate);
    addAction(m_table, tr("Move candidate down"), Qt::ALT | Qt::Key_Down, &GroupsPage::lowerCandidate);
    for (QWidget* view : {static_cast<QWidget*>(m_list), static_cast<QWidget*>(m_table)}) view->setContextMenuPolicy(Qt::ActionsContextMenu);
}

bool GroupsPage::report(const Result<void>& done) {
    if (!done) m_context.complain(done.error());
    return done.has_value();
}

void GroupsPage::newGroup() {
    const auto* all = config();
    if (all == nullptr) return;
    const auto made = ui::newGroup(*all);
    if (!made) return m_context.complain({ErrorKind::badInput, "no provider of this configuration can be called, so a new group would have no candidate", {}, "Add a provider on the access page first."});
    const std::string previous = std::exchange(m_group, made->id);  // the document tells of the change before the edit returns
    m_candidate = 0;
    if (!report(edits::addGroup(*m_context.document, *made))) m_group = previous;
    else m_header->focusName();
}

void GroupsPage::renameGroup() {
    if (group() != nullptr) m_header->focusName();
}

void GroupsPage::duplicateGroup() {
    if (group() == nullptr) return;
    const config::SmartGroup copy = duplicateOf(*config(), *group());
    const std::string previous = std::exchange(m_group, copy.id);
    if (!report(edits::addGroup(*m_context.document, copy))) m_group = previous;
}

void GroupsPage::removeGroup() {
    if (group() == nullptr) return;
    const QString name = format::text(m_group);
    if (report(edits::removeGroup(*m_context.document, m_group))) m_context.say(tr("Group %1 is deleted; undo brings it back").arg(name));
}

void GroupsPage::addCandidate() {
    if (group() == nullptr) return;
    config::Candidate candidate;
    if (const auto unused = unusedCandidate(*config(), *group())) candidate = *unused;
    else if (!group()->candidates.empty()) candidate.provider = group()->candidates.back().provider;
    m_formSection->setTitle(tr("New candidate"));
    m_formSection->setNote({});
    m_formSection->setVisible(true);  // no candidate may have been there to show
    m_form->beginNew(m_group, group()->candidates.size(), candidate);
}

void GroupsPage::editCandidate() {
    if (m_model->at(m_candidate) != nullptr) m_form->focusTarget();
}

// An endpoint stands in a group once: the copy waits in the form for another model.
void GroupsPage::duplicateCandidate() {
    const CandidateRow* row = m_model->at(m_candidate);
    if (row == nullptr) return;
    m_formSection->setTitle(tr("Copy of candidate %1").arg(m_candidate + 1));
    m_formSection->setNote(tr("an endpoint stands in a group once: choose another model"));
    m_form->beginNew(m_group, row->index + 1, row->candidate);
}

void GroupsPage::removeCandidate() {
    const CandidateRow* row = m_model->at(m_candidate);
    if (row == nullptr) return;
    const QString name = format::text(row->endpointId);
    if (report(edits::removeCandidate(*m_context.document, m_group, row->index))) m_context.say(tr("%1 is deleted; undo brings it back").arg(name));
}

void GroupsPage::toggleCandidate() {
    const CandidateRow* row = m_model->at(m_candidate);
    if (row != nullptr) report(edits::setEnabled(*m_context.document, m_group, row->index, !row->candidate.enabled));
}

void GroupsPage::moveCandidate(int from, int to) {
    if (m_model->at(from) == nullptr || m_model->at(to) == nullptr || from == to) return;
    const QString name = format::text(m_model->at(from)->endpointId);
    if (!report(edits::moveCandidate(*m_context.document, m_group, static_cast<std::size_t>(from), static_cast<std::size_t>(to)))) return;
    m_context.say(tr("%1 is now number %2").arg(name).arg(to + 1));
    m_table->selectSourceRow(to);
}

}  // namespace signalbox::ui
