// SPDX-License-Identifier: MIT
#include "ui/theme/style_sheet.h"

#include "ui/theme/theme.h"

#include <array>
#include <utility>

namespace signalbox::ui {

// $names are replaced by colours of the scheme.
static constexpr auto kButtons = R"(
QPushButton, QToolButton {
  background: $raised; color: $text; border: 1px solid $hairline; border-radius: 4px; padding: 3px 11px; min-height: 20px; }
QPushButton:hover, QToolButton:hover { background: $hover; }
QPushButton:pressed, QToolButton:pressed { background: $accentSoft; }
QPushButton:checked, QToolButton:checked { background: $accentSoft; border-color: $accent; }
QPushButton:focus, QToolButton:focus { border: 2px solid $accent; padding: 2px 10px; }
QPushButton:disabled, QToolButton:disabled { color: $textMuted; background: $panel; }
QPushButton[role="primary"] { background: $accent; color: $textOnAccent; border: 1px solid $accent; font-weight: 600; }
QPushButton[role="primary"]:hover { background: $accentHover; }
QPushButton[role="primary"]:focus { border: 2px solid $text; }
QPushButton[role="primary"]:disabled { background: $hover; color: $textMuted; border-color: $hairline; }
QPushButton[role="danger"] { color: $danger; }
QPushButton[role="danger"]:disabled { color: $textMuted; }
QPushButton[role="quiet"], QToolButton[role="quiet"] { background: transparent; border: 1px solid transparent; }
QPushButton[role="quiet"]:hover, QToolButton[role="quiet"]:hover { background: $hover; }
QPushButton[role="quiet"]:pressed, QToolButton[role="quiet"]:pressed { background: $accentSoft; }
QPushButton[role="quiet"]:checked, QToolButton[role="quiet"]:checked { background: $accentSoft; border-color: $accent; }
QPushButton[role="quiet"]:focus, QToolButton[role="quiet"]:focus { border: 2px solid $accent; }
QToolButton[role="quiet"] { padding: 3px 5px; }
QToolButton[role="quiet"]:focus { padding: 2px 4px; }
QToolButton::menu-indicator { image: none; }
QPushButton::menu-indicator { image: url(:/themes/chevron-$scheme.svg); width: 12px; subcontrol-position: right center; right: 6px; }
QPushButton[align="left"] { text-align: left; padding-right: 24px; }
)";

static constexpr auto kInputs = R"(
QLineEdit, QPlainTextEdit, QTextEdit, QComboBox, QAbstractSpinBox {
  background: $raised; color: $text; border: 1px solid $hairline; border-radius: 4px; padding: 3px 7px;
  selection-background-color: $selection; selection-color: $text; }
QLineEdit, QComboBox, QAbstractSpinBox { min-height: 20px; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QComboBox:focus, QAbstractSpinBox:focus {
  border: 2px solid $accent; padding: 2px 6px; }
QLineEdit[invalid="true"], QPlainTextEdit[invalid="true"], QComboBox[invalid="true"], QAbstractSpinBox[invalid="true"] { border: 1px solid $danger; }
QLineEdit[invalid="true"]:focus, QPlainTextEdit[invalid="true"]:focus, QComboBox[invalid="true"]:focus, QAbstractSpinBox[invalid="true"]:focus {
  border: 2px solid $danger; }
QLineEdit:disabled, QPlainTextEdit:disabled, QTextEdit:disabled, QComboBox:disabled, QAbstractSpinBox:disabled { color: $textMuted; background: $panel; }
QLineEdit[readOnly="true"] { background: $panel; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url(:/themes/chevron-$scheme.svg); width: 12px; height: 12px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { width: 20px; border: none; background: transparent; }
QAbstractSpinBox::up-arrow { image: url(:/themes/chevron-up-$scheme.svg); width: 10px; height: 10px; }
QAbstractSpinBox::down-arrow { image: url(:/themes/chevron-$scheme.svg); width: 10px; height: 10px; }
QComboBox QAbstractItemView { background: $raised; border: 1px solid $hairline; padding: 4px; }
QCheckBox, QRadioButton { color: $text; spacing: 8px; padding: 2px; border: 1px solid transparent; border-radius: 4px; }
QCheckBox:focus, QRadioButton:focus { border: 1px solid $accent; }
QCheckBox::indicator { width: 14px; height: 14px; border: 1px solid $textMuted; border-radius: 3px; background: $raised; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url(:/themes/check-$scheme.svg); }
QCheckBox::indicator:disabled { border-color: $hairline; background: $panel; }
QCheckBox:disabled { color: $textMuted; }
)";

static constexpr auto kViews = R"(
QAbstractItemView {
  background: $panel; color: $text; border: 1px solid transparent; gridline-color: $hairline; outline: 0;
  selection-background-color: $selection; selection-color: $text; alternate-background-color: $panel; }
QAbstractItemView:focus { border: 1px solid $accent; }
QHeaderView { background: $panel; border: none; }
QHeaderView::section {
  background: $panel; color: $textMuted; border: none; border-bottom: 1px solid $hairline; padding: 4px 8px; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QTableCornerButton::section { background: $panel; border: none; }
QScrollArea, QScrollArea > QWidget > QWidget[role="canvas"] { background: transparent; border: none; }
QScrollBar { background: transparent; margin: 0; }
QScrollBar:vertical { width: 10px; } QScrollBar:horizontal { height: 10px; }
QScrollBar::handle { background: $scroll; border-radius: 3px; margin: 2px; min-height: 28px; min-width: 28px; }
QScrollBar::handle:hover { background: $textMuted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: none; }
QSplitter::handle { background: transparent; }
QSplitter[role="hairline"]::handle { background: $hairline; }
QSplitter[role="hairline"]::handle:hover { background: $accent; }
QTabBar::tab {
  background: transparent; color: $textMuted; border: 1px solid transparent; border-bottom: 2px solid transparent; padding: 3px 11px 4px 11px; }
QTabBar::tab:selected { color: $text; border-bottom: 2px solid $accent; }
QTabBar::tab:focus { border: 2px solid $accent; padding: 2px 10px 4px 10px; }
QTabWidget::pane { border: none; border-top: 1px solid $hairline; }
)";

static constexpr auto kFrames = R"(
QMainWindow, QDialog { background: $window; }
QToolTip { background: $raised; color: $text; border: 1px solid $hairline; padding: 4px 6px; }
QMenuBar { background: $window; color: $text; border-bottom: 1px solid $hairline; padding: 0 8px; }
QMenuBar::item { background: transparent; padding: 5px 10px; }
QMenuBar::item:selected { background: $accentSoft; }
QMenu { background: $raised; color: $text; border: 1px solid $hairline; padding: 4px; }
QMenu::item { padding: 4px 28px 4px 12px; border-radius: 3px; }
QMenu::item:selected { background: $selection; }
QMenu::item:disabled { color: $textMuted; }
QMenu::separator { height: 1px; background: $hairline; margin: 4px 8px; }
QLabel { color: $text; background: transparent; }
QLabel[role="muted"] { color: $textMuted; }
QFrame[role="hairline"] { background: $hairline; border: none; }
QProgressBar { background: $hairline; border: none; border-radius: 2px; max-height: 4px; }
QProgressBar::chunk { background: $accent; border-radius: 2px; }
)";

QString styleSheet(const Theme& theme) {
    const bool light = theme.scheme() == Scheme::light;
    const std::array<std::pair<QLatin1String, QColor>, 14> names{{
        // Longer names first: `$text` is a prefix of `$textMuted`.
        {QLatin1String("$textOnAccent"), theme.color(Surface::textOnAccent)},
        {QLatin1String("$textMuted"), theme.color(Surface::textMuted)},
        {QLatin1String("$text"), theme.color(Surface::text)},
        {QLatin1String("$accentSoft"), theme.color(Surface::accentSoft)},
        {QLatin1String("$accentHover"), light ? theme.color(Surface::accent).lighter(118) : theme.color(Surface::accent).lighter(112)},
        {QLatin1String("$accent"), theme.color(Surface::accent)},
        {QLatin1String("$raised"), theme.color(Surface::raised)},
        {QLatin1String("$panel"), theme.color(Surface::panel)},
        {QLatin1String("$window"), theme.color(Surface::window)},
        {QLatin1String("$hairline"), theme.color(Surface::hairline)},
        {QLatin1String("$hover"), theme.color(Surface::hover)},
        {QLatin1String("$selection"), theme.color(Surface::selection)},
        {QLatin1String("$scroll"), light ? QColor(0xbd, 0xc1, 0xc0) : QColor(0x48, 0x50, 0x57)},
        {QLatin1String("$danger"), theme.color(Tone::danger)},
    }};
    QString sheet = QLatin1String(kButtons) + QLatin1String(kInputs) + QLatin1String(kViews) + QLatin1String(kFrames);
    sheet.replace(QLatin1String("$scheme"), light ? QLatin1String("light") : QLatin1String("dark"));
    for (const auto& [name, color] : names) sheet.replace(name, color.name());
    return sheet;
}

QPalette palette(const Theme& theme) {
    QPalette palette;
    const auto set = [&palette](QPalette::ColorRole role, const QColor& color) { palette.setColor(role, color); };
    set(QPalette::Window, theme.color(Surface::window));
    set(QPalette::WindowText, theme.color(Surface::text));
    set(QPalette::Base, theme.color(Surface::panel));
    set(QPalette::AlternateBase, theme.color(Surface::window));
    set(QPalette::Text, theme.color(Surface::text));
    set(QPalette::PlaceholderText, theme.color(Surface::textMuted));
    set(QPalette::Button, theme.color(Surface::raised));
    set(QPalette::ButtonText, theme.color(Surface::text));
    set(QPalette::BrightText, theme.color(Tone::danger));
    set(QPalette::Highlight, theme.color(Surface::selection));
    set(QPalette::HighlightedText, theme.color(Surface::text));
    set(QPalette::ToolTipBase, theme.color(Surface::raised));
    set(QPalette::ToolTipText, theme.color(Surface::text));
    set(QPalette::Link, theme.color(Surface::accent));
    set(QPalette::LinkVisited, theme.color(Surface::accent));
    set(QPalette::Light, theme.color(Surface::raised));
    set(QPalette::Mid, theme.color(Surface::hairline));
    set(QPalette::Dark, theme.color(Surface::hairline));
    set(QPalette::Shadow, theme.color(Surface::hairline));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, theme.color(Surface::textMuted));
    return palette;
}

}  // namespace signalbox::ui
