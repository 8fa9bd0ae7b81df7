// SPDX-License-Identifier: MIT
#include "tests/router/evidence/reference_row.h"

#include "router/base/text.h"
#include "router/evidence/copy_line.h"
#include "router/evidence/history.h"
#include "router/evidence/sum_tables.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace signalbox::test {

using namespace evidence;

namespace {

using Field = std::optional<std::string>;

Field text(const std::optional<std::string>& value) { return value ? Field(storable(*value)) : Field(); }

template <class T>
Field count(const std::optional<T>& value) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return value ? Field(std::to_string(std::min(std::uint64_t{*value}, kMost))) : Field();
}
template <class T>
Field countOf(T value) {
    return count(std::optional(value));
}

Field number(const std::optional<double>& value) {
    if (!value || !std::isfinite(*value)) return {};
    char out[32];
    return std::string(out, std::to_chars(out, out + sizeof out, *value).ptr);
}
Field numberOr0(double value) { return std::isfinite(value) ? number(value) : Field("0"); }

Field truth(bool value) { return value ? "t" : "f"; }

Field array(const std::vector<std::string>& texts) {
    if (texts.empty()) return {};
    std::string out;
    for (const std::string& item : texts) {
        out += out.empty() ? "{\"" : ",\"";
        for (const char c : storable(item)) {
            if (c == '"' || c == '\\') out += '\\';
            out += c;
        }
        out += '"';
    }
    return out + "}";
}

void addGroup(ReferenceRow& row, const std::optional<RecordedGroup>& recorded) {
    if (!recorded) return row.resize(row.size() + 22);
    const RecordedGroup& group = *recorded;
    std::vector<std::string> candidates, cooling;
    for (const RecordedCandidate& candidate : group.candidates) {
        candidates.push_back(candidate.endpointId);
        if (candidate.cut == "provider_cooldown") cooling.push_back(candidate.endpointId);
    }
    const auto estimate = [&](const std::string& endpoint) {
        for (const RecordedCandidate& candidate : group.candidates)
            if (candidate.endpointId == endpoint) return candidate;
        return RecordedCandidate{};
    };
    const RecordedCandidate selected = estimate(group.selected), recommended = estimate(group.recommended);
    const double margin = group.recommendedScore - group.selectedScore;
    for (Field field : {text(group.groupId), text(group.profile), text(group.selected), text(group.recommended), countOf(group.candidateCount),
                        numberOr0(group.selectedScore), numberOr0(group.recommendedScore), array(group.reasons), truth(group.sessionAffinity),
                        truth(group.shadowDisagreement), text(group.affinity), text(group.decidingTerm), numberOr0(margin),
                        countOf(std::uint64_t{marginSlot(margin)}), countOf(std::min(group.bucket, 99U)),
                        countOf(std::min(group.activationPercent, 100U)), numberOr0(selected.costUsd), numberOr0(selected.latencyMs),
                        numberOr0(recommended.costUsd), numberOr0(recommended.latencyMs), array(candidates), array(cooling)})
        row.push_back(std::move(field));
}

Field alsoTried(const DecisionRecord& record) {
    std::vector<std::string> endpoints;
    for (const Attempt& attempt : record.attempts)
        if (attempt.endpointId != record.endpointId && std::find(endpoints.begin(), endpoints.end(), attempt.endpointId) == endpoints.end())
            endpoints.push_back(attempt.endpointId);
    return array(endpoints);
}

/// As a parsed document, printed again by `same`: how the digits of a number are written is left to both.
Field calls(const DecisionRecord& record) {
    if (record.attempts.empty()) return {};
    auto out = nlohmann::json::array();
    for (const Attempt& attempt : record.attempts) {
        nlohmann::json call;
        if (!attempt.endpointId.empty()) call["e"] = storable(attempt.endpointId);
        call["o"] = toString(attempt.outcome);
        call["s"] = attempt.status;
        if (const double ms = attempt.endedMs - attempt.startedMs; std::isfinite(ms)) call["ms"] = ms;
        if (attempt.firstContentMs)
            if (const double ms = *attempt.firstContentMs - attempt.startedMs; std::isfinite(ms)) call["f"] = ms;
        if (const auto cost = costOf(record, attempt)) call["c"] = *cost;
        out.push_back(call);
    }
    return out.dump();
}

}  // namespace

ReferenceRow referenceRow(const DecisionRecord& record) {
    const table::Cell& cell = record.features.cell;
    ReferenceRow row{record.id.text().substr(4), toIso8601(record.createdAt), std::string(toString(record.origin)), text(record.target),
                     text(record.environment), text(record.principal), text(record.team), std::string(toString(record.edge)),
                     text(record.requestedModel), text(record.resolvedBy), text(record.policyHash), text(record.mode), text(record.family),
                     count(record.ruleIndex), text(record.presetKey), text(record.reason), text(record.coverage), count(record.gapIndex),
                     std::string(table::toString(cell.workload)), std::string(table::toString(cell.length)),
                     std::string(table::toString(cell.concurrency)), countOf(std::uint64_t{cell.index()}), text(record.endpointId),
                     countOf(std::uint64_t{record.attempts.size()}), std::string(toString(record.outcome)), std::to_string(record.status),
                     text(record.errorCode), numberOr0(record.queueMs), number(record.firstContentMs), numberOr0(record.totalMs),
                     count(record.inputTokens), count(record.cachedTokens), count(record.outputTokens), number(record.costUsd)};
    addGroup(row, record.group);
    row.push_back(alsoTried(record));
    row.push_back(calls(record));
    row.push_back(truth(record.simulated));
    return row;
}

ReferenceRow copyFields(std::string_view line) {
    ReferenceRow row(1, std::string());
    bool escaped = false, null = false;
    for (const char c : line) {
        if (escaped) {
            static constexpr std::string_view kNames = "bfnrtv", kMeant = "\b\f\n\r\t\v";
            const auto at = kNames.find(c);
            if (c == 'N') null = true;
            else *row.back() += at == std::string_view::npos ? c : kMeant[at];
            escaped = false;
        } else if (c == '\\') {
            escaped = true;
        } else if (c == '\t') {
            if (null) row.back().reset();
            null = false;
            row.emplace_back(std::string());
        } else {
            *row.back() += c;
        }
    }
    if (null) row.back().reset();
    return row;
}

}  // namespace signalbox::test
