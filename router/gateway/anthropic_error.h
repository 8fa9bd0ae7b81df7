// SPDX-License-Identifier: MIT
#pragma once

#include "router/gateway/edge_error.h"

namespace signalbox::gateway {

/// The word of Anthropic's API for an error of that status: `invalid_request_error`, `authentication_error`,
/// `permission_error`, `not_found_error`, `request_too_large`, `rate_limit_error`, `timeout_error`, `api_error`,
/// `overloaded_error`. That API answers 529 when it is overloaded; we answer 429 beyond our own limits and 503 when
/// nothing can take the request, which its clients repeat just the same, and relay an upstream's 529 as it is.
[[nodiscard]] std::string_view anthropicErrorType(int status);

/// `{"type":"error","error":{"type":…,"message":…},"request_id":…}`; without the id when there is none. A type that the
/// upstream gave is kept when it is one of that API's words.
[[nodiscard]] std::string anthropicErrorJson(const EdgeError& error, std::string_view requestId);
/// The same as an `error` event of a stream.
[[nodiscard]] std::string anthropicErrorEvent(const EdgeError& error, std::string_view requestId);

} // namespace signalbox::gateway
