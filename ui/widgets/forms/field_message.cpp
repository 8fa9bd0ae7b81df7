// SPDX-License-Identifier: MIT
#include "ui/widgets/forms/field_message.h"

#include "ui/theme/format.h"
#include "ui/theme/plain_tip.h"

#include <QStyle>

namespace signalbox::ui {

FieldMessage::FieldMessage(QWidget* field, QWidget* parent) : QLabel(parent), m_field(field) {
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setFont(Theme::instance().smallFont());
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    dress();
    connect(&Theme::instance(), &Theme::changed, this, &FieldMessage::dress);
    setVisible(false);
}

void FieldMessage::dress() {
    const Theme& theme = Theme::instance();
    setStyleSheet(QStringLiteral("color: %1;").arg((m_tone == Tone::idle ? theme.color(Surface::textMuted) : theme.color(m_tone)).name()));
}

void FieldMessage::mark(bool refused) {
    if (m_field->property("invalid").toBool() == refused) return;
    m_field->setProperty("invalid", refused);
    m_field->style()->unpolish(m_field);
    m_field->style()->polish(m_field);
}

void FieldMessage::say(Tone tone, const QString& text) {
    m_tone = tone;
    setText(text.isEmpty() || tone == Tone::idle ? text : Theme::instance().glyph(tone) + QLatin1Char(' ') + text);
    setToolTip({});
    dress();
    mark(false);
    m_field->setAccessibleDescription(text);
    setVisible(!text.isEmpty());
}

void FieldMessage::refuse(const QString& why) {
    say(Tone::danger, why);
    mark(true);
}

void FieldMessage::show(const Error& error) {
    QString message = format::sentence(error.message);
    if (!error.hint.empty()) message += QStringLiteral(". ") + format::text(error.hint);
    refuse(message);
    setToolTip(plainTip(format::text(error.where)));
}

void FieldMessage::clear() { say(Tone::danger, {}); }

}  // namespace signalbox::ui
