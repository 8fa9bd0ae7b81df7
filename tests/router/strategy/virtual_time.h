// SPDX-License-Identifier: MIT
#pragma once

#include "router/strategy/waiter.h"
#include "tests/support/fakes.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

namespace signalbox::test {

/// Time that stands still while anything is left to do, and then moves to the next moment that somebody waits for. Many
/// coroutines, one thread, no sleeping, the same order every time.
class VirtualTime final : public strategy::Waiter {
public:
    explicit VirtualTime(ManualClock& clock) : m_clock(clock) {}

    boost::asio::awaitable<void> until(Steady when) override {
        if (m_clock.steady() >= when) co_return;
        const auto executor = co_await boost::asio::this_coro::executor;
        boost::asio::steady_timer timer(executor, Steady::max());
        const Place place(*this, when, timer);
        auto waiting = timer.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
        const auto [problem] = co_await std::move(waiting);
        if (m_clock.steady() < when) throw boost::system::system_error(problem);
    }

    /// Runs until `over`. Throws when nothing is left that could bring that about.
    void runUntil(boost::asio::io_context& context, const std::function<bool()>& over) {
        context.restart();
        while (!over()) {
            if (context.stopped()) context.restart();
            if (context.poll_one() > 0) continue;
            if (m_waiting.empty()) throw std::runtime_error("nobody waits for anything and the test is not over");
            moveOn();
        }
    }

    template <class T>
    T run(boost::asio::io_context& context, boost::asio::awaitable<T> coroutine) {
        std::optional<T> result;
        std::exception_ptr thrown;
        bool ended = false;
        boost::asio::co_spawn(context, std::move(coroutine), [&](std::exception_ptr problem, T value) {
            ended = true;
            thrown = problem;
            if (!problem) result.emplace(std::move(value));
        });
        runUntil(context, [&] { return ended; });
        if (thrown) std::rethrow_exception(thrown);
        return std::move(*result);
    }

    [[nodiscard]] std::size_t waiting() const { return m_waiting.size(); }

private:
    using Waiting = std::multimap<Steady, boost::asio::steady_timer*>;
    struct Place {
        Place(VirtualTime& owner, Steady when, boost::asio::steady_timer& timer)
            : time(owner), at(owner.m_waiting.emplace(when, &timer)) {}
        ~Place() { time.m_waiting.erase(at); }
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;
        VirtualTime& time;
        Waiting::iterator at;
    };

    void moveOn() {
        const Steady next = m_waiting.begin()->first;
        if (next > m_clock.steady())
            m_clock.advance(std::chrono::ceil<std::chrono::microseconds>(next - m_clock.steady()));
        for (const auto& [when, timer] : m_waiting)
            if (when <= m_clock.steady()) timer->cancel();
    }

    ManualClock& m_clock;
    Waiting m_waiting;
};

}  // namespace signalbox::test
