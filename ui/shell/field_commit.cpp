// SPDX-License-Identifier: MIT
#include "ui/shell/field_commit.h"

#include <QApplication>
#include <QKeyEvent>
#include <QPointer>

#include <algorithm>

namespace signalbox::ui {

void commitField() {
    const QPointer<QWidget> field = QApplication::focusWidget();
    if (!field || !field->testAttribute(Qt::WA_InputMethodEnabled)) return;  // nothing is typed there
    field->clearFocus();
    if (field && QApplication::focusWidget() == nullptr) field->setFocus();  // else what was typed led somewhere else
}

FieldCommit::FieldCommit(QList<QAction*> actions, QObject* parent) : QObject(parent), m_actions(std::move(actions)) { qApp->installEventFilter(this); }

// A disabled action has no shortcut, so the field has to be in the draft before anybody asks which actions are enabled.
bool FieldCommit::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride || !watched->isWidgetType()) return false;
    const QKeySequence pressed(static_cast<QKeyEvent*>(event)->keyCombination());
    // What an input method writes has no key, which compares like having no shortcut.
    const auto isPressed = [&pressed](const QAction* action) { return !action->shortcut().isEmpty() && action->shortcut() == pressed; };
    if (std::none_of(m_actions.begin(), m_actions.end(), isPressed)) return false;
    const QPointer<QObject> receiver(watched);
    commitField();
    return receiver.isNull();  // what was typed may have replaced the form it was typed into
}

}  // namespace signalbox::ui
