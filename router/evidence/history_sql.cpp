// SPDX-License-Identifier: MIT
#include "router/evidence/history_sql.h"

#include "router/base/text.h"
#include "router/evidence/copy_line.h"

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

void Conditions::add(std::string text, const std::vector<std::string>& values) { add(bind(std::move(text), values)); }

std::string Conditions::bind(std::string text, const std::vector<std::string>& values) {
    for (const std::string& value : values) {
        m_parameters.emplace_back(value);
        text.replace(text.find("$?"), 2, "$" + std::to_string(m_parameters.size()));
    }
    return text;
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

// Range and place, which the order of every index begins or ends with.
static void addPlace(Conditions& conditions, const HistoryFilter& filter, const std::optional<PageKey>& after) {
    if (!isUnset(filter.range)) conditions.add(within("created_at", filter.range));
    if (!after) return;
    // The first line lets the planner skip younger partitions; it cannot see that from the row comparison.
    conditions.add("created_at <= " + literal(after->createdAt));
    conditions.add("(created_at, id) < (" + literal(after->createdAt) + ", $?::uuid)", {after->id.text().substr(4)});
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

static void addAsker(Conditions& conditions, const HistoryFilter& filter) {
    if (filter.team) conditions.add("team = $?", {storable(*filter.team)});
    if (filter.requestedModel) conditions.add("requested_model = $?", {storable(*filter.requestedModel)});
}

bool asksTheRows(const HistoryFilter& filter) {
    return filter.group || filter.profile || filter.mode || filter.selected || filter.recommended || filter.decidingTerm ||
           filter.disagreement || filter.marginSlot || filter.attempted || filter.team || filter.requestedModel;
}

Conditions pageConditions(const HistoryFilter& filter, const std::optional<PageKey>& after) {
    Conditions conditions;
    addPlace(conditions, filter, after);
    if (filter.presetKey && filter.presetKey->empty()) conditions.add("preset IS NULL");
    if (filter.presetKey && !filter.presetKey->empty()) conditions.add("preset = $?", {*filter.presetKey});
    addCommon(conditions, filter);
    addGroup(conditions, filter);
    addAsker(conditions, filter);
    return conditions;
}

namespace {

/// One condition of a filter, and whether an index has it in front of time and id.
struct Part {
    std::string text;
    std::vector<std::string> values;
    bool isIndexed = true;
};

/// Those that reach furthest back for the fewest rows come first: the first indexed one is what rows are found by.
std::vector<Part> partsOf(const HistoryFilter& f) {
    std::vector<Part> out;
    const auto add = [&](bool isSet, std::string text, std::vector<std::string> values, bool indexed = true) {
        if (isSet) out.push_back({std::move(text), std::move(values), indexed});
    };
    const auto word = [](const std::optional<std::string>& text) { return text.value_or(std::string()); };
    const bool pair = f.selected && f.recommended && *f.selected != *f.recommended;
    add(f.marginSlot.has_value(), "shadow_disagreement AND margin_slot = $?::bigint", {std::to_string(f.marginSlot.value_or(0))}, false);
    add(f.marginSlot.has_value() || f.disagreement == true, "shadow_disagreement", {});
    add(pair, "selected = $? AND recommended = $? AND selected <> recommended", {word(f.selected), word(f.recommended)});
    add(f.decidingTerm && !f.decidingTerm->empty(), "deciding_term = $? AND deciding_term <> ''", {word(f.decidingTerm)});
    add(f.decidingTerm && f.decidingTerm->empty(), "deciding_term = ''", {}, false);
    add(f.outcome && *f.outcome != Outcome::served, "outcome = $? AND outcome <> 'served'", {f.outcome ? std::string(toString(*f.outcome)) : ""});
    const bool rareMode = f.mode && *f.mode != "" && *f.mode != "off_static" && *f.mode != "shadow";
    add(rareMode, "mode = $? AND mode NOT IN ('', 'off_static', 'shadow')", {word(f.mode)});
    add(f.coverage && *f.coverage != "rule", "coverage = $? AND coverage <> 'rule'", {word(f.coverage)});
    add(f.ruleIndex.has_value(), "rule_index = $?::bigint", {std::to_string(f.ruleIndex.value_or(0))});
    add(f.team && !f.team->empty(), "team = $? AND team <> ''", {storable(word(f.team))});
    // Two indexes together, which have no order of their own; they are asked where they are all there is to ask.
    add(f.attempted.has_value(), "(endpoint = $? OR also_tried @> ARRAY[$?])", {word(f.attempted), word(f.attempted)});
    add(f.endpointId.has_value(), "endpoint = $?", {word(f.endpointId)});
    add(f.family.has_value(), "family = $?", {word(f.family)});
    add(f.presetKey && !f.presetKey->empty(), "preset = $?", {word(f.presetKey)});
    add(f.group.has_value(), "route_group = $?", {word(f.group)});
    add(f.presetKey && f.presetKey->empty(), "preset IS NULL", {}, false);
    add(f.outcome == Outcome::served, "outcome = 'served'", {}, false);
    add(f.coverage == "rule", "coverage = 'rule'", {}, false);
    add(!f.cells.empty(), "cell = ANY($?::smallint[])", {arrayOf(f.cells)}, false);
    add(f.profile.has_value(), "profile = $?", {word(f.profile)}, false);
    add(f.mode && !rareMode, "mode = $?", {word(f.mode)}, false);
    add(f.selected && !pair, "selected = $?", {word(f.selected)}, false);
    add(f.recommended && !pair, "recommended = $?", {word(f.recommended)}, false);
    add(f.disagreement == false, "NOT shadow_disagreement", {}, false);
    add(f.team && f.team->empty(), "team = ''", {}, false);
    // What a client asked for is any text; an index of it would cost every row, and a table's own names have one as preset and family.
    add(f.requestedModel.has_value(), "requested_model = $?", {storable(word(f.requestedModel))}, false);
    return out;
}

}  // namespace

SlicedConditions slicedConditions(const HistoryFilter& filter, const std::optional<PageKey>& after) {
    SlicedConditions out;
    addPlace(out.found, filter, after);
    bool hasIndex = false;
    for (Part& part : partsOf(filter)) {
        if (part.isIndexed && !hasIndex) {
            out.found.add(std::move(part.text), part.values);
            hasIndex = true;
            continue;
        }
        out.judged += (out.judged.empty() ? "" : " AND ") + out.found.bind(std::move(part.text), part.values);
    }
    // Nearly every row passes: no reason to look in slices, but once that is done it is judged with the others.
    const std::string origin = "origin IN ('traffic', 'demo')";
    if (!filter.includeSimulations && !out.judged.empty()) out.judged += " AND " + origin;
    return out;
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
