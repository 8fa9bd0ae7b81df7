// SPDX-License-Identifier: MIT
#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

namespace signalbox::ui {

class FieldMessage;

/// One value of a form: its name above its control, and below it what there is to say about the value that stands
/// there. The wheel scrolls the form and changes a control only while that has the focus.
class FormField : public QWidget {
    Q_OBJECT
public:
    FormField(const QString& name, QWidget* control, QWidget* parent = nullptr);

    [[nodiscard]] QWidget* control() const { return m_control; }
    /// A finding or explanation; an empty text takes no room.
    void remark(Tone tone, const QString& text);
    /// The value was refused: it stays, framed, until it is mended.
    void refuse(const QString& why);
    /// Forgets the refusal and shows the remark again.
    void accept();
    [[nodiscard]] bool isRefused() const { return m_refused; }
    [[nodiscard]] QString message() const;

private:
    void show();

    QWidget* m_control;
    FieldMessage* m_message;
    Tone m_remarkTone = Tone::idle;
    QString m_remark;
    QString m_refusal;
    bool m_refused = false;
};

/// True for a text that a single line shows as it is: no line break, no control character.
[[nodiscard]] bool fitsALine(const QString& text);
/// The same for several lines.
[[nodiscard]] bool fitsLines(const QString& text);

}  // namespace signalbox::ui
