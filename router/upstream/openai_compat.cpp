// SPDX-License-Identifier: MIT
#include "router/upstream/openai_compat.h"

#include "router/upstream/foreign_request.h"
#include "router/upstream/openai_answer.h"
#include "router/upstream/translate/request_translation.h"

namespace signalbox::upstream {

using dispatch::ResponseStream;
using dispatch::UpstreamFailure;
using StreamResult = tl::expected<std::unique_ptr<ResponseStream>, UpstreamFailure>;

Result<std::shared_ptr<dispatch::Adapter>> OpenAiCompat::make(const config::Provider& provider,
                                                              const config::Environment& environment) {
    auto link = ProviderLink::make(provider, environment);
    if (!link) return tl::unexpected(std::move(link.error()));
    return std::make_shared<OpenAiCompat>(
        std::move(*link), OpenAiManners{provider.maxTokensField, provider.streamUsage, provider.maxStopSequences});
}

asio::awaitable<StreamResult> OpenAiCompat::call(dispatch::UpstreamRequest request) {
    return request.dialect == classify::Dialect::openai ? callNatively(std::move(request)) : callTranslated(std::move(request));
}

asio::awaitable<StreamResult> OpenAiCompat::callTranslated(dispatch::UpstreamRequest request) {
    if (anthropicPath(request.path) != kMessagesPath)
        co_return tl::unexpected(noSuchOperation(providerId(), request.path));
    ForeignRequest foreign(request, providerId());
    LeftOut leftOut;
    auto body = openAiRequest(request.body, {request.model, m_manners.tokensField, m_manners.askForUsage, m_manners.maxStopSequences},
                              &leftOut);
    if (!body) co_return tl::unexpected(cannotCarry(providerId(), body.error()));
    if (leftOut.strict) foreign.leaveOut(kStrictField);
    ForeignRequest::become(request, classify::Dialect::openai, kChatPath, std::move(*body));
    auto answer = co_await callNatively(std::move(request));
    co_return foreign.answered(std::move(answer));
}

asio::awaitable<StreamResult> OpenAiCompat::callNatively(dispatch::UpstreamRequest request) {
    std::string head = m_link.requestHead(m_link.basePath + request.path, request);
    auto exchange = co_await HttpExchange::start(m_link.upstream, std::move(head), std::move(request.body), request.endsBy);
    if (!exchange) co_return tl::unexpected(std::move(exchange.error()));
    if ((*exchange)->head().status / 100 != 2)
        co_return tl::unexpected(co_await statusFailure(std::move(*exchange)));
    const OpenAiOperation operation = openAiOperation(request.path);
    if (!request.stream) co_return std::make_unique<OpenAiBody>(std::move(*exchange), operation, std::move(request.tools));
    auto stream = std::make_unique<OpenAiStream>(std::move(*exchange), operation, std::move(request.tools));
    auto first = co_await stream->readFirstFrame();
    if (!first) co_return tl::unexpected(std::move(first.error()));
    co_return std::unique_ptr<ResponseStream>(std::move(stream));
}

}  // namespace signalbox::upstream
