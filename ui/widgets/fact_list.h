// SPDX-License-Identifier: MIT
#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

class QFormLayout;

namespace signalbox::ui {

/// Names and values one under the other, as the inspector shows them. Values can be selected, ids copied.
class FactList : public QWidget {
    Q_OBJECT
public:
    explicit FactList(QWidget* parent = nullptr);

    void addText(const QString& name, const QString& value);
    void addId(const QString& name, const QString& id);
    void addTone(const QString& name, Tone tone, const QString& text);
    void addWidget(const QString& name, QWidget* value);
    /// Least width of the names of what is added from now on, so that several lists line up.
    void setNameWidth(int width) { m_nameWidth = width; }
    void clear();

private:
    QFormLayout* m_form;
    int m_nameWidth = 0;
};

}  // namespace signalbox::ui
