// SPDX-License-Identifier: MIT
#include "router/gateway/response_writer.h"

#include "router/gateway/anthropic_error.h"

#include <algorithm>
#include <charconv>

namespace signalbox::gateway {

namespace {
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
constexpr std::string_view kLastChunk = "0\r\n\r\n";
constexpr std::size_t kUsualHeadBytes = 512;
/// For the error that the time is over, and for what was ready at the last moment.
constexpr std::chrono::milliseconds kEndGrace{1'000};

asio::const_buffer bytesOf(std::string_view text) {
    return {text.data(), text.size()};
}

/// In one piece: a head is some twenty of them, and each append would ask anew for its room.
void appendAll(std::string& out, std::initializer_list<std::string_view> pieces) {
    std::size_t bytes = 0;
    for (const std::string_view piece : pieces)
        bytes += piece.size();
    std::size_t at = out.size();
    out.resize(at + bytes);
    for (const std::string_view piece : pieces)
        at += piece.copy(out.data() + at, piece.size());
}

std::string chunkHead(std::size_t size) {
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), size, 16).ptr;
    return std::string(digits.data(), end) + "\r\n";
}
} // namespace

void ResponseWriter::begin(const HttpRequest* request) {
    m_headers.clear();
    m_pendingHead.clear();
    m_endsBy = Steady::max();
    m_requestId.clear();
    m_edge = request == nullptr ? Edge::openai : edgeOf(*request);
    m_eventsStarted = false;
    m_headSent = false;
    m_http11 = request == nullptr || request->http11;
    m_headOnly = request != nullptr && request->isHead();
    m_keepAlive = request != nullptr && request->keepAlive;
}

std::chrono::milliseconds ResponseWriter::patience(std::chrono::milliseconds atLeast) const {
    if (m_endsBy == Steady::max())
        return m_stallLimit;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(m_endsBy - std::chrono::steady_clock::now());
    return std::min(m_stallLimit, std::max(left, atLeast));
}

void ResponseWriter::identify(std::string_view requestId) {
    m_requestId = requestId;
    addHeader("x-request-id", requestId);
    if (m_edge == Edge::anthropic)
        addHeader("request-id", requestId);
}

void ResponseWriter::addHeader(std::string_view name, std::string_view value) {
    if (m_headers.empty())
        m_headers.reserve(kUsualHeadBytes);
    appendAll(m_headers, {name, ": ", value, "\r\n"});
}

void ResponseWriter::appendHead(std::string& out, int status, std::string_view contentType) const {
    appendAll(out, {m_http11 ? "HTTP/1.1 " : "HTTP/1.0 ", std::to_string(status), " ", reasonPhrase(status), "\r\ncontent-type: ",
                    contentType, "\r\n", m_headers});
    if (!m_keepAlive)
        out.append("connection: close\r\n");
    if (m_keepAlive && !m_http11)
        out.append("connection: keep-alive\r\n");
}

asio::awaitable<bool> ResponseWriter::send(int status, std::string_view contentType, std::string_view body) {
    m_head.clear();
    m_head.reserve(kUsualHeadBytes);
    appendHead(m_head, status, contentType);
    appendAll(m_head, {"content-length: ", std::to_string(body.size()), "\r\n\r\n"});
    m_headSent = true;
    return m_connection.write({bytesOf(m_head), m_headOnly ? asio::const_buffer() : bytesOf(body), {}},
                              patience(kEndGrace));
}

asio::awaitable<bool> ResponseWriter::send(const EdgeError& error) {
    if (error.retryAfter)
        addHeader("retry-after", std::to_string(error.retryAfter->count()));
    if (error.needsOperator)
        addHeader("x-should-retry", "false"); // what both vendors' SDKs go by; others have the status
    if (!error.allow.empty())
        addHeader("allow", error.allow);
    if (error.status == 401)
        addHeader("www-authenticate", "Bearer realm=\"signalbox\"");
    const std::string body = m_edge == Edge::anthropic ? anthropicErrorJson(error, m_requestId) : error.json();
    co_return co_await send(error.status, "application/json", body);
}

asio::awaitable<bool> ResponseWriter::sendContinue() {
    const std::array<asio::const_buffer, 3> pieces{bytesOf(kContinue), {}, {}};
    co_return co_await m_connection.write(pieces, patience(kEndGrace));
}

void ResponseWriter::startEvents(std::string_view contentType) {
    if (m_eventsStarted)
        return;
    m_eventsStarted = true;
    addHeader("cache-control", "no-cache");
    if (m_http11) {
        addHeader("transfer-encoding", "chunked");
    } else {
        m_keepAlive = false;
    }
    appendHead(m_pendingHead, 200, contentType);
    m_pendingHead.append("\r\n");
}

asio::awaitable<bool> ResponseWriter::event(std::string_view bytes) {
    if (bytes.empty())
        co_return true;
    std::string front = std::move(m_pendingHead);
    m_pendingHead.clear();
    if (m_http11)
        front += chunkHead(bytes.size());
    m_headSent = true;
    const std::string_view back = m_http11 ? "\r\n" : "";
    const std::array<asio::const_buffer, 3> pieces{bytesOf(front), bytesOf(bytes), bytesOf(back)};
    co_return co_await m_connection.write(pieces, patience(std::chrono::milliseconds(1)));
}

asio::awaitable<bool> ResponseWriter::finishEvents(std::string_view bytes) {
    std::string front = std::move(m_pendingHead);
    m_pendingHead.clear();
    std::string back;
    if (m_http11) {
        if (!bytes.empty()) {
            front += chunkHead(bytes.size());
            back = "\r\n";
        }
        back += kLastChunk;
    }
    m_headSent = true;
    const std::array<asio::const_buffer, 3> pieces{bytesOf(front), bytesOf(bytes), bytesOf(back)};
    co_return co_await m_connection.write(pieces, patience(kEndGrace));
}

asio::awaitable<bool> ResponseWriter::finishEvents(const EdgeError& error) {
    const std::string event = m_edge == Edge::anthropic ? anthropicErrorEvent(error, m_requestId) : error.sseEvent();
    co_return co_await finishEvents(std::string_view(event));
}

std::string headerSafe(std::string_view text) {
    static constexpr std::string_view kHex = "0123456789ABCDEF";
    const auto isPlain = [](char c) { return c > 0x20 && c < 0x7f && c != '%'; };
    if (std::all_of(text.begin(), text.end(), isPlain))
        return std::string(text);
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (isPlain(c)) {
            out += c;
        } else {
            out.append({'%', kHex[byte >> 4], kHex[byte & 15]});
        }
    }
    return out;
}

} // namespace signalbox::gateway
