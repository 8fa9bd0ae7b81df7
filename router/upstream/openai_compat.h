// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/config/read.h"
#include "router/dispatch/adapter.h"
#include "router/upstream/http_exchange.h"

namespace signalbox::upstream {

/// Speaks HTTP/1.1 to anything with an OpenAI-compatible API.
class OpenAiCompat final : public dispatch::Adapter {
public:
    [[nodiscard]] static Result<std::shared_ptr<dispatch::Adapter>> make(const config::Provider& provider,
                                                                         const config::Environment& environment);

    /// `fixedHeaders`: lines with CRLF that every request carries.
    OpenAiCompat(std::shared_ptr<const Upstream> upstream, std::string basePath, std::string fixedHeaders);

    [[nodiscard]] std::string_view providerId() const override { return m_upstream->providerId; }
    [[nodiscard]] asio::awaitable<tl::expected<std::unique_ptr<dispatch::ResponseStream>, dispatch::UpstreamFailure>>
    call(dispatch::UpstreamRequest request) override;

private:
    [[nodiscard]] std::string requestHead(const dispatch::UpstreamRequest& request) const;

    std::shared_ptr<const Upstream> m_upstream;
    std::string m_basePath;
    std::string m_fixedHeaders;
};

}  // namespace signalbox::upstream
