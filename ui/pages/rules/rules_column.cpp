// SPDX-License-Identifier: MIT
#include "ui/pages/rules/rules_column.h"

#include "ui/theme/format.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/cards/card_list.h"
#include "ui/widgets/forms/row_commands.h"
#include "ui/widgets/section.h"

#include <QLabel>
#include <QVBoxLayout>

namespace signalbox::ui {

RulesColumn::RulesColumn(QWidget* parent)
    : QWidget(parent), m_section(new Section(tr("Rules"))), m_list(new CardList(tr("Rules of the family"))), m_none(makeMuted({})),
      m_commands(new RowCommands(m_list, tr("Add rule"))) {
    m_section->addControl(new ActionButton(m_commands->addAction(), QStringLiteral("plus"), ButtonRole::quiet));
    m_section->body()->setContentsMargins(0, 0, 0, 0);
    m_section->body()->addWidget(m_none, 0, Qt::AlignTop);
    m_section->body()->addWidget(m_list, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_section, 1);
}

void RulesColumn::setEditable(bool editable) {
    m_editable = editable;
    m_commands->setEnabled(editable);
}

static QString whyNone(const table::FamilyCoverage& coverage) {
    if (coverage.singlePresetByDesign) return RulesColumn::tr("No rules: every preset of this family has the same K, so there is nothing to route between.");
    if (coverage.defaultPresetKey) return RulesColumn::tr("No rules: every request of this family goes to its default, %1.").arg(format::text(*coverage.defaultPresetKey));
    return RulesColumn::tr("No rules and no default: every request of this family goes to its model's natural preset.");
}

void RulesColumn::show(const FamilyView& view, const std::optional<evidence::CellHits>& hits, const std::optional<evidence::CellCaps>& caps) {
    m_list->cards()->set(view.ruleCards(hits, caps));
    const bool hasRules = !view.rules().empty();
    m_list->setVisible(hasRules);
    m_list->setToolTip(m_editable ? tr("Drag a rule to its place, or move it with Alt+Up and Alt+Down") : QString());
    m_section->setSizePolicy(QSizePolicy::Preferred, hasRules ? QSizePolicy::Expanding : QSizePolicy::Maximum);
    static_cast<QVBoxLayout*>(layout())->setAlignment(m_section, hasRules ? Qt::Alignment() : Qt::AlignTop);
    m_none->setVisible(!hasRules);
    m_none->setText(whyNone(view.coverage()));
    m_section->setNote(hasRules ? tr("first match decides") : QString());
}

}  // namespace signalbox::ui
