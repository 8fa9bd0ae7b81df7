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
    case Field::attempted: return attempted.has_value();
    case Field::team: return team.has_value();
    case Field::model: return model.has_value();
    case Field::group: return group.has_value();
    case Field::profile: return profile.has_value();
    case Field::mode: return mode.has_value();
    case Field::selected: return selected.has_value();
    case Field::recommended: return recommended.has_value();
    case Field::decidingTerm: return decidingTerm.has_value();
    case Field::disagreement: return disagreement.has_value();
    case Field::marginSlot: return marginSlot.has_value();
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
    case Field::attempted: rest.attempted.reset(); break;
    case Field::team: rest.team.reset(); break;
    case Field::model: rest.model.reset(); break;
    case Field::group: rest.group.reset(); break;
    case Field::profile: rest.profile.reset(); break;
    case Field::mode: rest.mode.reset(); break;
    case Field::selected: rest.selected.reset(); break;
    case Field::recommended: rest.recommended.reset(); break;
    case Field::decidingTerm: rest.decidingTerm.reset(); break;
    case Field::disagreement: rest.disagreement.reset(); break;
    case Field::marginSlot: rest.marginSlot.reset(); break;
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
    filter.attempted = attempted;
    filter.team = team;
    filter.requestedModel = model;
    filter.group = group;
    filter.profile = profile;
    filter.mode = mode;
    filter.selected = selected;
    filter.recommended = recommended;
    filter.decidingTerm = decidingTerm;
    filter.disagreement = disagreement;
    filter.marginSlot = marginSlot;
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
    query.attempted = textOf(arguments, QStringLiteral("attempted"));
    query.team = textOf(arguments, QStringLiteral("team"));
    query.model = textOf(arguments, QStringLiteral("model"));
    query.group = textOf(arguments, QStringLiteral("group"));
    query.profile = textOf(arguments, QStringLiteral("profile"));
    query.mode = textOf(arguments, QStringLiteral("mode"));
    query.selected = textOf(arguments, QStringLiteral("selected"));
    query.recommended = textOf(arguments, QStringLiteral("recommended"));
    query.decidingTerm = textOf(arguments, QStringLiteral("term"));
    if (const QVariant differs = arguments.value(QStringLiteral("differs")); differs.isValid()) query.disagreement = differs.toBool();
    if (const QVariant margin = arguments.value(QStringLiteral("margin")); margin.isValid() && margin.toUInt() < evidence::kMarginSlots)
        query.marginSlot = margin.toUInt();
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
    put(QStringLiteral("attempted"), attempted);
    put(QStringLiteral("team"), team);
    put(QStringLiteral("model"), model);
    put(QStringLiteral("group"), group);
    put(QStringLiteral("profile"), profile);
    put(QStringLiteral("mode"), mode);
    put(QStringLiteral("selected"), selected);
    put(QStringLiteral("recommended"), recommended);
    put(QStringLiteral("term"), decidingTerm);
    if (disagreement) arguments.insert(QStringLiteral("differs"), *disagreement);
    if (marginSlot) arguments.insert(QStringLiteral("margin"), *marginSlot);
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

template <class T>
static bool fits(const std::optional<T>& wanted, const T& value) { return !wanted || *wanted == value; }

static bool asksAboutGroup(const evidence::HistoryFilter& filter) {
    return filter.group || filter.profile || filter.selected || filter.recommended || filter.decidingTerm || filter.disagreement || filter.marginSlot;
}

static bool matchesGroup(const evidence::HistoryFilter& filter, const evidence::RecordedGroup& group) {
    const auto slot = static_cast<std::uint32_t>(evidence::marginSlot(group.recommendedScore - group.selectedScore));
    return fits(filter.group, group.groupId) && fits(filter.profile, group.profile) && fits(filter.selected, group.selected) &&
           fits(filter.recommended, group.recommended) && fits(filter.decidingTerm, group.decidingTerm) && fits(filter.disagreement, group.shadowDisagreement) &&
           (!filter.marginSlot || (group.shadowDisagreement && slot == *filter.marginSlot));
}

static bool wasAttempted(const evidence::DecisionRecord& record, const std::string& endpointId) {
    return std::any_of(record.attempts.begin(), record.attempts.end(), [&](const evidence::Attempt& attempt) { return attempt.endpointId == endpointId; });
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
    if (!fits(filter.mode, record.mode)) return false;
    if (!fits(filter.team, record.team) || !fits(filter.requestedModel, record.requestedModel)) return false;
    if (filter.attempted && !wasAttempted(record, *filter.attempted)) return false;
    if (asksAboutGroup(filter) && (!record.group || !matchesGroup(filter, *record.group))) return false;
    const auto cell = static_cast<std::uint32_t>(record.features.cell.index());
    return filter.cells.empty() || std::find(filter.cells.begin(), filter.cells.end(), cell) != filter.cells.end();
}

}  // namespace signalbox::ui
