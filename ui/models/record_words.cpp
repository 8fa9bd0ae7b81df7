// SPDX-License-Identifier: MIT
#include "ui/models/record_words.h"

#include "ui/models/word_table.h"

namespace signalbox::ui::words {

namespace {

struct RecordWords {
    Q_DECLARE_TR_FUNCTIONS(Record)
};

constexpr std::array kResolvedBy{
    Word{"pin", QT_TRANSLATE_NOOP("words", "pinned by the client in a request header")},
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
    Word{"preset_elsewhere", QT_TRANSLATE_NOOP("words", "matches, but its preset is bound to another provider")},
};
constexpr std::array kFoundBy{
    Word{"header", QT_TRANSLATE_NOOP("words", "set by the client in a request header")},
    Word{"metadata", QT_TRANSLATE_NOOP("words", "set by the client in the body's metadata")},
    Word{"principal", QT_TRANSLATE_NOOP("words", "the principal's default")},
    Word{"body", QT_TRANSLATE_NOOP("words", "read from the body")},
    Word{"estimate", QT_TRANSLATE_NOOP("words", "estimated from the text")},
    Word{"fallback", QT_TRANSLATE_NOOP("words", "assumed, because the request does not say")},
};

/// In full for sentences, in brief for cells and headers; a cell's axis in both, so that they cannot drift apart.
struct Pair {
    const char* full;
    const char* brief;
};
QString pick(const Pair& pair, bool brief) { return QCoreApplication::translate("words", brief ? pair.brief : pair.full); }

Pair pairOf(table::WorkloadClass value) {
    switch (value) {
    case table::WorkloadClass::toolCall: return {QT_TRANSLATE_NOOP("words", "tool call"), QT_TRANSLATE_NOOP("words", "tool call")};
    case table::WorkloadClass::structuredJson: return {QT_TRANSLATE_NOOP("words", "structured answer"), QT_TRANSLATE_NOOP("words", "structured")};
    case table::WorkloadClass::summarization: return {QT_TRANSLATE_NOOP("words", "summarization"), QT_TRANSLATE_NOOP("words", "summary")};
    case table::WorkloadClass::codeGen: return {QT_TRANSLATE_NOOP("words", "code"), QT_TRANSLATE_NOOP("words", "code")};
    case table::WorkloadClass::freeChat: return {QT_TRANSLATE_NOOP("words", "free chat"), QT_TRANSLATE_NOOP("words", "chat")};
    }
    return {"", ""};
}

Pair pairOf(table::LengthBucket value) {
    switch (value) {
    case table::LengthBucket::shortOutput: return {QT_TRANSLATE_NOOP("words", "short output"), QT_TRANSLATE_NOOP("words", "short")};
    case table::LengthBucket::mediumOutput: return {QT_TRANSLATE_NOOP("words", "medium output"), QT_TRANSLATE_NOOP("words", "medium")};
    case table::LengthBucket::longOutput: return {QT_TRANSLATE_NOOP("words", "long output"), QT_TRANSLATE_NOOP("words", "long")};
    }
    return {"", ""};
}

Pair pairOf(table::ConcurrencyMode value) {
    switch (value) {
    case table::ConcurrencyMode::singleStream: return {QT_TRANSLATE_NOOP("words", "single stream"), QT_TRANSLATE_NOOP("words", "single stream")};
    case table::ConcurrencyMode::multiConc: return {QT_TRANSLATE_NOOP("words", "many at once"), QT_TRANSLATE_NOOP("words", "many at once")};
    }
    return {"", ""};
}

}  // namespace

QString outcome(evidence::Outcome outcome) {
    switch (outcome) {
    case evidence::Outcome::served: return RecordWords::tr("served");
    case evidence::Outcome::failed: return RecordWords::tr("failed");
    case evidence::Outcome::refused: return RecordWords::tr("refused");
    case evidence::Outcome::cancelled: return RecordWords::tr("client left");
    }
    return {};
}

Tone outcomeTone(evidence::Outcome outcome) {
    switch (outcome) {
    case evidence::Outcome::served: return Tone::clear;
    case evidence::Outcome::failed: return Tone::danger;
    case evidence::Outcome::refused: return Tone::caution;
    case evidence::Outcome::cancelled: return Tone::idle;
    }
    return Tone::idle;
}

QString coverage(const std::string& coverage) {
    if (coverage == "rule") return RecordWords::tr("rule");
    if (coverage == "default") return RecordWords::tr("default");
    if (coverage == "gap") return RecordWords::tr("declared gap");
    if (coverage == "none") return RecordWords::tr("not covered");
    return QString::fromStdString(coverage);
}

QString coverage(const evidence::DecisionRecord& record) {
    if (record.reason.empty()) return RecordWords::tr("table not used");
    if (record.coverage == "none" && !record.family) return RecordWords::tr("not in table");
    return coverage(record.coverage);
}

Tone coverageTone(const std::string& coverage) {
    if (coverage == "rule") return Tone::clear;
    if (coverage == "default") return Tone::info;
    if (coverage == "gap") return Tone::gap;
    return Tone::idle;
}

QString workload(table::WorkloadClass value) { return pick(pairOf(value), false); }
QString length(table::LengthBucket value) { return pick(pairOf(value), false); }
QString concurrency(table::ConcurrencyMode value) { return pick(pairOf(value), false); }
QString shortWorkload(table::WorkloadClass value) { return pick(pairOf(value), true); }
QString shortLength(table::LengthBucket value) { return pick(pairOf(value), true); }

QString cell(const table::Cell& cell) {
    return RecordWords::tr("%1, %2, %3").arg(workload(cell.workload), length(cell.length), concurrency(cell.concurrency));
}

QString shortCell(const table::Cell& cell) {
    return RecordWords::tr("%1, %2, %3").arg(shortWorkload(cell.workload), shortLength(cell.length), concurrency(cell.concurrency));
}

QString resolvedBy(std::string_view word) { return lookUp(kResolvedBy, word); }
QString nullCause(std::string_view word) { return lookUp(kNullCause, word); }
QString naturalBy(std::string_view word) { return lookUp(kNaturalBy, word); }
QString verdict(std::string_view word) { return lookUp(kVerdict, word); }
QString foundBy(std::string_view word) { return lookUp(kFoundBy, word); }

}  // namespace signalbox::ui::words
