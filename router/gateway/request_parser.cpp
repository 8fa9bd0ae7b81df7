// SPDX-License-Identifier: MIT
#include "router/gateway/request_parser.h"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <vector>

namespace signalbox::gateway {

namespace {

namespace http = boost::beast::http;
using boost::beast::string_view;
using boost::system::error_code;

constexpr std::uint32_t kMaxHeaderBytes = 64 << 10;

/// What came of a request. The head's texts stand one behind the other, so that one piece of memory serves all requests
/// of a connection.
class Received {
public:
    struct Piece {
        std::size_t begin = 0, size = 0;
    };
    struct Field {
        http::field id;
        Piece name, value;
    };

    void clear() {
        m_text.clear();
        method = target = {};
        version = 11;
        fields.clear();
        body = std::string(); // its memory goes with it when it was large
    }
    Piece keep(string_view text) {
        const Piece piece{m_text.size(), text.size()};
        m_text.append(text.data(), text.size());
        return piece;
    }
    [[nodiscard]] std::string_view text(Piece piece) const {
        return std::string_view(m_text).substr(piece.begin, piece.size);
    }

    Piece method, target;
    int version = 11;
    std::vector<Field> fields;
    std::string body;

private:
    std::string m_text;
};

/// Beast's push parser, which writes into what the session keeps.
class Parser final : public http::basic_parser<true> {
public:
    explicit Parser(Received& received) : m_received(received) {}

private:
    void on_request_impl(http::verb, string_view method, string_view target, int version, error_code&) override {
        m_received.method = m_received.keep(method);
        m_received.target = m_received.keep(target);
        m_received.version = version;
    }
    void on_response_impl(int, string_view, int, error_code&) override {}
    void on_field_impl(http::field id, string_view name, string_view value, error_code&) override {
        if (is_header_done())
            return; // a trailer, which nobody reads; the head has been lent to the session
        const Received::Piece kept = m_received.keep(name);
        m_received.fields.push_back({id, kept, m_received.keep(value)});
    }
    void on_header_impl(error_code&) override {}
    void on_body_init_impl(const boost::optional<std::uint64_t>& length, error_code&) override {
        if (length)
            m_received.body.reserve(static_cast<std::size_t>(*length));
    }
    std::size_t on_body_impl(string_view bytes, error_code&) override { return take(bytes); }
    void on_chunk_header_impl(std::uint64_t, string_view, error_code&) override {}
    std::size_t on_chunk_body_impl(std::uint64_t, string_view bytes, error_code&) override { return take(bytes); }
    void on_finish_impl(error_code&) override {}

    std::size_t take(string_view bytes) {
        m_received.body.append(bytes.data(), bytes.size());
        return bytes.size();
    }

    Received& m_received;
};

/// Names as messages show them; what a client wrote may differ in case.
constexpr std::array<std::string_view, 2> kSessionNames{"X-ModelPort-Session-Id", "X-Signalbox-Session-Id"};
constexpr std::array<std::string_view, 2> kProfileNames{"X-ModelPort-Routing-Profile",
                                                        "X-Signalbox-Routing-Profile"};

void takeRoutingHeader(HttpRequest& head, std::string_view lowerName, std::string_view value) {
    if (lowerName == "x-modelport-session-id")
        head.sessionId.take(kSessionNames[0], value);
    else if (lowerName == "x-signalbox-session-id")
        head.sessionId.take(kSessionNames[1], value);
    else if (lowerName == "x-modelport-routing-profile")
        head.routingProfile.take(kProfileNames[0], value);
    else if (lowerName == "x-signalbox-routing-profile")
        head.routingProfile.take(kProfileNames[1], value);
}

void takeTraceParent(HttpRequest& head, std::string_view value) {
    const bool isFirst = head.traceParent.empty() && !head.repeatedTraceParent;
    head.traceParent = isFirst ? value : std::string_view();
    head.repeatedTraceParent = !isFirst;
}

/// A header that HTTP does not know.
void takeOther(HttpRequest& head, std::string_view name, std::string_view value) {
    std::array<char, 64> room;
    if (name.size() > room.size())
        return;
    std::transform(name.begin(), name.end(), room.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    const std::string_view lower(room.data(), name.size());
    if (lower == "x-api-key")
        head.apiKey = value;
    else if (lower == "x-request-id")
        head.requestId = value;
    else if (lower == "anthropic-version")
        head.anthropicVersion = value;
    else if (lower == "anthropic-beta")
        head.anthropicBeta.append(head.anthropicBeta.empty() ? "" : ",").append(value);
    else if (lower == "traceparent")
        takeTraceParent(head, value);
    else if (lower == "tracestate")
        head.traceState.append(head.traceState.empty() ? "" : ",").append(value);
    else if (lower == "x-signalbox-expected-length")
        head.expectedLength = value;
    else if (lower == "x-signalbox-category")
        head.category = value;
    else if (lower == "x-signalbox-input-tokens")
        head.inputTokens = value;
    else if (lower == "x-signalbox-pin")
        head.pin = value;
    else if (lower == "x-signalbox-actor")
        head.actor = value;
    else
        takeRoutingHeader(head, lower, value);
}

/// Fills the fields that we look at in one walk.
HttpRequest viewOf(const Parser& parser, const Received& received) {
    HttpRequest head;
    head.method = received.text(received.method);
    head.target = received.text(received.target);
    head.http11 = received.version >= 11;
    if (parser.is_header_done()) { // Beast must not be asked before
        head.keepAlive = parser.keep_alive();
        head.chunked = parser.chunked();
        if (const auto length = parser.content_length())
            head.contentLength = *length;
    }
    for (const Received::Field& field : received.fields) {
        const std::string_view value = received.text(field.value);
        switch (field.id) {
        case http::field::host:
            head.repeatedHost = head.hasHost;
            head.hasHost = true;
            head.host = value;
            break;
        case http::field::origin:
            head.origin = value;
            head.hasOrigin = true;
            break;
        case http::field::authorization:
            head.authorization = value;
            break;
        case http::field::transfer_encoding:
            head.transferEncoding = head.transferEncoding.empty() ? value : "repeated";
            break;
        case http::field::content_encoding:
            head.contentEncoding = value;
            break;
        case http::field::sec_fetch_site:
            head.secFetchSite = value;
            break;
        case http::field::expect:
            head.expect = value;
            break;
        case http::field::user_agent:
            head.userAgent = value;
            break;
        case http::field::unknown:
            takeOther(head, received.text(field.name), value);
            break;
        default:
            break;
        }
    }
    return head;
}

} // namespace

struct RequestParser::Parts {
    Received received;
    std::optional<Parser> parser; ///< made anew for each request
    std::optional<std::uint64_t> bodyLimit;

    [[nodiscard]] EdgeError explain(const boost::system::error_code& ec) const {
        if (ec == http::error::body_limit)
            return bodyTooLarge(bodyLimit.value_or(0));
        if (ec == http::error::header_limit) {
            return edgeError(431, "header_too_large",
                             "The request header is larger than 64 KiB. Send fewer or shorter headers.");
        }
        return edgeError(400, "malformed_request", "This is not an HTTP/1.1 request: " + ec.message() + ".");
    }
};

RequestParser::RequestParser() : m_parts(std::make_unique<Parts>()) {
    restart();
}

RequestParser::~RequestParser() = default;

void RequestParser::restart() {
    m_parts->received.clear();
    m_parts->parser.emplace(m_parts->received);
    m_parts->parser->header_limit(kMaxHeaderBytes);
    m_parts->parser->body_limit(boost::none);
    m_parts->bodyLimit.reset();
}

void RequestParser::limitBody(std::uint64_t bytes) {
    m_parts->bodyLimit = bytes;
    m_parts->parser->body_limit(bytes);
}

RequestParser::Fed RequestParser::feed(std::string_view bytes) {
    boost::system::error_code ec;
    Fed fed;
    // Beast looks at an announced length when the head ends, which is before anybody has set a limit.
    const auto announced = m_parts->parser->is_header_done() ? m_parts->parser->content_length() : boost::none;
    if (m_parts->bodyLimit && announced && *announced > *m_parts->bodyLimit) {
        fed.error = bodyTooLarge(*m_parts->bodyLimit);
        return fed;
    }
    // Beast asserts that a last chunk comes with the four bytes that follow its 0; less than five never end a message.
    if (m_parts->parser->is_header_done() && m_parts->parser->chunked() && bytes.size() < 5)
        return fed;
    fed.used = m_parts->parser->put(boost::asio::buffer(bytes.data(), bytes.size()), ec);
    if (ec && ec != http::error::need_more)
        fed.error = m_parts->explain(ec);
    return fed;
}

bool RequestParser::hasHead() const {
    return m_parts->parser->is_header_done();
}

bool RequestParser::isDone() const {
    return m_parts->parser->is_done();
}

HttpRequest RequestParser::head() const {
    return viewOf(*m_parts->parser, m_parts->received);
}

std::string RequestParser::takeBody() {
    return std::move(m_parts->received.body);
}

std::uint64_t RequestParser::bodyBytes() const {
    return m_parts->received.body.size();
}

EdgeError bodyTooLarge(std::uint64_t limit) {
    return edgeError(413, "request_too_large",
                     "The request body is larger than " + std::to_string(limit) +
                         " bytes. Send less, or raise server.max_request_body_bytes.");
}

} // namespace signalbox::gateway
