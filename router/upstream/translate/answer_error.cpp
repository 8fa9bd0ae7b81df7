// SPDX-License-Identifier: MIT
#include "router/upstream/translate/answer_json.h"
#include "router/upstream/translate/answer_translation.h"

namespace signalbox::upstream::translate {

namespace {

std::string_view anthropicErrorType(int status) {
    switch (status) {
    case 401: return "authentication_error";
    case 402: return "billing_error";
    case 403: return "permission_error";
    case 404: return "not_found_error";
    case 413: return "request_too_large";
    case 429: return "rate_limit_error";
    case 504: return "timeout_error";
    case 503:
    case 529: return "overloaded_error";
    default: return status >= 400 && status < 500 ? "invalid_request_error" : "api_error";
    }
}

std::string_view openAiErrorType(int status) {
    switch (status) {
    case 401: return "authentication_error";
    case 403: return "permission_error";
    case 404: return "not_found_error";
    case 429: return "rate_limit_error";
    default: return status >= 400 && status < 500 ? "invalid_request_error" : "server_error";
    }
}

/// What went wrong in the upstream's words, where clients look for them.
struct SaidError {
    std::string_view message, word;
};

std::optional<SaidError> saidError(const OrderedJson& root) {
    const OrderedJson* error = objectIn(root, "error");
    const OrderedJson& said = error != nullptr ? *error : root;
    const std::string_view message = textIn(said, "message");
    if (message.empty()) return std::nullopt;
    const std::string_view code = textIn(said, "code");
    return SaidError{message, code.empty() ? textIn(said, "type") : code};
}

}  // namespace

std::string_view errorTypeOf(classify::Dialect dialect, int status) {
    return dialect == classify::Dialect::anthropic ? anthropicErrorType(status) : openAiErrorType(status);
}

std::string errorAnswer(classify::Dialect to, std::string_view body, int status) {
    const auto root = readAnswerObject(body);
    const auto said = root ? saidError(*root) : std::nullopt;
    if (!said) return {};
    OrderedJson error{{"type", errorTypeOf(to, status)}, {"message", said->message}};
    if (to == classify::Dialect::anthropic) return OrderedJson{{"type", "error"}, {"error", std::move(error)}}.dump();
    error["param"] = nullptr;
    error["code"] = said->word.empty() ? OrderedJson(nullptr) : OrderedJson(said->word);
    return OrderedJson{{"error", std::move(error)}}.dump();
}

}  // namespace signalbox::upstream::translate
