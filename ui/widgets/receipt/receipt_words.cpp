// SPDX-License-Identifier: MIT
#include "ui/widgets/receipt/receipt_words.h"

#include <QCoreApplication>

#include <array>
#include <string_view>

namespace signalbox::ui::words {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("words", text); }

struct Word {
    std::string_view word;
    const char* text;
};

/// Unknown words (of a newer version's record) are shown as they are.
template <std::size_t N>
QString lookUp(const std::array<Word, N>& words, const std::string& word) {
    for (const Word& entry : words)
        if (entry.word == word) return tr(entry.text);
    return QString::fromStdString(word);
}

constexpr std::array kResolvedBy{
    Word{"pin", QT_TRANSLATE_NOOP("words", "pinned by a header")},
    Word{"explicit_endpoint", QT_TRANSLATE_NOOP("words", "names an endpoint itself")},
    Word{"smart_alias", QT_TRANSLATE_NOOP("words", "alias of a smart group")},
    Word{"static_alias", QT_TRANSLATE_NOOP("words", "static alias")},
    Word{"table", QT_TRANSLATE_NOOP("words", "governed by the routing table")},
    Word{"model_router", QT_TRANSLATE_NOOP("words", "model with a router of its own")},
    Word{"inventory", QT_TRANSLATE_NOOP("words", "listed by a provider")},
};
constexpr std::array kNullCause{
    Word{"model_missing", QT_TRANSLATE_NOOP("words", "the request names no model")},
    Word{"model_not_listed", QT_TRANSLATE_NOOP("words", "the table does not list this model")},
    Word{"family_label_unknown", QT_TRANSLATE_NOOP("words", "the table labels its family unknown")},
    Word{"ambiguous_family", QT_TRANSLATE_NOOP("words", "the name belongs to several families")},
    Word{"family_without_default", QT_TRANSLATE_NOOP("words", "no rule matched and the family has no default")},
    Word{"table_not_applicable", QT_TRANSLATE_NOOP("words", "the table has a schema version that is not known")},
};
constexpr std::array kNaturalBy{
    Word{"configured", QT_TRANSLATE_NOOP("words", "natural preset, configured for this model")},
    Word{"only_preset", QT_TRANSLATE_NOOP("words", "natural preset, the only one of this model")},
    Word{"gap_fallback", QT_TRANSLATE_NOOP("words", "natural preset, named by the family's declared gaps")},
    Word{"inventory", QT_TRANSLATE_NOOP("words", "a provider lists this model")},
};
constexpr std::array kVerdict{
    Word{"matched", QT_TRANSLATE_NOOP("words", "matched")},
    Word{"shadowed", QT_TRANSLATE_NOOP("words", "would match, but an earlier rule did")},
    Word{"workload_differs", QT_TRANSLATE_NOOP("words", "another kind of work")},
    Word{"length_differs", QT_TRANSLATE_NOOP("words", "another output length")},
    Word{"concurrency_differs", QT_TRANSLATE_NOOP("words", "another number in flight")},
    Word{"cannot_match", QT_TRANSLATE_NOOP("words", "can never match")},
};
constexpr std::array kFoundBy{
    Word{"header", QT_TRANSLATE_NOOP("words", "said by a header")},
    Word{"metadata", QT_TRANSLATE_NOOP("words", "said in the body's metadata")},
    Word{"principal", QT_TRANSLATE_NOOP("words", "default of the principal")},
    Word{"body", QT_TRANSLATE_NOOP("words", "read from the body")},
    Word{"estimate", QT_TRANSLATE_NOOP("words", "estimate")},
    Word{"fallback", QT_TRANSLATE_NOOP("words", "nothing said, so assumed")},
};

}  // namespace

QString workload(table::WorkloadClass value) {
    switch (value) {
    case table::WorkloadClass::toolCall: return tr(QT_TRANSLATE_NOOP("words", "tool call"));
    case table::WorkloadClass::structuredJson: return tr(QT_TRANSLATE_NOOP("words", "structured answer"));
    case table::WorkloadClass::summarization: return tr(QT_TRANSLATE_NOOP("words", "summarization"));
    case table::WorkloadClass::codeGen: return tr(QT_TRANSLATE_NOOP("words", "code"));
    case table::WorkloadClass::freeChat: return tr(QT_TRANSLATE_NOOP("words", "free chat"));
    }
    return {};
}

QString length(table::LengthBucket value) {
    switch (value) {
    case table::LengthBucket::shortOutput: return tr(QT_TRANSLATE_NOOP("words", "short output"));
    case table::LengthBucket::mediumOutput: return tr(QT_TRANSLATE_NOOP("words", "medium output"));
    case table::LengthBucket::longOutput: return tr(QT_TRANSLATE_NOOP("words", "long output"));
    }
    return {};
}

QString concurrency(table::ConcurrencyMode value) {
    switch (value) {
    case table::ConcurrencyMode::singleStream: return tr(QT_TRANSLATE_NOOP("words", "single stream"));
    case table::ConcurrencyMode::multiConc: return tr(QT_TRANSLATE_NOOP("words", "many at once"));
    }
    return {};
}

QString cell(const table::Cell& cell) {
    return workload(cell.workload) + QStringLiteral(", ") + length(cell.length) + QStringLiteral(", ") +
           concurrency(cell.concurrency);
}

QString resolvedBy(const std::string& word) { return lookUp(kResolvedBy, word); }
QString nullCause(const std::string& word) { return lookUp(kNullCause, word); }
QString naturalBy(const std::string& word) { return lookUp(kNaturalBy, word); }
QString verdict(const std::string& word) { return lookUp(kVerdict, word); }
QString foundBy(const std::string& word) { return lookUp(kFoundBy, word); }

}  // namespace signalbox::ui::words
