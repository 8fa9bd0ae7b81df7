// SPDX-License-Identifier: MIT
#pragma once

#include "router/table/when.h"
#include "ui/widgets/forms/record_form.h"

#include <QHash>
#include <QStringList>

#include <optional>

class QComboBox;
class QPlainTextEdit;
class QPushButton;

namespace signalbox::ui {

class WordBoxes;

/// What the fields of a rule or gap may name.
struct TableNames {
    QStringList families;
    QStringList presets;
};
[[nodiscard]] TableNames namesOf(const table::RoutingTable& table);

/// A routing rule. Each field tells when it is done with; of a rule that is not in the table yet, only its button does.
class RuleForm : public RecordForm {
    Q_OBJECT
public:
    enum class Purpose { change, add };
    RuleForm(Purpose purpose, const TableNames& names, QWidget* parent = nullptr);

    /// Fields whose value is as it was keep what is typed in them.
    void display(const table::RoutingRule& rule);
    /// Shown with the findings from then on: its mark as measured may be untrue by now.
    void setNewlyPermitted(int kinds) { m_newlyPermitted = kinds; }
    [[nodiscard]] table::RoutingRule rule() const;
    /// `when` is the object of the document. Says why a form cannot show all of the rule; empty when it can (F82).
    [[nodiscard]] static QString whyNot(const table::RoutingRule& rule, const OrderedJson& when);

Q_SIGNALS:
    /// By the key and the name of the field.
    void edited(const QString& key, const QString& name);
    void added();

protected:
    void explain() override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void tell(const QString& key, const QString& name);

    Purpose m_purpose;
    std::optional<table::RoutingRule> m_shown;
    QComboBox* m_family;
    QComboBox* m_preset;
    QHash<int, WordBoxes*> m_axes;  ///< by table::Axis
    QPlainTextEdit* m_evidence;
    QComboBox* m_tag;
    QPushButton* m_markInferred;
    int m_newlyPermitted = 0;  ///< kinds of request
};

/// A combo box for names that may also be typed; `edited` once the user is done with it.
[[nodiscard]] QComboBox* makeNameBox(const QStringList& names);

}  // namespace signalbox::ui
