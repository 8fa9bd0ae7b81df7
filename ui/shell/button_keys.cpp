// SPDX-License-Identifier: MIT
#include "ui/shell/button_keys.h"

#include <QApplication>
#include <QDialog>
#include <QKeyEvent>
#include <QPointer>
#include <QPushButton>
#include <QToolButton>

namespace signalbox::ui {

ButtonKeys::ButtonKeys(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

// Which the button itself takes for a press; in a dialog a push button knows Return already.
static bool takesSpace(const QObject* watched) {
    if (qobject_cast<const QToolButton*>(watched) != nullptr) return true;
    const auto* button = qobject_cast<const QPushButton*>(watched);
    return button != nullptr && qobject_cast<const QDialog*>(button->window()) == nullptr;
}

bool ButtonKeys::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return false;
    const auto* pressed = static_cast<QKeyEvent*>(event);
    const bool isReturn = pressed->key() == Qt::Key_Return || pressed->key() == Qt::Key_Enter;
    if (!isReturn || (pressed->modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier) return false;
    // A key that is still down was pressed for what stood there before: it answers no question that it has just opened.
    if (pressed->isAutoRepeat()) return qobject_cast<QAbstractButton*>(watched) != nullptr || qobject_cast<QDialog*>(watched) != nullptr;
    if (!takesSpace(watched)) return false;
    const QPointer<QObject> button(watched);
    QKeyEvent press(QEvent::KeyPress, Qt::Key_Space, Qt::NoModifier);
    QCoreApplication::sendEvent(watched, &press);
    QKeyEvent release(QEvent::KeyRelease, Qt::Key_Space, Qt::NoModifier);
    if (button) QCoreApplication::sendEvent(button, &release);
    return true;
}

}  // namespace signalbox::ui
