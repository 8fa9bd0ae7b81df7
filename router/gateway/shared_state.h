// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/base/random.h"
#include "router/evidence/sink.h"
#include "router/gateway/admin_guard.h"
#include "router/gateway/group_commit.h"
#include "router/gateway/in_flight.h"
#include "router/gateway/metrics.h"
#include "router/gateway/refusal_feed.h"
#include "router/gateway/refusals.h"
#include "router/gateway/running_list.h"
#include "router/gateway/serving.h"
#include "router/upstream/failures.h"

#include <atomic>
#include <functional>

namespace signalbox::gateway {

class AdminHandler;
class AdminGate;

/// Whose request was turned away.
struct Sender {
    evidence::Edge edge = evidence::Edge::openai;
    RefusedClient client;
    std::string requestId; ///< that the answer names; empty when it names none
};

/// What all I/O threads of a gateway share; everything in it is thread safe.
struct SharedState {
    const Clock& clock;
    std::function<void(std::shared_ptr<const evidence::DecisionRecord>)> onDecision;
    InFlightLedger inFlight;
    Metrics metrics;
    RefusalLog refusals;
    std::atomic<bool> draining{false};
    std::function<evidence::EvidenceStatus()> evidence; ///< empty when it is off
    std::shared_ptr<AdminHandler> admin;                ///< null: the admin paths answer that there is none
    std::shared_ptr<AdminGate> adminGate;               ///< set with it
    AdminGuard adminGuard;
    std::shared_ptr<RefusalFeed> refusalFeed; ///< null: nobody writes a log

    /// Counts what the gateway itself refuses. Enough where a record tells of the request. The message repeats what the client
    /// sent, which may be a key in the wrong place.
    void refuse(const EdgeError& error, evidence::Edge edge, RefusedClient client) {
        refusals.add({error.code, upstream::redacted(error.message, {}), edge, clock.now()}, std::move(client), clock.steady());
    }
    /// The same for a request that has no record: the log must tell of it.
    void turnAway(const EdgeError& error, Sender by) {
        if (refusalFeed)
            refusalFeed->add({clock.now(), by.edge, error.status, error.code, error.message, by.client.peer, std::move(by.requestId)});
        refuse(error, by.edge, std::move(by.client));
    }
};

/// What belongs to one I/O thread and is touched only there.
struct ThreadState {
    SharedState& shared;
    std::unique_ptr<evidence::RecordSink> sink; ///< null when evidence is off
    std::shared_ptr<const Serving> serving;
    FastRandom random;
    MetricShard& metrics; ///< where this thread counts
    std::size_t underWay = 0; ///< requests that were admitted here and have no record yet
    GroupCommit commits;
    RunningList running; ///< the same requests
};

} // namespace signalbox::gateway
