// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/coroutine_frames.h"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>
#include <optional>
#include <utility>

namespace signalbox::gateway {

/// Lets one coroutine wait for something that happens on its own thread. It costs no memory and no turn of the event
/// loop: `wake` goes on with the coroutine at once, and returns when that waits again or has ended.
class Wakeup {
public:
    Wakeup() = default;
    Wakeup(const Wakeup&) = delete;
    Wakeup& operator=(const Wakeup&) = delete;

    /// To be awaited at once, by one coroutine at a time.
    [[nodiscard]] auto wait() {
        return boost::asio::async_initiate<const boost::asio::deferred_t&, void()>(
            [this](Sleeper sleeper) { m_sleeper.emplace(std::move(sleeper)); }, boost::asio::deferred);
    }
    [[nodiscard]] bool isAwaited() const { return m_sleeper.has_value(); }
    void wake() {
        Sleeper sleeper = std::move(*m_sleeper);
        m_sleeper.reset();
        sleeper();
    }
    /// Nothing will happen any more: the coroutine is destroyed on its executor.
    void giveUp() { m_sleeper.reset(); }

private:
    using Sleeper = boost::asio::detail::awaitable_async_op_handler<void(), boost::asio::any_io_executor>;
    std::optional<Sleeper> m_sleeper;
};

} // namespace signalbox::gateway
