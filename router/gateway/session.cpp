// SPDX-License-Identifier: MIT
#include "router/gateway/session.h"

#include "router/base/text.h"
#include "router/gateway/admin_exchange.h"
#include "router/gateway/admin_paths.h"
#include "router/gateway/count_tokens.h"
#include "router/gateway/recording.h"
#include "router/gateway/refused_client.h"
#include "router/gateway/request_parser.h"
#include "router/gateway/request_reading.h"
#include "router/gateway/small_routes.h"

namespace signalbox::gateway {

namespace {

/// A body up to this size is read and dropped where nobody needs it, so that the connection can be kept.
constexpr std::uint64_t kMaxDropped = 64 << 10;
/// A body may take its time but not for ever: on average so many bytes a second, after a first header timeout.
constexpr std::uint64_t kMinBodyBytesPerSecond = 16 << 10;
/// The line before a chunk, or the trailer, which the parser would otherwise wait for without end.
constexpr std::size_t kMaxChunkFraming = 16 << 10;
/// Chunks may cost so much more on the wire than they carry: many times for small ones, but not without end.
constexpr std::uint64_t kFramingAllowance = 64 << 10;
constexpr std::uint64_t kFramingFactor = 16;

class Session {
public:
    Session(ThreadState& thread, std::shared_ptr<Connection> connection)
        : m_thread(thread), m_shared(thread.shared), m_connection(std::move(connection)),
          m_writer(*m_connection, server().idleTimeout) {}

    asio::awaitable<void> run() {
        for (bool more = true; more;)
            more = co_await oneRequest();
        m_connection->close();
    }

private:
    const config::Server& server() const { return m_thread.serving->snapshot->config->server; }

    /// Reads and answers one request; false when the connection ends.
    asio::awaitable<bool> oneRequest() {
        m_serving.reset(); // an idle connection must not keep an old policy alive
        m_head = {};
        m_caller = nullptr;
        m_place = {};
        m_parser.restart();
        m_writer.begin(nullptr);
        m_connection->setIdle(true);
        const bool complete = co_await readHead();
        if (!complete)
            co_return false;
        m_connection->setHasHead();
        m_arrived = m_shared.clock.steady();
        m_serving = m_thread.serving;
        m_head = m_parser.head();
        m_writer.begin(&m_head);
        if (m_shared.draining)
            m_writer.closeAfter();

        if (!framingIsClear())
            co_return co_await endWith(
                edgeError(501, "unsupported_transfer_encoding",
                          "Of Transfer-Encoding only a single \"chunked\", in HTTP/1.1, is understood. "
                          "Send the body with Content-Length."));
        auto refusal = precheck();
        if (!refusal)
            refusal = takePlace();
        if (!refusal && m_head.hasBody()) {
            m_parser.limitBody(bodyLimit());
            if (awaitsContinue()) {
                const bool written = co_await m_writer.sendContinue();
                if (!written)
                    co_return false;
            }
            // It is usually there together with the head.
            const RequestParser::Fed fed = m_connection->buffered().empty() ? RequestParser::Fed{} : feed();
            if (fed.error)
                co_return co_await endWith(*fed.error);
            if (!m_parser.isDone()) {
                const bool read = co_await readBody(fed.used);
                if (!read)
                    co_return false;
            }
        }
        if (refusal)
            co_return co_await refuse(*refusal);
        co_await answer();
        co_return m_writer.keepAlive();
    }

    /// Feeds the parser what has been read.
    RequestParser::Fed feed() {
        RequestParser::Fed fed = m_parser.feed(m_connection->buffered());
        m_connection->consume(fed.used);
        return fed;
    }

    asio::awaitable<bool> readHead() {
        const auto idle = server().idleTimeout;
        const auto limit = server().headerTimeout;
        std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
        for (;;) {
            if (!m_connection->buffered().empty()) {
                m_connection->setIdle(false);
                const auto now = std::chrono::steady_clock::now();
                if (deadline == std::chrono::steady_clock::time_point::max())
                    deadline = now + limit;
                const RequestParser::Fed fed = feed();
                if (fed.error)
                    co_return co_await endWithinHead(*fed.error);
                if (m_parser.hasHead())
                    co_return true;
            }
            const auto now = std::chrono::steady_clock::now();
            const bool begun = deadline != std::chrono::steady_clock::time_point::max();
            const auto patience = begun ? std::chrono::ceil<std::chrono::milliseconds>(deadline - now) : idle;
            const bool more =
                co_await m_connection->readMore(std::max(patience, std::chrono::milliseconds(1)));
            if (more)
                continue;
            if (!begun || !m_connection->timedOut())
                co_return false;
            co_return co_await endWithinHead(edgeError(
                408, "header_timeout", "The request header did not arrive in time. Send it at once."));
        }
    }

    /// What is still to come of it; so many bytes of it were taken before.
    asio::awaitable<bool> readBody(std::uint64_t taken = 0) {
        const auto begun = std::chrono::steady_clock::now();
        while (!m_parser.isDone()) {
            const RequestParser::Fed fed = m_connection->buffered().empty() ? RequestParser::Fed{} : feed();
            taken += fed.used;
            if (fed.error)
                co_return co_await endWith(*fed.error);
            const bool stuck = fed.used == 0 && m_connection->buffered().size() >= kMaxChunkFraming;
            if (!m_parser.isDone() && (stuck || !isWorthItsFraming(taken)))
                co_return co_await endWith(
                    edgeError(400, "malformed_request", "The chunks of the body carry far less than they cost. Send "
                                                        "larger ones, or the body with Content-Length."));
            if (fed.used > 0 || m_parser.isDone())
                continue;
            const auto patience = bodyPatience(begun, taken);
            bool more = false;
            if (patience.count() > 0)
                more = co_await m_connection->readMore(patience);
            if (more)
                continue;
            if (patience.count() > 0 && !m_connection->timedOut())
                co_return false;
            co_return co_await endWith(edgeError(408, "body_timeout",
                                                 "The request body stopped arriving, or comes too slowly. Send it "
                                                 "without long pauses."));
        }
        co_return true;
    }

    /// What is left of the shorter of two limits: between two pieces, and of the whole body for what came of it.
    std::chrono::milliseconds bodyPatience(std::chrono::steady_clock::time_point begun, std::uint64_t taken) const {
        const std::chrono::milliseconds idle = server().headerTimeout;
        const auto earned = std::chrono::milliseconds(taken * 1000 / kMinBodyBytesPerSecond);
        const auto left = begun + idle + earned - std::chrono::steady_clock::now();
        return std::min(idle, std::chrono::ceil<std::chrono::milliseconds>(left));
    }

    bool isWorthItsFraming(std::uint64_t taken) const {
        return !m_head.chunked || taken <= kFramingAllowance + kFramingFactor * m_parser.bodyBytes();
    }

    /// Of any other encoding nobody knows where the body ends; a proxy before us might see the end elsewhere, and
    /// what lies between would be a request of its own to one of the two.
    bool framingIsClear() const {
        if (m_head.transferEncoding.empty())
            return true;
        return m_head.chunked && m_head.http11 && asciiLower(trimmed(m_head.transferEncoding)) == "chunked";
    }

    /// Before a byte of its body is taken, so that those who wait for a place cannot fill the memory with bodies.
    std::optional<EdgeError> takePlace() {
        if (!isCompletion(m_route))
            return std::nullopt;
        m_place = m_shared.inFlight.enterAll(edgeOf(m_head));
        const std::uint32_t limit = m_serving->snapshot->config->server.maxConcurrentRequests;
        if (m_place.number() <= limit)
            return std::nullopt;
        m_place = {};
        return busyError(limit);
    }

    std::uint64_t bodyLimit() const {
        if (m_route == Route::admin)
            return adminBodyLimit(m_head.path());
        return isCompletion(m_route) ? server().maxRequestBodyBytes : kMaxDropped;
    }

    /// Everything that can be said from the head alone, before a byte of the body is asked for.
    std::optional<EdgeError> precheck() {
        if (auto refused = m_serving->access.checkBrowser(m_head)) {
            if (m_head.path().starts_with(admin::kPrefix))
                noteRefusedAdmin(m_shared, m_head, *m_connection, *refused);
            return refused;
        }
        const auto route = matchRoute(m_head);
        if (!route)
            return route.error();
        m_route = *route;
        if (isAdmin(m_route)) {
            if (auto refused = admitAdmin(m_shared, m_serving->access, m_head, *m_connection))
                return refused;
        } else if (needsToken(m_route)) {
            const auto caller = m_serving->access.authenticate(m_head);
            if (!caller)
                return caller.error();
            m_caller = *caller;
        }
        if (m_head.contentLength.value_or(0) > bodyLimit())
            return m_route == Route::admin ? adminBodyTooLarge(bodyLimit()) : bodyTooLarge(bodyLimit());
        const bool orders = m_route == Route::admin && m_head.method == "POST";
        if (!isCompletion(m_route) && !orders)
            return std::nullopt;
        if (m_shared.draining)
            return edgeError(503, "draining", "The gateway is stopping and takes no new requests. Try again shortly.");
        return precheckBody();
    }

    bool needsToken(Route route) const {
        if (route == Route::livez || route == Route::readyz)
            return false;
        return route != Route::metrics || !m_serving->access.isLoopback();
    }

    std::optional<EdgeError> precheckBody() const {
        const std::string encoding = asciiLower(trimmed(m_head.contentEncoding));
        if (!encoding.empty() && encoding != "identity") {
            return edgeError(415, "unsupported_encoding",
                             "Content-Encoding " + elided(encoding, 40) +
                                 " is not understood. Send the body as it is.");
        }
        if (!m_head.expect.empty() && asciiLower(trimmed(m_head.expect)) != "100-continue") {
            return edgeError(417, "unknown_expectation",
                             "Only \"Expect: 100-continue\" is understood. Leave the header out.");
        }
        return std::nullopt;
    }

    /// F36: at once, or the client waits for nothing. Not needed when the body is on its way already.
    bool awaitsContinue() const {
        return !m_head.expect.empty() && m_head.http11 && m_connection->buffered().empty();
    }

    asio::awaitable<bool> refuse(EdgeError error) {
        m_shared.turnAway(error, sender());
        const bool canDrop =
            !m_head.chunked && m_head.contentLength.value_or(0) <= kMaxDropped && m_head.expect.empty();
        if (m_head.hasBody() && canDrop && m_writer.keepAlive()) {
            const bool read = co_await readBody();
            if (!read)
                co_return false;
        } else if (m_head.hasBody()) {
            m_writer.closeAfter();
        }
        const bool written = co_await m_writer.send(error);
        if (!written)
            co_return false;
        if (!m_writer.keepAlive())
            co_await m_connection->linger();
        co_return m_writer.keepAlive();
    }

    /// For what cannot be followed by another request.
    asio::awaitable<bool> endWith(EdgeError error) {
        m_place = {};
        m_shared.turnAway(error, sender());
        m_writer.closeAfter();
        const bool written = co_await m_writer.send(error);
        if (written)
            co_await m_connection->linger();
        co_return false;
    }

    /// What was read of the head says whose shape the refusal has: its first line names the path.
    asio::awaitable<bool> endWithinHead(EdgeError error) {
        m_head = m_parser.head();
        m_writer.begin(&m_head);
        return endWith(std::move(error));
    }

    asio::awaitable<void> answer() {
        if (isCompletion(m_route)) {
            CompletionRequest request{m_head, *m_caller, upstreamPath(m_route), m_parser.takeBody(),
                                      std::move(m_place), m_arrived, edgeOf(m_head)};
            if (m_route == Route::countTokens)
                co_await serveCountTokens(m_thread, m_serving, *m_connection, m_writer, std::move(request));
            else
                co_await serveCompletion(m_thread, m_serving, *m_connection, m_writer, std::move(request));
            co_return;
        }
        if (m_route == Route::admin) {
            std::string body = m_parser.takeBody();
            co_await serveAdmin(m_thread, std::exchange(m_serving, nullptr), *m_connection, m_writer, m_head, std::move(body));
            co_return;
        }
        auto result = answerSmallRoute(m_route, m_head, m_shared, *m_serving, m_caller);
        bool written = false;
        if (result) {
            static_cast<void>(identify());
            if (result->retryAfter)
                m_writer.addHeader("retry-after", std::to_string(result->retryAfter->count()));
            written = co_await m_writer.send(result->status, result->contentType, result->body);
        } else {
            m_shared.turnAway(result.error(), sender());
            written = co_await m_writer.send(result.error());
        }
        if (!written)
            m_writer.closeAfter();
    }

    /// The id that the answer names: the client's own, else a new one.
    std::string identify() {
        const std::string_view own = boundedRequestId(m_head.requestId);
        std::string id = own.empty() ? DecisionId::make(m_shared.clock.now(), m_thread.random).text() : std::string(own);
        m_writer.identify(id);
        return id;
    }

    /// For the log, which names the same id as the answer.
    Sender sender() { return {edgeOf(m_head), clientOf(m_head, *m_connection, m_caller), identify()}; }

    ThreadState& m_thread;
    SharedState& m_shared;
    std::shared_ptr<Connection> m_connection;
    ResponseWriter m_writer;
    RequestParser m_parser;
    std::shared_ptr<const Serving> m_serving; ///< of the request at hand
    HttpRequest m_head;
    Route m_route = Route::livez;
    const Caller* m_caller = nullptr;
    Steady m_arrived{}; ///< when the head was complete
    InFlightLedger::Guard m_place; ///< among the requests in flight, until it goes to who serves it
};

} // namespace

asio::awaitable<void> runSession(ThreadState& thread, std::shared_ptr<Connection> connection) {
    Session session(thread, std::move(connection));
    co_await session.run();
}

} // namespace signalbox::gateway
