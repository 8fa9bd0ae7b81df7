// SPDX-License-Identifier: MIT
#include "app/ctl/decision_line.h"

#include "router/base/text.h"
#include "router/evidence/attempt_words.h"

#include <algorithm>
#include <cstdio>
#include <ostream>

namespace signalbox::ctl {
namespace {

std::string lineOrDash(const std::string& text) { return text.empty() ? "-" : text; }

/// A name that a client chose, in one line of its own: the model or endpoint asked for may be any text.
std::string rowName(const std::string& name) {
    constexpr std::size_t kMostBytes = 200;
    std::string text = elided(name, kMostBytes);
    std::replace_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    return lineOrDash(text);
}

/// What went wrong, of a request that was not served; of one that was, where it had come to nothing before.
std::string troubleText(const evidence::DecisionRecord& row) {
    if (row.outcome == evidence::Outcome::served) {
        const std::string after = evidence::servedAfter(row);
        return after.empty() ? after : "  after " + rowName(after);
    }
    std::string text = "  model " + rowName(row.requestedModel);
    // A refused line says its code in the place of the cell.
    if (row.outcome != evidence::Outcome::refused && !row.errorCode.empty()) text += "  error " + row.errorCode;
    return text;
}

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
        << rowName(evidence::endpointConcerned(row)) << groupText(row) << (row.simulated ? "  simulated" : "") << "  "
        << (row.outcome == evidence::Outcome::refused ? lineOrDash(row.errorCode) : rowCellText(row.features)) << troubleText(row) << '\n';
}

}  // namespace signalbox::ctl
