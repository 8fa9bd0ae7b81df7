// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/database.h"
#include "router/evidence/history_sql.h"

#include <chrono>
#include <memory>

namespace signalbox::evidence {

struct ReaderOptions {
    std::chrono::milliseconds statementTimeout{10'000};
    /// True where a writer in this process brings the database up and reports how that goes.
    bool besideWriter = false;
    // Of filters that no index answers (design.md 7).
    std::chrono::milliseconds sliceTime{50};   ///< no statement looks longer
    std::chrono::milliseconds searchTime{400}; ///< after so long a page ends, and says how far it has come
    std::size_t firstSliceRows = 2'000;         ///< later ones hold what the first ones show to be possible
};

/// History from our own tables. Where they do not exist yet every answer is empty.
class PgHistoryReader final : public HistoryReader {
public:
    PgHistoryReader(std::shared_ptr<Database> database, ReaderOptions options)
        : m_database(std::move(database)), m_options(options), m_sliceRows(options.firstSliceRows) {}

    [[nodiscard]] Result<HistoryPage> page(const HistoryFilter& filter, const std::optional<PageKey>& after,
                                           std::size_t limit, const CancelToken& cancel) override;
    [[nodiscard]] Result<std::optional<DecisionRecord>> find(const DecisionId& id, const CancelToken& cancel) override;
    [[nodiscard]] Result<PresetSeries> presetsOverTime(const HistoryFilter& filter, std::size_t maxBuckets,
                                                       const CancelToken& cancel) override;
    [[nodiscard]] Result<HistorySummary> summary(const TimeRange& range, const CancelToken& cancel) override;
    [[nodiscard]] Result<CellHits> cellHits(const std::string& family, const TimeRange& range,
                                            const CancelToken& cancel) override;
    [[nodiscard]] Result<ShadowReport> shadow(const ShadowFilter& filter, std::size_t maxBuckets,
                                              const CancelToken& cancel) override;
    [[nodiscard]] Result<UsualReport> usual(const TimeRange& range, const CancelToken& cancel) override;
    [[nodiscard]] Result<CellCaps> cellCaps(const std::string& family, const TimeRange& range, const CancelToken& cancel) override;
    [[nodiscard]] Result<std::map<std::string, double>> spentByPrincipal(Timestamp from, const CancelToken& cancel) override;
    [[nodiscard]] Result<EventPage> events(const EventFilter& filter, const std::optional<EventKey>& after, std::size_t limit,
                                           const CancelToken& cancel) override;

private:
    /// nullopt: the tables do not exist.
    using Answer = Result<std::optional<PgRows>>;
    [[nodiscard]] Answer ask(const std::string& sql, const PgSession::Parameters& parameters, const CancelToken& cancel);
    [[nodiscard]] tl::expected<PgRows, PgFailure> askOnce(const std::string& sql, const PgSession::Parameters& parameters,
                                                          const CancelToken& cancel);
    [[nodiscard]] Error explain(const PgFailure& failure) const;
    /// A range with both ends, and where its counts are; nullopt when there is nothing at all.
    struct Scope {
        TimeRange range;
        CountSource source = CountSource::minutes;
    };
    [[nodiscard]] Result<std::optional<Scope>> scopeOf(const TimeRange& range, const CancelToken& cancel);
    [[nodiscard]] Result<void> addTotals(HistorySummary& out, const Scope& scope, const CancelToken& cancel);
    [[nodiscard]] Result<void> addLatencies(HistorySummary& out, const Scope& scope, const CancelToken& cancel);
    [[nodiscard]] Result<void> addEnds(HistorySummary& out, const TimeRange& range, const CancelToken& cancel);

    [[nodiscard]] tl::expected<PgRows, PgFailure> askOn(std::unique_ptr<PgSession>& session, std::chrono::milliseconds timeout,
                                                        const std::string& sql, const PgSession::Parameters& parameters,
                                                        const CancelToken& cancel);

    class SlicedSearch;
    class ShadowQuestions;
    class UsualQuestions;

    std::shared_ptr<Database> m_database;
    ReaderOptions m_options;
    std::unique_ptr<PgSession> m_session;
    std::unique_ptr<PgSession> m_slices;  // the same server, but it looks for `sliceTime` at most
    std::size_t m_sliceRows;              // as many as can be looked at in that time, as far as is known
    Error m_bringUpError;
};

}  // namespace signalbox::evidence
