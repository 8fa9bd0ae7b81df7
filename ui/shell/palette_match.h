// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <optional>

namespace signalbox::ui {

/// How well what was typed fits a label; higher is better, nullopt when it does not fit at all.
/// Every typed word must be found: at the start of the label (best), at the start of a word, or inside one.
/// An empty query fits everything equally.
[[nodiscard]] std::optional<int> paletteScore(const QString& query, const QString& label);

}  // namespace signalbox::ui
