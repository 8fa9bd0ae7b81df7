// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/basics.h"

#include <QPushButton>

class QAction;

namespace signalbox::ui {

/// A button that is an action: its text, tip and whether it can be pressed. Hidden while the action makes no sense,
/// when `hideWhenDisabled`.
class ActionButton : public QPushButton {
    Q_OBJECT
public:
    ActionButton(QAction* action, const QString& icon, ButtonRole role = ButtonRole::normal, bool hideWhenDisabled = true,
                 QWidget* parent = nullptr);

private:
    void follow();
    QAction* m_action;
    bool m_hideWhenDisabled;
};

}  // namespace signalbox::ui
