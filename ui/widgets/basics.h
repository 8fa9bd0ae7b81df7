// SPDX-License-Identifier: MIT
#pragma once

#include "ui/theme/theme.h"

#include <QString>

class QAbstractButton;
class QAction;
class QFrame;
class QLabel;
class QLayout;
class QPushButton;
class QToolButton;
class QWidget;

/// Small pieces that every page is made of. All of them follow the theme by themselves.
namespace signalbox::ui {

/// Wrapping text that can be selected with the mouse. `role`: empty, or muted.
[[nodiscard]] QLabel* makeLabel(const QString& text, QWidget* parent = nullptr);
[[nodiscard]] QLabel* makeMuted(const QString& text, QWidget* parent = nullptr);
/// A one-line heading inside a page.
[[nodiscard]] QLabel* makeHeading(const QString& text, QWidget* parent = nullptr);

enum class ButtonRole { normal, primary, quiet, danger };
/// `icon` may be empty. The text is also the accessible name.
[[nodiscard]] QPushButton* makeButton(const QString& text, const QString& icon = {}, ButtonRole role = ButtonRole::normal,
                                      QWidget* parent = nullptr);
/// Sets the look of a button made elsewhere; before it is shown.
void setRole(QAbstractButton* button, ButtonRole role);
/// An icon without text: `name` is its accessible name and tool tip.
[[nodiscard]] QToolButton* makeIconButton(const QString& name, const QString& icon, QWidget* parent = nullptr);
/// Gives `button` the icon in the scheme's colour, now and whenever the scheme changes.
void setThemedIcon(QAbstractButton* button, const QString& icon);
void setThemedIcon(QAction* action, const QString& icon);

enum class LineDirection { horizontal, vertical };
[[nodiscard]] QFrame* makeHairline(LineDirection direction = LineDirection::horizontal, QWidget* parent = nullptr);

/// Removes all rows or widgets of a layout, deleting the widgets.
void clearLayout(QLayout* layout);

}  // namespace signalbox::ui
