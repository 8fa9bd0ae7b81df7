// SPDX-License-Identifier: MIT
#include "router/gateway/anthropic_error.h"

#include "router/base/json_document.h"
#include "router/base/text.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace signalbox::gateway {

namespace {

constexpr std::size_t kMaxWordsBytes = 2048;
constexpr auto kAnthropicTypes = std::to_array<std::string_view>(
    {"invalid_request_error", "authentication_error", "billing_error", "permission_error", "not_found_error",
     "request_too_large", "rate_limit_error", "timeout_error", "api_error", "overloaded_error"});

bool isAnthropicType(std::string_view type) {
    return std::find(kAnthropicTypes.begin(), kAnthropicTypes.end(), type) != kAnthropicTypes.end();
}

/// Our own types follow from the status, so that only an upstream's can say more than it does. One word means two things
/// to the two protocols: of a status of its own the other's `invalid_request_error` says less.
std::string_view typeOf(const EdgeError& error) {
    const std::string_view byStatus = anthropicErrorType(error.status);
    return isAnthropicType(error.type) && error.type != "invalid_request_error" ? std::string_view(error.type) : byStatus;
}

} // namespace

std::string_view anthropicErrorType(int status) {
    switch (status) {
    case 401:
        return "authentication_error";
    case 402:
        return "billing_error";
    case 403:
        return "permission_error";
    case 404:
        return "not_found_error";
    case 413:
        return "request_too_large";
    case 429:
        return "rate_limit_error";
    case 503:
    case 529:
        return "overloaded_error";
    case 504:
        return "timeout_error";
    default:
        return status >= 500 ? "api_error" : "invalid_request_error";
    }
}

std::string anthropicErrorJson(const EdgeError& error, std::string_view requestId) {
    OrderedJson out{{"type", "error"},
                    {"error", {{"type", typeOf(error)}, {"message", elided(error.message, kMaxWordsBytes)}}}};
    if (!requestId.empty())
        out["request_id"] = requestId;
    return out.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

std::string anthropicErrorEvent(const EdgeError& error, std::string_view requestId) {
    return "event: error\ndata: " + anthropicErrorJson(error, requestId) + "\n\n";
}

} // namespace signalbox::gateway
