// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/coroutine_frames.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <optional>
#include <utility>

namespace signalbox::test {

/// Runs one coroutine to its end on this thread, and no longer: what it left behind (an answer half read, with its
/// timer) may wait for the next run. An exception in it comes out here.
template <class T>
T runCoroutine(boost::asio::io_context& context, boost::asio::awaitable<T> coroutine) {
    std::optional<T> result;
    std::exception_ptr thrown;
    bool ended = false;
    boost::asio::co_spawn(context, std::move(coroutine), [&](std::exception_ptr problem, T value) {
        ended = true;
        thrown = problem;
        if (!problem) result.emplace(std::move(value));
    });
    context.restart();
    while (!ended && context.run_one() > 0) continue;
    if (thrown) std::rethrow_exception(thrown);
    return std::move(*result);
}

}  // namespace signalbox::test
