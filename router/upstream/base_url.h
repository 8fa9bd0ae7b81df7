// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace signalbox::upstream {

/// An HTTP proxy on the way to an upstream.
struct Proxy {
    std::string host;  ///< without brackets
    std::uint16_t port = 0;
    std::string authorization;  ///< the value of Proxy-Authorization, a secret; empty without credentials
    bool operator==(const Proxy&) const = default;

    /// `http://host:port`
    [[nodiscard]] std::string text() const;
};

/// Where sockets go. Two providers with equal origins share idle sockets.
struct Origin {
    bool tls = false;
    std::string host;  ///< without brackets
    std::uint16_t port = 0;
    std::string caFile;  ///< empty: the system's certificates
    std::optional<Proxy> proxy;  ///< through which it is reached; unset: directly
    bool operator==(const Origin&) const = default;

    /// `https://host:port`
    [[nodiscard]] std::string text() const;
    /// `https://host:port`, and the proxy if there is one; for messages.
    [[nodiscard]] std::string way() const;
    /// For the Host header: brackets round IPv6, the port unless it is the scheme's own.
    [[nodiscard]] std::string hostHeader() const;
};

struct BaseUrl {
    Origin origin;
    std::string path;  ///< `/v1`, without a slash at its end; may be empty
};

/// `http(s)://host[:port][/path]`. Refuses user names, queries and fragments: a key does not belong in a URL.
[[nodiscard]] Result<BaseUrl> parseBaseUrl(std::string_view url);
/// `http://host[:port]`, without credentials, as gateway.toml has it.
[[nodiscard]] Result<Proxy> parseProxy(std::string_view url);

}  // namespace signalbox::upstream
