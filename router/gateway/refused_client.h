// SPDX-License-Identifier: MIT
#pragma once

#include "router/gateway/access.h"
#include "router/gateway/connection.h"
#include "router/gateway/http_request.h"
#include "router/gateway/refusals.h"

namespace signalbox::gateway {

/// What a User-Agent names itself first, with its version: `OpenAI/JS 4.20.0`, `curl/8.5.0`. Visible ASCII, at most 64 bytes,
/// without what looks like a key and without `secrets`. Empty where the first word is too long for a name.
[[nodiscard]] std::string agentOf(std::string_view userAgent, const std::vector<std::string>& secrets = {});

/// Whose request it is. `caller` is null until it is known.
[[nodiscard]] RefusedClient clientOf(const HttpRequest& head, const Connection& connection, const Caller* caller);

} // namespace signalbox::gateway
