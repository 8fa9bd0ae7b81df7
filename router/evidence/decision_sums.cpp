// SPDX-License-Identifier: MIT
#include "router/evidence/appending.h"
#include "router/evidence/copy_line.h"
#include "router/evidence/history.h"
#include "router/evidence/latency_slots.h"
#include "router/evidence/plain_text.h"
#include "router/evidence/sum_tables.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <span>

namespace signalbox::evidence {
namespace {

/// A number as a key.
class KeyDigits {
public:
    explicit KeyDigits(std::int64_t value) : m_end(std::to_chars(m_digits, m_digits + sizeof m_digits, value).ptr) {}
    KeyDigits(const KeyDigits&) = delete;
    KeyDigits& operator=(const KeyDigits&) = delete;
    operator std::string_view() const { return {m_digits, m_end}; }

private:
    char m_digits[24];
    char* m_end;
};

/// The string has all of it once this object is gone.
class SumLine {
public:
    using Keys = std::span<const std::string_view>;
    using Sums = std::span<const double>;

    SumLine(std::string& out, std::string_view origin) : m_out(out), m_origin(origin) {}

    /// Keys in the order of the question's table, behind `origin`; sums that are not finite count as 0.
    void put(Question question, std::initializer_list<std::string_view> keys, std::initializer_list<double> sums) {
        assert(keys.size() == sumTable(question).keys.size() && sums.size() == sumTable(question).sums.size());
        put(question, Keys(keys.begin(), keys.size()), Sums(sums.begin(), sums.size()));
    }

private:
    void put(Question question, Keys keys, Sums sums) {
        std::size_t length = m_origin.size() + 1;
        for (const std::string_view key : keys) length += key.size() + 1;
        const std::size_t whole = 1 + sizeof(std::uint32_t) + length + sums.size() * sizeof(double);
        if (char* const at = m_out.room(whole)) {
            if (!write(at, question, static_cast<std::uint32_t>(length), keys, sums)) return putStorable(question, keys, sums);
            return m_out.used(at + whole);
        }
        std::string line(whole, '\0');
        if (!write(line.data(), question, static_cast<std::uint32_t>(length), keys, sums)) return putStorable(question, keys, sums);
        m_out.put(line);
    }
    /// False when a key holds a NUL, which ends keys here.
    bool write(char* at, Question question, std::uint32_t length, Keys keys, Sums sums) const {
        *at++ = static_cast<char>(question);
        std::memcpy(at, &length, sizeof length);
        at += sizeof length;
        at = std::copy(m_origin.begin(), m_origin.end(), at);
        *at++ = '\0';
        for (const std::string_view key : keys) {
            if (!copyUnlessOdd<odd::Nul>(at, key)) return false;
            at += key.size();
            *at++ = '\0';
        }
        for (const double sum : sums) {
            const double value = std::isfinite(sum) ? sum + 0.0 : 0.0;  // no negative zero: a receipt has none
            std::memcpy(at, &value, sizeof value);
            at += sizeof value;
        }
        return true;
    }
    void putStorable(Question question, Keys keys, Sums sums) {
        std::vector<std::string> texts(keys.size());
        std::transform(keys.begin(), keys.end(), texts.begin(), storable);
        const std::vector<std::string_view> views(texts.begin(), texts.end());
        put(question, Keys(views), sums);
    }

    Appending m_out;
    std::string_view m_origin;
};

void putOpinion(SumLine& line, const RecordedGroup& group) {
    static const RecordedCandidate kUnknown{};
    const auto* known = candidateOf(group, group.selected);
    const RecordedCandidate& selected = known != nullptr ? *known : kUnknown;
    known = candidateOf(group, group.recommended);
    const RecordedCandidate& recommended = known != nullptr ? *known : kUnknown;
    line.put(Question::shadow, {group.groupId, group.profile}, {1, group.shadowDisagreement ? 1.0 : 0.0});
    line.put(Question::pair, {group.groupId, group.profile, group.selected, group.recommended, group.decidingTerm},
             {1, selected.costUsd, selected.latencyMs, recommended.costUsd, recommended.latencyMs});
    if (!group.shadowDisagreement) return;
    const auto slot = static_cast<std::int64_t>(marginSlot(group.recommendedScore - group.selectedScore));
    line.put(Question::margin, {group.groupId, group.profile, KeyDigits(slot)}, {1});
}

void putGroup(SumLine& line, const DecisionRecord& record, const RecordedGroup& group) {
    for (const RecordedCandidate& candidate : group.candidates)
        line.put(Question::candidate, {group.groupId, group.profile, candidate.endpointId},
                 {1, candidate.cut == "provider_cooldown" ? 1.0 : 0.0});
    if (group.selected.empty()) return;  // refused: nothing was chosen and nothing recommended
    line.put(Question::served, {group.groupId, group.profile, record.mode, toString(record.edge)}, {1});
    if (!group.affinity.empty()) line.put(Question::affinity, {group.groupId, group.profile, group.affinity}, {1});
    if (mayDisagree(record)) putOpinion(line, group);
}

void putCall(SumLine& line, const DecisionRecord& record, const Attempt& attempt) {
    const auto cost = costOf(record, attempt);
    line.put(Question::call, {attempt.endpointId, toString(attempt.outcome), KeyDigits(attempt.status)},
             {1, cost ? 1.0 : 0.0, cost.value_or(0)});
    if (attempt.outcome != AttemptOutcome::served) return;
    const auto putTime = [&](std::string_view measure, double ms) {
        line.put(Question::callLatency, {attempt.endpointId, measure, KeyDigits(latencySlot(ms))}, {1});
    };
    putTime("total", attempt.endedMs - attempt.startedMs);
    if (attempt.firstContentMs) putTime("first_content", *attempt.firstContentMs - attempt.startedMs);
}

std::string_view textOf(const std::optional<std::string>& value) { return value ? std::string_view(*value) : std::string_view(); }

/// Empty text and -1 mean none.
void putRequest(SumLine& line, const DecisionRecord& record) {
    const std::string_view preset = textOf(record.presetKey);
    line.put(Question::requests,
             {preset, textOf(record.family), KeyDigits(static_cast<std::int64_t>(record.features.cell.index())),
              KeyDigits(record.ruleIndex ? static_cast<std::int64_t>(*record.ruleIndex) : -1), record.coverage, record.endpointId,
              toString(record.outcome)},
             {1});
    const auto putTime = [&](std::string_view measure, double ms) {
        line.put(Question::latency, {preset, measure, KeyDigits(latencySlot(ms))}, {1});
    };
    if (record.firstContentMs) putTime("first_content", *record.firstContentMs);
    // The time of a refused request says nothing about serving.
    if (record.outcome == Outcome::served) putTime("total", record.totalMs);
}

}  // namespace

const RecordedCandidate* candidateOf(const RecordedGroup& group, std::string_view endpointId) {
    const auto found = std::find_if(group.candidates.begin(), group.candidates.end(),
                                    [&](const RecordedCandidate& candidate) { return candidate.endpointId == endpointId; });
    return found == group.candidates.end() ? nullptr : &*found;
}

bool mayDisagree(const DecisionRecord& record) { return record.mode == "shadow" || record.mode == "canary_control"; }

std::optional<double> costOf(const DecisionRecord& record, const Attempt& attempt) {
    if (attempt.outcome != AttemptOutcome::served || attempt.endpointId != record.endpointId) return std::nullopt;
    if (attempt.costUsd) return attempt.costUsd;
    // Earlier receipts name the request's cost alone. Where any call has its own, the request's is the sum of those.
    const bool callsHaveCosts = std::any_of(record.attempts.begin(), record.attempts.end(),
                                            [](const Attempt& one) { return one.costUsd.has_value(); });
    return callsHaveCosts ? std::nullopt : record.costUsd;
}

void appendSums(const DecisionRecord& record, std::string& out) {
    SumLine line(out, toString(record.origin));
    putRequest(line, record);
    if (record.group) putGroup(line, record, *record.group);
    for (const Attempt& attempt : record.attempts) putCall(line, record, attempt);
    if (record.costUsd && !record.principal.empty()) line.put(Question::spend, {record.principal}, {*record.costUsd});
}

}  // namespace signalbox::evidence
