// SPDX-License-Identifier: MIT
#pragma once

#include <QPalette>
#include <QString>

namespace signalbox::ui {

class Theme;

/// The application style sheet for the theme's scheme: hairlines instead of boxes, a visible focus everywhere.
/// Widgets choose a variant with dynamic properties: QPushButton `role` = primary | quiet | danger,
/// QFrame `role` = hairline, QLabel `role` = muted | heading | title.
[[nodiscard]] QString styleSheet(const Theme& theme);
[[nodiscard]] QPalette palette(const Theme& theme);

}  // namespace signalbox::ui
