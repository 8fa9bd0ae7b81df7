// SPDX-License-Identifier: MIT
#include "router/gateway/routes.h"

#include "router/base/text.h"

#include <array>

namespace signalbox::gateway {

namespace {

constexpr std::string_view kModelPrefix = "/v1/models/";

struct Known {
    std::string_view path;
    Route route;
    bool post;
};
constexpr std::array<Known, 8> kKnown{{
    {"/v1/chat/completions", Route::chatCompletions, true},
    {"/v1/completions", Route::completions, true},
    {"/v1/embeddings", Route::embeddings, true},
    {"/v1/models", Route::modelList, false},
    {"/livez", Route::livez, false},
    {"/readyz", Route::readyz, false},
    {"/metrics", Route::metrics, false},
    {"/admin/router/status", Route::routerStatus, false},
}};

std::optional<Known> find(std::string_view path) {
    for (const Known& known : kKnown) {
        if (known.path == path)
            return known;
    }
    if (path.starts_with(kModelPrefix) && path.size() > kModelPrefix.size())
        return Known{kModelPrefix, Route::model, false};
    return std::nullopt;
}

int hexValue(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

std::string percentDecoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const int high = text[i] == '%' && i + 2 < text.size() ? hexValue(text[i + 1]) : -1;
        const int low = high >= 0 ? hexValue(text[i + 2]) : -1;
        if (low >= 0) {
            out += static_cast<char>(high * 16 + low);
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

} // namespace

tl::expected<Route, EdgeError> matchRoute(const HttpRequest& request) {
    const auto known = find(request.path());
    if (!known) {
        return tl::unexpected(
            edgeError(404, "unknown_path",
                      "There is nothing at " + elided(request.path(), 200) +
                          ". This gateway has POST /v1/chat/completions, /v1/completions, /v1/embeddings; "
                          "GET /v1/models, /v1/models/{id}, /livez, /readyz, /metrics, /admin/router/status."));
    }
    const bool allowed = known->post ? request.method == "POST" : request.method == "GET" || request.isHead();
    if (!allowed) {
        EdgeError error =
            edgeError(405, "method_not_allowed",
                      elided(request.method, 20) + " is not possible at " + elided(request.path(), 200) +
                          ". Use " + (known->post ? "POST." : "GET."));
        error.allow = known->post ? "POST" : "GET, HEAD";
        return tl::unexpected(std::move(error));
    }
    return known->route;
}

bool isCompletion(Route route) {
    return route == Route::chatCompletions || route == Route::completions || route == Route::embeddings;
}

bool isAdmin(Route route) {
    return route == Route::routerStatus;
}

std::string_view upstreamPath(Route route) {
    switch (route) {
    case Route::chatCompletions:
        return "/chat/completions";
    case Route::completions:
        return "/completions";
    case Route::embeddings:
        return "/embeddings";
    case Route::modelList:
    case Route::model:
        return "/models";
    case Route::livez:
    case Route::readyz:
    case Route::metrics:
    case Route::routerStatus:
        break;
    }
    return {};
}

ModelPath modelPath(std::string_view path) {
    const std::string_view raw = path.substr(std::min(kModelPrefix.size(), path.size()));
    return {percentDecoded(raw), std::string(raw)};
}

} // namespace signalbox::gateway
