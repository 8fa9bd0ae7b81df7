// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "ui/theme/theme.h"

#include <QLabel>

class QWidget;

namespace signalbox::ui {

/// What there is to say about the value in the field above, in full; takes no room while there is nothing to say. A
/// field whose value was refused keeps what was typed, is framed, and tells a screen reader.
class FieldMessage : public QLabel {
    Q_OBJECT
public:
    explicit FieldMessage(QWidget* field, QWidget* parent = nullptr);

    /// A finding or explanation; an empty text takes no room.
    void say(Tone tone, const QString& text);
    void refuse(const QString& why);
    /// A refusal with what to do and, on hover, where.
    void show(const Error& error);
    /// Nothing is said and nothing is refused.
    void clear();
    [[nodiscard]] bool isShown() const { return !text().isEmpty(); }

private:
    void dress();
    void mark(bool refused);

    QWidget* m_field;
    Tone m_tone = Tone::danger;
};

}  // namespace signalbox::ui
