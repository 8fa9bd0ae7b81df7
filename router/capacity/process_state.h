// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/circuits.h"
#include "router/capacity/engine_metrics_book.h"
#include "router/capacity/local_ledger.h"
#include "router/capacity/pool_learning.h"
#include "router/capacity/principal_use.h"
#include "router/capacity/provider_health.h"
#include "router/capacity/resource_registry.h"
#include "router/capacity/runtime.h"

namespace signalbox::capacity {

/// What a process learns and counts while policies come and go under it: one for each process, above its engines, so
/// that applying a policy heals no circuit and forgives no spending. Thread safe; `clock` must outlive it.
struct ProcessState {
    explicit ProcessState(const Clock& clock) : circuits(clock), principals(clock) {}
    Circuits circuits;
    ProviderHealth providers;
    RuntimeKeeper runtimes;
    PrincipalAccounts principals;
    EngineMetricsBook engines;
    ResourceRegistry resources;
    LatencyProfiles profiles;  ///< of every endpoint, over all pools
    PoolLearningBook pools;
    LocalLedgers locals;       ///< what each local server has taken on, over all pools
};

}  // namespace signalbox::capacity
