// SPDX-License-Identifier: MIT
#include "router/gateway/routes.h"

#include "router/base/text.h"
#include "router/gateway/admin_paths.h"

#include <algorithm>
#include <array>

namespace signalbox::gateway {

namespace {

constexpr std::string_view kModelPrefix = "/v1/models/";

struct Known {
    std::string_view path;
    Route route;
    bool post;
};
constexpr std::array<Known, 10> kKnown{{
    {"/v1/chat/completions", Route::chatCompletions, true},
    {"/v1/completions", Route::completions, true},
    {"/v1/embeddings", Route::embeddings, true},
    {"/v1/messages", Route::messages, true},
    {"/v1/messages/count_tokens", Route::countTokens, true},
    {"/v1/models", Route::modelList, false},
    {"/livez", Route::livez, false},
    {"/readyz", Route::readyz, false},
    {"/metrics", Route::metrics, false},
    {"/admin/router/status", Route::routerStatus, false},
}};

struct AdminPath {
    std::string_view path;
    bool get, post;
};
constexpr std::array kAdminPaths{
    AdminPath{admin::kStatus, true, false},    AdminPath{admin::kPolicy, true, false},   AdminPath{admin::kEndpoints, true, false},
    AdminPath{admin::kPools, true, false},     AdminPath{admin::kResources, true, false}, AdminPath{admin::kPrincipals, true, false},
    AdminPath{admin::kRefusals, true, false},  AdminPath{admin::kRequests, true, false},
    AdminPath{admin::kDecisions, true, false}, AdminPath{admin::kEvents, true, true},
    AdminPath{admin::kDecide, false, true},    AdminPath{admin::kForecast, false, true},  AdminPath{admin::kOff, false, true},
    AdminPath{admin::kMode, false, true},      AdminPath{admin::kDrain, false, true},     AdminPath{admin::kUndrain, false, true},
    AdminPath{admin::kCircuit, false, true},   AdminPath{admin::kApply, false, true}};

/// Where a path shows that its client has a base URL of the other vendor, who wants `/v1` in it or not.
std::string baseUrlAdvice(std::string_view path) {
    const auto isServed = [](std::string_view wanted) {
        return std::any_of(kKnown.begin(), kKnown.end(), [&](const Known& one) { return one.path == wanted; }) ||
               wanted.starts_with(kModelPrefix);
    };
    if (path.starts_with("/v1/v1/") && isServed(path.substr(3)))
        return "Leave /v1 out of the base URL: Anthropic's SDK adds it by itself. ";
    if (isServed("/v1" + std::string(path)))
        return "Let the base URL end in /v1: OpenAI's SDK does not add it. ";
    if (path.starts_with("/v1/responses"))
        return "Use the chat completions of the SDK instead of its responses. ";
    return {};
}

tl::unexpected<EdgeError> wrongMethod(const HttpRequest& request, bool get, bool post) {
    const std::string allow = get && post ? "GET, HEAD, POST" : post ? "POST" : "GET, HEAD";
    EdgeError error = edgeError(405, "method_not_allowed",
                                elided(request.method, 20) + " is not possible at " + elided(request.path(), 200) + ". Use " +
                                    (get && post ? "GET or POST." : post ? "POST." : "GET."));
    error.allow = allow;
    return tl::unexpected(std::move(error));
}

bool isAllowed(const HttpRequest& request, bool get, bool post) {
    return (post && request.method == "POST") || (get && (request.method == "GET" || request.isHead()));
}

tl::expected<Route, EdgeError> matchAdmin(const HttpRequest& request) {
    std::string known;
    for (const AdminPath& one : kAdminPaths) {
        if (one.path == request.path())
            return isAllowed(request, one.get, one.post) ? tl::expected<Route, EdgeError>(Route::admin)
                                                         : wrongMethod(request, one.get, one.post);
        known.append(known.empty() ? "" : ", ").append(one.path.substr(admin::kPrefix.size()));
    }
    return tl::unexpected(edgeError(404, "unknown_path",
                                    "There is nothing at " + elided(request.path(), 200) + ". Under /admin/ are router/status, " +
                                        known + "."));
}

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
    if (request.path().starts_with(admin::kPrefix) && request.path() != admin::kRouterStatus)
        return matchAdmin(request);
    const auto known = find(request.path());
    if (!known) {
        return tl::unexpected(
            edgeError(404, "unknown_path",
                      "There is nothing at " + elided(request.path(), 200) + ". " + baseUrlAdvice(request.path()) +
                          "This gateway has POST /v1/chat/completions, /v1/completions, /v1/embeddings, "
                          "/v1/messages, /v1/messages/count_tokens; "
                          "GET /v1/models, /v1/models/{id}, /livez, /readyz, /metrics, /admin/router/status."));
    }
    if (!isAllowed(request, !known->post, known->post))
        return wrongMethod(request, !known->post, known->post);
    return known->route;
}

bool isCompletion(Route route) {
    return route == Route::chatCompletions || route == Route::completions || route == Route::embeddings ||
           route == Route::messages || route == Route::countTokens;
}

bool isAdmin(Route route) {
    return route == Route::routerStatus || route == Route::admin;
}

std::string_view upstreamPath(Route route) {
    switch (route) {
    case Route::chatCompletions:
        return "/chat/completions";
    case Route::completions:
        return "/completions";
    case Route::embeddings:
        return "/embeddings";
    case Route::messages:
        return "/messages";
    case Route::countTokens:
        return "/messages/count_tokens";
    case Route::modelList:
    case Route::model:
        return "/models";
    case Route::livez:
    case Route::readyz:
    case Route::metrics:
    case Route::routerStatus:
    case Route::admin:
        break;
    }
    return {};
}

ModelPath modelPath(std::string_view path) {
    const std::string_view raw = path.substr(std::min(kModelPrefix.size(), path.size()));
    return {percentDecoded(raw), std::string(raw)};
}

std::optional<std::string> queryValue(std::string_view target, std::string_view name) {
    const auto question = target.find('?');
    std::string_view rest = question == std::string_view::npos ? std::string_view() : target.substr(question + 1);
    while (!rest.empty()) {
        const std::string_view pair = rest.substr(0, rest.find('&'));
        rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
        const auto equals = pair.find('=');
        if (percentDecoded(pair.substr(0, equals)) == name)
            return equals == std::string_view::npos ? std::string() : percentDecoded(pair.substr(equals + 1));
    }
    return std::nullopt;
}

} // namespace signalbox::gateway
