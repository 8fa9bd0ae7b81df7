// SPDX-License-Identifier: MIT
#pragma once

#include "router/gateway/response_writer.h"
#include "router/gateway/routes.h"
#include "router/gateway/shared_state.h"

namespace signalbox::gateway {

/// What a GET route answers, without any waiting. `caller` is null on routes that need no token.
struct SmallAnswer {
    int status = 200;
    std::string contentType = "application/json";
    std::string body;
    std::optional<std::chrono::seconds> retryAfter{};
};
[[nodiscard]] tl::expected<SmallAnswer, EdgeError>
answerSmallRoute(Route route, const HttpRequest& request, const SharedState& shared, const Serving& serving,
                 const Caller* caller);

} // namespace signalbox::gateway
