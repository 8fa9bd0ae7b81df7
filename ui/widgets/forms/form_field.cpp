// SPDX-License-Identifier: MIT
#include "ui/widgets/forms/form_field.h"

#include "ui/widgets/basics.h"
#include "ui/widgets/forms/field_message.h"
#include "ui/widgets/forms/wheel_guard.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace signalbox::ui {

FormField::FormField(const QString& name, QWidget* control, QWidget* parent)
    : QWidget(parent), m_control(control), m_message(new FieldMessage(control)) {
    auto* label = makeMuted(name);
    label->setFont(Theme::instance().smallFont());
    label->setBuddy(control);
    label->setVisible(!name.isEmpty());
    control->setAccessibleName(name);
    guardFromWheel({control});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(label);
    layout->addWidget(control);
    layout->addWidget(m_message);
}

void FormField::remark(Tone tone, const QString& text) {
    m_remarkTone = tone;
    m_remark = text;
    show();
}

void FormField::refuse(const QString& why) {
    m_refused = true;
    m_refusal = why;
    show();
}

void FormField::accept() {
    if (!m_refused) return;
    m_refused = false;
    show();
}

QString FormField::message() const { return m_message->text(); }

void FormField::show() {
    if (m_refused) m_message->refuse(m_refusal);
    else m_message->say(m_remarkTone, m_remark);
}

static bool isPlain(QChar c) {
    if (c.category() == QChar::Separator_Line || c.category() == QChar::Separator_Paragraph) return false;
    return c.isPrint() || c == QLatin1Char('\t') || c.isSurrogate() || c.category() == QChar::Other_Format;
}

bool fitsALine(const QString& text) { return std::all_of(text.cbegin(), text.cend(), isPlain); }

bool fitsLines(const QString& text) {
    return std::all_of(text.cbegin(), text.cend(), [](QChar c) { return isPlain(c) || c == QLatin1Char('\n'); });
}

}  // namespace signalbox::ui
