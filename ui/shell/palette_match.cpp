// SPDX-License-Identifier: MIT
#include "ui/shell/palette_match.h"

#include <QStringList>

namespace signalbox::ui {

static bool startsWord(const QString& label, qsizetype at) { return at == 0 || !label.at(at - 1).isLetterOrNumber(); }

static std::optional<int> wordScore(const QString& word, const QString& label) {
    int best = -1;
    for (qsizetype at = label.indexOf(word, 0, Qt::CaseInsensitive); at >= 0; at = label.indexOf(word, at + 1, Qt::CaseInsensitive))
        best = std::max(best, at == 0 ? 30 : startsWord(label, at) ? 20 : 8);
    if (best < 0) return std::nullopt;
    return best;
}

std::optional<int> paletteScore(const QString& query, const QString& label) {
    int score = 0;
    for (const QString& word : query.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const auto found = wordScore(word, label);
        if (!found) return std::nullopt;
        score += *found;
    }
    // Of two that fit alike the shorter is the likelier.
    return score * 100 - static_cast<int>(std::min<qsizetype>(label.size(), 99));
}

}  // namespace signalbox::ui
