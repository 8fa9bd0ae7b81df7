// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/config/read.h"
#include "router/dispatch/adapter.h"
#include "router/upstream/provider_link.h"

namespace signalbox::upstream {

/// What requests that come in the other protocol are told in this provider's words.
struct OpenAiManners {
    config::TokensField tokensField = config::TokensField::asSent;
    bool askForUsage = true;
    std::uint32_t maxStopSequences = config::kUsualStopSequences;
};

/// Speaks HTTP/1.1 to anything with an OpenAI-compatible API. Requests in the Anthropic protocol are translated, and so
/// are their answers; what it has no operation for, as counting tokens, is refused without being sent.
class OpenAiCompat final : public dispatch::Adapter {
public:
    [[nodiscard]] static Result<std::shared_ptr<dispatch::Adapter>> make(const config::Provider& provider,
                                                                         const config::Environment& environment);

    explicit OpenAiCompat(ProviderLink link, OpenAiManners manners = {}) : m_link(std::move(link)), m_manners(manners) {}

    [[nodiscard]] std::string_view providerId() const override { return m_link.upstream->providerId; }
    [[nodiscard]] asio::awaitable<tl::expected<std::unique_ptr<dispatch::ResponseStream>, dispatch::UpstreamFailure>>
    call(dispatch::UpstreamRequest request) override;

private:
    [[nodiscard]] asio::awaitable<tl::expected<std::unique_ptr<dispatch::ResponseStream>, dispatch::UpstreamFailure>>
    callNatively(dispatch::UpstreamRequest request);
    [[nodiscard]] asio::awaitable<tl::expected<std::unique_ptr<dispatch::ResponseStream>, dispatch::UpstreamFailure>>
    callTranslated(dispatch::UpstreamRequest request);

    ProviderLink m_link;
    OpenAiManners m_manners;
};

}  // namespace signalbox::upstream
