// SPDX-License-Identifier: MIT
#include "router/evidence/usual_sql.h"

namespace signalbox::evidence {
namespace {

std::string newest(const std::string& columns, const TimeRange& range, const std::string& more, std::size_t limit) {
    return "(SELECT " + columns + " FROM signalbox.decisions WHERE " + within("created_at", range) +
           " AND origin IN ('traffic', 'demo')" + more + " ORDER BY created_at DESC, id DESC LIMIT " + std::to_string(limit) +
           ") AS newest";
}

// An answer that came whole has next to no time after its first content; it would look infinitely fast. No column says that
// a stream was asked for, the receipt does where it was; an upstream may have sent it in one piece all the same.
constexpr auto kSpeed =
    "CASE WHEN outcome = 'served' AND output_tokens > 1 AND first_content_ms < 0.9 * total_ms AND strpos(receipt, '\"stream\":true') > 0"
    " THEN output_tokens * 1000.0 / (total_ms - first_content_ms) END AS speed";

// No column holds what few requests have. The receipt leaves out what is 0, and a quote inside of a text would be escaped,
// so no text can look like a member.
std::string receiptNumber(const std::string& member) {
    return "coalesce(substring(receipt from '\"" + member + "\":([0-9]+)')::bigint, 0)";
}

/// Of every row, 0 where no tool was called. Calls of a version that did not judge them are unchecked.
std::string toolColumns() {
    const std::string any = "CASE WHEN strpos(receipt, '\"tools_called\":') = 0 THEN 0 ";
    return any + "ELSE " + receiptNumber("tools_called") + " END AS called, " + any + "ELSE " + receiptNumber("tools_fit_schema") +
           " END AS fits, " + any + "WHEN strpos(receipt, '\"tools_valid_json\":') = 0 THEN " + receiptNumber("tools_called") +
           " ELSE " + receiptNumber("tools_unchecked") + " END AS unchecked";
}

}  // namespace

std::string sampleStatement(const TimeRange& range, std::size_t limit, SampleParts parts) {
    const std::string columns =
        "team, endpoint, outcome, coverage, first_content_ms, coalesce(shadow_disagreement, false) AS differs,"
        " coalesce(selected, '') <> '' AND mode IN ('shadow', 'canary_control') AS compared, " + std::string(kSpeed) + ", " + toolColumns();
    const bool onlyAll = parts == SampleParts::all;
    const std::string part =
        onlyAll ? "'all', ''"
                : "CASE WHEN grouping(team) = 0 THEN 'team' WHEN grouping(endpoint) = 0 THEN 'endpoint' ELSE 'all' END, coalesce(team, endpoint, '')";
    return "SELECT " + part + ", count(*), count(*) FILTER (WHERE outcome = 'failed'),"
           " count(*) FILTER (WHERE coverage = 'gap'), count(*) FILTER (WHERE compared),"
           " count(*) FILTER (WHERE compared AND differs), percentile_disc(0.95) WITHIN GROUP (ORDER BY first_content_ms),"
           " count(first_content_ms), percentile_disc(0.5) WITHIN GROUP (ORDER BY speed), count(speed),"
           " coalesce(sum(called), 0)::bigint, coalesce(sum(fits), 0)::bigint, coalesce(sum(unchecked), 0)::bigint FROM " +
           newest(columns, range, {}, limit) + (onlyAll ? "" : " GROUP BY GROUPING SETS ((), (team), (endpoint))");
}

std::string capsStatement(const TimeRange& range, std::size_t limit) {
    // The receipt leaves out what was not said. A quote inside of a text would be escaped, so no text can look like it.
    return "SELECT cell, count(*), count(*) FILTER (WHERE strpos(receipt, '\"output_cap\":') = 0) FROM " +
           newest("cell, receipt", range, " AND family = $1", limit) + " GROUP BY cell";
}

}  // namespace signalbox::evidence
