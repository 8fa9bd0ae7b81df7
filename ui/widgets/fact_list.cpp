// SPDX-License-Identifier: MIT
#include "ui/widgets/fact_list.h"

#include "ui/widgets/basics.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/form_layout.h"
#include "ui/theme/format.h"
#include "ui/widgets/tone_label.h"

#include <QLabel>

namespace signalbox::ui {

FactList::FactList(QWidget* parent) : QWidget(parent), m_form(new FormLayout(this)) {
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setHorizontalSpacing(Theme::kGapWide);
    m_form->setVerticalSpacing(6);
    m_form->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_form->setFormAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form->setRowWrapPolicy(QFormLayout::WrapLongRows);
}

void FactList::addText(const QString& name, const QString& value) {
    auto* label = makeLabel(value.isEmpty() ? format::none() : value);
    label->setProperty("data", true);  // a value, not words of ours: nothing to translate
    addWidget(name, label);
}

void FactList::addId(const QString& name, const QString& id) { addWidget(name, ElidedLabel::forId(id)); }

void FactList::addTone(const QString& name, Tone tone, const QString& text) { addWidget(name, new ToneLabel(tone, text)); }

void FactList::addWidget(const QString& name, QWidget* value) {
    QLabel* label = makeMuted(name);
    label->setWordWrap(false);
    label->setMinimumWidth(m_nameWidth);
    m_form->addRow(label, value);
}

void FactList::clear() {
    while (m_form->rowCount() > 0) m_form->removeRow(0);
}

}  // namespace signalbox::ui
