// SPDX-License-Identifier: MIT
#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

namespace signalbox::ui {

/// A shape, a word and a colour together. Text too long for the room is elided and stands whole on hover.
class ToneLabel : public QWidget {
    Q_OBJECT
public:
    explicit ToneLabel(QWidget* parent = nullptr);
    ToneLabel(Tone tone, const QString& text, QWidget* parent = nullptr);

    void set(Tone tone, const QString& text);
    [[nodiscard]] Tone tone() const { return m_tone; }
    [[nodiscard]] QString text() const { return m_text; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Tone m_tone = Tone::idle;
    QString m_text;
};

}  // namespace signalbox::ui
