// SPDX-License-Identifier: MIT
#include "ui/widgets/action_button.h"

#include <QAction>

namespace signalbox::ui {

ActionButton::ActionButton(QAction* action, const QString& icon, ButtonRole role, bool hideWhenDisabled, QWidget* parent)
    : QPushButton(parent), m_action(action), m_hideWhenDisabled(hideWhenDisabled) {
    setRole(this, role);
    setThemedIcon(this, icon);
    connect(action, &QAction::changed, this, &ActionButton::follow);
    connect(this, &QPushButton::clicked, action, &QAction::trigger);
    follow();
}

void ActionButton::follow() {
    const QString text = m_action->text().remove(QLatin1Char('&'));
    setText(text);
    setAccessibleName(text);
    setToolTip(m_action->toolTip());
    setEnabled(m_action->isEnabled());
    // Without a parent yet, showing it would open a window of its own.
    if (m_hideWhenDisabled && (parentWidget() != nullptr || !m_action->isEnabled())) setVisible(m_action->isEnabled());
}

}  // namespace signalbox::ui
