// SPDX-License-Identifier: MIT
#include "ui/widgets/tone_text.h"

#include "ui/theme/tone_glyph.h"

#include <QPainter>

namespace signalbox::ui {

static constexpr int kToneMark = 9, kToneMarkGap = 6;

ToneText::ToneText(QWidget* parent) : QLabel(parent) {
    setWordWrap(true);
    setTextFormat(Qt::PlainText);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setAlignment(Qt::AlignLeft | Qt::AlignTop);
    setContentsMargins(kToneMark + kToneMarkGap, 0, 0, 0);
    setProperty("data", true);  // a finished sentence with its numbers
    connect(&Theme::instance(), &Theme::changed, this, &ToneText::colour);
    colour();
}

ToneText::ToneText(Tone tone, const QString& text, QWidget* parent) : ToneText(parent) { set(tone, text); }

void ToneText::set(Tone tone, const QString& text) {
    if (tone == m_tone && text == this->text()) return;
    m_tone = tone;
    setText(text);
    setAccessibleName(QStringLiteral("%1 (%2)").arg(text, Theme::instance().word(tone)));
    colour();
}

void ToneText::colour() {
    const Theme& theme = Theme::instance();
    const QColor color = m_tone == Tone::idle ? theme.color(Surface::textMuted) : theme.color(m_tone);
    setStyleSheet(QStringLiteral("color: %1;").arg(color.name()));
    update();
}

void ToneText::paintEvent(QPaintEvent* event) {
    QLabel::paintEvent(event);
    if (text().isEmpty()) return;
    QPainter painter(this);
    const double middle = fontMetrics().height() / 2.0;
    paintToneGlyph(painter, QRectF(0, middle - kToneMark / 2.0 + 0.5, kToneMark, kToneMark), m_tone, Theme::instance().color(m_tone));
}

}  // namespace signalbox::ui
