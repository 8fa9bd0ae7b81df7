// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/instruction.h"
#include "router/dispatch/pool_view.h"
#include "router/dispatch/request_run.h"
#include "router/dispatch/routed_answer.h"

namespace signalbox::dispatch {

/// One request as it is handed to a pool.
struct PoolCall {
    Instruction instruction;
    EndpointScope scope;                   ///< of the request; layers narrow it on the way down
    std::optional<std::string> presetKey;  ///< on whose behalf; goes into the answer's target
    bool allowFallback = true;             ///< whether a failed attempt may be followed by another
};

/// A router that makes its own choice inside one pool. It owns selection, admission, retry, hedging and feedback there.
/// Shared by all I/O threads; each call stays on its own thread.
class PoolRouter {
public:
    virtual ~PoolRouter() = default;
    [[nodiscard]] virtual const PoolGrant& grant() const = 0;
    /// Returns once the first content is in hand, so that fallback happens before anything is committed (F1, F2).
    /// `run` must live until the coroutine has ended; what it points to, until the answer is destroyed.
    [[nodiscard]] virtual asio::awaitable<AnswerResult> route(PoolCall call, const RequestRun& run) = 0;
    [[nodiscard]] virtual PoolView view(Steady now) const = 0;
    [[nodiscard]] virtual PoolForecast forecast(const PoolQuestion& question, Steady now) const = 0;
};

}  // namespace signalbox::dispatch
