// SPDX-License-Identifier: MIT
#include "router/strategy/routewise/hedge.h"

#include <tuple>

namespace signalbox::strategy::routewise {
namespace {

using capacity::TtftDistribution;

constexpr int kFirstFortieth = 10;
constexpr int kLastFortieth = 36;
constexpr double kProbabilityTolerance = 1e-9;

double primaryInTime(const TtftDistribution& primary, const HedgeMoment& moment) {
    const double answered = primary.within(moment.elapsedMs);
    const double waiting = 1 - answered;
    if (waiting <= 0) return 0;
    return (primary.within(moment.sloMs) - answered) / waiting;
}

double backupInTime(const TtftDistribution& backup, const HedgeMoment& moment) {
    const double left = moment.sloMs - moment.elapsedMs - moment.overheadMs;
    return left > 0 ? backup.within(left) : 0;
}

auto rank(const BackupOption& option) {
    return std::tuple(option.costUsd, -option.probability, option.meanMs, option.id);
}

/// The best backup at one moment; no `primary` when it has failed.
std::optional<HedgeDispatch> judge(const TtftDistribution* primary, std::span<const HedgeBackup> backups,
                                   const HedgeObjective& objective, double elapsedMs) {
    const HedgeMoment moment{elapsedMs, objective.sloMs, objective.overheadMs};
    std::vector<BackupOption> options;
    options.reserve(backups.size());
    for (const HedgeBackup& backup : backups) {
        const double probability = primary != nullptr ? successProbability(*primary, *backup.profile, moment)
                                                      : successProbability(*backup.profile, moment);
        options.push_back({backup.id, probability, backup.costUsd, backup.meanMs, objective.target});
    }
    const auto picked = pickBackup(options);
    if (!picked) return std::nullopt;
    return HedgeDispatch{elapsedMs, *picked, options[*picked].probability};
}

}  // namespace

std::vector<double> hedgeCheckpoints(double sloMs) {
    std::vector<double> out;
    if (!(sloMs > 0)) return out;
    out.reserve(kLastFortieth - kFirstFortieth + 1);
    for (int k = kFirstFortieth; k <= kLastFortieth; ++k) out.push_back(sloMs * k / 40 / 1000);
    return out;
}

double successProbability(const TtftDistribution& primary, const TtftDistribution& backup, const HedgeMoment& moment) {
    if (!(moment.elapsedMs < moment.sloMs)) return 0;
    return 1 - (1 - primaryInTime(primary, moment)) * (1 - backupInTime(backup, moment));
}

double successProbability(const TtftDistribution& backup, const HedgeMoment& moment) {
    if (!(moment.elapsedMs < moment.sloMs)) return 0;
    return backupInTime(backup, moment);
}

std::optional<std::size_t> pickBackup(std::span<const BackupOption> options) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < options.size(); ++i) {
        if (!(options[i].probability >= options[i].target - kProbabilityTolerance)) continue;
        if (!best || rank(options[i]) < rank(options[*best])) best = i;
    }
    return best;
}

HedgePlan planHedge(const TtftDistribution& primary, std::span<const HedgeBackup> backups,
                    const HedgeObjective& objective, std::size_t firstCheckpoint) {
    HedgePlan plan;
    const std::vector<double> checkpoints = hedgeCheckpoints(objective.sloMs);
    for (std::size_t i = firstCheckpoint; i < checkpoints.size(); ++i) {
        const auto found = judge(&primary, backups, objective, checkpoints[i] * 1000);
        if (!found) continue;
        plan.feasibleCheckpoints.push_back(i);
        plan.dispatch = found;
    }
    return plan;
}

std::optional<HedgeDispatch> hedgeAfterFailure(double elapsedMs, std::span<const HedgeBackup> backups,
                                               const HedgeObjective& objective) {
    return judge(nullptr, backups, objective, elapsedMs);
}

}  // namespace signalbox::strategy::routewise
