// SPDX-License-Identifier: MIT
#include "router/upstream/http_exchange.h"

#include "router/dispatch/given_up.h"
#include "router/upstream/connection_cache.h"
#include "router/upstream/failures.h"

#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>

namespace signalbox::upstream {

using boost::system::error_code;
using dispatch::UpstreamFailure;
using Done = tl::expected<void, UpstreamFailure>;

namespace {

Steady now() { return std::chrono::steady_clock::now(); }

}  // namespace

HttpExchange::HttpExchange(std::shared_ptr<const Upstream> upstream, asio::any_io_executor executor, Steady endsBy)
    : m_upstream(std::move(upstream)), m_executor(std::move(executor)),
      m_deadline(m_executor, now() + m_upstream->limits.total, endsBy) {}

asio::awaitable<tl::expected<std::unique_ptr<HttpExchange>, UpstreamFailure>>
HttpExchange::start(std::shared_ptr<const Upstream> upstream, std::string head, std::string body,
                    std::optional<Steady> endsBy) {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    std::unique_ptr<HttpExchange> self(new HttpExchange(std::move(upstream), executor, endsBy.value_or(Steady::max())));
    for (bool mayReuse = true;; mayReuse = false) {
        const bool hasOne = self->takeConnection(mayReuse);
        if (!hasOne) {
            Done connected = co_await self->connect();
            if (!connected) co_return tl::unexpected(std::move(connected.error()));
        }
        Done answered = co_await self->exchangeHead(head, body);
        if (answered) co_return std::move(self);
        const bool again = answered.error().kind == UpstreamFailure::Kind::disconnected && self->diedBeforeRequest();
        if (!again) co_return tl::unexpected(std::move(answered.error()));
    }
}

bool HttpExchange::takeConnection(bool mayReuse) {
    if (m_parser.started()) m_parser = HttpParser();
    m_peerFinished = false;
    m_deadline.onExpiry(nullptr);
    m_connection.reset();
    if (mayReuse && m_upstream->keepAlive) m_connection = takeIdle(m_executor, idleKeyOfOrigin(), m_upstream->probeIdleSockets);
    m_reused = m_connection != nullptr;
    return m_reused;
}

/// Whoever gives up by then is told that nothing was sent: nobody can charge for it.
asio::awaitable<Done> HttpExchange::connect() {
    m_deadline.arm(now() + m_upstream->limits.connect, Limit::connect);
    tl::expected<std::unique_ptr<Connection>, UpstreamFailure> opened;
    bool gaveUp = false;
    try {
        opened = co_await Connection::open(m_upstream->origin, m_upstream->tls.get(), m_deadline);
    } catch (const boost::system::system_error& error) {
        if (error.code() != asio::error::operation_aborted) throw;
        gaveUp = true;  // between two of its steps
        m_deadline.onExpiry(nullptr);
    }
    m_deadline.pause();
    const asio::cancellation_state state = co_await asio::this_coro::cancellation_state;
    if (gaveUp || state.cancelled() != asio::cancellation_type::none)
        co_return tl::unexpected(makeFailure(UpstreamFailure::Kind::cancelled, std::string(dispatch::kGivenUpConnecting),
                                             "The call was given up while connecting"));
    if (!opened) {
        opened.error().message = "Provider " + m_upstream->providerId + ": " + opened.error().message;
        if (const auto limit = m_deadline.fired()) opened.error().message += settingOf(*limit);
        co_return tl::unexpected(std::move(opened.error()));
    }
    m_connection = std::move(*opened);
    co_return Done{};
}

asio::awaitable<Done> HttpExchange::exchangeHead(const std::string& head, const std::string& body) {
    m_connection->beginRequest();
    m_deadline.onExpiry([this] { m_connection->cancel(); });
    m_firstByteBy = now() + m_upstream->limits.firstByte;
    std::array<asio::const_buffer, 2> toWrite{asio::buffer(head), asio::buffer(body)};
    IoResult written{m_connection->writeNow(toWrite)};
    m_neverLeft = written.error && m_connection->wroteNothing();
    if (!written.error && asio::buffer_size(toWrite) > 0) {
        armDeadline();
        written = co_await m_connection->writeAll(toWrite);
        m_deadline.pause();
    }
    const bool gaveUp = m_deadline.fired() || written.error == asio::error::operation_aborted;
    if (gaveUp) co_return tl::unexpected(ioFailure(written.error));
    // After another write error the upstream may still have answered, a 413 for instance: read on.
    while (!m_parser.headComplete()) {
        Done more = beforeRead();
        if (more) more = afterRead(co_await m_connection->read());
        if (!more) co_return tl::unexpected(std::move(more.error()));
    }
    co_return acceptHead();
}

/// This and `afterRead` stand around every waiting read. They are no coroutine around it: each one more is memory that has
/// left the caches when the next chunk of a stream comes.
Done HttpExchange::beforeRead() {
    if (m_deadline.fired()) return tl::unexpected(ioFailure({}));
    armDeadline();
    return {};
}

/// Deadline, parser, and what a close means.
Done HttpExchange::afterRead(const IoResult& got) {
    m_deadline.pause();
    m_peerFinished = got.error == asio::error::eof || got.error == asio::ssl::error::stream_truncated;
    if (got.error == asio::error::eof) {
        if (m_parser.close()) return tl::unexpected(ioFailure(got.error));
        return {};
    }
    if (got.error) return tl::unexpected(ioFailure(got.error));
    if (auto problem = m_parser.feed(m_connection->received(got), m_raw))
        return tl::unexpected(failureNow(UpstreamFailure::Kind::protocol, "not_http",
                                         label() + " does not answer in HTTP: " + *problem));
    return {};
}

Done HttpExchange::acceptHead() {
    if (head().status < 200)
        return tl::unexpected(failureNow(UpstreamFailure::Kind::protocol, "unexpected_upgrade",
                                          label() + " switched protocols unasked"));
    m_decoder = BodyDecoder::forEncoding(head().header("content-encoding"));
    if (!m_decoder)
        return tl::unexpected(failureNow(UpstreamFailure::Kind::protocol, "unusable_encoding",
                                          label() + " encoded its answer as " +
                                              redacted(head().header("content-encoding"), {}) +
                                              " although identity was asked for"));
    return {};
}

asio::awaitable<tl::expected<bool, UpstreamFailure>> HttpExchange::read(std::string& into, std::size_t limit) {
    while (m_raw.empty() && !m_parser.complete()) {
        Done more = beforeRead();
        if (more) more = afterRead(co_await m_connection->read());
        if (!more) co_return tl::unexpected(std::move(more.error()));
    }
    if (m_parser.complete()) releaseConnection();
    if (m_raw.empty()) {
        if (m_decoder->finished()) co_return false;
        co_return tl::unexpected(failureNow(UpstreamFailure::Kind::protocol, "corrupt_encoding",
                                             label() + " sent a compressed answer that ends too early"));
    }
    Done decoded = decodeInto(into, limit);
    if (!decoded) co_return tl::unexpected(std::move(decoded.error()));
    co_return true;
}

Done HttpExchange::decodeInto(std::string& into, std::size_t limit) {
    const BodyDecoder::Outcome outcome = m_decoder->decode(m_raw, into, limit);  // may take the bytes themselves
    m_raw.clear();
    switch (outcome) {
    case BodyDecoder::Outcome::decoded: return {};
    case BodyDecoder::Outcome::corrupt:
        return tl::unexpected(failureNow(UpstreamFailure::Kind::protocol, "corrupt_encoding",
                                          label() + " sent an answer that is not the encoding it claims"));
    case BodyDecoder::Outcome::tooLarge: break;
    }
    return tl::unexpected(failureNow(UpstreamFailure::Kind::protocol, "answer_too_large",
                                      label() + " sent more than " + std::to_string(limit >> 20) + " MiB"));
}

void HttpExchange::finishWithin(std::chrono::milliseconds grace) {
    firstFrameSeen();
    m_finishBy = now() + grace;
}

std::string HttpExchange::label() const {
    return "Provider " + m_upstream->providerId + " (" + m_upstream->origin.way() + ")";
}

// Also what breaks a body says which head it followed (F7).
UpstreamFailure HttpExchange::failureNow(UpstreamFailure::Kind kind, std::string code, std::string message) const {
    UpstreamFailure failure = makeFailure(kind, std::move(code), std::move(message));
    if (m_parser.headComplete()) failure.headStatus = m_parser.head().status;
    return failure;
}

std::string HttpExchange::settingOf(Limit limit) const {
    if (m_upstream->section.empty()) return {};
    const auto named = [this](const char* setting, std::chrono::milliseconds value) {
        return std::string(": ") + setting + " of " + m_upstream->section + " in gateway.toml is " + std::to_string(value.count());
    };
    switch (limit) {
    case Limit::connect: return named("connect_timeout_ms", m_upstream->limits.connect);
    case Limit::firstByte: return named("first_byte_timeout_ms", m_upstream->limits.firstByte);
    case Limit::streamIdle: return named("stream_idle_timeout_ms", m_upstream->limits.streamIdle);
    case Limit::total: return named("request_timeout_ms", m_upstream->limits.total);
    case Limit::requestBudget: break;  // of the request, whose edge names its setting
    }
    return {};
}

UpstreamFailure HttpExchange::ioFailure(const error_code& error) const {
    if (const auto limit = m_deadline.fired()) {
        const bool ofRequest = limit == Limit::requestBudget;
        return failureNow(UpstreamFailure::Kind::timeout, std::string(timeoutCode(*limit)),
                           label() + (ofRequest ? " was not done when the request's time was over"
                                                : " did not go on in time" + settingOf(*limit)));
    }
    if (error == asio::error::operation_aborted)
        return failureNow(UpstreamFailure::Kind::cancelled, "cancelled", "The call was given up");
    return failureNow(UpstreamFailure::Kind::disconnected, "disconnected",
                       label() + " closed the connection before the end of its answer: " + error.message());
}

/// A FIN acknowledges everything its sender had received. One that acknowledges nothing of this request was sent
/// before the request arrived. A reset proves nothing, for it may follow a request that was taken, unless it was there
/// before the first byte of this one.
bool HttpExchange::diedBeforeRequest() {
    return m_reused && !m_parser.started() && (m_neverLeft || (m_peerFinished && m_connection->tookNothing()));
}

void HttpExchange::armDeadline() {
    if (m_limit == Limit::firstByte) m_deadline.arm(m_firstByteBy, m_limit);
    else m_deadline.arm(std::min(now() + m_upstream->limits.streamIdle, m_finishBy), m_limit);
}

const std::string& HttpExchange::idleKeyOfOrigin() {
    if (!m_upstream->idleKey.empty()) return m_upstream->idleKey;
    if (m_ownIdleKey.empty()) m_ownIdleKey = idleKey(m_upstream->origin);
    return m_ownIdleKey;
}

void HttpExchange::releaseConnection() {
    if (!m_connection) return;
    m_deadline.onExpiry(nullptr);
    // What came behind the answer would be read as the answer to the next request.
    const bool isClean = m_parser.reusable() && !m_connection->holdsUnread();
    if (m_upstream->keepAlive && isClean) keepIdle(m_executor, idleKeyOfOrigin(), std::move(m_connection));
    m_connection.reset();
}

}  // namespace signalbox::upstream
