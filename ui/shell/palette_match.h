// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

#include <optional>

namespace signalbox::ui {

/// How well what was typed fits a label; higher is better, nullopt when it does not fit at all.
/// Every typed word must be found: at the start of the label (best), at the start of a word, or inside one.
/// An empty query fits everything equally.
[[nodiscard]] std::optional<int> paletteScore(const QString& query, const QString& label);

struct PaletteFit {
    int score = 0;
    QString because;  ///< the other name by which it was found; empty where its label says everything that was typed
};
/// The same where each typed word may also begin a word of one of `otherNames`: what is called so comes first all the same.
[[nodiscard]] std::optional<PaletteFit> paletteFit(const QString& query, const QString& label, const QStringList& otherNames);

}  // namespace signalbox::ui
