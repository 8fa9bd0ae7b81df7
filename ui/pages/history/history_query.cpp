// SPDX-License-Identifier: MIT
#include "ui/pages/history/history_query.h"

#include "router/table/coverage.h"
#include "ui/theme/format.h"

#include <algorithm>

namespace signalbox::ui {

using evidence::TimeRange;

bool HistoryQuery::has(Field field) const {
    switch (field) {
    case Field::slice: return slice.has_value();
    case Field::preset: return preset.has_value();
    case Field::rule: return rule.has_value();
    case Field::family: return family.has_value();
    case Field::cells: return !cells.empty();
    case Field::coverage: return coverage.has_value();
    case Field::outcome: return outcome.has_value();
    case Field::endpoint: return endpoint.has_value();
    }
    return false;
}

HistoryQuery HistoryQuery::without(Field field) const {
    HistoryQuery rest = *this;
    switch (field) {
    case Field::slice: rest.slice.reset(); break;
    case Field::preset: rest.preset.reset(); break;
    case Field::rule: rest.rule.reset(); break;
    case Field::family: rest.family.reset(); break;
    case Field::cells: rest.cells.clear(); break;
    case Field::coverage: rest.coverage.reset(); break;
    case Field::outcome: rest.outcome.reset(); break;
    case Field::endpoint: rest.endpoint.reset(); break;
    }
    return rest;
}

evidence::HistoryFilter HistoryQuery::chartFilter(const TimeRange& range) const {
    evidence::HistoryFilter filter;
    filter.range = range;
    filter.ruleIndex = rule;
    filter.family = family;
    filter.cells = cells;
    filter.coverage = coverage;
    filter.outcome = outcome;
    filter.endpointId = endpoint;
    return filter;
}

evidence::HistoryFilter HistoryQuery::tableFilter(const TimeRange& range) const {
    auto filter = chartFilter(slice.value_or(range));
    filter.presetKey = preset;
    return filter;
}

static std::optional<std::string> textOf(const QVariantMap& arguments, const QString& name) {
    const auto it = arguments.constFind(name);
    if (it == arguments.constEnd()) return std::nullopt;
    return format::utf8(it->toString());
}

static void readCells(HistoryQuery& query, const QVariantMap& arguments) {
    const QVariant one = arguments.value(QStringLiteral("cell"));
    if (one.isValid() && one.toUInt() < table::kCellCount) query.cells = {one.toUInt()};
    for (const QVariant& cell : arguments.value(QStringLiteral("cells")).toList())
        if (cell.toUInt() < table::kCellCount) query.cells.push_back(cell.toUInt());
}

// A gap is told by its cells: the counts of the chart know cells and no gaps.
static void readGap(HistoryQuery& query, const QVariantMap& arguments, const table::RoutingTable* table) {
    const QVariant gap = arguments.value(QStringLiteral("gap"));
    if (!gap.isValid()) return;
    query.coverage = "gap";
    if (table == nullptr || gap.toUInt() >= table->gaps.size()) return;
    const table::CoverageGap& declared = table->gaps[gap.toUInt()];
    if (declared.modelFamily != "all") query.family = declared.modelFamily;
    const auto named = table::parseMissingCell(declared.missingCell);
    if (!named) return;
    for (std::uint32_t i = 0; i < table::kCellCount; ++i)
        if (named->matches(table::Cell::fromIndex(i))) query.cells.push_back(i);
}

HistoryQuery HistoryQuery::fromArguments(const QVariantMap& arguments, const table::RoutingTable* table) {
    HistoryQuery query;
    query.preset = textOf(arguments, QStringLiteral("preset"));
    query.family = textOf(arguments, QStringLiteral("family"));
    query.coverage = textOf(arguments, QStringLiteral("coverage"));
    query.endpoint = textOf(arguments, QStringLiteral("endpoint"));
    if (const auto word = textOf(arguments, QStringLiteral("outcome"))) query.outcome = evidence::parseOutcome(*word);
    if (const QVariant rule = arguments.value(QStringLiteral("rule")); rule.isValid()) query.rule = rule.toUInt();
    readCells(query, arguments);
    readGap(query, arguments, table);
    const QVariant from = arguments.value(QStringLiteral("from")), to = arguments.value(QStringLiteral("to"));
    if (from.isValid() && to.isValid())
        query.slice = TimeRange{Timestamp(std::chrono::microseconds(from.toLongLong())), Timestamp(std::chrono::microseconds(to.toLongLong()))};
    return query;
}

QVariantMap HistoryQuery::toArguments() const {
    QVariantMap arguments;
    const auto put = [&arguments](const QString& name, const std::optional<std::string>& value) {
        if (value) arguments.insert(name, format::text(*value));
    };
    put(QStringLiteral("preset"), preset);
    put(QStringLiteral("family"), family);
    put(QStringLiteral("coverage"), coverage);
    put(QStringLiteral("endpoint"), endpoint);
    if (outcome) arguments.insert(QStringLiteral("outcome"), format::text(evidence::toString(*outcome)));
    if (rule) arguments.insert(QStringLiteral("rule"), *rule);
    QVariantList list;
    for (const std::uint32_t cell : cells) list << cell;
    if (!list.isEmpty()) arguments.insert(QStringLiteral("cells"), list);
    if (slice) {
        arguments.insert(QStringLiteral("from"), static_cast<qlonglong>(slice->from.time_since_epoch().count()));
        arguments.insert(QStringLiteral("to"), static_cast<qlonglong>(slice->to.time_since_epoch().count()));
    }
    return arguments;
}

bool matches(const evidence::HistoryFilter& filter, const evidence::DecisionRecord& record) {
    if (!filter.includeSimulations && record.origin != evidence::Origin::traffic && record.origin != evidence::Origin::demo) return false;
    if (record.createdAt < filter.range.from || record.createdAt >= filter.range.to) return false;
    if (filter.presetKey && record.presetKey.value_or("") != *filter.presetKey) return false;
    if (filter.ruleIndex && record.ruleIndex != filter.ruleIndex) return false;
    if (filter.family && record.family != filter.family) return false;
    if (filter.coverage && record.coverage != *filter.coverage) return false;
    if (filter.outcome && record.outcome != *filter.outcome) return false;
    if (filter.endpointId && record.endpointId != *filter.endpointId) return false;
    const auto cell = static_cast<std::uint32_t>(record.features.cell.index());
    return filter.cells.empty() || std::find(filter.cells.begin(), filter.cells.end(), cell) != filter.cells.end();
}

}  // namespace signalbox::ui
