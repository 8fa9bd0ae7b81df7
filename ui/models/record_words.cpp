// SPDX-License-Identifier: MIT
#include "ui/models/record_words.h"

#include <QCoreApplication>

namespace signalbox::ui::words {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Record)
};
}  // namespace

QString outcome(evidence::Outcome outcome) {
    switch (outcome) {
    case evidence::Outcome::served: return Words::tr("served");
    case evidence::Outcome::failed: return Words::tr("failed");
    case evidence::Outcome::refused: return Words::tr("refused");
    case evidence::Outcome::cancelled: return Words::tr("client left");
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
    if (coverage == "rule") return Words::tr("rule");
    if (coverage == "default") return Words::tr("default");
    if (coverage == "gap") return Words::tr("declared gap");
    if (coverage == "none") return Words::tr("not covered");
    return QString::fromStdString(coverage);
}

QString coverage(const evidence::DecisionRecord& record) {
    if (record.reason.empty()) return Words::tr("not asked");
    if (record.coverage == "none" && !record.family) return Words::tr("not in table");
    return coverage(record.coverage);
}

Tone coverageTone(const std::string& coverage) {
    if (coverage == "rule") return Tone::clear;
    if (coverage == "default") return Tone::info;
    if (coverage == "gap") return Tone::gap;
    return Tone::idle;
}

QString shortWorkload(table::WorkloadClass value) {
    switch (value) {
    case table::WorkloadClass::toolCall: return Words::tr("tool call");
    case table::WorkloadClass::structuredJson: return Words::tr("structured");
    case table::WorkloadClass::summarization: return Words::tr("summary");
    case table::WorkloadClass::codeGen: return Words::tr("code");
    case table::WorkloadClass::freeChat: return Words::tr("chat");
    }
    return {};
}

QString shortLength(table::LengthBucket value) {
    switch (value) {
    case table::LengthBucket::shortOutput: return Words::tr("short");
    case table::LengthBucket::mediumOutput: return Words::tr("medium");
    case table::LengthBucket::longOutput: return Words::tr("long");
    }
    return {};
}

QString shortConcurrency(table::ConcurrencyMode value) {
    switch (value) {
    case table::ConcurrencyMode::singleStream: return Words::tr("one at a time");
    case table::ConcurrencyMode::multiConc: return Words::tr("many at once");
    }
    return {};
}

QString shortCell(const table::Cell& cell) {
    return Words::tr("%1, %2, %3").arg(shortWorkload(cell.workload), shortLength(cell.length), shortConcurrency(cell.concurrency));
}

}  // namespace signalbox::ui::words
