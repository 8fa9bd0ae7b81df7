// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/read.h"
#include "router/dispatch/adapter.h"
#include "router/upstream/base_url.h"
#include "router/upstream/deadline.h"

#include <boost/asio/ip/tcp.hpp>

/// HTTP proxies, which gateway.toml alone names: no variable of the environment does. An https upstream is reached through a
/// tunnel (CONNECT), inside of which its certificate is verified as ever; of an http one the proxy is asked (RFC 9112 3.2.2).
namespace signalbox::upstream {

/// The provider's proxy with its credentials, which are read here; nullopt without one. Errors name the key of gateway.toml,
/// and the variable that is empty or holds no `USER:PASSWORD`.
[[nodiscard]] Result<std::optional<Proxy>> readProxy(const config::Provider& provider, const config::Environment& environment);

/// What stands before the path in a request line; empty but for a plain origin behind a proxy.
[[nodiscard]] std::string requestTargetPrefix(const Origin& origin);
/// The header lines for the proxy that go with it; likewise.
[[nodiscard]] std::string proxyHeaderLines(const Origin& origin);

/// Asks the proxy at the other end of `socket` for a connection to `origin`. The deadline closes the socket.
[[nodiscard]] asio::awaitable<tl::expected<void, dispatch::UpstreamFailure>> openTunnel(asio::ip::tcp::socket& socket,
                                                                                        const Origin& origin);

/// What the proxy's refusal with this status means for the call, of which nothing went on.
[[nodiscard]] dispatch::UpstreamFailure proxyRefusal(const Origin& origin, int status);

}  // namespace signalbox::upstream
