// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace signalbox::gateway {

/// A header that goes under two names, ours and that of the system whose clients we serve.
struct TwoNameHeader {
    std::string_view name; ///< under which it came first
    std::optional<std::string_view> value;
    bool differs = false; ///< it came twice, with different values

    void take(std::string_view from, std::string_view text) {
        differs = differs || (value && *value != text);
        if (value)
            return;
        name = from;
        value = text;
    }
};

/// The head of a request as the edges see it. Views point into the session's parser and live as long as the
/// request.
struct HttpRequest {
    std::string_view method;
    std::string_view target; ///< origin form, query included
    bool http11 = true;
    bool keepAlive = true;
    bool chunked = false;
    std::string_view transferEncoding; ///< "repeated" when there is more than one
    std::optional<std::uint64_t> contentLength;

    std::string_view host;
    bool hasHost = false;
    bool repeatedHost = false;
    std::string_view origin, secFetchSite;
    bool hasOrigin = false;
    std::string_view authorization, apiKey;
    std::string_view anthropicVersion;
    std::string anthropicBeta; ///< all of them, joined by commas
    std::string_view requestId;
    std::string_view traceParent; ///< W3C Trace Context; empty where it came twice, which nobody may go by
    std::string traceState;       ///< all of them, joined by commas
    bool repeatedTraceParent = false;
    std::optional<std::string_view> expectedLength, category, inputTokens, pin;
    TwoNameHeader routingProfile, sessionId;
    std::string_view contentEncoding;
    std::string_view expect;
    std::string_view userAgent;
    std::string_view actor; ///< who uses the admin API, as they call themselves

    [[nodiscard]] bool hasBody() const { return chunked || contentLength.value_or(0) > 0; }
    [[nodiscard]] bool isHead() const { return method == "HEAD"; }
    /// The target without its query.
    [[nodiscard]] std::string_view path() const { return target.substr(0, target.find('?')); }
};

} // namespace signalbox::gateway
