// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/ttft_distribution.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace signalbox::strategy::routewise {

inline constexpr double kHedgeTarget = 0.99;

/// Elapsed seconds at which a hedge is weighed: k/40 of the objective for k = 10..36, that is 0.25 to 0.90 of it
/// (choice R11). Empty when there is no positive objective.
[[nodiscard]] std::vector<double> hedgeCheckpoints(double sloMs);

/// The moment that is judged, and what counts as in time. All in milliseconds since the request was sent.
struct HedgeMoment {
    double elapsedMs = 0;
    double sloMs = 0;
    /// Between the decision and the backup's request being under way.
    double overheadMs = 0;
};

/// Chance that first content comes within the objective if the backup is sent now and the primary is still waited
/// for: the primary given that it has not answered yet, the backup in what time is left, independent of each other.
/// 0 once the objective has passed; a primary no sample of which took longer than this counts as lost.
[[nodiscard]] double successProbability(const capacity::TtftDistribution& primary,
                                        const capacity::TtftDistribution& backup, const HedgeMoment& moment);
/// The same when the primary has failed: the backup alone.
[[nodiscard]] double successProbability(const capacity::TtftDistribution& backup, const HedgeMoment& moment);

struct BackupOption {
    std::string_view id;
    double probability = 0;
    double costUsd = 0;
    double meanMs = 0;
    double target = kHedgeTarget;
};

/// The cheapest option that reaches its target (less 1e-9); then the more probable, the faster, the id that sorts
/// first by code point (R13). nullopt if none does.
[[nodiscard]] std::optional<std::size_t> pickBackup(std::span<const BackupOption> options);

/// An endpoint that could take the hedge leg. Views must outlive the call.
struct HedgeBackup {
    std::string_view id;
    const capacity::TtftDistribution* profile = nullptr;
    double costUsd = 0;
    double meanMs = 0;
};

struct HedgeObjective {
    double sloMs = 0;
    double overheadMs = 0;
    double target = kHedgeTarget;
};

struct HedgeDispatch {
    double atMs = 0;
    /// Position among the backups.
    std::size_t backup = 0;
    double probability = 0;
    bool operator==(const HedgeDispatch&) const = default;
};

struct HedgePlan {
    /// Positions in hedgeCheckpoints() at which some backup reaches the target.
    std::vector<std::size_t> feasibleCheckpoints;
    /// At the last of them: as late as the objective allows, since most primaries answer in time (R12).
    std::optional<HedgeDispatch> dispatch;
};

/// Judges the checkpoints from `firstCheckpoint` on with the profiles as they are. A router that waits asks again at
/// every checkpoint and sends the backup when the plan's moment has come.
[[nodiscard]] HedgePlan planHedge(const capacity::TtftDistribution& primary, std::span<const HedgeBackup> backups,
                                  const HedgeObjective& objective, std::size_t firstCheckpoint = 0);

/// What to do at once when the primary has failed after `elapsedMs`.
[[nodiscard]] std::optional<HedgeDispatch> hedgeAfterFailure(double elapsedMs, std::span<const HedgeBackup> backups,
                                                             const HedgeObjective& objective);

}  // namespace signalbox::strategy::routewise
