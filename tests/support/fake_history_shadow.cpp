// SPDX-License-Identifier: MIT
#include "router/evidence/time_buckets.h"
#include "tests/support/fake_history.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace signalbox::test {

using namespace evidence;

namespace {

constexpr std::chrono::hours kMinutesSpan{48};

bool mayDisagree(const DecisionRecord& record) { return record.mode == "shadow" || record.mode == "canary_control"; }

const RecordedCandidate* candidateOf(const RecordedGroup& group, const std::string& endpointId) {
    for (const RecordedCandidate& candidate : group.candidates)
        if (candidate.endpointId == endpointId) return &candidate;
    return nullptr;
}

void add(EstimateSums& sums, const RecordedCandidate* candidate) {
    if (candidate == nullptr) return;
    sums.costUsd += candidate->costUsd;
    sums.latencyMs += candidate->latencyMs;
}

std::optional<double> median(std::vector<double> values) {
    if (values.empty()) return std::nullopt;
    const auto rank = static_cast<std::size_t>(std::ceil(0.5 * static_cast<double>(values.size())));
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rank - 1), values.end());
    return values[rank - 1];
}

/// Goes through the records once and adds each to every question that it belongs to.
class ShadowCount {
public:
    ShadowCount(const ShadowFilter& filter, const TimeBuckets& buckets) : m_filter(filter), m_buckets(buckets) {}

    void add(const DecisionRecord& record) {
        for (const Attempt& attempt : record.attempts) addCall(record, attempt);
        const auto& group = record.group;
        if (!group || (m_filter.group && group->groupId != *m_filter.group) || (m_filter.profile && group->profile != *m_filter.profile))
            return;
        for (const RecordedCandidate& candidate : group->candidates)
            m_cooling[candidate.endpointId] += candidate.cut == "provider_cooldown" ? 1 : 0;
        if (group->selected.empty()) return;  // refused: nothing was chosen and nothing recommended
        ++m_served[{record.mode, std::string(toString(record.edge))}];
        if (!group->affinity.empty()) ++m_report.affinity[group->affinity];
        if (mayDisagree(record)) addOpinion(record, *group);
    }

    [[nodiscard]] ShadowReport take() {
        for (auto& [key, line] : m_lines) m_report.lines.push_back(std::move(line));
        for (auto& [key, margin] : m_margins) m_report.margins.push_back(std::move(margin));
        for (auto& [key, pair] : m_pairs) m_report.pairs.push_back(std::move(pair));
        std::stable_sort(m_report.pairs.begin(), m_report.pairs.end(),
                         [](const auto& a, const auto& b) { return a.decisions > b.decisions; });
        for (const auto& [key, count] : m_served) m_report.served.push_back({key.first, key.second, count});
        for (const auto& [endpointId, cooling] : m_cooling) takeCandidate(endpointId, cooling);
        return std::move(m_report);
    }

private:
    struct Calls {
        ShadowReport::Candidate counts;
        std::vector<double> totalMs, firstContentMs;
        void take(const Calls& other) {
            counts.attempts += other.counts.attempts;
            counts.served += other.counts.served;
            counts.failed += other.counts.failed;
            counts.refused += other.counts.refused;
            counts.cancelled += other.counts.cancelled;
            counts.rateLimited += other.counts.rateLimited;
            counts.costCalls += other.counts.costCalls;
            counts.costUsd += other.counts.costUsd;
            totalMs.insert(totalMs.end(), other.totalMs.begin(), other.totalMs.end());
            firstContentMs.insert(firstContentMs.end(), other.firstContentMs.begin(), other.firstContentMs.end());
        }
    };

    void addCall(const DecisionRecord& record, const Attempt& attempt) {
        Calls& calls = m_calls[attempt.endpointId];
        ++calls.counts.attempts;
        switch (attempt.outcome) {
        case AttemptOutcome::served: ++calls.counts.served; break;
        case AttemptOutcome::failed: ++calls.counts.failed; break;
        case AttemptOutcome::refused: ++calls.counts.refused; break;
        case AttemptOutcome::cancelled: ++calls.counts.cancelled; break;
        }
        if (attempt.outcome == AttemptOutcome::failed && attempt.status == 429) ++calls.counts.rateLimited;
        if (attempt.outcome != AttemptOutcome::served) return;
        calls.totalMs.push_back(attempt.endedMs - attempt.startedMs);
        if (attempt.firstContentMs) calls.firstContentMs.push_back(*attempt.firstContentMs - attempt.startedMs);
        if (attempt.endpointId != record.endpointId) return;
        // A record whose calls have no costs of their own has the served one's alone.
        const bool isOlder = std::none_of(record.attempts.begin(), record.attempts.end(),
                                          [](const Attempt& one) { return one.costUsd.has_value(); });
        const std::optional<double> cost = isOlder ? record.costUsd : attempt.costUsd;
        if (!cost) return;
        ++calls.counts.costCalls;
        calls.counts.costUsd += *cost;
    }

    void addOpinion(const DecisionRecord& record, const RecordedGroup& group) {
        auto& line = m_lines[{group.groupId, group.profile}];
        line.group = group.groupId;
        line.profile = group.profile;
        line.decisions.resize(m_buckets.count);
        line.disagreements.resize(m_buckets.count);
        ++line.decisions[m_buckets.indexOf(record.createdAt)];
        ++m_report.decisions;
        auto& pair = m_pairs[{group.groupId, group.selected, group.recommended, group.decidingTerm}];
        pair.group = group.groupId;
        pair.selected = group.selected;
        pair.recommended = group.recommended;
        pair.decidingTerm = group.decidingTerm;
        ++pair.decisions;
        test::add(pair.ofSelected, candidateOf(group, group.selected));
        test::add(pair.ofRecommended, candidateOf(group, group.recommended));
        if (!group.shadowDisagreement) return;
        ++line.disagreements[m_buckets.indexOf(record.createdAt)];
        ++m_report.disagreements;
        auto& margin = m_margins[{group.groupId, group.profile}];
        margin.group = group.groupId;
        margin.profile = group.profile;
        ++margin.counts[marginSlot(group.recommendedScore - group.selectedScore)];
    }

    void takeCandidate(const std::string& endpointId, std::uint64_t cooling) {
        Calls calls = m_calls[endpointId];
        if (const auto others = m_filter.servedBy.find(endpointId); others != m_filter.servedBy.end())
            for (const std::string& other : others->second)
                if (other != endpointId) calls.take(m_calls[other]);
        ShadowReport::Candidate& candidate = m_report.candidates.emplace_back(calls.counts);
        candidate.endpointId = endpointId;
        candidate.cutForCooling = cooling;
        candidate.timedCalls = calls.totalMs.size();
        candidate.totalP50Ms = median(std::move(calls.totalMs));
        candidate.firstContentP50Ms = median(std::move(calls.firstContentMs));
    }

    const ShadowFilter& m_filter;
    const TimeBuckets& m_buckets;
    ShadowReport m_report;
    std::map<std::pair<std::string, std::string>, ShadowReport::Line> m_lines;
    std::map<std::pair<std::string, std::string>, ShadowReport::Margin> m_margins;
    std::map<std::tuple<std::string, std::string, std::string, std::string>, ShadowReport::Pair> m_pairs;
    std::map<std::pair<std::string, std::string>, std::uint64_t> m_served;
    std::map<std::string, std::uint64_t> m_cooling;  // of every candidate
    std::map<std::string, Calls> m_calls;            // of every endpoint
};

TimeRange wholeHoursOf(const std::vector<DecisionRecord>& records) {
    using std::chrono::floor;
    using std::chrono::hours;
    return {floor<hours>(records.front().createdAt), floor<hours>(records.back().createdAt) + hours(1)};
}

}  // namespace

Result<ShadowReport> FakeHistory::shadow(const ShadowFilter& filter, std::size_t maxBuckets, const CancelToken&) {
    if (failure) return tl::unexpected(*failure);
    if (m_records->empty()) return ShadowReport{};
    const TimeRange range = snapped(isUnset(filter.range) ? wholeHoursOf(*m_records) : filter.range);
    if (range.from >= range.to) return ShadowReport{};
    const bool byTheMinute = range.to - range.from <= kMinutesSpan;
    const TimeBuckets buckets = bucketsFor(range, maxBuckets, std::chrono::seconds(byTheMinute ? 60 : 3600));
    ShadowCount count(filter, buckets);
    for (const DecisionRecord& record : *m_records) {
        const bool shown = record.origin == Origin::traffic || record.origin == Origin::demo || filter.includeSimulations;
        if (shown && record.createdAt >= range.from && record.createdAt < range.to) count.add(record);
    }
    ShadowReport report = count.take();
    report.bucket = buckets.step;
    report.starts = buckets.starts();
    return report;
}

Result<std::map<std::string, double>> FakeHistory::spentByPrincipal(Timestamp from, const CancelToken&) {
    if (failure) return tl::unexpected(*failure);
    std::map<std::string, double> spent;
    for (const DecisionRecord& record : *m_records) {
        const bool counts = record.origin == Origin::traffic || record.origin == Origin::demo;
        if (counts && record.createdAt >= from && record.costUsd && !record.principal.empty()) spent[record.principal] += *record.costUsd;
    }
    return spent;
}

}  // namespace signalbox::test
