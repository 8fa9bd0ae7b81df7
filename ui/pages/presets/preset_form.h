// SPDX-License-Identifier: MIT
#pragma once

#include "router/table/types.h"
#include "ui/widgets/forms/record_form.h"

#include <QStringList>

#include <optional>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QSpinBox;

namespace signalbox::ui {

class WordBoxes;

/// A preset. Each field tells when it is done with; of a preset that is not in the table yet, only its button does.
class PresetForm : public RecordForm {
    Q_OBJECT
public:
    enum class Purpose { change, add };
    PresetForm(Purpose purpose, const QStringList& families, QWidget* parent = nullptr);

    /// Fields whose value is as it was keep what is typed in them.
    void display(const table::Preset& preset);
    [[nodiscard]] table::Preset preset() const;
    /// Says why a form cannot show all of the preset; empty when it can (F82).
    [[nodiscard]] static QString whyNot(const table::Preset& preset);

Q_SIGNALS:
    /// By the key and the name of the field.
    void edited(const QString& key, const QString& name);
    void added();

private:
    void tell(const QString& key, const QString& name);
    QLineEdit* addLine(const QString& key, const QString& name, const QString& whenEmpty);
    QComboBox* addNames(const QString& key, const QString& name, const QStringList& names);
    QSpinBox* addNumber(const QString& key, const QString& name);

    Purpose m_purpose;
    std::optional<table::Preset> m_shown;
    QLineEdit* m_key;
    QLineEdit* m_model;
    QLineEdit* m_served;
    QComboBox* m_family;
    QSpinBox* m_k;
    QSpinBox* m_sequences;
    QComboBox* m_role;
    WordBoxes* m_workloads;
    QCheckBox* m_default;
};

}  // namespace signalbox::ui
