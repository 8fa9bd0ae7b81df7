// SPDX-License-Identifier: MIT
#pragma once

#include "router/gateway/routing_headers.h"

namespace signalbox::gateway {

/// A request to a model, understood: what it is and what it wishes.
struct ReadRequest {
    classify::ClassifiedRequest classified; ///< without the number in flight, which is not known yet
    RoutingWishes wishes;
};

/// Errors: a body that is no request, a model name beyond any configuration, headers that cannot be read.
[[nodiscard]] tl::expected<ReadRequest, EdgeError> readRequest(const HttpRequest& head, const Caller& caller,
                                                               classify::Dialect dialect, std::string_view body);

/// 429 when the gateway handles as many requests as it may.
[[nodiscard]] EdgeError busyError(std::uint32_t limit);

} // namespace signalbox::gateway
