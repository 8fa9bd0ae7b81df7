// SPDX-License-Identifier: MIT
#pragma once

#include <QList>

class QWidget;

namespace signalbox::ui {

/// The widgets below `root` that Tab visits, in the order in which layouts and splitters place them. Qt itself goes by
/// the order of creation, in which rows that come and go always end up last.
[[nodiscard]] QList<QWidget*> tabOrder(QWidget* root);

}  // namespace signalbox::ui
