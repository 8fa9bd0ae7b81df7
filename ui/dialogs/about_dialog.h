// SPDX-License-Identifier: MIT
#pragma once

class QWidget;

namespace signalbox::ui {

/// Opens (and returns at once) the window that says what this program is, its version and the licences it stands under.
void showAbout(QWidget* parent);

}  // namespace signalbox::ui
