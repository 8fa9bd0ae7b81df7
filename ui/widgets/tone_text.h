// SPDX-License-Identifier: MIT
#pragma once

#include "ui/theme/theme.h"

#include <QLabel>

namespace signalbox::ui {

/// A sentence with a meaning: its shape before the first line, its colour, wrapped and selectable. For single words
/// that stand in a row there is ToneLabel.
class ToneText : public QLabel {
    Q_OBJECT
public:
    explicit ToneText(QWidget* parent = nullptr);
    ToneText(Tone tone, const QString& text, QWidget* parent = nullptr);

    void set(Tone tone, const QString& text);
    [[nodiscard]] Tone tone() const { return m_tone; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void colour();

    Tone m_tone = Tone::idle;
};

}  // namespace signalbox::ui
