// SPDX-License-Identifier: MIT
#include "router/strategy/waiter.h"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace signalbox::strategy {

boost::asio::awaitable<void> TimerWaiter::until(Steady when) {
    const auto executor = co_await boost::asio::this_coro::executor;
    boost::asio::steady_timer timer(executor, when);
    co_await timer.async_wait(boost::asio::use_awaitable);
}

}  // namespace signalbox::strategy
