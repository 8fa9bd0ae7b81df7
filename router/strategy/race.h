// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/routed_answer.h"
#include "router/strategy/waiter.h"

#include <array>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <optional>

namespace signalbox::strategy {

/// How two legs ended.
struct RaceEnd {
    /// Empty: the leg was cancelled before it had an answer.
    std::array<std::optional<dispatch::AnswerResult>, 2> legs;
    /// The leg that ended the race.
    std::optional<std::size_t> decidedBy;
};

/// Whether this result of this leg (0 or 1) ends the race.
using RaceRule = std::function<bool(std::size_t leg, const dispatch::AnswerResult& result)>;

/// Runs two legs at the same time, on the caller's executor and its thread. The first whose result `decides` ends the
/// race: the other is cancelled. Returns when both coroutines have ended, never before, so that they may use whatever
/// the caller's coroutine owns. Cancelling the caller cancels both, and throws operation_aborted once both have ended; an
/// exception of a leg that nobody cancelled comes out likewise. Should the executor's context go away meanwhile, the legs
/// are destroyed before the caller.
[[nodiscard]] dispatch::asio::awaitable<RaceEnd> race(dispatch::asio::awaitable<dispatch::AnswerResult> first,
                                                      dispatch::asio::awaitable<dispatch::AnswerResult> second,
                                                      RaceRule decides);

/// Tells one coroutine of the same thread that something has happened. Once set it stays so.
class Signal {
public:
    explicit Signal(const dispatch::asio::any_io_executor& executor);
    void set();
    [[nodiscard]] bool isSet() const { return m_set; }
    /// Returns at once when it is set already.
    [[nodiscard]] dispatch::asio::awaitable<void> wait();

private:
    dispatch::asio::steady_timer m_timer;
    bool m_set = false;
};

/// Waits for the moment or the signal, whichever comes first; true when the signal is set.
[[nodiscard]] dispatch::asio::awaitable<bool> waitUntil(Waiter& waiter, Steady when, Signal& signal);

}  // namespace signalbox::strategy
