// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"
#include "ui/shell/command_palette.h"

namespace signalbox::ui {

/// The enabled ones of `actions`, each with its shortcut.
[[nodiscard]] QList<Command> actionCommands(const QList<QAction*>& actions);
/// Goes to the page; found by what can be done and read there, too.
[[nodiscard]] Command pageCommand(const Page& page, std::function<void()> go);
/// What the page lets itself be searched for; `open` gets the arguments.
[[nodiscard]] QList<Command> findableCommands(const Page& page, const std::function<void(const QVariantMap&)>& open);
/// "Open decision rtd_…" when `typed` is a whole decision id.
[[nodiscard]] QList<Command> decisionCommands(const QString& typed, const std::function<void(const QString&)>& open);

}  // namespace signalbox::ui
