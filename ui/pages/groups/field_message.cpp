// SPDX-License-Identifier: MIT
#include "ui/pages/groups/field_message.h"

#include "ui/theme/format.h"
#include "ui/theme/theme.h"

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

void FieldMessage::dress() { setStyleSheet(QStringLiteral("color: %1;").arg(Theme::instance().color(Tone::danger).name())); }

static void mark(QWidget* field, bool invalid) {
    if (field->property("invalid").toBool() == invalid) return;
    field->setProperty("invalid", invalid);
    field->style()->unpolish(field);
    field->style()->polish(field);
}

void FieldMessage::show(const Error& error) {
    QString message = Theme::instance().glyph(Tone::danger) + QLatin1Char(' ') + format::sentence(error.message);
    if (!error.hint.empty()) message += QStringLiteral(". ") + format::text(error.hint);
    setText(message);
    setToolTip(format::text(error.where));
    mark(m_field, true);
    m_field->setAccessibleDescription(message);
    setVisible(true);
}

void FieldMessage::clear() {
    QLabel::clear();
    mark(m_field, false);
    m_field->setAccessibleDescription({});
    setVisible(false);
}

}  // namespace signalbox::ui
