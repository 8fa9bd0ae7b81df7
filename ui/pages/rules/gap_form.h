// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/rules/rule_form.h"

namespace signalbox::ui {

/// A declared gap: what is missing, what serves it until then, and what comes next.
class GapForm : public RecordForm {
    Q_OBJECT
public:
    GapForm(RuleForm::Purpose purpose, const TableNames& names, QWidget* parent = nullptr);

    void display(const table::CoverageGap& gap);
    [[nodiscard]] table::CoverageGap gap() const;
    /// As of RuleForm (F82).
    [[nodiscard]] static QString whyNot(const table::CoverageGap& gap);

Q_SIGNALS:
    void edited(const QString& key, const QString& name);
    void added();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void explain() override;

private:
    void tell(const QString& key, const QString& name);
    void sayCells();

    RuleForm::Purpose m_purpose;
    std::optional<table::CoverageGap> m_shown;
    QPlainTextEdit* m_cell;
    QComboBox* m_fallback;
    QPlainTextEdit* m_next;
    QComboBox* m_family;
};

/// `workload_class=tool_call AND expected_output_length=short AND concurrency_mode=multi_conc`
[[nodiscard]] std::string proseOf(const table::Cell& cell);

}  // namespace signalbox::ui
