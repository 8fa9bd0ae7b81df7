// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/gateway/connection.h"
#include "router/gateway/edge.h"
#include "router/gateway/edge_error.h"
#include "router/gateway/http_request.h"

#include <string>
#include <string_view>
#include <vector>

namespace signalbox::gateway {

/// Frames one response. We always frame anew: no header of an upstream passes (F41).
class ResponseWriter {
public:
    ResponseWriter(Connection& connection, std::chrono::milliseconds stallLimit)
        : m_connection(connection), m_stallLimit(stallLimit) {}

    /// Starts over for the next request; without one the connection closes after the answer. Errors take the shape of the
    /// request's edge.
    void begin(const HttpRequest* request);
    /// The id under which the client finds its request again: `x-request-id`, for Anthropic's clients `request-id` too.
    void identify(std::string_view requestId);
    /// A header for whichever answer follows.
    void addHeader(std::string_view name, std::string_view value);
    void closeAfter() { m_keepAlive = false; }
    /// No later than this may a client take what it gets of the request at hand; an error that says so has a little more.
    void endBy(Steady moment) { m_endsBy = moment; }

    /// A whole answer in one write. Status and type are taken before it returns; the body must live until it has been awaited.
    [[nodiscard]] asio::awaitable<bool> send(int status, std::string_view contentType, std::string_view body);
    [[nodiscard]] asio::awaitable<bool> send(const EdgeError& error);
    [[nodiscard]] asio::awaitable<bool> sendContinue();

    /// A stream of server-sent events: the head goes out together with the first of them. Once is enough.
    void startEvents(std::string_view contentType = "text/event-stream");
    [[nodiscard]] asio::awaitable<bool> event(std::string_view bytes);
    /// The last events, maybe none, and the end of the stream in one write.
    [[nodiscard]] asio::awaitable<bool> finishEvents(std::string_view bytes);
    [[nodiscard]] asio::awaitable<bool> finishEvents(const EdgeError& error);

    [[nodiscard]] bool headSent() const { return m_headSent; }
    [[nodiscard]] bool keepAlive() const { return m_keepAlive; }

private:
    void appendHead(std::string& out, int status, std::string_view contentType) const;
    [[nodiscard]] std::chrono::milliseconds patience(std::chrono::milliseconds atLeast) const;

    Connection& m_connection;
    std::chrono::milliseconds m_stallLimit;
    Steady m_endsBy = Steady::max();
    std::string m_headers;
    std::string m_head; ///< of the answer being written; its memory serves the next one too
    std::string m_pendingHead;
    std::string m_requestId;
    Edge m_edge = Edge::openai;
    bool m_eventsStarted = false;
    bool m_http11 = true;
    bool m_headOnly = false;
    bool m_keepAlive = true;
    bool m_headSent = false;
};

/// ASCII as it is, everything else (and `%`) percent-encoded: safe in a header whatever a model is called.
[[nodiscard]] std::string headerSafe(std::string_view text);

} // namespace signalbox::gateway
