// SPDX-License-Identifier: MIT
#include "router/evidence/sum_sql.h"

namespace signalbox::evidence {
namespace {

/// `keys and sums` FROM `what`, by the columns of the decision; where it has calls, `e` is one of them.
struct RowForm {
    const char* columns;
    const char* more;   ///< behind FROM signalbox.decisions
    const char* where;
};

RowForm rowForm(Question question) {
    switch (question) {
    case Question::requests:
        return {"coalesce(preset, '') AS preset, coalesce(family, '') AS family, cell, coalesce(rule_index, -1) AS rule_index, coverage,"
                " endpoint, outcome, 1::bigint AS requests", "", "true"};
    case Question::latency:
        return {"coalesce(preset, '') AS preset, measure,"
                " ceil(ln(least(greatest(ms, 0.001), 1e9)) / ln(1.04))::smallint AS slot, 1::bigint AS requests",
                ", LATERAL (VALUES ('total', CASE WHEN outcome = 'served' THEN total_ms END), ('first_content', first_content_ms))"
                " AS timed(measure, ms)",
                "ms IS NOT NULL"};
    case Question::shadow:
        return {"route_group, profile, 1::bigint AS decisions, shadow_disagreement::integer::bigint AS disagreements", "",
                "selected <> '' AND mode IN ('shadow', 'canary_control')"};
    case Question::pair:
        return {"route_group, profile, selected, recommended, deciding_term, 1::bigint AS decisions, selected_cost_usd,"
                " selected_latency_ms, recommended_cost_usd, recommended_latency_ms", "",
                "selected <> '' AND mode IN ('shadow', 'canary_control')"};
    case Question::margin:
        return {"route_group, profile, margin_slot, 1::bigint AS decisions", "",
                "selected <> '' AND shadow_disagreement AND mode IN ('shadow', 'canary_control')"};
    case Question::served:
        return {"route_group, profile, mode, edge, 1::bigint AS decisions", "", "selected <> ''"};
    case Question::affinity:
        return {"route_group, profile, affinity, 1::bigint AS decisions", "", "selected <> '' AND affinity <> ''"};
    case Question::candidate:
        return {"route_group, profile, candidate AS endpoint, 1::bigint AS decisions,"
                " coalesce(candidate = ANY(cooling), false)::integer::bigint AS cooling",
                ", unnest(candidates) AS candidate", "route_group IS NOT NULL"};
    case Question::call:
        return {"coalesce(e ->> 'e', '') AS endpoint, e ->> 'o' AS outcome, (e ->> 's')::integer AS status, 1::bigint AS calls,"
                " (e ? 'c')::integer::bigint AS cost_calls, coalesce((e ->> 'c')::double precision, 0) AS cost_usd",
                ", jsonb_array_elements(calls) AS e", "calls IS NOT NULL"};
    case Question::callLatency:  // the slot formula of latency_slots.cpp
        return {"coalesce(e ->> 'e', '') AS endpoint, measure,"
                " ceil(ln(least(greatest(ms, 0.001), 1e9)) / ln(1.04))::smallint AS slot, 1::bigint AS calls",
                ", jsonb_array_elements(calls) AS e, LATERAL (VALUES ('total', (e ->> 'ms')::double precision),"
                " ('first_content', (e ->> 'f')::double precision)) AS timed(measure, ms)",
                "e ->> 'o' = 'served' AND ms IS NOT NULL"};
    case Question::spend:
        return {"principal, cost_usd", "", "cost_usd IS NOT NULL AND principal <> ''"};
    }
    return {};
}

std::string fromTable(Question question, const char* unit, const TimeRange& range) {
    return "SELECT * FROM signalbox." + std::string(sumTable(question).name) + unit + " WHERE " + within("bucket", range);
}

/// Whole hours from the hour table, the broken ones at both ends from `edge`.
template <class Edge>
std::string withHours(Question question, const TimeRange& range, const Edge& edge) {
    const TimeRange inner{std::chrono::ceil<std::chrono::hours>(range.from), std::chrono::floor<std::chrono::hours>(range.to)};
    if (inner.from >= inner.to) return edge(range);
    std::string out = fromTable(question, "_hour", inner);
    if (range.from < inner.from) out += " UNION ALL " + edge(TimeRange{range.from, inner.from});
    if (inner.to < range.to) out += " UNION ALL " + edge(TimeRange{inner.to, range.to});
    return out;
}

}  // namespace

std::string sumRows(Question question, const TimeRange& range) {
    const RowForm form = rowForm(question);
    return "SELECT date_trunc('minute', created_at) AS bucket, origin, " + std::string(form.columns) +
           " FROM signalbox.decisions" + form.more + " WHERE " + form.where + " AND " + within("created_at", range);
}

std::string sumsFrom(Question question, CountSource source, const TimeRange& range, Grain grain) {
    const auto rows = [&](const TimeRange& part) { return sumRows(question, part); };
    const auto minutes = [&](const TimeRange& part) { return fromTable(question, "_minute", part); };
    std::string from;
    switch (source) {
    case CountSource::minutes: from = grain == Grain::minutes ? minutes(range) : withHours(question, range, minutes); break;
    case CountSource::hours: from = withHours(question, range, rows); break;
    case CountSource::rows: from = rows(range); break;
    }
    return "(" + from + ") AS sums";
}

Conditions sumConditions(const ShadowFilter& filter, Question question) {
    Conditions conditions;
    const bool knowsGroups = sumTable(question).keys.front() == "route_group";
    if (knowsGroups && filter.group) conditions.add("route_group = $?", {*filter.group});
    if (knowsGroups && filter.profile) conditions.add("profile = $?", {*filter.profile});
    if (!filter.includeSimulations) conditions.add("origin IN ('traffic', 'demo')");
    return conditions;
}

}  // namespace signalbox::evidence
