// SPDX-License-Identifier: MIT
#include "ui/pages/rules/rule_marks.h"

#include "router/table/coverage.h"
#include "router/table/when.h"
#include "ui/theme/format.h"
#include "ui/widgets/coverage/table_words.h"

#include <QCoreApplication>

namespace signalbox::ui::marks {

namespace {

constexpr qsizetype kIdentity = 2;  ///< family and condition, or missing cell

struct RuleMarks {
    Q_DECLARE_TR_FUNCTIONS(RuleMarks)
};

/// "workload_class=tool_call/free_chat AND concurrency_mode=multi_conc", as gaps name their cells; empty: every request.
QString conditionOf(const table::When& when) {
    QStringList axes;
    for (const table::Axis axis : table::kAxes) {
        if (!table::wordsOf(when, axis)) continue;
        QStringList permitted;
        for (const std::string& word : *table::wordsOf(when, axis)) permitted << format::text(word);
        axes << format::text(table::toString(axis)) + QLatin1Char('=') + permitted.join(QLatin1Char('/'));
    }
    return axes.join(QStringLiteral(" AND "));
}

/// A condition that the contract does not know stays as written.
QString inWords(const QString& condition) {
    if (condition.isEmpty()) return words::when({});
    const auto when = table::parseMissingCell(format::utf8(condition));
    return when ? words::when(*when) : condition;
}

/// The nearest to `index` whose mark begins as `mark` does, for that many of its parts.
template <class Entry>
std::optional<std::size_t> findNearest(const std::vector<Entry>& all, std::size_t index, const QStringList& mark, qsizetype parts) {
    const auto distance = [index](std::size_t i) { return i < index ? index - i : i - index; };
    std::optional<std::size_t> nearest;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (of(all[i]).first(parts) == mark.first(parts) && (!nearest || distance(i) < distance(*nearest))) nearest = i;
    return nearest;
}

template <class Entry>
std::optional<std::size_t> findMarked(const std::vector<Entry>& all, std::size_t index, const QStringList& mark) {
    if (mark.isEmpty()) return index < all.size() ? std::optional(index) : std::nullopt;
    const auto exact = findNearest(all, index, mark, mark.size());
    // A preset that was renamed, or put in another one's place, leaves the rule what it was.
    return exact || mark.size() < kIdentity ? exact : findNearest(all, index, mark, kIdentity);
}

}  // namespace

QStringList of(const table::RoutingRule& rule) { return {format::text(rule.modelFamily), conditionOf(rule.when), format::text(rule.presetKey)}; }
QStringList of(const table::CoverageGap& gap) { return {format::text(gap.modelFamily), format::text(gap.missingCell), format::text(gap.fallbackPreset)}; }

std::optional<std::size_t> find(const std::vector<table::RoutingRule>& rules, std::size_t index, const QStringList& mark) { return findMarked(rules, index, mark); }
std::optional<std::size_t> find(const std::vector<table::CoverageGap>& gaps, std::size_t index, const QStringList& mark) { return findMarked(gaps, index, mark); }

QString noSuchRule(std::size_t index, const QStringList& mark) {
    if (mark.isEmpty()) return RuleMarks::tr("There is no rule %1 in what is open").arg(index + 1);
    return RuleMarks::tr("Rule %1 → %2 was changed or removed since").arg(inWords(mark.value(1)), mark.value(2));
}

QString noSuchGap(std::size_t index, const QStringList& mark) {
    if (mark.isEmpty()) return RuleMarks::tr("There is no declared gap %1 in what is open").arg(index + 1);
    return RuleMarks::tr("Declared gap %1 was changed or removed since").arg(mark.value(1));
}

}  // namespace signalbox::ui::marks
