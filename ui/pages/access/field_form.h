// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/read.h"
#include "ui/pages/access/field_editor.h"

#include <functional>
#include <string>
#include <vector>

namespace signalbox::ui {

class PolicyDocument;

/// A field that shows and writes one value of gateway.toml.
struct BoundField {
    FieldSpec spec;
    config::Path path;  ///< where it is written
    /// As the file says it; nullopt when the file says nothing.
    std::function<FieldValue(const config::GatewayConfig&)> read;
    std::vector<config::Path> alsoFrom;  ///< other places that may say it, asked when `path` is not in the file
    /// Writes a value in another way than by setting it at `path`: a name that is a key of the file.
    std::function<Result<std::string>(std::string_view text, const FieldValue& value)> write;
    bool isName = false;  ///< writing it gives the thing another name
};

/// What a form is about.
struct FormSubject {
    QString key;       ///< unlike that of any other form
    QString name;      ///< completes "team of …"
    std::string path;  ///< dotted; findings here and not at a field stand on top
};

/// Values of one thing in gateway.toml, each written to the draft as soon as it is done. What the validators refuse stays
/// in its field, marked, with their words. Follows the draft, undo included.
class FieldForm : public QWidget {
    Q_OBJECT
public:
    FieldForm(PolicyDocument* document, config::Environment environment, FormSubject subject, std::vector<BoundField> fields,
              QWidget* parent = nullptr);

    [[nodiscard]] const FormSubject& subject() const { return m_subject; }
    /// To the first field.
    void takeFocus();
    /// Shows the draft as it is now, but leaves alone what was refused.
    void refresh();
    /// From here on nothing is written: what the form is about is gone, and a field tells of its text once more when the
    /// inspector hides it.
    void letGo();
    /// Empty when every value is shown in full; else what cannot be, and where it stands (F82). Such a form must not be
    /// opened.
    [[nodiscard]] const QString& cannotShow() const { return m_cannotShow; }

Q_SIGNALS:
    /// Before a value is written. A renamed thing is found again by it; after a refusal the old one comes.
    void renaming(const QString& newName);

private:
    void refreshField(std::size_t index);
    void showOrigin(FieldEditor& editor, const BoundField& field);
    void showFindings(FieldEditor& editor, const BoundField& field);
    void showSubjectFindings();
    void write(std::size_t index);

    PolicyDocument* m_document;
    config::Environment m_environment;
    FormSubject m_subject;
    std::vector<BoundField> m_fields;
    std::vector<FieldEditor*> m_editors;
    FieldEditor* m_lastWritten = nullptr;
    QLabel* m_top;
    QString m_cannotShow;
};

/// "Says what, and what to do": message and hint of an error.
[[nodiscard]] QString inWords(const Error& error);

}  // namespace signalbox::ui
