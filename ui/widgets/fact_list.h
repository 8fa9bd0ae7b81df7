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
    void clear();

private:
    QFormLayout* m_form;
};

}  // namespace signalbox::ui
