// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/evidence/event.h"
#include "router/evidence/record.h"

#include <array>
#include <atomic>
#include <functional>
#include <map>
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
    std::optional<std::string> team;            ///< of the principal; empty: of no team
    std::optional<std::string> requestedModel;  ///< as the client named it
    std::vector<std::uint32_t> cells;     ///< indexes of table::Cell; empty does not filter
    std::optional<std::string> group;     ///< smart group; the next ones ask about its decision
    std::optional<std::string> profile;
    std::optional<std::string> mode;
    std::optional<std::string> selected, recommended;  ///< `provider:model`
    std::optional<std::string> decidingTerm;
    std::optional<bool> disagreement;
    std::optional<std::uint32_t> marginSlot;  ///< of `ShadowReport::margins`
    std::optional<std::string> attempted;     ///< an endpoint that any attempt went to
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
    /// Set where the search stopped for now before the page was full: everything down to here was looked at, `next` goes on
    /// from there. A filter that no index answers is looked for in slices, which end a page after a while.
    std::optional<Timestamp> searchedTo;
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

/// What the questions about smart groups are restricted to.
struct ShadowFilter {
    TimeRange range;
    std::optional<std::string> group, profile;
    bool includeSimulations = false;
    /// Endpoints by candidate whose calls count for it, too: where the table moves it, or what its pool is made of.
    std::map<std::string, std::vector<std::string>> servedBy;
};

/// Score distance between the best candidate and the one tried first, in slots of equal width: slot s holds
/// [s, s + 1) x kMarginStep; the last one everything above. 0 stands for agreement and is not counted.
inline constexpr std::size_t kMarginSlots = 21;
inline constexpr double kMarginStep = 0.01;
[[nodiscard]] std::size_t marginSlot(double margin);

/// Estimates summed over decisions: divide by `decisions`.
struct EstimateSums {
    double costUsd = 0;
    double latencyMs = 0;
};

/// Everything that the shadow page asks, of decisions in modes that may disagree (shadow and canary_control) unless
/// a member says otherwise.
struct ShadowReport {
    /// Over time, one line for each (group, profile).
    struct Line {
        std::string group, profile;
        std::vector<std::uint64_t> decisions, disagreements;  ///< one per start
    };
    std::chrono::seconds bucket{60};
    std::vector<Timestamp> starts;
    std::vector<Line> lines;
    std::uint64_t decisions = 0, disagreements = 0;

    /// What was tried first against what was recommended, estimates of both, and the deciding term.
    struct Pair {
        std::string group, selected, recommended;
        std::string decidingTerm;  ///< empty where both are the same
        std::uint64_t decisions = 0;
        EstimateSums ofSelected, ofRecommended;
    };
    std::vector<Pair> pairs;  ///< most frequent first

    struct Margin {
        std::string group, profile;
        std::array<std::uint64_t, kMarginSlots> counts{};  ///< disagreements only
    };
    std::vector<Margin> margins;

    /// Real calls of any mode behind the estimates: attempts at each candidate's endpoint in the range.
    struct Candidate {
        std::string endpointId;
        std::uint64_t attempts = 0, served = 0, failed = 0, refused = 0, cancelled = 0;
        std::uint64_t rateLimited = 0;        ///< of the failed, status 429
        std::uint64_t cutForCooling = 0;      ///< decisions in which it was cooling
        std::uint64_t costCalls = 0;          ///< served calls whose cost is known
        double costUsd = 0;                   ///< summed over `costCalls`
        std::uint64_t timedCalls = 0;
        std::optional<double> totalP50Ms;     ///< measured, error at most 2 %
        std::optional<double> firstContentP50Ms;
    };
    std::vector<Candidate> candidates;

    /// Decisions of smart groups by how they were served and at which edge (F72), any mode.
    struct Served {
        std::string mode, edge;
        std::uint64_t decisions = 0;
    };
    std::vector<Served> served;
    /// Sessions: how often affinity was followed, lost, or absent (F63, F65).
    std::map<std::string, std::uint64_t> affinity;
};

/// Unset fields do not filter.
struct EventFilter {
    TimeRange range;
    std::vector<EventKind> kinds;
    std::optional<std::string> subject;
    std::optional<std::string> actor = {};  ///< exactly, `operator:ada@ops-1`
};

/// Where a page of events ended.
struct EventKey {
    Timestamp createdAt{};
    EventId id;
};

struct EventPage {
    std::vector<Event> rows;       ///< newest first
    std::optional<EventKey> next;  ///< nullopt at the end of the range
};

struct CellCaps;     ///< router/evidence/usual.h
struct UsualReport;  ///< router/evidence/usual.h

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
    [[nodiscard]] virtual Result<ShadowReport> shadow(const ShadowFilter& filter, std::size_t maxBuckets,
                                                      const CancelToken& cancel) = 0;
    /// The range, the same time of the last four weeks, and its teams and endpoints.
    [[nodiscard]] virtual Result<UsualReport> usual(const TimeRange& range, const CancelToken& cancel) = 0;
    /// How many requests of a family said no output cap, by cell.
    [[nodiscard]] virtual Result<CellCaps> cellCaps(const std::string& family, const TimeRange& range, const CancelToken& cancel) = 0;
    /// Estimated US dollars by principal since `from`, for budgets.
    [[nodiscard]] virtual Result<std::map<std::string, double>> spentByPrincipal(Timestamp from, const CancelToken& cancel) = 0;
    /// What happened to the gateways; at most 1,000 a page.
    [[nodiscard]] virtual Result<EventPage> events(const EventFilter& filter, const std::optional<EventKey>& after, std::size_t limit,
                                                   const CancelToken& cancel) = 0;
};

}  // namespace signalbox::evidence
