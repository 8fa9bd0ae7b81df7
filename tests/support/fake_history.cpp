// SPDX-License-Identifier: MIT
#include "tests/support/fake_history.h"

#include "router/evidence/time_buckets.h"

#include <algorithm>
#include <map>

namespace signalbox::test {

using namespace evidence;

static bool holds(const TimeRange& range, Timestamp at) { return isUnset(range) || (at >= range.from && at < range.to); }

template <class T>
static bool asks(const std::optional<T>& wanted, const T& value) { return !wanted || *wanted == value; }

static bool fitsGroup(const HistoryFilter& filter, const DecisionRecord& record) {
    const bool asked = filter.group || filter.profile || filter.selected || filter.recommended || filter.decidingTerm ||
                       filter.disagreement || filter.marginSlot;
    if (!asked) return true;
    if (!record.group) return false;
    const RecordedGroup& group = *record.group;
    const auto slot = static_cast<std::uint32_t>(marginSlot(group.recommendedScore - group.selectedScore));
    return asks(filter.group, group.groupId) && asks(filter.profile, group.profile) && asks(filter.selected, group.selected) &&
           asks(filter.recommended, group.recommended) && asks(filter.decidingTerm, group.decidingTerm) &&
           asks(filter.disagreement, group.shadowDisagreement) &&
           (!filter.marginSlot || (group.shadowDisagreement && slot == *filter.marginSlot));
}

static bool wasAttempted(const DecisionRecord& record, const std::string& endpointId) {
    return std::any_of(record.attempts.begin(), record.attempts.end(),
                       [&](const Attempt& attempt) { return attempt.endpointId == endpointId; });
}

static bool fits(const HistoryFilter& filter, const DecisionRecord& record) {
    const bool shown = record.origin == Origin::traffic || record.origin == Origin::demo || filter.includeSimulations;
    return shown && holds(filter.range, record.createdAt) && (!filter.presetKey || record.presetKey == filter.presetKey) &&
           (!filter.ruleIndex || record.ruleIndex == filter.ruleIndex) && (!filter.family || record.family == filter.family) &&
           (!filter.coverage || record.coverage == *filter.coverage) && (!filter.outcome || record.outcome == *filter.outcome) &&
           (!filter.endpointId || record.endpointId == *filter.endpointId) && asks(filter.team, record.team) &&
           asks(filter.requestedModel, record.requestedModel) &&
           (filter.cells.empty() || std::find(filter.cells.begin(), filter.cells.end(), record.features.cell.index()) != filter.cells.end()) &&
           asks(filter.mode, record.mode) && (!filter.attempted || wasAttempted(record, *filter.attempted)) && fitsGroup(filter, record);
}

Result<HistoryPage> FakeHistory::page(const HistoryFilter& filter, const std::optional<PageKey>& after, std::size_t limit, const CancelToken&) {
    if (failure) return tl::unexpected(*failure);
    HistoryPage page;
    std::size_t looked = 0;
    for (auto it = m_records->rbegin(); it != m_records->rend(); ++it) {
        if (after && std::pair(it->createdAt, it->id) >= std::pair(after->createdAt, after->id)) continue;
        if (searchRows > 0 && looked++ == searchRows) {
            page.next = PageKey{std::prev(it)->createdAt, std::prev(it)->id};
            page.searchedTo = page.next->createdAt;
            break;
        }
        if (!fits(filter, *it)) continue;
        if (page.rows.size() == limit) {
            page.next = PageKey{page.rows.back().createdAt, page.rows.back().id};
            break;
        }
        page.rows.push_back(*it);
    }
    return page;
}

Result<std::optional<DecisionRecord>> FakeHistory::find(const DecisionId& id, const CancelToken&) {
    if (failure) return tl::unexpected(*failure);
    for (const DecisionRecord& record : *m_records)
        if (record.id == id) return record;
    return std::nullopt;
}

static std::chrono::seconds bucketFor(const TimeRange& range, std::size_t maxBuckets) {
    for (const int seconds : {60, 300, 900, 3600, 10'800, 21'600, 86'400})
        if ((range.to - range.from) / std::chrono::seconds(seconds) < static_cast<long>(maxBuckets)) return std::chrono::seconds(seconds);
    return std::chrono::seconds(86'400 * 7);
}

Result<PresetSeries> FakeHistory::presetsOverTime(const HistoryFilter& filter, std::size_t maxBuckets, const CancelToken&) {
    if (failure) return tl::unexpected(*failure);
    PresetSeries series;
    series.bucket = bucketFor(filter.range, maxBuckets);
    const auto step = std::chrono::duration_cast<std::chrono::microseconds>(series.bucket);
    const Timestamp first(filter.range.from.time_since_epoch() / step * step);
    for (Timestamp at = first; at < filter.range.to; at += step) series.starts.push_back(at);
    std::map<std::string, PresetSeries::Line> lines;
    for (const DecisionRecord& record : *m_records) {
        if (!fits(filter, record)) continue;
        auto& line = lines[record.presetKey.value_or("")];
        line.presetKey = record.presetKey.value_or("");
        line.counts.resize(series.starts.size());
        ++line.counts[static_cast<std::size_t>((record.createdAt - first) / step)];
        ++line.total;
        ++series.total;
    }
    for (auto& [key, line] : lines) series.presets.push_back(std::move(line));
    std::stable_sort(series.presets.begin(), series.presets.end(), [](const auto& a, const auto& b) { return a.total > b.total; });
    return series;
}

static std::optional<double> quantile(std::vector<double> values, double share) {
    if (values.empty()) return std::nullopt;
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

static void count(HistorySummary& summary, const DecisionRecord& record) {
    ++summary.requests;
    switch (record.outcome) {
    case Outcome::served: ++summary.served; break;
    case Outcome::failed: ++summary.failed; break;
    case Outcome::refused: ++summary.refused; break;
    case Outcome::cancelled: ++summary.cancelled; break;
    }
    if (record.coverage == "rule") ++summary.byRule;
    else if (record.coverage == "default") ++summary.byDefault;
    else if (record.coverage == "gap") ++summary.gapHits;
    else ++summary.uncovered;
    if (record.coverage == "none" && !record.family) ++summary.outsideTable;
    if (!summary.oldest) summary.oldest = record.createdAt;
    summary.newest = record.createdAt;
}

Result<HistorySummary> FakeHistory::summary(const TimeRange& range, const CancelToken&) {
    if (failure) return tl::unexpected(*failure);
    HistorySummary summary;
    std::vector<double> firstContent;
    for (const DecisionRecord& record : *m_records) {
        if (!holds(range, record.createdAt)) continue;
        count(summary, record);
        if (record.firstContentMs) firstContent.push_back(*record.firstContentMs);
    }
    summary.firstContentP50Ms = quantile(firstContent, 0.5);
    summary.firstContentP95Ms = quantile(firstContent, 0.95);
    return summary;
}

Result<CellHits> FakeHistory::cellHits(const std::string& family, const TimeRange& range, const CancelToken&) {
    if (failure) return tl::unexpected(*failure);
    CellHits hits;
    for (const DecisionRecord& record : *m_records) {
        if (!holds(range, record.createdAt) || record.family != family) continue;
        ++hits.hits[record.features.cell.index()];
        ++hits.total;
    }
    return hits;
}

Result<EventPage> FakeHistory::events(const EventFilter& filter, const std::optional<EventKey>& after, std::size_t limit, const CancelToken&) {
    if (failure) return tl::unexpected(*failure);
    const auto isWanted = [&](EventKind kind) {
        return filter.kinds.empty() || std::find(filter.kinds.begin(), filter.kinds.end(), kind) != filter.kinds.end();
    };
    EventPage page;
    for (auto it = happened.rbegin(); it != happened.rend(); ++it) {
        if (!holds(filter.range, it->createdAt) || !isWanted(it->kind) || !asks(filter.subject, it->subject) || !asks(filter.actor, it->actor)) continue;
        if (after && std::pair(it->createdAt, it->id) >= std::pair(after->createdAt, after->id)) continue;
        if (page.rows.size() == limit) {
            page.next = EventKey{page.rows.back().createdAt, page.rows.back().id};
            break;
        }
        page.rows.push_back(*it);
    }
    return page;
}

}  // namespace signalbox::test
