// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/dispatch/coroutine_frames.h"

namespace signalbox::strategy {

/// Lets a coroutine wait for a moment; tests inject one that stands on their own clock.
class Waiter {
public:
    virtual ~Waiter() = default;
    /// Returns at once when the moment has passed. Cancelling the coroutine ends it with operation_aborted.
    [[nodiscard]] virtual boost::asio::awaitable<void> until(Steady when) = 0;
};

/// On the timer of the caller's executor; for the system's clock only.
class TimerWaiter final : public Waiter {
public:
    [[nodiscard]] boost::asio::awaitable<void> until(Steady when) override;
};

}  // namespace signalbox::strategy
