// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

namespace signalbox::ui {

/// The wheel scrolls the page and changes `fields` only while they have the focus.
void guardFromWheel(const QList<QWidget*>& fields);

}  // namespace signalbox::ui
