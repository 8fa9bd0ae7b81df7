// SPDX-License-Identifier: MIT
#pragma once

#include "router/gateway/edge_error.h"
#include "router/gateway/http_request.h"

#include <string>
#include <tl/expected.hpp>

namespace signalbox::gateway {

enum class Route : std::uint8_t {
    chatCompletions,
    completions,
    embeddings,
    modelList,
    model,
    livez,
    readyz,
    metrics,
    routerStatus
};

/// Which of our paths a request means; 404 that lists what exists, or 405 with the methods allowed there.
[[nodiscard]] tl::expected<Route, EdgeError> matchRoute(const HttpRequest& request);

/// True for the three that go to a model and carry a body.
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

} // namespace signalbox::gateway
