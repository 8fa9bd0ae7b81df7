// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/local_ledger.h"
#include "router/dispatch/coroutine_frames.h"
#include "router/dispatch/request_run.h"
#include "router/strategy/admission/types.h"
#include "router/strategy/greedy/greedy_parameters.h"
#include "router/strategy/pool_members.h"

#include <list>
#include <memory>
#include <mutex>
#include <span>

namespace signalbox::strategy {

/// One local server as one greedy pool uses it: judged by the pool's profile and policy against what all pools have sent
/// there, and against the server's own numbers while they are fresh. Thread safe; made by `make`, because it listens to
/// the ledger.
class LocalServer final : public capacity::LocalWatcher, public std::enable_shared_from_this<LocalServer> {
public:
    [[nodiscard]] static std::shared_ptr<LocalServer> make(PoolMember member, const GreedyParameters& parameters,
                                                           const RouterContext& context);

    [[nodiscard]] const PoolMember& member() const { return m_member; }
    [[nodiscard]] const std::shared_ptr<capacity::LocalLedger>& ledger() const { return m_ledger; }

    /// What admission says of one request. Predictions are seconds.
    struct Judgement {
        bool admitted = false;
        admission::Reason reason = admission::Reason::notArrived;
        std::optional<double> ttftS, tpotS;
        /// Held while `admitted` and asked for by `take`.
        capacity::LocalHold hold;
    };
    /// Takes nothing.
    [[nodiscard]] Judgement ask(const admission::Request& request, Steady now) const;
    /// Decides at once.
    [[nodiscard]] Judgement take(const admission::Request& request, Steady now);
    /// Waits for room as long as the parameters and the request's budget allow, with what else waits here, where waiting
    /// can help. Leaving (cancellation) takes the request out of the queue. However the wait ends, `run.queueMs` has it.
    [[nodiscard]] boost::asio::awaitable<Judgement> takeInTime(admission::Request request, const dispatch::RequestRun& run);

    struct State {
        admission::Load load;  ///< what admission counts with
        bool usesEngineMetrics = false;
        std::size_t waiting = 0;
    };
    [[nodiscard]] State state(Steady now) const;
    void mayHaveRoom() override;

private:
    struct Waiting;
    class Place;
    LocalServer(PoolMember member, const GreedyParameters& parameters, const RouterContext& context);
    [[nodiscard]] std::vector<Judgement> judge(std::span<const admission::Request> requests, Steady now);
    /// Admits what it can of the queue; with the lock held.
    void serveQueue();
    [[nodiscard]] bool mayFitLater(const admission::Request& request, Steady now) const;
    [[nodiscard]] admission::Load loadOf(const capacity::LocalLoad& ours, Steady now) const;

    const PoolMember m_member;
    const admission::Profile m_profile;
    const admission::Policy m_policy;
    const std::chrono::duration<double> m_maxWait;
    const Clock& m_clock;
    const std::shared_ptr<capacity::LocalLedger> m_ledger;
    const std::shared_ptr<capacity::EnginePage> m_engine;
    mutable std::mutex m_mutex;
    std::list<std::shared_ptr<Waiting>> m_waiting;
};

/// Seconds on the clock that admission's requests are told in.
[[nodiscard]] double admissionSeconds(Steady at);

}  // namespace signalbox::strategy
