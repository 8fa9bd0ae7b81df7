// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/config/read.h"
#include "router/dispatch/adapter.h"
#include "router/upstream/provider_link.h"

namespace signalbox::upstream {

/// Speaks HTTP/1.1 to anything with Anthropic's Messages API: messages and count_tokens. The base URL may end in `/v1` or
/// not. Chat requests in the OpenAI protocol are translated, and so are their answers; other operations of that protocol
/// are refused without being sent.
class Anthropic final : public dispatch::Adapter {
public:
    [[nodiscard]] static Result<std::shared_ptr<dispatch::Adapter>> make(const config::Provider& provider,
                                                                         const config::Environment& environment);

    /// `sendsVersion`: the provider's own headers do not name an API version.
    Anthropic(ProviderLink link, bool sendsVersion) : m_link(std::move(link)), m_sendsVersion(sendsVersion) {}

    [[nodiscard]] std::string_view providerId() const override { return m_link.upstream->providerId; }
    [[nodiscard]] asio::awaitable<tl::expected<std::unique_ptr<dispatch::ResponseStream>, dispatch::UpstreamFailure>>
    call(dispatch::UpstreamRequest request) override;

private:
    [[nodiscard]] asio::awaitable<tl::expected<std::unique_ptr<dispatch::ResponseStream>, dispatch::UpstreamFailure>>
    callNatively(dispatch::UpstreamRequest request);
    [[nodiscard]] std::string requestHead(dispatch::UpstreamRequest& request) const;

    ProviderLink m_link;
    bool m_sendsVersion;
};

}  // namespace signalbox::upstream
