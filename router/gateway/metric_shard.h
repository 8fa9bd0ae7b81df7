// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/decision_counters.h"
#include "router/evidence/record.h"
#include "router/gateway/metric_cells.h"

namespace signalbox::gateway {

// Upper ends of buckets, in seconds and tokens.
inline constexpr std::array kDecisionBounds{1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 1e-2};
inline constexpr std::array kRequestBounds{0.005, 0.01, 0.025, 0.05, 0.1,  0.25,  0.5,   1.0,
                                           2.5,   5.0,  10.0,  30.0, 60.0, 120.0, 300.0, 600.0};
inline constexpr std::array kTokenBounds{1.0, 4.0, 16.0, 64.0, 256.0, 1024.0, 4096.0, 16384.0, 65536.0};

using DecisionHistogram = HistogramCell<kDecisionBounds>;
using RequestHistogram = HistogramCell<kRequestBounds>;
using TokenHistogram = HistogramCell<kTokenBounds>;

inline constexpr std::size_t kEdges = 2, kOutcomes = 4, kRoles = 4, kCoverages = 4;
/// Words of policy::CoverageMark, as records hold them.
inline constexpr std::array<std::string_view, kCoverages> kCoverageWords{"rule", "default", "gap", "none"};

/// How the arguments of tool calls were judged. `unchecked` holds those of which nobody can say.
enum class ToolVerdict : std::uint8_t { fits, violates, unchecked };
inline constexpr std::size_t kToolVerdicts = 3;
[[nodiscard]] std::string_view toString(ToolVerdict verdict);

/// Of one edge.
struct EdgeCells {
    std::array<CountCell, kOutcomes> requests;
    std::array<RequestHistogram, kOutcomes> seconds;
    std::array<RequestHistogram, 2> firstContent; ///< whole, stream
    CountCell compared, disagreements;            ///< decisions beside which a recommendation was made (F72)
};

/// Of one provider.
struct ProviderCells {
    std::array<std::array<CountCell, kOutcomes>, kRoles> attempts; ///< by role and outcome
    RequestHistogram firstByte;                                    ///< of what answered
    TokenHistogram outputTokens;
    CountCell inputTokens, cachedTokens, writtenTokens;
    SumCell<double> costUsd;
    std::array<CountCell, kToolVerdicts> toolCalls;
};

struct PresetCells {
    std::array<std::array<CountCell, kOutcomes>, kCoverages> decisions; ///< by coverage and outcome
};

/// One I/O thread's share of the gateway's counters: counts without locks and, once every label was seen, without
/// allocating. Only that thread counts; any thread may read.
class MetricShard {
public:
    /// Everything that a finished request counts; the one place where records become numbers (F76, F77). `decision` is
    /// null for requests that asked neither a smart group nor an explicit endpoint. `firstByteMs`: how long the upstream
    /// that answered took to its head, or of a stream to its first frame.
    void finished(const evidence::DecisionRecord& record, const capacity::DecisionCount* decision,
                  std::optional<double> firstByteMs);
    /// A principal was served beyond its soft budget.
    void softBudget(std::string_view principal) { softBudgets.at({principal}).add(1); }

    CountCell decided, dispatched, served;
    DecisionHistogram decisionSeconds;
    std::array<EdgeCells, kEdges> edges;
    LabelledCells<1, ProviderCells> providers;
    LabelledCells<1, PresetCells> presets;
    LabelledCells<2, CountCell> gaps;    ///< cell, family
    LabelledCells<3, CountCell> routing; ///< mode, profile, provider
    LabelledCells<1, CountCell> softBudgets;

private:
    void countEdge(const evidence::DecisionRecord& record, const capacity::DecisionCount* decision);
    void countAttempts(const evidence::DecisionRecord& record);
    void countAnswer(const evidence::DecisionRecord& record, std::optional<double> firstByteMs);
    void countGap(const evidence::DecisionRecord& record);
};

/// True if an attempt of the record reached an upstream.
[[nodiscard]] bool wasDispatched(const evidence::DecisionRecord& record);

} // namespace signalbox::gateway
