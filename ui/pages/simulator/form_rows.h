// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

class QFormLayout;
class QSpinBox;
class QWidget;

namespace signalbox::ui {

/// Labelled fields one below the other; the label is also the field's accessible name.
class FormRows {
public:
    FormRows();
    void add(const QString& label, QWidget* field);
    void addWide(QWidget* widget);
    [[nodiscard]] QWidget* widget() const { return m_widget; }

private:
    QWidget* m_widget;
    QFormLayout* m_form;
};

/// `special` is shown for the least value.
void setUpNumber(QSpinBox* box, int least, int most, int value, const QString& special, const QString& unit);

}  // namespace signalbox::ui
