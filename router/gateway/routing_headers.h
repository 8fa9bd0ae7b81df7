// SPDX-License-Identifier: MIT
#pragma once

#include "router/gateway/access.h"
#include "router/policy/resolve.h"

namespace signalbox::gateway {

/// What a request's headers say about its routing. `session` is the raw text, a view into the request: it is hashed at
/// once where a group is asked, and goes nowhere else.
struct RoutingWishes {
    std::optional<policy::Pin> pin;
    std::optional<policy::smart::Profile> profile;
    std::optional<std::string_view> session;
};

/// Trouble is an error and never ignored (choice S16): 400 for a header that cannot be read or that came under both of
/// its names with different values, 403 for a pin that the caller may not use. No message repeats a value.
[[nodiscard]] tl::expected<RoutingWishes, EdgeError> readWishes(const HttpRequest& request, const Caller& caller);

} // namespace signalbox::gateway
