// SPDX-License-Identifier: MIT
#pragma once

#include "router/gateway/completion.h"

namespace signalbox::gateway {

/// `POST /v1/messages/count_tokens`, for every model that a message could be sent to (F20). An Anthropic upstream is asked
/// when it can be; where there is none, and where it does not answer in a few seconds, our estimate does, which is the one
/// that planning uses. Nothing is decided by it, so nothing is recorded; `x-signalbox-token-count` says `upstream` or
/// `estimate`. Throws only when cancelled.
[[nodiscard]] asio::awaitable<void> serveCountTokens(ThreadState& thread, std::shared_ptr<const Serving> serving,
                                                     Connection& connection, ResponseWriter& writer,
                                                     CompletionRequest request);

} // namespace signalbox::gateway
