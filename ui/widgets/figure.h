// SPDX-License-Identifier: MIT
#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

class QLabel;

namespace signalbox::ui {

/// One number with its name above and its context below: "First token p95 / 840 ms / of 1,240 served".
class Figure : public QWidget {
    Q_OBJECT
public:
    explicit Figure(const QString& name, QWidget* parent = nullptr);
    /// `tone` colours the value and puts its glyph before the context; idle leaves it plain.
    void set(const QString& value, const QString& context, Tone tone = Tone::idle);
    [[nodiscard]] QString value() const;

private:
    void describe();

    QString m_name;
    QLabel* m_value;
    QLabel* m_context;
    Tone m_tone = Tone::idle;
};

}  // namespace signalbox::ui
