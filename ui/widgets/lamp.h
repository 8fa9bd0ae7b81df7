// SPDX-License-Identifier: MIT
#pragma once

#include "ui/theme/theme.h"

#include <QAbstractButton>

namespace signalbox::ui {

/// One lamp of the status line: shape, word and colour; a click goes to the cause.
class Lamp : public QAbstractButton {
    Q_OBJECT
public:
    /// `subject` is what the lamp is about ("Gateway"); screen readers hear it first.
    explicit Lamp(const QString& subject, QWidget* parent = nullptr);
    void set(Tone tone, const QString& text, const QString& explanation);
    [[nodiscard]] Tone tone() const { return m_tone; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QString m_subject;
    Tone m_tone = Tone::idle;
};

}  // namespace signalbox::ui
