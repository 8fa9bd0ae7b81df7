// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/usual.h"

namespace signalbox::test {

/// History answered from records in memory, by the same rules as the database. Records oldest first.
class FakeHistory final : public evidence::HistoryReader {
public:
    using Records = std::shared_ptr<const std::vector<evidence::DecisionRecord>>;
    explicit FakeHistory(Records records) : m_records(std::move(records)) {}

    /// When set, every question fails with it.
    std::optional<Error> failure;
    /// Oldest first.
    std::vector<evidence::Event> happened;
    /// A page ends after so many rows looked at, as where no index answers; 0: when it is full.
    std::size_t searchRows = 0;

    [[nodiscard]] Result<evidence::HistoryPage> page(const evidence::HistoryFilter& filter, const std::optional<evidence::PageKey>& after,
                                                     std::size_t limit, const evidence::CancelToken& cancel) override;
    [[nodiscard]] Result<std::optional<evidence::DecisionRecord>> find(const DecisionId& id, const evidence::CancelToken& cancel) override;
    [[nodiscard]] Result<evidence::PresetSeries> presetsOverTime(const evidence::HistoryFilter& filter, std::size_t maxBuckets,
                                                                 const evidence::CancelToken& cancel) override;
    [[nodiscard]] Result<evidence::HistorySummary> summary(const evidence::TimeRange& range, const evidence::CancelToken& cancel) override;
    [[nodiscard]] Result<evidence::CellHits> cellHits(const std::string& family, const evidence::TimeRange& range,
                                                      const evidence::CancelToken& cancel) override;
    [[nodiscard]] Result<evidence::ShadowReport> shadow(const evidence::ShadowFilter& filter, std::size_t maxBuckets,
                                              const evidence::CancelToken& cancel) override;
    [[nodiscard]] Result<evidence::UsualReport> usual(const evidence::TimeRange& range, const evidence::CancelToken& cancel) override;
    [[nodiscard]] Result<evidence::CellCaps> cellCaps(const std::string& family, const evidence::TimeRange& range,
                                                      const evidence::CancelToken& cancel) override;
    [[nodiscard]] Result<std::map<std::string, double>> spentByPrincipal(Timestamp from, const evidence::CancelToken& cancel) override;
    [[nodiscard]] Result<evidence::EventPage> events(const evidence::EventFilter& filter, const std::optional<evidence::EventKey>& after,
                                                     std::size_t limit, const evidence::CancelToken& cancel) override;

private:
    Records m_records;
};

}  // namespace signalbox::test
