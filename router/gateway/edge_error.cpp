// SPDX-License-Identifier: MIT
#include "router/gateway/edge_error.h"

#include "router/base/json_document.h"
#include "router/base/text.h"
#include "router/strategy/fallback.h"

#include <nlohmann/json.hpp>

namespace signalbox::gateway {

namespace {

using Kind = dispatch::UpstreamFailure::Kind;

constexpr std::size_t kMaxMessageBytes = 2048;
constexpr std::chrono::seconds kRetryRefused{2};

std::string_view typeFor(int status) {
    switch (status) {
    case 401:
        return "authentication_error";
    case 403:
        return "permission_error";
    case 404:
        return "not_found_error";
    case 429:
        return "rate_limit_error";
    default:
        return status >= 500 ? "server_error" : "invalid_request_error";
    }
}

/// The upstream's status is the client's, except where it speaks of our credential, of a proxy or of nothing
/// at all.
int statusOf(const dispatch::UpstreamFailure& failure) {
    const bool ours = failure.status == 401 || failure.status == 403 || failure.status == 407;
    return failure.status >= 400 && failure.status <= 599 && !ours ? failure.status : 502;
}

/// An upstream that already answered in the edge's shape keeps its words: clients look at `code`.
void takeUpstreamWords(EdgeError& error, const std::string& body) {
    const auto root = nlohmann::json::parse(body, nullptr, false);
    if (!root.is_object())
        return;
    const auto inner = root.find("error");
    if (inner == root.end() || !inner->is_object())
        return;
    const auto text = [&](const char* key) -> std::string {
        const auto it = inner->find(key);
        return it != inner->end() && it->is_string() ? it->get<std::string>() : std::string();
    };
    if (auto message = text("message"); !message.empty())
        error.message = std::move(message);
    if (auto type = text("type"); !type.empty())
        error.type = std::move(type);
    if (auto code = text("code"); !code.empty())
        error.code = std::move(code);
    if (auto param = text("param"); !param.empty())
        error.param = std::move(param);
}

EdgeError fromStatus(const dispatch::UpstreamFailure& failure) {
    const int status = statusOf(failure);
    EdgeError error = edgeError(status, failure.code, failure.message);
    if (failure.status == 401 || failure.status == 403 || failure.status == 407) {
        error.code = "upstream_credential_refused";
        error.message = "The provider refused the gateway's own credential (status " +
                        std::to_string(failure.status) +
                        "). Check the variable named by api_key_env of that provider. " + failure.message;
        error.needsOperator = true;
        return error;
    }
    takeUpstreamWords(error, failure.body);
    // The words of a wrong path alone would not say who was asked, nor that a base URL is to blame.
    if (failure.kind == Kind::status && failure.status == 404)
        error.message = failure.message;
    error.retryAfter = failure.retryAfter; // F46, whatever the status
    if (!error.retryAfter && (status == 429 || status == 503))
        error.retryAfter = kRetryUnavailable;
    return error;
}

} // namespace

std::string EdgeError::json() const {
    const auto orNull = [](const std::string& text) {
        return text.empty() ? OrderedJson(nullptr) : OrderedJson(text);
    };
    const OrderedJson inner{{"message", elided(message, kMaxMessageBytes)},
                            {"type", type},
                            {"code", orNull(code)},
                            {"param", orNull(param)}};
    return OrderedJson{{"error", inner}}.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

std::string EdgeError::sseEvent() const {
    return "data: " + json() + "\n\n";
}

EdgeError edgeError(int status, std::string code, std::string message, std::string param) {
    EdgeError error;
    error.status = status;
    error.type = typeFor(status);
    error.code = std::move(code);
    error.message = std::move(message);
    error.param = std::move(param);
    if (status == 503)
        error.retryAfter = kRetryUnavailable;
    return error;
}

EdgeError toEdgeError(const Error& error) {
    switch (error.kind) {
    case ErrorKind::badInput:
        return edgeError(400, "invalid_request", error.text());
    case ErrorKind::notFound:
        return edgeError(404, "model_not_found", error.text(), "model");
    case ErrorKind::conflict:
        return edgeError(409, "conflict", error.text());
    case ErrorKind::denied:
        return edgeError(403, "not_allowed", error.text());
    case ErrorKind::cancelled:
        return edgeError(499, "client_gone", error.text());
    case ErrorKind::unavailable:
        return edgeError(503, "no_callable_endpoint", error.text());
    case ErrorKind::internal:
        break;
    }
    return edgeError(500, "internal_error", error.text());
}

EdgeError toEdgeError(const dispatch::UpstreamFailure& failure) {
    if (failure.ranOutOfBudget())
        return edgeError(504, failure.code,
                         failure.message + ". Ask for less or choose a faster model, or raise request_budget_ms of "
                                           "[server] in gateway.toml.");
    switch (failure.kind) {
    case Kind::refused: {
        // 503 unless the refusal says otherwise: a budget that is used up is 429.
        EdgeError error = edgeError(failure.status != 0 ? failure.status : 503,
                                    failure.code.empty() ? "not_admitted" : failure.code, failure.message);
        // What is refused for good must not be tried again.
        if (error.status == 429 || error.status >= 500)
            error.retryAfter = failure.retryAfter.value_or(kRetryRefused);
        error.needsOperator = failure.code == strategy::kNotCallable;
        return error;
    }
    case Kind::status:
    case Kind::errorFrame:
        return fromStatus(failure);
    case Kind::connect:
    case Kind::protocol:
    case Kind::disconnected:
        return edgeError(502, failure.code, failure.message);
    case Kind::timeout:
        return edgeError(504, failure.code, failure.message);
    case Kind::cancelled:
        return edgeError(499, failure.code.empty() ? "client_gone" : failure.code, failure.message);
    case Kind::composition:
        break;
    }
    return edgeError(500, "composition_error", failure.message);
}

std::string_view reasonPhrase(int status) {
    switch (status) {
    case 100:
        return "Continue";
    case 200:
        return "OK";
    case 400:
        return "Bad Request";
    case 401:
        return "Unauthorized";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 408:
        return "Request Timeout";
    case 409:
        return "Conflict";
    case 413:
        return "Payload Too Large";
    case 415:
        return "Unsupported Media Type";
    case 417:
        return "Expectation Failed";
    case 422:
        return "Unprocessable Entity";
    case 429:
        return "Too Many Requests";
    case 431:
        return "Request Header Fields Too Large";
    case 500:
        return "Internal Server Error";
    case 501:
        return "Not Implemented";
    case 502:
        return "Bad Gateway";
    case 503:
        return "Service Unavailable";
    case 504:
        return "Gateway Timeout";
    case 529:
        return "Site Is Overloaded";
    default:
        return status < 400 ? "OK" : status < 500 ? "Client Error" : "Server Error";
    }
}

} // namespace signalbox::gateway
