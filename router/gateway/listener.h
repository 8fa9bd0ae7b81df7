// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace signalbox::gateway {

namespace asio = boost::asio;
using Acceptor = asio::basic_socket_acceptor<asio::ip::tcp, asio::io_context::executor_type>;

/// Opens, binds and listens; port 0 lets the system choose. SO_REUSEPORT is never set: with it a second
/// gateway would start silently beside the first. Errors say whether the address is taken, foreign, forbidden
/// or no address.
[[nodiscard]] Result<Acceptor> openListener(asio::io_context& context, const std::string& host,
                                            std::uint16_t port);

} // namespace signalbox::gateway
