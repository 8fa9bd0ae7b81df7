// SPDX-License-Identifier: MIT
#include "ui/widgets/tone_label.h"

#include "ui/theme/plain_tip.h"
#include "ui/theme/tone_glyph.h"

#include <QPainter>

namespace signalbox::ui {

static constexpr int kLabelMark = 9, kLabelMarkGap = 6;

ToneLabel::ToneLabel(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
}

ToneLabel::ToneLabel(Tone tone, const QString& text, QWidget* parent) : ToneLabel(parent) { set(tone, text); }

void ToneLabel::set(Tone tone, const QString& text) {
    if (tone == m_tone && text == m_text) return;
    m_tone = tone;
    m_text = text;
    setAccessibleName(QStringLiteral("%1 (%2)").arg(text, Theme::instance().word(tone)));
    setToolTip(plainTip(text));
    updateGeometry();
    update();
}

QSize ToneLabel::sizeHint() const {
    const QFontMetrics metrics(font());
    return {metrics.horizontalAdvance(m_text) + kLabelMark + kLabelMarkGap + 4, metrics.height() + 2};
}

QSize ToneLabel::minimumSizeHint() const { return {kLabelMark + kLabelMarkGap + 24, sizeHint().height()}; }

void ToneLabel::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    QRect room = rect();
    const QColor color = theme.color(m_tone);
    paintToneGlyph(painter, QRectF(room.left(), room.center().y() - kLabelMark / 2.0 + 0.5, kLabelMark, kLabelMark), m_tone, color);
    room.adjust(kLabelMark + kLabelMarkGap, 0, 0, 0);
    painter.setPen(m_tone == Tone::idle ? theme.color(Surface::textMuted) : color);
    painter.setFont(font());
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(m_text, Qt::ElideRight, room.width()));
}

}  // namespace signalbox::ui
