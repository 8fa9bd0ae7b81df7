// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/history_reader.h"

namespace signalbox::evidence {

/// Looks for a page of what no index answers: from new to old, so many rows at a time as the database can judge within
/// `ReaderOptions::sliceTime`, until the page is full, the range is at its end, or `searchTime` is over (F91). What is found
/// on the way is never lost: the page then says how far it has come.
class PgHistoryReader::SlicedSearch {
public:
    SlicedSearch(PgHistoryReader& reader, const HistoryFilter& filter, std::size_t limit, const CancelToken& cancel)
        : m_reader(reader), m_filter(filter), m_limit(limit), m_cancel(cancel) {}

    [[nodiscard]] Result<HistoryPage> from(std::optional<PageKey> after);

private:
    struct Slice {
        std::optional<PgRows> rows;  ///< matches, newest first; nullopt: there are no tables
        std::optional<PageKey> oldest;  ///< of all rows judged; nullopt when nothing lies beyond
    };
    [[nodiscard]] Result<Slice> look(const std::optional<PageKey>& after);
    [[nodiscard]] static Result<Slice> sliceOf(PgRows rows, std::size_t asked);
    [[nodiscard]] tl::expected<PgRows, PgFailure> askSlice(const std::optional<PageKey>& after, bool patient);
    [[nodiscard]] Result<void> take(const Slice& slice, HistoryPage& page) const;

    PgHistoryReader& m_reader;
    const HistoryFilter& m_filter;
    const std::size_t m_limit;
    const CancelToken& m_cancel;
};

}  // namespace signalbox::evidence
