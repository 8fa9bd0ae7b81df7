// SPDX-License-Identifier: MIT
#pragma once

#include <QCoreApplication>
#include <QString>

#include <array>
#include <string_view>

/// For the folders that translate the router's words; everybody else calls a function of record_words.h or
/// group_words.h.
namespace signalbox::ui::words {

struct Word {
    std::string_view word;
    const char* text;  ///< marked with QT_TRANSLATE_NOOP("words", …)
};

/// Unknown words (of a newer version's record) are shown as they are.
template <std::size_t N>
QString lookUp(const std::array<Word, N>& words, std::string_view word) {
    for (const Word& entry : words)
        if (entry.word == word) return QCoreApplication::translate("words", entry.text);
    return QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
}

}  // namespace signalbox::ui::words
