// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/config/read.h"
#include "router/dispatch/adapter.h"
#include "router/upstream/provider_link.h"

#include <map>
#include <optional>

namespace signalbox::upstream {

/// How much models can write, where the configuration says so.
struct OutputLimits {
    std::optional<std::uint64_t> ofAll;
    std::map<std::string, std::uint64_t, std::less<>> ofModel;

    [[nodiscard]] static OutputLimits make(const config::Provider& provider);
    [[nodiscard]] std::optional<std::uint64_t> of(std::string_view model) const;
};

/// Speaks HTTP/1.1 to anything with Anthropic's Messages API: messages and count_tokens. The base URL may end in `/v1` or
/// not. Chat requests in the OpenAI protocol are translated, and so are their answers; other operations of that protocol
/// are refused without being sent. That protocol demands a limit of every request: a client that names none gets all that the
/// model can write, and where nobody said how much that is, 4,096 tokens.
class Anthropic final : public dispatch::Adapter {
public:
    [[nodiscard]] static Result<std::shared_ptr<dispatch::Adapter>> make(const config::Provider& provider,
                                                                         const config::Environment& environment);

    /// `sendsVersion`: the provider's own headers do not name an API version.
    Anthropic(ProviderLink link, bool sendsVersion, OutputLimits limits)
        : m_link(std::move(link)), m_sendsVersion(sendsVersion), m_limits(std::move(limits)) {}

    [[nodiscard]] std::string_view providerId() const override { return m_link.upstream->providerId; }
    [[nodiscard]] asio::awaitable<tl::expected<std::unique_ptr<dispatch::ResponseStream>, dispatch::UpstreamFailure>>
    call(dispatch::UpstreamRequest request) override;

private:
    [[nodiscard]] asio::awaitable<tl::expected<std::unique_ptr<dispatch::ResponseStream>, dispatch::UpstreamFailure>>
    callNatively(dispatch::UpstreamRequest request);
    [[nodiscard]] asio::awaitable<tl::expected<std::unique_ptr<dispatch::ResponseStream>, dispatch::UpstreamFailure>>
    callTranslated(dispatch::UpstreamRequest request);
    [[nodiscard]] std::string requestHead(dispatch::UpstreamRequest& request) const;

    ProviderLink m_link;
    bool m_sendsVersion;
    OutputLimits m_limits;
};

}  // namespace signalbox::upstream
