// SPDX-License-Identifier: MIT
#pragma once

#include "router/gateway/connection.h"
#include "router/gateway/shared_state.h"

namespace signalbox::gateway {

/// Serves one connection: reads request after request, checks, answers. Ends when either side closes.
/// Never throws except when cancelled.
[[nodiscard]] asio::awaitable<void> runSession(ThreadState& thread, std::shared_ptr<Connection> connection);

} // namespace signalbox::gateway
