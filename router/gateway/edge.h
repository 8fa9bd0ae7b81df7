// SPDX-License-Identifier: MIT
#pragma once

#include "router/classify/dialect.h"
#include "router/evidence/record.h"
#include "router/gateway/http_request.h"

namespace signalbox::gateway {

using evidence::Edge;

/// Whose shapes an answer takes, refusals before the route is known included: Anthropic's under `/v1/messages`, and
/// wherever else, but for the paths of OpenAI's API, the request carries `anthropic-version`.
[[nodiscard]] inline Edge edgeOf(const HttpRequest& request) {
    const std::string_view path = request.path();
    if (path == "/v1/messages" || path.starts_with("/v1/messages/"))
        return Edge::anthropic;
    const bool isOpenAis = path.starts_with("/v1/chat/") || path == "/v1/completions" || path == "/v1/embeddings";
    return isOpenAis || request.anthropicVersion.empty() ? Edge::openai : Edge::anthropic;
}

[[nodiscard]] inline classify::Dialect dialectOf(Edge edge) {
    return edge == Edge::anthropic ? classify::Dialect::anthropic : classify::Dialect::openai;
}

} // namespace signalbox::gateway
