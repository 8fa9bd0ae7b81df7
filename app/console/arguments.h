// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

#include <optional>

namespace signalbox::console {

struct Arguments {
    QString path;  ///< workspace folder or table file; empty means the demo workspace
    QString page;  ///< where to begin; empty means where the user left off
};

/// What the command line asks for. Nothing when it only asked for help or the version, or was wrong: then `exitCode`
/// says how to end, and the text has been printed.
[[nodiscard]] std::optional<Arguments> parseArguments(const QStringList& words, int& exitCode);

}  // namespace signalbox::console
