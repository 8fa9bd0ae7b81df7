// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/dispatch/adapter.h"

#include <chrono>
#include <optional>
#include <string>

namespace signalbox::gateway {

/// An error as a client of the OpenAI edge sees it; `anthropic_error.h` says the same to one of the other edge.
struct EdgeError {
    int status = 500;
    std::string type =
        "server_error";  ///< invalid_request_error, authentication_error, rate_limit_error, server_error, …
    std::string code;    ///< stable; also the key under which refusals are counted
    std::string message; ///< what is wrong and what to do
    std::string param;   ///< field at fault; null when empty
    std::optional<std::chrono::seconds> retryAfter;
    std::string allow; ///< methods, for 405
    /// Only whoever operates the gateway can mend it: clients that repeat such a status by themselves are told not to.
    bool needsOperator = false;

    /// `{"error":{"message":…,"type":…,"code":…,"param":…}}`
    [[nodiscard]] std::string json() const;
    /// The same as one SSE event.
    [[nodiscard]] std::string sseEvent() const;
};

/// When a 503 of ours asks to come again, unless somebody knows better (F46).
inline constexpr std::chrono::seconds kRetryUnavailable{5};

/// An EdgeError whose type follows from its status; a 503 says when to come again.
[[nodiscard]] EdgeError edgeError(int status, std::string code, std::string message, std::string param = {});

/// The one map from what went wrong inside to what HTTP says.
[[nodiscard]] EdgeError toEdgeError(const Error& error);
[[nodiscard]] EdgeError toEdgeError(const dispatch::UpstreamFailure& failure);

/// `Not Found`, …
[[nodiscard]] std::string_view reasonPhrase(int status);

} // namespace signalbox::gateway
