// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/history.h"
#include "ui/charts/bar_view.h"
#include "ui/charts/heat_map/heat_grid.h"
#include "ui/charts/rate_series.h"

#include <QHash>

#include <optional>
#include <string>
#include <vector>

namespace signalbox::ui {

/// Estimates of one side of the comparison, and what the real calls behind them measured, all for one decision.
struct SideOfComparison {
    std::uint64_t decisions = 0;
    double costUsd = 0, latencyMs = 0;               ///< estimates, mean
    std::optional<double> measuredCostUsd;           ///< mean of the calls of the same endpoints, weighted as the decisions
    std::optional<double> measuredLatencyMs;         ///< their medians, weighted as the decisions
    std::uint64_t costCalls = 0, timedCalls = 0;     ///< behind the two
};

/// One endpoint as the smart groups of the range saw it and as it really served.
struct CandidateFacts {
    std::string endpointId;
    std::uint64_t triedFirst = 0, recommended = 0;   ///< decisions that may disagree
    std::optional<double> costUsd, latencyMs;        ///< estimates, mean over those
    evidence::ShadowReport::Candidate calls;
    [[nodiscard]] std::optional<double> measuredCostUsd() const;
};

/// An edge where traffic goes by without a single shadow decision in an hour (F72).
struct Silence {
    std::string edge;
    std::uint64_t decisions = 0;  ///< of smart groups in that hour at this edge, however served; 0: only other traffic
};

/// Everything that the page shows, ready to be shown. Made on a worker, since a report may be large.
struct ShadowAnswer {
    Rate overall;
    std::uint64_t groupDecisions = 0;  ///< in any mode
    RateSeries rates;
    HeatGrid pairs;
    std::vector<std::uint64_t> byTerm;    ///< disagreements, in the order of policy::smart::Term
    std::vector<std::uint64_t> byMargin;  ///< disagreements, kMarginSlots
    SideOfComparison chosen, recommended;
    std::vector<CandidateFacts> candidates;
    std::vector<Silence> silences;
    std::map<std::string, std::uint64_t> affinity;
    std::map<std::string, std::uint64_t> byMode;
    std::vector<std::string> groups;   ///< with decisions that may disagree
    /// Group and profile behind a line's entity.
    QHash<QString, std::pair<std::string, std::string>> lineKeys;

    /// The mode of all decisions that may disagree, when there is only one: what a way to them is restricted to.
    [[nodiscard]] std::optional<std::string> onlyMode() const;
};

/// `hour` is the report of the last hour of the range, `hourRequests` all requests in it.
[[nodiscard]] ShadowAnswer toShadowAnswer(const evidence::ShadowReport& report, const evidence::ShadowReport& hour, std::uint64_t hourRequests,
                                          std::size_t points);
/// F72, per edge: edges that had shadow decisions in the range or group traffic in the hour, and none in the hour
/// though it had traffic.
[[nodiscard]] std::vector<Silence> silentEdges(const evidence::ShadowReport& report, const evidence::ShadowReport& hour, std::uint64_t hourRequests);
/// Chosen against recommended, the most frequent endpoints first; at most `most` rows and columns, the last one joined.
[[nodiscard]] HeatGrid pairGrid(const evidence::ShadowReport& report, std::size_t most);

}  // namespace signalbox::ui
