// SPDX-License-Identifier: MIT
#include "router/evidence/history_reader.h"

#include "router/evidence/history_slices.h"
#include "router/evidence/latency_slots.h"

#include <algorithm>
#include <map>

namespace signalbox::evidence {
namespace {

using Kind = PgFailure::Kind;

constexpr std::size_t kMostRowsInPage = 1000;
constexpr std::chrono::hours kMinutesSpan{48};
constexpr std::chrono::hours kRowsSpan{6};

}  // namespace

tl::expected<PgRows, PgFailure> PgHistoryReader::askOnce(const std::string& sql, const PgSession::Parameters& parameters,
                                                         const CancelToken& cancel) {
    return askOn(m_session, m_options.statementTimeout, sql, parameters, cancel);
}

tl::expected<PgRows, PgFailure> PgHistoryReader::askOn(std::unique_ptr<PgSession>& session, std::chrono::milliseconds timeout,
                                                       const std::string& sql, const PgSession::Parameters& parameters,
                                                       const CancelToken& cancel) {
    if (!session || !session->isUsable()) {
        session.reset();
        auto dsn = m_options.besideWriter ? m_database->whenReady(cancel) : m_database->bringUp();
        if (!dsn) {
            m_bringUpError = dsn.error();
            return tl::unexpected(PgFailure{Kind::connectionLost, ""});
        }
        m_bringUpError = {};
        auto opened = PgSession::open(*dsn, timeout, cancel);
        if (!opened) return tl::unexpected(opened.error());
        session = std::move(*opened);
    }
    return session->query(sql, parameters, cancel);
}

PgHistoryReader::Answer PgHistoryReader::ask(const std::string& sql, const PgSession::Parameters& parameters,
                                             const CancelToken& cancel) {
    auto rows = askOnce(sql, parameters, cancel);
    // The server may have been restarted since the last question: once more on a new connection.
    const bool hadConnection = m_session != nullptr;
    if (!rows && rows.error().kind == Kind::connectionLost && hadConnection) {
        m_session.reset();
        rows = askOnce(sql, parameters, cancel);
    }
    if (rows) return std::optional<PgRows>(std::move(*rows));
    if (rows.error().kind == Kind::noSuchTable) return std::optional<PgRows>();
    return tl::unexpected(explain(rows.error()));
}

Error PgHistoryReader::explain(const PgFailure& failure) const {
    switch (failure.kind) {
    case Kind::cancelled:
        return {ErrorKind::cancelled, "the question was withdrawn", m_database->where(), {}};
    case Kind::timeout:
        return {ErrorKind::unavailable,
                "the answer took longer than " + std::to_string(m_options.statementTimeout.count() / 1000) + " s",
                m_database->where(), "Ask for a shorter range or fewer filters."};
    case Kind::connectionLost:
        if (!m_bringUpError.message.empty()) return m_bringUpError;
        return m_database->problem(failure.message);
    case Kind::refused:
    case Kind::noSuchTable:
        break;
    }
    return m_database->problem("the database refused a question: " + failure.message, ErrorKind::internal);
}

Result<HistoryPage> PgHistoryReader::page(const HistoryFilter& filter, const std::optional<PageKey>& after,
                                          std::size_t limit, const CancelToken& cancel) {
    limit = std::clamp<std::size_t>(limit, 1, kMostRowsInPage);
    if (!slicedConditions(filter, after).judged.empty()) return SlicedSearch(*this, filter, limit, cancel).from(after);
    const Conditions conditions = pageConditions(filter, after);
    auto rows = ask("SELECT receipt FROM signalbox.decisions" + conditions.where() +
                        " ORDER BY created_at DESC, id DESC LIMIT " + std::to_string(limit + 1),
                    conditions.parameters(), cancel);
    if (!rows) return tl::unexpected(rows.error());
    HistoryPage page;
    if (!*rows) return page;
    const auto count = static_cast<std::size_t>((*rows)->count());
    for (std::size_t i = 0; i < std::min(count, limit); ++i) {
        auto record = decodeRecord((*rows)->text(static_cast<int>(i), 0));
        if (!record) return tl::unexpected(record.error());
        page.rows.push_back(std::move(*record));
    }
    if (count > limit) page.next = PageKey{page.rows.back().createdAt, page.rows.back().id};
    return page;
}

Result<std::optional<DecisionRecord>> PgHistoryReader::find(const DecisionId& id, const CancelToken& cancel) {
    // The id's time names the partition; a record that was made elsewhere may carry another time than its id.
    const auto day = std::chrono::floor<std::chrono::days>(id.time());
    Conditions near;
    near.add("id = $?::uuid", {id.text().substr(4)});
    Conditions anywhere = near;
    near.add("created_at >= to_timestamp($?::bigint) AND created_at < to_timestamp($?::bigint)",
             {std::to_string((day - std::chrono::days(1)).time_since_epoch() / std::chrono::seconds(1)),
              std::to_string((day + std::chrono::days(2)).time_since_epoch() / std::chrono::seconds(1))});
    for (const Conditions& conditions : {near, anywhere}) {
        auto rows = ask("SELECT receipt FROM signalbox.decisions" + conditions.where() + " LIMIT 1",
                        conditions.parameters(), cancel);
        if (!rows) return tl::unexpected(rows.error());
        if (!*rows || (*rows)->count() == 0) continue;
        auto record = decodeRecord((*rows)->text(0, 0));
        if (!record) return tl::unexpected(record.error());
        return std::optional(std::move(*record));
    }
    return std::optional<DecisionRecord>();
}

Result<std::optional<PgHistoryReader::Scope>> PgHistoryReader::scopeOf(const TimeRange& range, const CancelToken& cancel) {
    auto rows = ask("SELECT CASE WHEN isfinite(minutes_from) THEN " + asMicros("minutes_from") + " ELSE 0 END," +
                        " (SELECT " + asMicros("min(bucket)") + " FROM signalbox.rollup_hour),"
                        " (SELECT " + asMicros("max(bucket) + interval '1 hour'") + " FROM signalbox.rollup_hour)"
                        " FROM signalbox.retention_state",
                    {}, cancel);
    if (!rows) return tl::unexpected(rows.error());
    if (!*rows || (*rows)->count() == 0 || (*rows)->isNull(0, 1)) return std::optional<Scope>();
    Scope scope{range};
    if (isUnset(range)) scope.range = {(*rows)->time(0, 1), (*rows)->time(0, 2)};
    if (scope.range.from >= scope.range.to) return std::optional<Scope>();
    const auto span = scope.range.to - scope.range.from;
    if (scope.range.from >= (*rows)->time(0, 0) && span <= kMinutesSpan)
        scope.source = CountSource::minutes;
    else
        scope.source = span <= kRowsSpan ? CountSource::rows : CountSource::hours;
    return std::optional(scope);
}

Result<HistorySummary> PgHistoryReader::summary(const TimeRange& range, const CancelToken& cancel) {
    HistorySummary out;
    auto scope = scopeOf(range, cancel);
    if (!scope) return tl::unexpected(scope.error());
    if (!*scope) return out;
    if (auto added = addTotals(out, **scope, cancel); !added) return tl::unexpected(added.error());
    if (auto added = addLatencies(out, **scope, cancel); !added) return tl::unexpected(added.error());
    if (auto added = addEnds(out, (*scope)->range, cancel); !added) return tl::unexpected(added.error());
    return out;
}

Result<void> PgHistoryReader::addTotals(HistorySummary& out, const Scope& scope, const CancelToken& cancel) {
    const Conditions conditions = countConditions({});
    auto rows = ask("SELECT outcome, coverage, sum(requests)::bigint, family = '' FROM " + countsFrom(scope.source, scope.range) +
                        conditions.where() + " GROUP BY outcome, coverage, family = ''",
                    conditions.parameters(), cancel);
    if (!rows) return tl::unexpected(rows.error());
    for (int i = 0; *rows && i < (*rows)->count(); ++i) {
        const auto outcome = parseOutcome((*rows)->text(i, 0));
        const std::string_view coverage = (*rows)->text(i, 1);
        const auto count = static_cast<std::uint64_t>((*rows)->number(i, 2));
        out.requests += count;
        if (outcome == Outcome::served) out.served += count;
        if (outcome == Outcome::failed) out.failed += count;
        if (outcome == Outcome::refused) out.refused += count;
        if (outcome == Outcome::cancelled) out.cancelled += count;
        if (coverage == "rule") out.byRule += count;
        if (coverage == "default") out.byDefault += count;
        if (coverage == "gap") out.gapHits += count;
        if (coverage == "none") out.uncovered += count;
        if (coverage == "none" && (*rows)->text(i, 3) == "t") out.outsideTable += count;
    }
    return {};
}

Result<void> PgHistoryReader::addLatencies(HistorySummary& out, const Scope& scope, const CancelToken& cancel) {
    auto rows = ask("SELECT slot, sum(requests)::bigint FROM " + firstContentFrom(scope.source, scope.range) +
                        " WHERE origin IN ('traffic', 'demo') GROUP BY 1",
                    {}, cancel);
    if (!rows) return tl::unexpected(rows.error());
    std::map<std::int16_t, std::uint64_t> slots;
    for (int i = 0; *rows && i < (*rows)->count(); ++i)
        slots[static_cast<std::int16_t>((*rows)->number(i, 0))] += static_cast<std::uint64_t>((*rows)->number(i, 1));
    out.firstContentP50Ms = percentile(slots, 0.50);
    out.firstContentP95Ms = percentile(slots, 0.95);
    return {};
}

Result<void> PgHistoryReader::addEnds(HistorySummary& out, const TimeRange& range, const CancelToken& cancel) {
    const Conditions conditions = pageConditions({.range = snapped(range)}, std::nullopt);
    const auto end = [&](const char* order) {
        return "(SELECT created_at FROM signalbox.decisions" + conditions.where() + " ORDER BY created_at " + order + " LIMIT 1)";
    };
    auto rows = ask("SELECT " + asMicros(end("DESC")) + ", " + asMicros(end("ASC")), conditions.parameters(), cancel);
    if (!rows) return tl::unexpected(rows.error());
    if (!*rows || (*rows)->isNull(0, 0)) return {};
    out.newest = (*rows)->time(0, 0);
    out.oldest = (*rows)->time(0, 1);
    return {};
}

Result<CellHits> PgHistoryReader::cellHits(const std::string& family, const TimeRange& range, const CancelToken& cancel) {
    CellHits out;
    auto scope = scopeOf(range, cancel);
    if (!scope) return tl::unexpected(scope.error());
    if (!*scope) return out;
    HistoryFilter filter;
    filter.family = family;
    const Conditions conditions = countConditions(filter);
    auto rows = ask("SELECT cell, sum(requests)::bigint FROM " + countsFrom((*scope)->source, (*scope)->range) +
                        conditions.where() + " GROUP BY 1",
                    conditions.parameters(), cancel);
    if (!rows) return tl::unexpected(rows.error());
    for (int i = 0; *rows && i < (*rows)->count(); ++i) {
        const auto cell = static_cast<std::size_t>((*rows)->number(i, 0));
        const auto count = static_cast<std::uint64_t>((*rows)->number(i, 1));
        if (cell < out.hits.size()) out.hits[cell] += count;
        out.total += count;
    }
    return out;
}

}  // namespace signalbox::evidence
