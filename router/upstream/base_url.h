// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace signalbox::upstream {

/// Where sockets go. Two providers with equal origins share idle sockets.
struct Origin {
    bool tls = false;
    std::string host;  ///< without brackets
    std::uint16_t port = 0;
    std::string caFile;  ///< empty: the system's certificates
    bool operator==(const Origin&) const = default;

    /// `https://host:port`
    [[nodiscard]] std::string text() const;
    /// For the Host header: brackets round IPv6, the port unless it is the scheme's own.
    [[nodiscard]] std::string hostHeader() const;
};

struct BaseUrl {
    Origin origin;
    std::string path;  ///< `/v1`, without a slash at its end; may be empty
};

/// `http(s)://host[:port][/path]`. Refuses user names, queries and fragments: a key does not belong in a URL.
[[nodiscard]] Result<BaseUrl> parseBaseUrl(std::string_view url);

}  // namespace signalbox::upstream
