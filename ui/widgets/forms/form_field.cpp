// SPDX-License-Identifier: MIT
#include "ui/widgets/forms/form_field.h"

#include "ui/widgets/basics.h"

#include <QEvent>
#include <QLabel>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace signalbox::ui {

FormField::FormField(const QString& name, QWidget* control, QWidget* parent)
    : QWidget(parent), m_control(control), m_message(makeMuted({})) {
    auto* label = makeMuted(name);
    label->setFont(Theme::instance().smallFont());
    label->setBuddy(control);
    label->setVisible(!name.isEmpty());
    control->setAccessibleName(name);
    if (control->focusPolicy() == Qt::WheelFocus) control->setFocusPolicy(Qt::StrongFocus);
    control->installEventFilter(this);
    m_message->setFont(Theme::instance().smallFont());
    m_message->setVisible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(label);
    layout->addWidget(control);
    layout->addWidget(m_message);
    connect(&Theme::instance(), &Theme::changed, this, [this] { show(); });
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
    const Theme& theme = Theme::instance();
    const Tone tone = m_refused ? Tone::danger : m_remarkTone;
    const QString text = m_refused ? m_refusal : m_remark;
    m_message->setText(text.isEmpty() || tone == Tone::idle ? text : theme.glyph(tone) + QLatin1Char(' ') + text);
    m_message->setVisible(!text.isEmpty());
    m_message->setStyleSheet(QStringLiteral("color: %1;").arg((tone == Tone::idle ? theme.color(Surface::textMuted) : theme.color(tone)).name()));
    m_control->setAccessibleDescription(text);
    if (m_control->property("invalid").toBool() == m_refused) return;
    m_control->setProperty("invalid", m_refused);
    m_control->style()->unpolish(m_control);
    m_control->style()->polish(m_control);
}

bool FormField::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Wheel || m_control->hasFocus()) return QWidget::eventFilter(watched, event);
    event->ignore();
    return true;
}

static bool isPlain(QChar c) { return c.isPrint() || c == QLatin1Char('\t') || c.isSurrogate() || c.category() == QChar::Other_Format; }

bool fitsALine(const QString& text) { return std::all_of(text.cbegin(), text.cend(), isPlain); }

bool fitsLines(const QString& text) {
    return std::all_of(text.cbegin(), text.cend(), [](QChar c) { return isPlain(c) || c == QLatin1Char('\n'); });
}

}  // namespace signalbox::ui
