// SPDX-License-Identifier: MIT
#pragma once

#include <QList>

class QAction;
class QWidget;

namespace signalbox::ui {

/// Opens (and returns at once) the list of every shortcut: those of `actions`, and the keys that work everywhere.
void showShortcuts(QWidget* parent, const QList<QAction*>& actions);

}  // namespace signalbox::ui
