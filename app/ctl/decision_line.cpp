// SPDX-License-Identifier: MIT
#include "app/ctl/decision_line.h"

#include "router/base/text.h"

#include <cstdio>
#include <ostream>

namespace signalbox::ctl {
namespace {

std::string lineOrDash(const std::string& text) { return text.empty() ? "-" : text; }

std::string rowCellText(const classify::RequestFeatures& features) {
    return std::string(toString(features.cell.workload)) + ' ' + std::string(toString(features.cell.length)) + ' ' +
           std::string(toString(features.cell.concurrency));
}

/// "  auto shadow, rather deepseek:v4 by latency", or nothing for a request without a group.
std::string groupText(const evidence::DecisionRecord& row) {
    if (!row.group) return {};
    const auto& group = *row.group;
    std::string text = "  " + group.groupId + ' ' + lineOrDash(row.mode);
    if (group.selected.empty()) return text + ", no candidate";
    if (group.shadowDisagreement) text += ", rather " + group.recommended + " by " + lineOrDash(group.decidingTerm);
    return text;
}

}  // namespace

void printDecisionLine(std::ostream& out, const evidence::DecisionRecord& row) {
    char times[64];
    std::snprintf(times, sizeof times, "%9.1f ms", row.totalMs);
    const std::string rule = row.ruleIndex ? "rule " + std::to_string(*row.ruleIndex + 1) : lineOrDash(row.coverage);
    out << toIso8601(row.createdAt).substr(0, 23) << "Z  " << row.id.text() << "  " << times << "  "
        << toString(row.outcome) << ' ' << row.status << "  " << row.presetKey.value_or("-") << "  " << rule << "  "
        << lineOrDash(row.endpointId) << groupText(row) << (row.simulated ? "  simulated" : "") << "  "
        << (row.outcome == evidence::Outcome::refused ? lineOrDash(row.errorCode) : rowCellText(row.features)) << '\n';
}

}  // namespace signalbox::ctl
