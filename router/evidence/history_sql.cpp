// SPDX-License-Identifier: MIT
#include "router/evidence/history_sql.h"

#include "router/base/text.h"

namespace signalbox::evidence {
namespace {

using std::chrono::ceil;
using std::chrono::floor;
using std::chrono::hours;

// Our own text, never a user's, so it may stand in the statement.
std::string literal(Timestamp at) { return "'" + toIso8601(at) + "'::timestamptz"; }

std::string countRows(const TimeRange& range) {
    return "SELECT date_trunc('minute', created_at) AS bucket, origin, coalesce(preset, '') AS preset,"
           " coalesce(family, '') AS family, cell, coalesce(rule_index, -1) AS rule_index, coverage, endpoint, outcome,"
           " 1::bigint AS requests FROM signalbox.decisions WHERE " + within("created_at", range);
}

// The slot formula of latency_slots.cpp.
std::string latencyRows(const TimeRange& range) {
    return "SELECT date_trunc('minute', created_at) AS bucket, origin, coalesce(preset, '') AS preset,"
           " 'first_content' AS measure,"
           " ceil(ln(least(greatest(first_content_ms, 0.001), 1e9)) / ln(1.04))::smallint AS slot, 1::bigint AS requests"
           " FROM signalbox.decisions WHERE first_content_ms IS NOT NULL AND " + within("created_at", range);
}

template <class Rows>
std::string fromParts(CountSource source, const TimeRange& range, const std::string& table, const std::string& more,
                      const Rows& rows) {
    const TimeRange inner{ceil<hours>(range.from), floor<hours>(range.to)};
    if (source == CountSource::rows || (source == CountSource::hours && inner.from >= inner.to)) return rows(range);
    if (source == CountSource::minutes)
        return "SELECT * FROM signalbox." + table + "_minute WHERE " + within("bucket", range) + more;
    return "SELECT * FROM signalbox." + table + "_hour WHERE " + within("bucket", inner) + more + " UNION ALL " +
           rows({range.from, inner.from}) + " UNION ALL " + rows({inner.to, range.to});
}

}  // namespace

std::string within(const std::string& column, const TimeRange& range) {
    return column + " >= " + literal(range.from) + " AND " + column + " < " + literal(range.to);
}

void Conditions::add(const std::string& text) { m_text += (m_text.empty() ? " WHERE " : " AND ") + text; }

void Conditions::add(std::string text, const std::vector<std::string>& values) {
    for (const std::string& value : values) {
        m_parameters.emplace_back(value);
        text.replace(text.find("$?"), 2, "$" + std::to_string(m_parameters.size()));
    }
    add(text);
}

std::string asMicros(const std::string& expression) {
    return "(extract(epoch FROM " + expression + ") * 1000000)::bigint";
}

std::string bucketNumber(const TimeBuckets& buckets) {
    return "floor((extract(epoch FROM bucket) - " + std::to_string(buckets.first.time_since_epoch() / std::chrono::seconds(1)) +
           ") / " + std::to_string(buckets.step.count()) + ")::bigint";
}

static std::string arrayOf(const std::vector<std::uint32_t>& numbers) {
    std::string text;
    for (const std::uint32_t number : numbers) text += (text.empty() ? "{" : ",") + std::to_string(number);
    return text + "}";
}

static void addCommon(Conditions& conditions, const HistoryFilter& filter) {
    if (filter.family) conditions.add("family = $?", {*filter.family});
    if (filter.coverage) conditions.add("coverage = $?", {*filter.coverage});
    if (filter.outcome) conditions.add("outcome = $?", {std::string(toString(*filter.outcome))});
    if (filter.endpointId) conditions.add("endpoint = $?", {*filter.endpointId});
    if (filter.ruleIndex) conditions.add("rule_index = $?::bigint", {std::to_string(*filter.ruleIndex)});
    if (!filter.cells.empty()) conditions.add("cell = ANY($?::smallint[])", {arrayOf(filter.cells)});
    if (!filter.includeSimulations) conditions.add("origin IN ('traffic', 'demo')");
}

// Each in words from which the planner can tell that its partial index fits.
static void addGroup(Conditions& conditions, const HistoryFilter& filter) {
    if (filter.group) conditions.add("route_group = $?", {*filter.group});
    if (filter.profile) conditions.add("profile = $?", {*filter.profile});
    if (filter.mode) conditions.add("mode = $?", {*filter.mode});
    if (filter.selected) conditions.add("selected = $?", {*filter.selected});
    if (filter.recommended) conditions.add("recommended = $?", {*filter.recommended});
    if (filter.selected && filter.recommended && *filter.selected != *filter.recommended) conditions.add("selected <> recommended");
    if (filter.decidingTerm) conditions.add("deciding_term = $?", {*filter.decidingTerm});
    if (filter.disagreement) conditions.add(*filter.disagreement ? "shadow_disagreement" : "NOT shadow_disagreement");
    if (filter.marginSlot) conditions.add("shadow_disagreement AND margin_slot = $?::bigint", {std::to_string(*filter.marginSlot)});
    if (filter.attempted)
        conditions.add("(endpoint = $? OR also_tried @> ARRAY[$?])", {*filter.attempted, *filter.attempted});
}

bool asksTheRows(const HistoryFilter& filter) {
    return filter.group || filter.profile || filter.mode || filter.selected || filter.recommended || filter.decidingTerm ||
           filter.disagreement || filter.marginSlot || filter.attempted;
}

Conditions pageConditions(const HistoryFilter& filter, const std::optional<PageKey>& after) {
    Conditions conditions;
    if (!isUnset(filter.range)) conditions.add(within("created_at", filter.range));
    if (after) {
        // The first line lets the planner skip younger partitions; it cannot see that from the row comparison.
        conditions.add("created_at <= " + literal(after->createdAt));
        conditions.add("(created_at, id) < (" + literal(after->createdAt) + ", $?::uuid)", {after->id.text().substr(4)});
    }
    if (filter.presetKey && filter.presetKey->empty()) conditions.add("preset IS NULL");
    if (filter.presetKey && !filter.presetKey->empty()) conditions.add("preset = $?", {*filter.presetKey});
    addCommon(conditions, filter);
    addGroup(conditions, filter);
    return conditions;
}

Conditions countConditions(const HistoryFilter& filter) {
    Conditions conditions;
    if (filter.presetKey) conditions.add("preset = $?", {*filter.presetKey});
    addCommon(conditions, filter);
    return conditions;
}

std::string countsFrom(CountSource source, const TimeRange& range) {
    return "(" + fromParts(source, snapped(range), "rollup", "", countRows) + ") AS counts";
}

std::string firstContentFrom(CountSource source, const TimeRange& range) {
    return "(" + fromParts(source, snapped(range), "latency", " AND measure = 'first_content'", latencyRows) + ") AS latencies";
}

}  // namespace signalbox::evidence
