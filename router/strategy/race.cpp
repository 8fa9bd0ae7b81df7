// SPDX-License-Identifier: MIT
#include "router/strategy/race.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <utility>

namespace signalbox::strategy {

namespace asio = dispatch::asio;
using dispatch::AnswerResult;

namespace {

/// Two coroutines side by side until both have ended. When one ends and `isOver` then, the other is cancelled.
/// The group keeps the caller's handler, and with it the caller's frame, until the last of the two is gone: that is what
/// lets them refer to the caller even while a context is torn down.
asio::awaitable<void> sideBySide(asio::awaitable<void> first, asio::awaitable<void> second, std::function<bool()> isOver) {
    const auto executor = co_await asio::this_coro::executor;
    auto group = asio::experimental::make_parallel_group(asio::co_spawn(executor, std::move(first), asio::deferred),
                                                         asio::co_spawn(executor, std::move(second), asio::deferred));
    const auto condition = [isOver](const std::exception_ptr& problem) {
        return problem || isOver() ? asio::cancellation_type::terminal : asio::cancellation_type::none;
    };
    auto bothEnded = group.async_wait(condition, asio::use_awaitable);
    const auto [order, firstProblem, secondProblem] = co_await std::move(bothEnded);
    const asio::cancellation_state cancelled = co_await asio::this_coro::cancellation_state;
    if (cancelled.cancelled() != asio::cancellation_type::none)
        throw boost::system::system_error(asio::error::operation_aborted);
    if (isOver()) co_return;  // whatever the other one threw, it had been cancelled
    const std::exception_ptr& problem = order[0] == 0 ? firstProblem : secondProblem;
    if (problem) std::rethrow_exception(problem);
    if (firstProblem) std::rethrow_exception(firstProblem);
    if (secondProblem) std::rethrow_exception(secondProblem);
}

asio::awaitable<void> run(asio::awaitable<AnswerResult> leg, std::size_t which, RaceEnd& end, const RaceRule& decides) {
    AnswerResult result = co_await std::move(leg);
    if (!end.decidedBy && decides(which, result)) end.decidedBy = which;
    end.legs[which] = std::move(result);
}

asio::awaitable<void> marking(asio::awaitable<void> waiting, bool& ended) {
    co_await std::move(waiting);
    ended = true;
}

}  // namespace

asio::awaitable<RaceEnd> race(asio::awaitable<AnswerResult> first, asio::awaitable<AnswerResult> second, RaceRule decides) {
    RaceEnd end;
    std::function<bool()> isOver = [&end] { return end.decidedBy.has_value(); };
    auto one = run(std::move(first), 0, end, decides);
    auto two = run(std::move(second), 1, end, decides);
    co_await sideBySide(std::move(one), std::move(two), std::move(isOver));
    co_return end;
}

Signal::Signal(const asio::any_io_executor& executor) : m_timer(executor, Steady::max()) {}

void Signal::set() {
    m_set = true;
    m_timer.cancel();
}

asio::awaitable<void> Signal::wait() {
    if (m_set) co_return;
    auto waiting = m_timer.async_wait(asio::as_tuple(asio::use_awaitable));
    const auto [problem] = co_await std::move(waiting);
    if (!m_set) throw boost::system::system_error(problem);
}

asio::awaitable<bool> waitUntil(Waiter& waiter, Steady when, Signal& signal) {
    if (signal.isSet()) co_return true;
    bool over = false;
    auto moment = marking(waiter.until(when), over);
    auto told = marking(signal.wait(), over);
    std::function<bool()> isOver = [&over] { return over; };
    co_await sideBySide(std::move(moment), std::move(told), std::move(isOver));
    co_return signal.isSet();
}

}  // namespace signalbox::strategy
