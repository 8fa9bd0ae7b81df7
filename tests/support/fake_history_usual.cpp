// SPDX-License-Identifier: MIT
#include "router/evidence/time_buckets.h"
#include "tests/support/fake_history.h"

#include <algorithm>
#include <cmath>

namespace signalbox::test {

using namespace evidence;

namespace {

using std::chrono::weeks;

bool isTraffic(const DecisionRecord& record) { return record.origin == Origin::traffic || record.origin == Origin::demo; }

std::optional<double> quantile(std::vector<double> values, double share) {
    if (values.empty()) return std::nullopt;
    const auto rank = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size()))));
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rank - 1), values.end());
    return values[rank - 1];
}

/// Collects what a part did; the figures come at the end.
struct Collected {
    TrafficPart part;
    std::vector<double> firstContent, speeds;

    void add(const DecisionRecord& record) {
        ++part.requests;
        part.failed += record.outcome == Outcome::failed ? 1 : 0;
        part.gapHits += record.coverage == "gap" ? 1 : 0;
        part.toolCalls += record.toolsCalled;
        part.toolCallsFit += record.toolsFitSchema;
        part.toolCallsUnchecked += record.toolsUnchecked;
        if (record.group && !record.group->selected.empty() && (record.mode == "shadow" || record.mode == "canary_control")) {
            ++part.compared;
            part.disagreements += record.group->shadowDisagreement ? 1 : 0;
        }
        if (record.firstContentMs) firstContent.push_back(*record.firstContentMs);
        if (record.features.stream && record.outcome == Outcome::served && record.outputTokens.value_or(0) > 1 && record.firstContentMs && *record.firstContentMs < 0.9 * record.totalMs)
            speeds.push_back(static_cast<double>(*record.outputTokens) * 1000.0 / (record.totalMs - *record.firstContentMs));
    }
    void addCall(const Attempt& attempt) {
        ++part.requests;
        part.failed += attempt.outcome == AttemptOutcome::failed ? 1 : 0;
        if (attempt.outcome == AttemptOutcome::served && attempt.firstContentMs) firstContent.push_back(*attempt.firstContentMs - attempt.startedMs);
    }
    [[nodiscard]] TrafficPart take() const {
        TrafficPart out = part;
        out.firstContentP95Ms = quantile(firstContent, 0.95);
        out.timed = firstContent.size();
        out.tokensPerSecond = quantile(speeds, 0.5);
        out.streamed = speeds.size();
        return out;
    }
};

class UsualCount {
public:
    explicit UsualCount(const std::vector<DecisionRecord>& records) : m_records(records) {}

    UsualReport ask(const TimeRange& range) {
        UsualReport report;
        report.now.range = range;
        if (m_records.empty()) return report;
        const TimeRange whole{std::chrono::floor<std::chrono::hours>(m_records.front().createdAt),
                              std::chrono::floor<std::chrono::hours>(m_records.back().createdAt) + std::chrono::hours(1)};
        report.oldest = whole.from;
        if (isUnset(range)) report.now.range = whole;
        const TimeRange now = report.now.range;
        if (now.from >= now.to) return report;
        report.now.all = window(now);
        parts(snapped(now), report);
        for (int week = 1; week <= UsualReport::kWeeks && now.to - now.from <= weeks(1); ++week) {
            const TimeRange before{now.from - weeks(week), now.to - weeks(week)};
            if (snapped(before).from < *report.oldest) break;
            report.before.push_back({before, window(before)});
        }
        return report;
    }

private:
    template <class Each>
    void inRange(const TimeRange& range, const Each& each) const {
        for (const DecisionRecord& record : m_records)
            if (isTraffic(record) && record.createdAt >= range.from && record.createdAt < range.to) each(record);
    }

    [[nodiscard]] TrafficPart window(const TimeRange& range) const {
        Collected all;
        inRange(snapped(range), [&](const DecisionRecord& record) { all.add(record); });
        return all.take();
    }

    void parts(const TimeRange& range, UsualReport& report) const {
        std::map<std::string, Collected> teams, answered, called;
        inRange(range, [&](const DecisionRecord& record) {
            teams[record.team].add(record);
            if (!record.endpointId.empty()) answered[record.endpointId].add(record);
            for (const Attempt& attempt : record.attempts) called[attempt.endpointId].addCall(attempt);
            ++report.sampled;
        });
        for (const auto& [name, team] : teams) report.teams[name] = team.take();
        for (const auto& [name, endpoint] : answered) report.endpoints[name] = endpoint.take();
        for (auto& [name, endpoint] : report.endpoints) endpoint.requests = endpoint.failed = 0;
        for (const auto& [name, calls] : called) {
            const TrafficPart attempts = calls.take();
            TrafficPart& endpoint = report.endpoints[name];
            endpoint.requests = attempts.requests;
            endpoint.failed = attempts.failed;
            endpoint.firstContentP95Ms = attempts.firstContentP95Ms;
            endpoint.timed = attempts.timed;
        }
    }

    const std::vector<DecisionRecord>& m_records;
};

}  // namespace

Result<UsualReport> FakeHistory::usual(const TimeRange& range, const CancelToken&) {
    if (failure) return tl::unexpected(*failure);
    return UsualCount(*m_records).ask(range);
}

Result<CellCaps> FakeHistory::cellCaps(const std::string& family, const TimeRange& range, const CancelToken&) {
    if (failure) return tl::unexpected(*failure);
    CellCaps caps;
    const TimeRange whole = isUnset(range) ? range : snapped(range);
    for (const DecisionRecord& record : *m_records) {
        const bool inside = isUnset(whole) || (record.createdAt >= whole.from && record.createdAt < whole.to);
        if (!isTraffic(record) || !inside || record.family != family) continue;
        auto& cell = caps.cells[record.features.cell.index()];
        ++cell.requests;
        cell.withoutCap += record.features.outputCap ? 0 : 1;
        ++caps.sampled;
    }
    return caps;
}

}  // namespace signalbox::test
