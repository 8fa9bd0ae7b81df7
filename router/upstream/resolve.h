// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/coroutine_frames.h"
#include "router/upstream/deadline.h"

#include <boost/asio/ip/tcp.hpp>
#include <string>
#include <vector>

namespace signalbox::upstream {

struct Resolved {
    boost::system::error_code error;
    std::vector<asio::ip::tcp::endpoint> endpoints;
};

/// Looks a host up on the system's resolver without blocking the thread. Returns at the deadline or on cancellation
/// even though the system's own lookup cannot be interrupted; that one ends by itself, unheard.
[[nodiscard]] asio::awaitable<Resolved> resolve(std::string host, std::uint16_t port, Deadline& deadline);

}  // namespace signalbox::upstream
