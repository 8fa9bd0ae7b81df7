// SPDX-License-Identifier: MIT
#include "router/evidence/decision_rows.h"

#include "router/base/text.h"
#include "router/evidence/history.h"
#include "router/evidence/json_line.h"
#include "router/evidence/sum_tables.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

namespace signalbox::evidence {
namespace {

Field text(std::string_view value) { return {storable(value)}; }
Field textOrNull(const std::optional<std::string>& value) { return value ? text(*value) : Field{}; }

Field count(std::uint64_t value) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return {std::to_string(std::min(value, kMost))};
}
template <class T>
Field count(const std::optional<T>& value) {
    return value ? count(std::uint64_t{*value}) : Field{};
}

std::string digits(double value) {
    char out[32];
    return {out, std::to_chars(out, out + sizeof out, value).ptr};
}
Field number(double value) { return {std::isfinite(value) ? digits(value) : "0"}; }
Field number(const std::optional<double>& value) {
    return value && std::isfinite(*value) ? Field{digits(*value)} : Field{};
}

Field truth(bool value) { return {value ? "t" : "f"}; }

Field array(const std::vector<std::string_view>& texts) { return texts.empty() ? Field{} : Field{textArray(texts)}; }

Field alsoTried(const DecisionRecord& record) {
    std::vector<std::string_view> endpoints;
    for (const Attempt& attempt : record.attempts)
        if (attempt.endpointId != record.endpointId && std::find(endpoints.begin(), endpoints.end(), attempt.endpointId) == endpoints.end())
            endpoints.push_back(attempt.endpointId);
    return array(endpoints);
}

Field calls(const DecisionRecord& record) {
    if (record.attempts.empty()) return {};
    std::string out;
    JsonLine line(out);
    line.beginArray();
    for (const Attempt& attempt : record.attempts) {
        line.beginElement();
        line.put("e", storable(attempt.endpointId));
        line.put("o", toString(attempt.outcome));
        line.put("s", attempt.status);
        line.put("ms", attempt.endedMs - attempt.startedMs);
        if (attempt.firstContentMs) line.put("f", *attempt.firstContentMs - attempt.startedMs);
        line.put("c", costOf(record, attempt));
        line.endObject();
    }
    line.endArray();
    return {out};
}

/// The columns from `route_group` to `cooling`; all null without a group.
constexpr std::size_t kGroupColumns = 22;
std::array<Field, kGroupColumns> groupFields(const std::optional<RecordedGroup>& recorded) {
    if (!recorded) return {};
    const RecordedGroup& group = *recorded;
    const std::vector<std::string_view> reasons(group.reasons.begin(), group.reasons.end());
    std::vector<std::string_view> candidates, cooling;
    for (const RecordedCandidate& candidate : group.candidates) {
        candidates.push_back(candidate.endpointId);
        if (candidate.cut == "provider_cooldown") cooling.push_back(candidate.endpointId);
    }
    const RecordedCandidate* selected = candidateOf(group, group.selected);
    const RecordedCandidate* recommended = candidateOf(group, group.recommended);
    const auto of = [](const RecordedCandidate* candidate, double RecordedCandidate::*value) {
        return number(candidate != nullptr ? candidate->*value : 0.0);
    };
    const double margin = group.recommendedScore - group.selectedScore;
    return {text(group.groupId), text(group.profile), text(group.selected), text(group.recommended),
            count(std::uint64_t{group.candidateCount}), number(group.selectedScore), number(group.recommendedScore), array(reasons),
            truth(group.sessionAffinity), truth(group.shadowDisagreement), text(group.affinity), text(group.decidingTerm),
            number(margin), count(std::uint64_t{marginSlot(margin)}), count(std::uint64_t{std::min(group.bucket, 99U)}),
            count(std::uint64_t{std::min(group.activationPercent, 100U)}), of(selected, &RecordedCandidate::costUsd),
            of(selected, &RecordedCandidate::latencyMs), of(recommended, &RecordedCandidate::costUsd),
            of(recommended, &RecordedCandidate::latencyMs), array(candidates), array(cooling)};
}

}  // namespace

std::string storable(std::string_view text) {
    std::string out(text);
    for (auto at = out.find('\0'); at != std::string::npos; at = out.find('\0', at)) out.replace(at, 1, "\xEF\xBF\xBD");
    return out;
}

std::string textArray(const std::vector<std::string_view>& texts) {
    std::string out = "{";
    for (const std::string_view text : texts) {
        out += out.size() == 1 ? "\"" : ",\"";
        for (const char c : storable(text)) {
            if (c == '"' || c == '\\') out += '\\';
            out += c;
        }
        out += '"';
    }
    return out + "}";
}

DecisionRow toRow(const DecisionRecord& record, std::string_view receipt) {
    const table::Cell& cell = record.features.cell;
    auto group = groupFields(record.group);
    DecisionRow row{{text(receipt),
             {record.id.text().substr(4)},
             {toIso8601(record.createdAt)},
             text(toString(record.origin)),
             text(record.target),
             text(record.environment),
             text(record.principal),
             text(record.team),
             text(toString(record.edge)),
             text(record.requestedModel),
             text(record.resolvedBy),
             text(record.policyHash),
             text(record.mode),
             textOrNull(record.family),
             count(record.ruleIndex),
             textOrNull(record.presetKey),
             text(record.reason),
             text(record.coverage),
             count(record.gapIndex),
             text(table::toString(cell.workload)),
             text(table::toString(cell.length)),
             text(table::toString(cell.concurrency)),
             count(cell.index()),
             text(record.endpointId),
             count(record.attempts.size()),
             text(toString(record.outcome)),
             {std::to_string(record.status)},
             text(record.errorCode),
             number(record.queueMs),
             number(record.firstContentMs),
             number(record.totalMs),
             count(record.inputTokens),
             count(record.cachedTokens),
             count(record.outputTokens),
             number(record.costUsd)}};
    std::move(group.begin(), group.end(), row.end() - 3 - kGroupColumns);
    row[row.size() - 3] = alsoTried(record);
    row[row.size() - 2] = calls(record);
    row[row.size() - 1] = truth(record.simulated);
    return row;
}

}  // namespace signalbox::evidence
