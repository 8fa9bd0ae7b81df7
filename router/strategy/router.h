// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/request_run.h"
#include "router/dispatch/routed_answer.h"

namespace signalbox::strategy {

using dispatch::AnswerResult;
using dispatch::RoutedAnswer;

/// A request with its plan.
struct RouteCall : dispatch::RequestRun {
    const policy::RoutePlan* plan = nullptr;
};

/// Carries out a plan. Streaming and not streaming take this one path: for a stream it returns once the first content
/// is in hand, so that fallback happens before anything is committed (F1, F2).
class Router {
public:
    virtual ~Router() = default;
    [[nodiscard]] virtual dispatch::asio::awaitable<AnswerResult> route(RouteCall call) = 0;
};

}  // namespace signalbox::strategy
