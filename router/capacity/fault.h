// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace signalbox::capacity {

/// How an attempt failed, by type and never by message text (F54).
enum class FaultKind : std::uint8_t {
    notSent,       ///< refused or miscomposed on our side; says nothing about the endpoint
    cancelled,     ///< the client left, or a hedge lost
    connect,       ///< refused, unreachable, name not found, TLS
    timeout,
    disconnected,  ///< closed before the end
    protocol,      ///< an answer that cannot be understood
    status,        ///< an HTTP error status
    errorFrame,    ///< 200 and then an error inside the stream; `status` is the code inside it, 0 if it names none
};

struct Fault {
    FaultKind kind = FaultKind::connect;
    int status = 0;
    std::optional<std::chrono::seconds> retryAfter;
    [[nodiscard]] bool isSameAs(const Fault& other) const { return kind == other.kind && status == other.status; }
};

/// What an attempt says about its endpoint.
enum class Sample : std::uint8_t { none, success, failure, rateLimited };

/// 4xx is the caller's affair and no sample, except 408, 425 and 429; none of 409, 429 and 503 is a success (F48).
[[nodiscard]] Sample sampleOf(const Fault& fault);

/// True for what a request may have brought upon itself, so that the same fault on a second endpoint speaks against
/// the request. A connection that never stood, 429 and 503 speak of the endpoint in any case.
[[nodiscard]] bool mayBlameRequest(const Fault& fault);

}  // namespace signalbox::capacity
