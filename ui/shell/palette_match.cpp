// SPDX-License-Identifier: MIT
#include "ui/shell/palette_match.h"

#include <algorithm>

namespace signalbox::ui {

static bool startsWord(const QString& label, qsizetype at) { return at == 0 || !label.at(at - 1).isLetterOrNumber(); }

static std::optional<int> wordScore(const QString& word, const QString& label) {
    int best = -1;
    for (qsizetype at = label.indexOf(word, 0, Qt::CaseInsensitive); at >= 0; at = label.indexOf(word, at + 1, Qt::CaseInsensitive))
        best = std::max(best, at == 0 ? 30 : startsWord(label, at) ? 20 : 8);
    if (best < 0) return std::nullopt;
    return best;
}

// Below a word inside of a label; a whole word counts for more than the beginning of another.
static int otherNameScore(const QString& word, const QString& name) {
    int best = 0;
    for (qsizetype at = name.indexOf(word, 0, Qt::CaseInsensitive); at >= 0; at = name.indexOf(word, at + 1, Qt::CaseInsensitive)) {
        const qsizetype end = at + word.size();
        if (startsWord(name, at)) best = std::max(best, end == name.size() || !name.at(end).isLetterOrNumber() ? 3 : 2);
    }
    return best;
}

std::optional<PaletteFit> paletteFit(const QString& query, const QString& label, const QStringList& otherNames) {
    PaletteFit fit;
    for (const QString& word : query.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        if (const auto found = wordScore(word, label)) {
            fit.score += *found;
            continue;
        }
        const auto best = std::max_element(otherNames.begin(), otherNames.end(), [&word](const QString& a, const QString& b) {
            return otherNameScore(word, a) < otherNameScore(word, b);
        });
        if (best == otherNames.end() || otherNameScore(word, *best) == 0) return std::nullopt;
        if (fit.because.isEmpty()) fit.because = *best;
        fit.score += otherNameScore(word, *best);
    }
    // Of two that fit alike the shorter is the likelier.
    fit.score = fit.score * 100 - static_cast<int>(std::min<qsizetype>(label.size(), 99));
    return fit;
}

std::optional<int> paletteScore(const QString& query, const QString& label) {
    const auto fit = paletteFit(query, label, {});
    if (!fit) return std::nullopt;
    return fit->score;
}

}  // namespace signalbox::ui
