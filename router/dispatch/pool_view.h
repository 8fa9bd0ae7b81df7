// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"
#include "router/policy/smart/capability.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace signalbox::dispatch {

/// One endpoint of one pool as its router sees it now.
struct PoolMemberView {
    std::string endpointId;
    std::string kind;     ///< local, cloud
    std::string billing;  ///< on_demand, quota, concurrency
    double weight = 0;    ///< as configured
    double share = 0;     ///< of the draw, 0..1, over the pool: by weight, or RouteWise's present mix
    std::vector<std::string> resources;
    std::string excluded; ///< why it could not take a request now, in the strategy's words; empty when it could
    std::optional<double> costUsd;     ///< effective cost of the reference request, estimate
    std::optional<double> meanTtftMs;  ///< of its latency profile, or what stands for none
    std::string ttftBasis;             ///< recent, prior, none
    std::uint64_t ttftSamples = 0;
};

/// What RouteWise would do with the reference request (PoolQuestion's defaults) now.
struct MixView {
    std::string status;  ///< words of strategy::routewise::MixStatus
    double budgetUsd = 0, alpha = 0;
    std::optional<double> expectedCostUsd, objectiveS;
    std::uint64_t promptTokens = 0;
    double predictedOutputTokens = 0;
    std::string predictionSource;  ///< bucket, model, global, default
    std::optional<double> envelopeLowerUsd, envelopeUpperUsd;  ///< absent while uncalibrated
    std::uint64_t envelopeSamples = 0;
};

/// Hedging of one pool since the process began.
struct HedgeView {
    bool enabled = false;
    double sloMs = 0;
    std::uint64_t requests = 0, sent = 0, won = 0, lost = 0, failed = 0, skippedForSpend = 0;
    double spentLastHourUsd = 0;         ///< on backups, estimate
    std::optional<double> spendCapUsd;   ///< an hour; unset: none stated
};

/// What the local server of a greedy pool has taken on, and what it refused.
struct LocalLoadView {
    std::int64_t runningRequests = 0, reservedTokens = 0, maxRunningRequests = 0, maxReservedTokens = 0;
    std::uint64_t admitted = 0;
    std::vector<std::pair<std::string, std::uint64_t>> refusedBy;  ///< reason -> requests
    bool usesEngineMetrics = false;  ///< the server's own numbers are fresh and counted in
};

/// One model of `[models]` with its router and pool.
struct PoolView {
    std::string id;
    std::vector<std::string> aliases;
    std::string router;  ///< fixed, routewise, greedy, hybrid
    std::vector<PoolMemberView> members;
    std::optional<MixView> mix;
    std::optional<HedgeView> hedge;
    std::optional<LocalLoadView> local;
    std::uint64_t requests = 0;
};

/// A request that is only asked about: the simulator's and the views'.
struct PoolQuestion {
    std::uint64_t promptTokens = 1000;
    std::optional<std::uint64_t> maxTokens;
    policy::smart::Needs needs;
    std::optional<std::string> session;  ///< pseudonymous
    double u = 0.5;                      ///< what the draw would get, in [0, 1)
};

/// When RouteWise would send a backup, with the profiles as they are.
struct HedgePlanView {
    double sloMs = 0;
    std::vector<double> feasibleAtMs;    ///< checkpoints at which some backup reaches the target
    std::optional<double> dispatchAtMs;  ///< the last of them
    std::string backup;                  ///< endpoint; empty when none qualifies
    double probability = 0;              ///< of first content within the objective
};

/// What a pool's router would choose, by the same functions that choose for real. Takes nothing and counts nothing.
struct PoolForecast {
    evidence::RecordedPool choice;
    std::optional<HedgePlanView> hedge;
};

}  // namespace signalbox::dispatch
