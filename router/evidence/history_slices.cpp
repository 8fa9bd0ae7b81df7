// SPDX-License-Identifier: MIT
#include "router/evidence/history_slices.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace signalbox::evidence {
namespace {

using SliceClock = std::chrono::steady_clock;

constexpr std::size_t kFewestSliceRows = 32;
constexpr std::size_t kMostSliceRows = 50'000;
/// What a filter may judge by, beside what a page needs.
constexpr const char* kSliceColumns = "created_at, id, receipt, origin, preset, family, rule_index, coverage, cell, endpoint, outcome,"
                                      " mode, route_group, profile, selected, recommended, shadow_disagreement, deciding_term,"
                                      " margin_slot, also_tried, team, requested_model";

std::string rtdOf(std::string_view uuid) {
    std::string out = "rtd_";
    std::copy_if(uuid.begin(), uuid.end(), std::back_inserter(out), [](char c) { return c != '-'; });
    return out;
}

}  // namespace

Result<HistoryPage> PgHistoryReader::SlicedSearch::from(std::optional<PageKey> after) {
    const auto until = SliceClock::now() + m_reader.m_options.searchTime;
    HistoryPage page;
    while (true) {
        auto slice = look(after);
        if (!slice) return tl::unexpected(slice.error());
        if (!slice->rows) return page;
        if (auto taken = take(*slice, page); !taken) return tl::unexpected(taken.error());
        if (page.rows.size() > m_limit) {
            page.rows.resize(m_limit);
            page.next = PageKey{page.rows.back().createdAt, page.rows.back().id};
            return page;
        }
        if (!slice->oldest) return page;
        after = slice->oldest;
        if (SliceClock::now() < until) continue;
        page.next = after;
        page.searchedTo = after->createdAt;
        return page;
    }
}

Result<PgHistoryReader::SlicedSearch::Slice> PgHistoryReader::SlicedSearch::look(const std::optional<PageKey>& after) {
    std::size_t& rows = m_reader.m_sliceRows;
    bool patient = false, reconnected = false;
    while (true) {
        const auto began = SliceClock::now();
        const std::size_t asked = rows;
        auto answer = askSlice(after, patient);
        const auto took = SliceClock::now() - began;
        if (answer) {
            if (took > m_reader.m_options.sliceTime * 3 / 4) rows = std::max(rows / 2, kFewestSliceRows);
            else if (took < m_reader.m_options.sliceTime / 3) rows = std::min(rows * 2, kMostSliceRows);
            return sliceOf(std::move(*answer), asked);
        }
        const PgFailure::Kind kind = answer.error().kind;
        if (kind == PgFailure::Kind::noSuchTable) return Slice{};
        // The server may have been restarted since the last question.
        if (kind == PgFailure::Kind::connectionLost && !std::exchange(reconnected, true)) continue;
        if (kind != PgFailure::Kind::timeout || patient) return tl::unexpected(m_reader.explain(answer.error()));
        // A machine that is too busy for so few rows gets its time, for the search must come on.
        patient = rows == kFewestSliceRows;
        rows = std::max(rows / 4, kFewestSliceRows);
    }
}

// The last row tells of the slice itself. One that is not full was the last of the range.
Result<PgHistoryReader::SlicedSearch::Slice> PgHistoryReader::SlicedSearch::sliceOf(PgRows rows, std::size_t asked) {
    Slice out;
    const int end = rows.count() - 1;
    if (static_cast<std::size_t>(rows.number(end, 1)) == asked) {
        const auto id = DecisionId::parse(rtdOf(rows.text(end, 3)));
        if (!id) return fail(ErrorKind::internal, "the database holds a decision whose id cannot be read");
        out.oldest = PageKey{rows.time(end, 2), *id};
    }
    out.rows.emplace(std::move(rows));
    return out;
}

// The slice is made first and judged then: a plan that judged while it looked could look at everything.
tl::expected<PgRows, PgFailure> PgHistoryReader::SlicedSearch::askSlice(const std::optional<PageKey>& after, bool patient) {
    const SlicedConditions conditions = slicedConditions(m_filter, after);
    const std::string sql =
        "WITH seen AS MATERIALIZED (SELECT " + std::string(kSliceColumns) + " FROM signalbox.decisions" + conditions.found.where() +
        " ORDER BY created_at DESC, id DESC LIMIT " + std::to_string(m_reader.m_sliceRows) +
        "), matches AS (SELECT receipt, created_at, id FROM seen WHERE " + conditions.judged +
        " ORDER BY created_at DESC, id DESC LIMIT " + std::to_string(m_limit + 1) +
        "), oldest AS (SELECT created_at, id FROM seen ORDER BY created_at, id LIMIT 1)"
        " SELECT receipt, seen_rows, oldest_at, oldest_id FROM ("
        " SELECT receipt, NULL::bigint AS seen_rows, NULL::bigint AS oldest_at, NULL::text AS oldest_id, created_at, id, 0 AS part FROM matches"
        " UNION ALL SELECT NULL, (SELECT count(*) FROM seen), (SELECT " + asMicros("created_at") + " FROM oldest),"
        " (SELECT id::text FROM oldest), NULL, NULL, 1) AS parts ORDER BY part, created_at DESC, id DESC";
    if (patient) return m_reader.askOnce(sql, conditions.found.parameters(), m_cancel);
    return m_reader.askOn(m_reader.m_slices, m_reader.m_options.sliceTime, sql, conditions.found.parameters(), m_cancel);
}

Result<void> PgHistoryReader::SlicedSearch::take(const Slice& slice, HistoryPage& page) const {
    for (int row = 0; row + 1 < slice.rows->count() && page.rows.size() <= m_limit; ++row) {
        auto record = decodeRecord(slice.rows->text(row, 0));
        if (!record) return tl::unexpected(record.error());
        page.rows.push_back(std::move(*record));
    }
    return {};
}

}  // namespace signalbox::evidence
