// SPDX-License-Identifier: MIT
#include "router/evidence/copy_line.h"
#include "router/evidence/history_reader.h"
#include "router/evidence/latency_slots.h"
#include "router/evidence/sum_sql.h"

#include <algorithm>
#include <map>

namespace signalbox::evidence {
namespace {

std::uint64_t count(const PgRows& rows, int row, int column) { return static_cast<std::uint64_t>(rows.number(row, column)); }
std::string text(const PgRows& rows, int row, int column) { return std::string(rows.text(row, column)); }

void addCalls(ShadowReport::Candidate& candidate, const PgRows& rows, int row) {
    const auto outcome = parseAttemptOutcome(rows.text(row, 1));
    const std::uint64_t calls = count(rows, row, 3);
    candidate.attempts += calls;
    if (outcome == AttemptOutcome::served) candidate.served += calls;
    if (outcome == AttemptOutcome::failed) candidate.failed += calls;
    if (outcome == AttemptOutcome::refused) candidate.refused += calls;
    if (outcome == AttemptOutcome::cancelled) candidate.cancelled += calls;
    if (outcome == AttemptOutcome::failed && rows.number(row, 2) == 429) candidate.rateLimited += calls;
    candidate.costCalls += count(rows, row, 4);
    candidate.costUsd += rows.real(row, 5);
}

/// Endpoint -> positions of the candidates that it stands for.
using Standing = std::multimap<std::string, std::size_t, std::less<>>;

Standing standingFor(const std::vector<ShadowReport::Candidate>& candidates, const ShadowFilter& filter) {
    Standing out;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const std::string& own = candidates[i].endpointId;
        out.emplace(own, i);
        const auto others = filter.servedBy.find(own);
        if (others == filter.servedBy.end()) continue;
        for (const std::string& endpoint : others->second)
            if (endpoint != own) out.emplace(endpoint, i);
    }
    return out;
}

}  // namespace

/// Asks the questions one after the other, each of its own tables, and puts the answers together.
class PgHistoryReader::ShadowQuestions {
public:
    ShadowQuestions(PgHistoryReader& reader, const ShadowFilter& filter, const Scope& scope, std::size_t maxBuckets,
                    const CancelToken& cancel)
        : m_reader(reader), m_filter(filter), m_source(scope.source), m_range(snapped(scope.range)), m_cancel(cancel) {
        const auto least = std::chrono::seconds(m_source == CountSource::hours ? 3600 : 60);
        m_buckets = bucketsFor(m_range, maxBuckets, least);
        m_report.bucket = m_buckets.step;
        m_report.starts = m_buckets.starts();
    }

    Result<ShadowReport> ask() {
        for (const auto step : {&ShadowQuestions::lines, &ShadowQuestions::pairs, &ShadowQuestions::margins, &ShadowQuestions::served,
                                &ShadowQuestions::affinity, &ShadowQuestions::candidates, &ShadowQuestions::calls,
                                &ShadowQuestions::latencies})
            if (auto done = (this->*step)(); !done) return tl::unexpected(done.error());
        return std::move(m_report);
    }

private:
    /// Keys and sums of one question over the range, ordered by key; `each` gets every row.
    template <class Each>
    Result<void> sum(Question question, const std::string& keys, const std::string& sums, Conditions conditions, Grain grain,
                     const Each& each) {
        auto rows = m_reader.ask("SELECT " + keys + ", " + sums + " FROM " + sumsFrom(question, m_source, m_range, grain) +
                                     conditions.where() + " GROUP BY " + keys + " ORDER BY " + keys,
                                 conditions.parameters(), m_cancel);
        if (!rows) return tl::unexpected(rows.error());
        for (int row = 0; *rows && row < (*rows)->count(); ++row) each(**rows, row);
        return {};
    }
    template <class Each>
    Result<void> total(Question question, const std::string& keys, const std::string& sums, const Each& each) {
        return sum(question, keys, sums, sumConditions(m_filter, question), Grain::any, each);
    }

    Result<void> lines() {
        const auto each = [&](const PgRows& rows, int row) {
            auto& all = m_report.lines;
            const auto group = rows.text(row, 0), profile = rows.text(row, 1);
            if (all.empty() || all.back().group != group || all.back().profile != profile) {
                const std::vector<std::uint64_t> nothing(m_buckets.count);
                all.push_back({std::string(group), std::string(profile), nothing, nothing});
            }
            const auto decisions = count(rows, row, 3), disagreements = count(rows, row, 4);
            const auto at = static_cast<std::size_t>(rows.number(row, 2));
            if (at < m_buckets.count) {
                all.back().decisions[at] += decisions;
                all.back().disagreements[at] += disagreements;
            }
            m_report.decisions += decisions;
            m_report.disagreements += disagreements;
        };
        return sum(Question::shadow, "route_group, profile, " + bucketNumber(m_buckets), "sum(decisions)::bigint, sum(disagreements)::bigint",
                   sumConditions(m_filter, Question::shadow), Grain::minutes, each);
    }

    Result<void> pairs() {
        auto done = total(Question::pair, "route_group, selected, recommended, deciding_term",
                          "sum(decisions)::bigint, sum(selected_cost_usd), sum(selected_latency_ms), sum(recommended_cost_usd),"
                          " sum(recommended_latency_ms)",
                          [&](const PgRows& rows, int row) {
                              m_report.pairs.push_back({text(rows, row, 0), text(rows, row, 1), text(rows, row, 2), text(rows, row, 3),
                                                        count(rows, row, 4), {rows.real(row, 5), rows.real(row, 6)},
                                                        {rows.real(row, 7), rows.real(row, 8)}});
                          });
        std::stable_sort(m_report.pairs.begin(), m_report.pairs.end(),
                         [](const auto& a, const auto& b) { return a.decisions > b.decisions; });
        return done;
    }

    Result<void> margins() {
        return total(Question::margin, "route_group, profile, margin_slot", "sum(decisions)::bigint", [&](const PgRows& rows, int row) {
            auto& all = m_report.margins;
            const auto group = rows.text(row, 0), profile = rows.text(row, 1);
            if (all.empty() || all.back().group != group || all.back().profile != profile)
                all.push_back({std::string(group), std::string(profile), {}});
            const auto slot = static_cast<std::size_t>(rows.number(row, 2));
            if (slot < kMarginSlots) all.back().counts[slot] += count(rows, row, 3);
        });
    }

    Result<void> served() {
        return total(Question::served, "mode, edge", "sum(decisions)::bigint", [&](const PgRows& rows, int row) {
            m_report.served.push_back({text(rows, row, 0), text(rows, row, 1), count(rows, row, 2)});
        });
    }

    Result<void> affinity() {
        return total(Question::affinity, "affinity", "sum(decisions)::bigint",
                     [&](const PgRows& rows, int row) { m_report.affinity[text(rows, row, 0)] = count(rows, row, 1); });
    }

    Result<void> candidates() {
        auto done = total(Question::candidate, "endpoint", "sum(cooling)::bigint", [&](const PgRows& rows, int row) {
            auto& candidate = m_report.candidates.emplace_back();
            candidate.endpointId = text(rows, row, 0);
            candidate.cutForCooling = count(rows, row, 1);
        });
        m_standing = standingFor(m_report.candidates, m_filter);
        return done;
    }

    Conditions ofCandidates(Question question) const {
        std::vector<std::string_view> endpoints;
        for (const auto& [endpoint, candidate] : m_standing)
            if (endpoints.empty() || endpoints.back() != endpoint) endpoints.push_back(endpoint);
        Conditions conditions = sumConditions(m_filter, question);
        conditions.add("endpoint = ANY($?::text[])", {textArray(endpoints)});
        return conditions;
    }

    Result<void> calls() {
        if (m_report.candidates.empty()) return {};
        return sum(Question::call, "endpoint, outcome, status", "sum(calls)::bigint, sum(cost_calls)::bigint, sum(cost_usd)",
                   ofCandidates(Question::call), Grain::any, [&](const PgRows& rows, int row) {
                       const auto [first, last] = m_standing.equal_range(rows.text(row, 0));
                       for (auto at = first; at != last; ++at) addCalls(m_report.candidates[at->second], rows, row);
                   });
    }

    Result<void> latencies() {
        if (m_report.candidates.empty()) return {};
        struct Slots {
            std::map<std::int16_t, std::uint64_t> total, firstContent;
        };
        std::vector<Slots> slots(m_report.candidates.size());
        auto done = sum(Question::callLatency, "endpoint, measure, slot", "sum(calls)::bigint", ofCandidates(Question::callLatency),
                        Grain::any, [&](const PgRows& rows, int row) {
                            const auto [first, last] = m_standing.equal_range(rows.text(row, 0));
                            for (auto at = first; at != last; ++at) {
                                Slots& own = slots[at->second];
                                auto& measure = rows.text(row, 1) == "total" ? own.total : own.firstContent;
                                measure[static_cast<std::int16_t>(rows.number(row, 2))] += count(rows, row, 3);
                            }
                        });
        for (std::size_t i = 0; i < slots.size(); ++i) {
            auto& candidate = m_report.candidates[i];
            for (const auto& [slot, calls] : slots[i].total) candidate.timedCalls += calls;
            candidate.totalP50Ms = percentile(slots[i].total, 0.5);
            candidate.firstContentP50Ms = percentile(slots[i].firstContent, 0.5);
        }
        return done;
    }

    PgHistoryReader& m_reader;
    const ShadowFilter& m_filter;
    CountSource m_source;
    TimeRange m_range;
    const CancelToken& m_cancel;
    TimeBuckets m_buckets;
    ShadowReport m_report;
    Standing m_standing;
};

std::size_t marginSlot(double margin) {
    const double slot = std::max(0.0, margin) / kMarginStep;
    return slot >= static_cast<double>(kMarginSlots - 1) ? kMarginSlots - 1 : static_cast<std::size_t>(slot);
}

Result<ShadowReport> PgHistoryReader::shadow(const ShadowFilter& filter, std::size_t maxBuckets, const CancelToken& cancel) {
    auto scope = scopeOf(filter.range, cancel);
    if (!scope) return tl::unexpected(scope.error());
    if (!*scope) return ShadowReport{};
    return ShadowQuestions(*this, filter, **scope, maxBuckets, cancel).ask();
}

Result<std::map<std::string, double>> PgHistoryReader::spentByPrincipal(Timestamp from, const CancelToken& cancel) {
    const auto firstHour = std::chrono::ceil<std::chrono::hours>(from);
    Conditions hours;
    hours.add("bucket >= to_timestamp($?::bigint)", {std::to_string(firstHour.time_since_epoch() / std::chrono::seconds(1))});
    auto rows = ask("SELECT principal, sum(cost_usd) FROM (SELECT origin, principal, cost_usd FROM signalbox.spend_hour" + hours.where() +
                        " UNION ALL SELECT origin, principal, cost_usd FROM (" + sumRows(Question::spend, {from, firstHour}) +
                        ") AS broken_hour) AS sums WHERE origin IN ('traffic', 'demo') GROUP BY 1",
                    hours.parameters(), cancel);
    if (!rows) return tl::unexpected(rows.error());
    std::map<std::string, double> spent;
    for (int row = 0; *rows && row < (*rows)->count(); ++row) spent[text(**rows, row, 0)] = (*rows)->real(row, 1);
    return spent;
}

}  // namespace signalbox::evidence
