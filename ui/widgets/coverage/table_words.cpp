// SPDX-License-Identifier: MIT
#include "ui/widgets/coverage/table_words.h"

#include "ui/models/record_words.h"
#include "ui/theme/format.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>

namespace signalbox::ui::words {

namespace {

struct TableWords {
    Q_DECLARE_TR_FUNCTIONS(Table)
};

/// The words of one axis for a person, joined by "or"; words the contract does not know stay as written.
template <class Parse, class Say>
QString axis(const std::vector<std::string>& written, Parse parse, Say say) {
    QStringList said;
    for (const std::string& word : written) {
        const auto value = parse(word);
        said << (value ? say(*value) : TableWords::tr("\"%1\" (unknown)").arg(format::text(word)));
    }
    if (said.isEmpty()) return TableWords::tr("nothing at all (empty list)");
    const QString last = said.takeLast();
    return said.isEmpty() ? last : TableWords::tr("%1 or %2").arg(said.join(QStringLiteral(", ")), last);
}

}  // namespace

QString when(const table::When& when) {
    QStringList parts;
    if (when.workloadClass) parts << axis(*when.workloadClass, table::parseWorkloadClass, workload);
    if (when.expectedOutputLength)
        parts << TableWords::tr("%1 output").arg(axis(*when.expectedOutputLength, table::parseLengthBucket, shortLength));
    if (when.concurrencyMode) parts << axis(*when.concurrencyMode, table::parseConcurrencyMode, concurrency);
    return parts.isEmpty() ? TableWords::tr("every request") : parts.join(QStringLiteral(", "));
}

std::optional<QString> gapCells(const table::CoverageGap& gap) {
    const auto cells = table::parseMissingCell(gap.missingCell);
    if (!cells) return std::nullopt;
    return when(*cells);
}

std::vector<std::pair<std::string, QString>> axisChoices(table::Axis axis) {
    std::vector<std::pair<std::string, QString>> out;
    const auto add = [&out](const auto& values, const auto& word) {
        for (const auto value : values) out.emplace_back(std::string(toString(value)), word(value));
    };
    switch (axis) {
    case table::Axis::workloadClass: add(table::kWorkloadClasses, workload); break;
    case table::Axis::expectedOutputLength: add(table::kLengthBuckets, length); break;
    case table::Axis::concurrencyMode: add(table::kConcurrencyModes, concurrency); break;
    }
    return out;
}

QString landing(table::Landing landing) {
    switch (landing) {
    case table::Landing::ruleMeasured: return TableWords::tr("rule, measured");
    case table::Landing::ruleInferred: return TableWords::tr("rule, inferred");
    case table::Landing::ruleUntagged: return TableWords::tr("rule, no evidence tag");
    case table::Landing::familyDefault: return TableWords::tr("family default");
    case table::Landing::declaredGap: return TableWords::tr("declared gap");
    case table::Landing::nothing: return TableWords::tr("nothing");
    }
    return {};
}

QString shortLanding(table::Landing landing, bool singlePresetByDesign) {
    switch (landing) {
    case table::Landing::ruleMeasured: return TableWords::tr("measured");
    case table::Landing::ruleInferred: return TableWords::tr("inferred");
    case table::Landing::ruleUntagged: return TableWords::tr("untagged");
    case table::Landing::familyDefault: return TableWords::tr("default");
    case table::Landing::declaredGap: return TableWords::tr("gap");
    case table::Landing::nothing: return singlePresetByDesign ? TableWords::tr("by design") : TableWords::tr("nothing");
    }
    return {};
}

Tone landingTone(table::Landing landing) {
    switch (landing) {
    case table::Landing::ruleMeasured: return Tone::clear;
    case table::Landing::ruleInferred:
    case table::Landing::ruleUntagged: return Tone::caution;
    case table::Landing::familyDefault: return Tone::info;
    case table::Landing::declaredGap: return Tone::gap;
    case table::Landing::nothing: return Tone::idle;
    }
    return Tone::idle;
}

QString evidenceTag(const std::optional<std::string>& tag) {
    if (tag == "measured") return TableWords::tr("measured");
    if (tag == "inferred") return TableWords::tr("inferred");
    return tag ? format::text(*tag) : TableWords::tr("no evidence tag");
}

Tone evidenceTone(const std::optional<std::string>& tag) { return tag == "measured" ? Tone::clear : Tone::caution; }

std::optional<QDate> evidenceDate(const std::string& evidence) {
    static const QRegularExpression kIsoDate(QStringLiteral("(?<!\\d)(20\\d{2})-(\\d{2})-(\\d{2})(?!\\d)"));
    auto matches = kIsoDate.globalMatch(format::text(evidence));
    while (matches.hasNext()) {
        const auto match = matches.next();
        const QDate date(match.captured(1).toInt(), match.captured(2).toInt(), match.captured(3).toInt());
        if (date.isValid()) return date;
    }
    return std::nullopt;
}

QString date(const QDate& date) { return QLocale().toString(date, QStringLiteral("d MMM yyyy")); }

}  // namespace signalbox::ui::words
