// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/config/read.h"
#include "router/dispatch/adapter.h"
#include "router/upstream/http_exchange.h"

namespace signalbox::upstream {

/// A provider as calls over HTTP see it, whatever protocol it speaks.
struct ProviderLink {
    std::shared_ptr<const Upstream> upstream;
    std::string basePath;      ///< of the base URL, without a slash at its end
    std::string fixedHeaders;  ///< lines with CRLF that every request carries
    std::string targetPrefix;  ///< before the path in the request line: what a proxy wants, else empty

    /// Opens no connection. Errors are those of `makeAdapter`.
    [[nodiscard]] static Result<ProviderLink> make(const config::Provider& provider, const config::Environment& environment);

    /// The head of a POST to `path`, with `more` lines and those headers of the request that may be sent.
    [[nodiscard]] std::string requestHead(std::string_view path, const dispatch::UpstreamRequest& request,
                                          std::string_view more = {}) const;
};

}  // namespace signalbox::upstream
