// SPDX-License-Identifier: MIT
#include "router/gateway/request_reading.h"

#include "router/classify/classify.h"
#include "router/table/types.h"

namespace signalbox::gateway {

namespace {

constexpr std::chrono::seconds kRetryWhenBusy{1};

std::optional<std::string> ownedText(const std::optional<std::string_view>& text) {
    return text ? std::optional<std::string>(*text) : std::nullopt;
}

/// What only the path says, whatever the body looks like.
void notePath(std::string_view path, classify::RequestFeatures& features) {
    if (path == "/v1/embeddings")
        features.peculiarities.add(classify::Peculiarity::embeddings);
    if (path == "/v1/completions")
        features.peculiarities.add(classify::Peculiarity::legacyCompletion);
}

} // namespace

tl::expected<ReadRequest, EdgeError> readRequest(const HttpRequest& head, const Caller& caller,
                                                 classify::Dialect dialect, std::string_view body) {
    const classify::CallerHints hints{ownedText(head.expectedLength), ownedText(head.category),
                                      ownedText(head.inputTokens)};
    auto classified = classify::classifyBody(dialect, body, hints, caller.defaults, std::nullopt);
    if (!classified) {
        EdgeError error = toEdgeError(classified.error());
        error.code = "invalid_json";
        return tl::unexpected(std::move(error));
    }
    if (classified->features.model.size() > table::kMaxRequestNameBytes) {
        return tl::unexpected(edgeError(400, "model_name_too_long",
                                        "The model name is longer than " + std::to_string(table::kMaxRequestNameBytes) +
                                            " bytes. GET /v1/models lists the names that are served.",
                                        "model"));
    }
    if (classified->streamUnclear)
        return tl::unexpected(edgeError(400, "invalid_request", "\"stream\" is neither true nor false. Send a boolean without quotes, or leave it out.", "stream"));
    notePath(head.path(), classified->features);
    auto wishes = readWishes(head, caller);
    if (!wishes)
        return tl::unexpected(std::move(wishes.error()));
    return ReadRequest{std::move(*classified), std::move(*wishes)};
}

EdgeError busyError(std::uint32_t limit) {
    EdgeError error =
        edgeError(429, "too_many_requests",
                  "The gateway already handles " + std::to_string(limit) +
                      " requests at once. Try again shortly, or raise server.max_concurrent_requests.");
    error.retryAfter = kRetryWhenBusy;
    return error;
}

} // namespace signalbox::gateway
