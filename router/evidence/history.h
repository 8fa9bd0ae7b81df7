// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/evidence/record.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace signalbox::evidence {

/// Half open, UTC. A default range is everything.
struct TimeRange {
    Timestamp from{};
    Timestamp to{};
    bool operator==(const TimeRange&) const = default;
};

/// Unset fields do not filter. Texts compare exactly.
struct HistoryFilter {
    TimeRange range;
    std::optional<std::string> presetKey;
    std::optional<std::uint32_t> ruleIndex;
    std::optional<std::string> family;
    std::optional<std::string> coverage;  ///< rule, default, gap, none
    std::optional<Outcome> outcome;
    std::optional<std::string> endpointId;
    std::vector<std::uint32_t> cells;     ///< indexes of table::Cell; empty does not filter
    bool includeSimulations = false;      ///< origins other than traffic and demo
};

/// Where a page ended; pages go from new to old.
struct PageKey {
    Timestamp createdAt{};
    DecisionId id;
};

struct HistoryPage {
    std::vector<DecisionRecord> rows;  ///< newest first
    std::optional<PageKey> next;       ///< nullopt at the end of the range
};

/// Counts per time bucket and preset. `presets` are in order of total, largest first; "" is "no preset".
struct PresetSeries {
    std::chrono::seconds bucket{60};
    std::vector<Timestamp> starts;
    struct Line {
        std::string presetKey;
        std::vector<std::uint64_t> counts;  ///< one per start
        std::uint64_t total = 0;
    };
    std::vector<Line> presets;
    std::uint64_t total = 0;
};

/// Totals of a range, for sentences and lamps.
struct HistorySummary {
    std::uint64_t requests = 0, served = 0, failed = 0, refused = 0, cancelled = 0;
    std::uint64_t byRule = 0, byDefault = 0, gapHits = 0, uncovered = 0;
    std::uint64_t outsideTable = 0;  ///< of the uncovered, those that led to no family: aliases, explicit endpoints, refused names
    std::optional<double> firstContentP50Ms, firstContentP95Ms;
    std::optional<Timestamp> newest, oldest;
};

/// Hits per cell of a family in a range, for the coverage matrix.
struct CellHits {
    std::array<std::uint64_t, table::kCellCount> hits{};
    std::uint64_t total = 0;
};

/// Set from any thread; a running query is then cancelled on the server.
using CancelToken = std::shared_ptr<std::atomic<bool>>;

/// Reads history. Every call blocks on the database under a statement timeout, so it belongs on a worker thread,
/// never on a gateway's or the GUI's. One reader is for one thread at a time.
class HistoryReader {
public:
    virtual ~HistoryReader() = default;
    [[nodiscard]] virtual Result<HistoryPage> page(const HistoryFilter& filter, const std::optional<PageKey>& after,
                                                   std::size_t limit, const CancelToken& cancel) = 0;
    [[nodiscard]] virtual Result<std::optional<DecisionRecord>> find(const DecisionId& id, const CancelToken& cancel) = 0;
    [[nodiscard]] virtual Result<PresetSeries> presetsOverTime(const HistoryFilter& filter, std::size_t maxBuckets,
                                                               const CancelToken& cancel) = 0;
    [[nodiscard]] virtual Result<HistorySummary> summary(const TimeRange& range, const CancelToken& cancel) = 0;
    [[nodiscard]] virtual Result<CellHits> cellHits(const std::string& family, const TimeRange& range,
                                                    const CancelToken& cancel) = 0;
};

}  // namespace signalbox::evidence
