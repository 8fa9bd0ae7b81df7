// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/base/random.h"
#include "router/evidence/sink.h"
#include "router/gateway/in_flight.h"
#include "router/gateway/metrics.h"
#include "router/gateway/refusals.h"
#include "router/gateway/serving.h"

#include <atomic>
#include <functional>

namespace signalbox::gateway {

/// What all I/O threads of a gateway share; everything in it is thread safe.
struct SharedState {
    const Clock& clock;
    std::function<void(std::shared_ptr<const evidence::DecisionRecord>)> onDecision;
    InFlightLedger inFlight;
    Metrics metrics;
    RefusalLog refusals;
    std::atomic<bool> draining{false};
    std::function<evidence::EvidenceStatus()> evidence; ///< empty when it is off

    void refuse(const EdgeError& error) {
        refusals.add(error.code, error.message, clock.now());
    }
};

/// What belongs to one I/O thread and is touched only there.
struct ThreadState {
    SharedState& shared;
    std::unique_ptr<evidence::RecordSink> sink; ///< null when evidence is off
    std::shared_ptr<const Serving> serving;
    FastRandom random;
    MetricShard& metrics; ///< where this thread counts
};

} // namespace signalbox::gateway
