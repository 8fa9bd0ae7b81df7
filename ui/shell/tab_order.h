// SPDX-License-Identifier: MIT
#pragma once

#include <QList>

class QWidget;

namespace signalbox::ui {

/// The widgets below `root` that Tab visits, in the order in which layouts and splitters place them. Qt itself goes by
/// the order of creation, in which rows that come and go always end up last.
[[nodiscard]] QList<QWidget*> tabOrder(QWidget* root);

/// Gives the focus to the one after (or before) `focused` in that order, round its ends. False where there is none.
bool focusNeighbour(QWidget* root, QWidget* focused, bool next);
/// Gives it to the first stop of the region after the one that holds `focused`.
void focusNextRegion(const QList<QWidget*>& regions, const QWidget* focused);

}  // namespace signalbox::ui
