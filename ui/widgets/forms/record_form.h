// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/base/finding.h"
#include "ui/widgets/forms/form_field.h"

#include <QHash>

class QLabel;
class QVBoxLayout;

namespace signalbox::ui {

/// A form for one record of a document, such as a routing rule. What the readers and linters say stands at the field
/// that it is about, everything else on top.
class RecordForm : public QWidget {
    Q_OBJECT
public:
    explicit RecordForm(QWidget* parent = nullptr);

    /// Findings at `pointer` and below it.
    void showFindings(const std::string& pointer, const Findings& findings);
    /// The change was refused, by its `where` at a field.
    void refuse(const Error& error);
    void accept();

    /// By the name it has in the document: `evidence`, `when/workload_class`; null if there is none.
    [[nodiscard]] FormField* field(const QString& key) const { return m_fields.value(key); }

protected:
    /// The control gets `key` as objectName.
    FormField* addField(const QString& key, const QString& name, QWidget* control);
    [[nodiscard]] QVBoxLayout* body() const { return m_body; }
    /// Called when findings were shown: says something at fields that have none.
    virtual void explain() {}

private:
    /// The field that a path below the record leads to; null if none does.
    [[nodiscard]] FormField* fieldAt(QString path) const;
    void showGeneral();

    QHash<QString, FormField*> m_fields;
    QVBoxLayout* m_body;
    FormField* m_general;
};

/// The part of `where` below the element of the list at `list`: "evidence" of "/routing_rules/3/evidence".
[[nodiscard]] QString pathBelow(const std::string& where, const std::string& element);

}  // namespace signalbox::ui
