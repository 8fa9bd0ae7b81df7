// SPDX-License-Identifier: MIT
#include "ui/pages/simulator/form_rows.h"

#include "ui/theme/theme.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/form_layout.h"

#include <QLabel>
#include <QSpinBox>

namespace signalbox::ui {

static constexpr int kLabelWidth = 84;

FormRows::FormRows() : m_widget(new QWidget), m_form(new FormLayout(m_widget)) {
    m_form->setContentsMargins(0, Theme::kGap, 0, 0);
    m_form->setHorizontalSpacing(Theme::kGap);
    m_form->setVerticalSpacing(6);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form->setLabelAlignment(Qt::AlignLeft);
}

void FormRows::add(const QString& label, QWidget* field) {
    auto* name = makeMuted(label);
    name->setWordWrap(false);
    name->setMinimumWidth(kLabelWidth);
    name->setBuddy(field);
    if (!label.isEmpty()) field->setAccessibleName(label);
    m_form->addRow(name, field);
}

void FormRows::addWide(QWidget* widget) { m_form->addRow(widget); }

void setUpNumber(QSpinBox* box, int least, int most, int value, const QString& special, const QString& unit) {
    box->setRange(least, most);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);  // typed, or by the arrow keys
    box->setSpecialValueText(special);
    box->setSuffix(unit);
    box->setGroupSeparatorShown(true);
    box->setValue(value);
}

}  // namespace signalbox::ui
