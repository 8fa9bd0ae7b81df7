// SPDX-License-Identifier: MIT
#include "ui/widgets/lamp.h"

#include "ui/theme/plain_tip.h"
#include "ui/theme/tone_glyph.h"

#include <QPainter>

namespace signalbox::ui {

static constexpr int kMark = 9, kMarkGap = 7, kPad = 10;

Lamp::Lamp(const QString& subject, QWidget* parent) : QAbstractButton(parent), m_subject(subject) {
    setFont(Theme::instance().smallFont());
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(subject);
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
}

void Lamp::set(Tone tone, const QString& text, const QString& explanation) {
    if (tone == m_tone && text == this->text() && explanation == accessibleDescription()) return;
    m_tone = tone;
    setText(text);
    setToolTip(plainTip(explanation));
    setAccessibleName(QStringLiteral("%1: %2 (%3)").arg(m_subject, text, Theme::instance().word(tone)));
    setAccessibleDescription(explanation);
    updateGeometry();
    update();
}

QSize Lamp::sizeHint() const {
    return {fontMetrics().horizontalAdvance(text()) + kMark + kMarkGap + 2 * kPad + 4, fontMetrics().height() + 12};
}

QSize Lamp::minimumSizeHint() const { return {kMark + kMarkGap + 2 * kPad + 24, sizeHint().height()}; }

bool Lamp::event(QEvent* event) {
    if (event->type() == QEvent::HoverEnter || event->type() == QEvent::HoverLeave) update();
    return QAbstractButton::event(event);
}

void Lamp::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    if (underMouse()) painter.fillRect(rect(), theme.color(Surface::hover));
    const QColor color = theme.color(m_tone);
    paintToneGlyph(painter, QRectF(kPad, height() / 2.0 - kMark / 2.0, kMark, kMark), m_tone, color);
    const QRect room = rect().adjusted(kPad + kMark + kMarkGap, 0, -kPad, 0);
    const bool loud = m_tone == Tone::danger || m_tone == Tone::caution;
    painter.setPen(loud ? color : theme.color(Surface::text));
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(text(), Qt::ElideRight, room.width()));
    if (!hasFocus()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.color(Surface::accent), 2));
    painter.drawRoundedRect(QRectF(rect()).adjusted(2, 2, -2, -2), 4, 4);
}

}  // namespace signalbox::ui
