// SPDX-License-Identifier: MIT
#pragma once

#include "router/gateway/edge_error.h"
#include "router/gateway/http_request.h"

#include <optional>
#include <string>
#include <tl/expected.hpp>

namespace signalbox::gateway {

enum class Route : std::uint8_t {
    chatCompletions,
    completions,
    embeddings,
    messages,
    countTokens,
    modelList,
    model,
    livez,
    readyz,
    metrics,
    routerStatus,
    admin ///< every other path of the admin API
};

/// Which of our paths a request means; 404 that lists what exists, or 405 with the methods allowed there.
[[nodiscard]] tl::expected<Route, EdgeError> matchRoute(const HttpRequest& request);

/// True for those that carry a body, for or about a model.
[[nodiscard]] bool isCompletion(Route route);
/// True for what the admin token guards.
[[nodiscard]] bool isAdmin(Route route);
/// The path at the provider, after its base URL.
[[nodiscard]] std::string_view upstreamPath(Route route);

/// The id in `/v1/models/{id}` as written and with its percent escapes undone once. Both are tried, because
/// an id may itself hold `%2F` and a client may or may not have escaped it (F34).
struct ModelPath {
    std::string decoded;
    std::string raw;
};
[[nodiscard]] ModelPath modelPath(std::string_view path);

/// What a target's query gives that name, its escapes undone; the first of several.
[[nodiscard]] std::optional<std::string> queryValue(std::string_view target, std::string_view name);

} // namespace signalbox::gateway
