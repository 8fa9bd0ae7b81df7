// SPDX-License-Identifier: MIT
#include "router/upstream/anthropic.h"

#include "router/base/text.h"
#include "router/upstream/anthropic_answer.h"
#include "router/upstream/foreign_request.h"
#include "router/upstream/translate/request_translation.h"

#include <algorithm>

namespace signalbox::upstream {

using dispatch::ResponseStream;
using dispatch::UpstreamFailure;
using AnthropicResult = tl::expected<std::unique_ptr<ResponseStream>, UpstreamFailure>;

namespace {

constexpr std::string_view kVersionHeader = "anthropic-version";
/// What we translate to and from; a client that speaks the protocol itself says its own.
constexpr std::string_view kVersion = "2023-06-01";

bool isVersion(std::string_view header) { return asciiLower(header) == kVersionHeader; }

}  // namespace

OutputLimits OutputLimits::make(const config::Provider& provider) {
    OutputLimits limits{provider.capabilities.maxOutputTokens, {}};
    for (const auto& [model, capabilities] : provider.modelCapabilities)
        if (capabilities.maxOutputTokens) limits.ofModel.emplace(model, *capabilities.maxOutputTokens);
    return limits;
}

std::optional<std::uint64_t> OutputLimits::of(std::string_view model) const {
    const auto found = ofModel.find(model);
    return found != ofModel.end() ? std::optional(found->second) : ofAll;
}

Result<std::shared_ptr<dispatch::Adapter>> Anthropic::make(const config::Provider& provider,
                                                           const config::Environment& environment) {
    auto link = ProviderLink::make(provider, environment);
    if (!link) return tl::unexpected(std::move(link.error()));
    // Written with and without, since the protocol's own clients leave it out and everybody else's write it.
    if (link->basePath.ends_with("/v1")) link->basePath.resize(link->basePath.size() - 3);
    const bool namesVersion =
        std::ranges::any_of(provider.staticHeaders, [](const auto& header) { return isVersion(header.first); });
    return std::make_shared<Anthropic>(std::move(*link), !namesVersion, OutputLimits::make(provider));
}

asio::awaitable<AnthropicResult> Anthropic::call(dispatch::UpstreamRequest request) {
    return request.dialect == classify::Dialect::anthropic ? callNatively(std::move(request)) : callTranslated(std::move(request));
}

asio::awaitable<AnthropicResult> Anthropic::callTranslated(dispatch::UpstreamRequest request) {
    if (request.path != kChatPath) co_return tl::unexpected(noSuchOperation(providerId(), request.path));
    const ForeignRequest foreign(request, providerId());
    AnthropicWish wish;
    wish.model = request.model;
    wish.defaultMaxTokens = m_limits.of(request.model).value_or(wish.defaultMaxTokens);
    auto body = anthropicRequest(request.body, wish);
    if (!body) co_return tl::unexpected(cannotCarry(providerId(), body.error()));
    ForeignRequest::become(request, classify::Dialect::anthropic, kMessagesPath, std::move(*body));
    auto answer = co_await callNatively(std::move(request));
    co_return foreign.answered(std::move(answer));
}

asio::awaitable<AnthropicResult> Anthropic::callNatively(dispatch::UpstreamRequest request) {
    std::string head = requestHead(request);
    auto exchange = co_await HttpExchange::start(m_link.upstream, std::move(head), std::move(request.body), request.endsBy);
    if (!exchange) co_return tl::unexpected(std::move(exchange.error()));
    if ((*exchange)->head().status / 100 != 2)
        co_return tl::unexpected(co_await statusFailure(std::move(*exchange)));
    const bool isMessage = anthropicPath(request.path) == kMessagesPath;
    if (!request.stream) co_return std::make_unique<AnthropicBody>(std::move(*exchange), isMessage, std::move(request.tools));
    auto stream = std::make_unique<AnthropicStream>(std::move(*exchange), std::move(request.tools));
    auto first = co_await stream->readFirstFrame();
    if (!first) co_return tl::unexpected(std::move(first.error()));
    co_return std::unique_ptr<ResponseStream>(std::move(stream));
}

std::string Anthropic::requestHead(dispatch::UpstreamRequest& request) const {
    const auto isSaid = [](const dispatch::Header& header) { return isVersion(header.name); };
    if (!m_sendsVersion) std::erase_if(request.headers, isSaid);
    const bool adds = m_sendsVersion && std::ranges::none_of(request.headers, isSaid);
    const std::string version = adds ? std::string(kVersionHeader).append(": ").append(kVersion).append("\r\n") : std::string();
    return m_link.requestHead(m_link.basePath + anthropicPath(request.path), request, version);
}

}  // namespace signalbox::upstream
