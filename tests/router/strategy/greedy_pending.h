// SPDX-License-Identifier: MIT
#pragma once

#include "tests/router/strategy/greedy_bench.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

namespace signalbox::test {

namespace asio = dispatch::asio;

inline Act hangsAfterContent() { return {std::nullopt, {metadata(), content()}, std::nullopt, true}; }
inline Act hangsBeforeContent() { return {std::nullopt, {metadata()}, std::nullopt, true}; }

/// One request on its own, so that several can be on their way.
struct Pending {
    std::vector<evidence::Attempt> attempts;
    std::string whyNoFallback;
    std::optional<evidence::RecordedPool> pool;
    dispatch::RequestRun run;
    std::optional<dispatch::AnswerResult> answer;
    bool ended = false;
    asio::cancellation_signal cancel;

    Pending(CompositionBench& bench, const std::shared_ptr<dispatch::PoolRouter>& router) : run(bench.run()) {
        run.attempts = &attempts;
        run.whyNoFallback = &whyNoFallback;
        run.pool = &pool;
        asio::co_spawn(*bench.context, router->route(delegated(), run),
                       asio::bind_cancellation_slot(cancel.slot(), [this](std::exception_ptr problem, dispatch::AnswerResult result) {
                           ended = true;
                           if (!problem) answer.emplace(std::move(result));
                       }));
        turn(bench);
    }
    Pending(const Pending&) = delete;
    Pending& operator=(const Pending&) = delete;

    /// Everything that can be done without waiting.
    static void turn(CompositionBench& bench) {
        bench.context->restart();
        bench.context->poll();
    }
    [[nodiscard]] std::string endpoint() const { return answer && *answer ? (**answer)->endpointId() : ""; }
};

}  // namespace signalbox::test
