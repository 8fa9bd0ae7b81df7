// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/access/field_editor.h"

#include <map>
#include <string>

class QLabel;

namespace signalbox::ui {

/// The few values that something new begins with. Nothing is written before its button is pressed, or Enter.
class NewEntryForm : public QWidget {
    Q_OBJECT
public:
    using Values = std::map<std::string, FieldValue>;

    /// `note` says what belongs here, in a sentence.
    NewEntryForm(const QString& note, const std::vector<FieldSpec>& fields, const QString& buttonText, QWidget* parent = nullptr);

    void prefill(const std::string& key, const FieldValue& value);
    /// Marks the field that the error is about, by the last key of its path; an error about none stands at the end.
    void refuse(const Error& error);
    void takeFocus();

Q_SIGNALS:
    void submitted(const signalbox::ui::NewEntryForm::Values& values);

private:
    void submit();

    std::vector<FieldEditor*> m_editors;
    QLabel* m_problem;
};

}  // namespace signalbox::ui
