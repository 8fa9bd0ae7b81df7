// SPDX-License-Identifier: MIT
#pragma once

#include "router/upstream/connection.h"

#include <memory>

namespace signalbox::upstream {

/// Idle sockets, one set per I/O context: a socket never changes its thread, and a new engine reuses those of the
/// old one. Both functions are called on the context's own thread.

/// Under which the sockets to an origin are kept: by whatever makes one of them unfit for another's calls.
[[nodiscard]] std::string idleKey(const Origin& origin);
/// An idle connection that shows no sign of having been closed, the most recently used first; null if there is none. With
/// `probe` false the sign is not looked for.
[[nodiscard]] std::unique_ptr<Connection> takeIdle(const asio::any_io_executor& executor, const std::string& key,
                                                   bool probe = true);
/// Keeps it for the next call; the oldest goes when there are too many, and with it every one of the context that is too old.
void keepIdle(const asio::any_io_executor& executor, const std::string& key, std::unique_ptr<Connection> connection,
              Steady now = std::chrono::steady_clock::now());

}  // namespace signalbox::upstream
