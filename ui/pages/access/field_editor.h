// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/access/field_input.h"
#include "ui/theme/theme.h"

#include <optional>

class QLabel;

namespace signalbox::ui {

class FieldMessage;

/// A field of a form: its name, where its value comes from, its control, and what is wrong with it.
class FieldEditor : public QWidget {
    Q_OBJECT
public:
    explicit FieldEditor(const FieldSpec& spec, QWidget* parent = nullptr);

    [[nodiscard]] const FieldSpec& spec() const { return m_spec; }
    /// False when the value cannot be shown in full (F82). Forgets what was refused.
    [[nodiscard]] bool display(const FieldValue& value);
    [[nodiscard]] Result<FieldValue> value() const { return m_input->value(); }
    /// `word` is small and muted beside the name; `place` stands on hover.
    void setOrigin(const QString& word, const QString& place);
    /// Something to know about the value that stands there.
    void setRemark(Tone tone, const QString& text);
    /// The value was refused: it stays, marked, until it is mended or taken back with Escape.
    void refuse(const QString& why);
    /// The value may stand after all.
    void forget();
    [[nodiscard]] bool isRefused() const { return m_refused; }
    void setReadOnly(bool readOnly) { m_input->setReadOnly(readOnly); }
    void takeFocus();

Q_SIGNALS:
    void edited();
    /// Escape on a refused value.
    void takenBack();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void describe();

    FieldSpec m_spec;
    FieldInput* m_input;
    QLabel* m_origin;
    FieldMessage* m_remark;
    Tone m_tone = Tone::idle;
    QString m_said;
    bool m_refused = false;
};

}  // namespace signalbox::ui
