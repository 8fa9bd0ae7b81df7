// SPDX-License-Identifier: MIT
#include "router/evidence/history_reader.h"
#include "router/evidence/latency_slots.h"
#include "router/evidence/sum_sql.h"
#include "router/evidence/usual.h"
#include "router/evidence/usual_sql.h"

namespace signalbox::evidence {
namespace {

using std::chrono::weeks;

std::uint64_t countAt(const PgRows& rows, int row, int column) { return static_cast<std::uint64_t>(rows.number(row, column)); }
std::optional<double> realOr(const PgRows& rows, int row, int column) {
    return rows.isNull(row, column) ? std::nullopt : std::optional(rows.real(row, column));
}

TrafficPart samplePart(const PgRows& rows, int row) {
    return {countAt(rows, row, 2), countAt(rows, row, 3), countAt(rows, row, 4), countAt(rows, row, 5), countAt(rows, row, 6),
            realOr(rows, row, 7), countAt(rows, row, 8), realOr(rows, row, 9), countAt(rows, row, 10),
            countAt(rows, row, 11), countAt(rows, row, 12), countAt(rows, row, 13)};
}

void addCalls(TrafficPart& endpoint, const PgRows& rows, int row) {
    endpoint.requests += countAt(rows, row, 2);
    if (parseAttemptOutcome(rows.text(row, 1)) == AttemptOutcome::failed) endpoint.failed += countAt(rows, row, 2);
}

}  // namespace

/// Asks the questions one after the other and puts the answers together.
class PgHistoryReader::UsualQuestions {
public:
    UsualQuestions(PgHistoryReader& reader, const CancelToken& cancel) : m_reader(reader), m_cancel(cancel) {}

    Result<UsualReport> ask(const TimeRange& range) {
        auto everything = m_reader.scopeOf({}, m_cancel);
        if (!everything) return tl::unexpected(everything.error());
        m_report.now.range = range;
        if (!*everything) return std::move(m_report);
        m_report.oldest = (*everything)->range.from;
        auto scope = m_reader.scopeOf(range, m_cancel);
        if (!scope) return tl::unexpected(scope.error());
        if (!*scope) return std::move(m_report);
        m_report.now.range = (*scope)->range;
        if (auto done = window(m_report.now, **scope, SampleParts::teamsAndEndpoints); !done) return tl::unexpected(done.error());
        if (auto done = endpoints(**scope); !done) return tl::unexpected(done.error());
        if (auto done = weeksBefore(); !done) return tl::unexpected(done.error());
        return std::move(m_report);
    }

private:
    Result<void> weeksBefore() {
        const TimeRange& now = m_report.now.range;
        for (int week = 1; week <= UsualReport::kWeeks && now.to - now.from <= weeks(1); ++week) {
            const TimeRange range{now.from - weeks(week), now.to - weeks(week)};
            if (snapped(range).from < *m_report.oldest) break;
            auto scope = m_reader.scopeOf(range, m_cancel);
            if (!scope) return tl::unexpected(scope.error());
            if (!*scope) break;
            TrafficWindow before{range, {}};
            if (auto done = window(before, **scope, SampleParts::all); !done) return done;
            m_report.before.push_back(before);
        }
        return {};
    }

    Result<void> window(TrafficWindow& out, const Scope& scope, SampleParts parts) {
        HistorySummary summary;
        if (auto done = m_reader.addTotals(summary, scope, m_cancel); !done) return done;
        if (auto done = m_reader.addLatencies(summary, scope, m_cancel); !done) return done;
        out.all.requests = summary.requests;
        out.all.failed = summary.failed;
        out.all.gapHits = summary.gapHits;
        out.all.firstContentP95Ms = summary.firstContentP95Ms;
        if (auto done = disagreements(out.all, scope); !done) return done;
        return sample(out.all, scope, parts);
    }

    Result<void> disagreements(TrafficPart& out, const Scope& scope) {
        const Conditions conditions = sumConditions({}, Question::shadow);
        auto rows = m_reader.ask("SELECT coalesce(sum(decisions), 0)::bigint, coalesce(sum(disagreements), 0)::bigint FROM " +
                                     sumsFrom(Question::shadow, scope.source, snapped(scope.range), Grain::any) + conditions.where(),
                                 conditions.parameters(), m_cancel);
        if (!rows) return tl::unexpected(rows.error());
        if (!*rows || (*rows)->count() == 0) return {};
        out.compared = countAt(**rows, 0, 0);
        out.disagreements = countAt(**rows, 0, 1);
        return {};
    }

    Result<void> sample(TrafficPart& out, const Scope& scope, SampleParts parts) {
        auto rows = m_reader.ask(sampleStatement(snapped(scope.range), UsualReport::kSample, parts), {}, m_cancel);
        if (!rows) return tl::unexpected(rows.error());
        for (int row = 0; *rows && row < (*rows)->count(); ++row) {
            const TrafficPart part = samplePart(**rows, row);
            const std::string_view kind = (*rows)->text(row, 0);
            const std::string name((*rows)->text(row, 1));
            if (kind == "team") m_report.teams[name] = part;
            if (kind == "endpoint" && !name.empty()) m_report.endpoints[name] = part;
            if (kind != "all") continue;
            out.tokensPerSecond = part.tokensPerSecond;
            out.streamed = part.streamed;
            out.toolCalls = part.toolCalls;
            out.toolCallsFit = part.toolCallsFit;
            out.toolCallsUnchecked = part.toolCallsUnchecked;
            out.timed = part.timed;
            if (parts == SampleParts::teamsAndEndpoints) m_report.sampled = part.requests;
        }
        return {};
    }

    Result<void> endpoints(const Scope& scope) {
        for (auto& [name, part] : m_report.endpoints) part.requests = part.failed = part.timed = 0, part.firstContentP95Ms.reset();
        const auto from = [&](Question question) {
            return " FROM " + sumsFrom(question, scope.source, snapped(scope.range), Grain::any) + sumConditions({}, question).where();
        };
        auto calls = m_reader.ask("SELECT endpoint, outcome, sum(calls)::bigint" + from(Question::call) + " GROUP BY 1, 2", {}, m_cancel);
        if (!calls) return tl::unexpected(calls.error());
        for (int row = 0; *calls && row < (*calls)->count(); ++row)
            addCalls(m_report.endpoints[std::string((*calls)->text(row, 0))], **calls, row);
        m_report.endpoints.erase("");

        auto slots = m_reader.ask("SELECT endpoint, slot, sum(calls)::bigint" + from(Question::callLatency) +
                                      " AND measure = 'first_content' GROUP BY 1, 2",
                                  {}, m_cancel);
        if (!slots) return tl::unexpected(slots.error());
        std::map<std::string, std::map<std::int16_t, std::uint64_t>> bySlot;
        for (int row = 0; *slots && row < (*slots)->count(); ++row)
            bySlot[std::string((*slots)->text(row, 0))][static_cast<std::int16_t>((*slots)->number(row, 1))] += countAt(**slots, row, 2);
        for (auto& [name, part] : m_report.endpoints) {
            for (const auto& [slot, answers] : bySlot[name]) part.timed += answers;
            part.firstContentP95Ms = percentile(bySlot[name], 0.95);
        }
        return {};
    }

    PgHistoryReader& m_reader;
    const CancelToken& m_cancel;
    UsualReport m_report;
};

Result<UsualReport> PgHistoryReader::usual(const TimeRange& range, const CancelToken& cancel) {
    return UsualQuestions(*this, cancel).ask(range);
}

Result<CellCaps> PgHistoryReader::cellCaps(const std::string& family, const TimeRange& range, const CancelToken& cancel) {
    CellCaps caps;
    auto scope = scopeOf(range, cancel);
    if (!scope) return tl::unexpected(scope.error());
    if (!*scope) return caps;
    auto rows = ask(capsStatement(snapped((*scope)->range), CellCaps::kSample), {family}, cancel);
    if (!rows) return tl::unexpected(rows.error());
    for (int row = 0; *rows && row < (*rows)->count(); ++row) {
        const auto cell = static_cast<std::size_t>((*rows)->number(row, 0));
        if (cell >= caps.cells.size()) continue;
        caps.cells[cell] = {countAt(**rows, row, 1), countAt(**rows, row, 2)};
        caps.sampled += countAt(**rows, row, 1);
    }
    return caps;
}

}  // namespace signalbox::evidence
