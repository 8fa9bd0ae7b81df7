// SPDX-License-Identifier: MIT
#include "router/gateway/request_parser.h"

#include "router/base/text.h"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

namespace signalbox::gateway {

namespace {

namespace http = boost::beast::http;
using Parser = http::request_parser<http::string_body>;

constexpr std::uint32_t kMaxHeaderBytes = 64 << 10;

std::string_view view(boost::beast::string_view text) {
    return {text.data(), text.size()};
}

/// Names as messages show them; what a client wrote may differ in case.
constexpr std::array<std::string_view, 2> kSessionNames{"X-ModelPort-Session-Id", "X-Signalbox-Session-Id"};
constexpr std::array<std::string_view, 2> kProfileNames{"X-ModelPort-Routing-Profile",
                                                        "X-Signalbox-Routing-Profile"};

void takeRoutingHeader(HttpRequest& head, const std::string& lowerName, std::string_view value) {
    if (lowerName == "x-modelport-session-id")
        head.sessionId.take(kSessionNames[0], value);
    else if (lowerName == "x-signalbox-session-id")
        head.sessionId.take(kSessionNames[1], value);
    else if (lowerName == "x-modelport-routing-profile")
        head.routingProfile.take(kProfileNames[0], value);
    else if (lowerName == "x-signalbox-routing-profile")
        head.routingProfile.take(kProfileNames[1], value);
}

/// Fills the fields that we look at in one walk.
HttpRequest viewOf(const Parser& parser) {
    const auto& message = parser.get();
    HttpRequest head;
    head.method = view(message.method_string());
    head.target = view(message.target());
    head.http11 = message.version() >= 11;
    head.keepAlive = message.keep_alive();
    head.chunked = parser.chunked();
    if (const auto length = parser.content_length())
        head.contentLength = *length;
    for (const auto& field : message) {
        const std::string_view value = view(field.value());
        switch (field.name()) {
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
        case http::field::unknown: {
            const std::string name = asciiLower(view(field.name_string()));
            if (name == "x-api-key")
                head.apiKey = value;
            else if (name == "x-request-id")
                head.requestId = value;
            else if (name == "anthropic-version")
                head.anthropicVersion = value;
            else if (name == "anthropic-beta")
                head.anthropicBeta.append(head.anthropicBeta.empty() ? "" : ",").append(value);
            else if (name == "x-signalbox-expected-length")
                head.expectedLength = value;
            else if (name == "x-signalbox-category")
                head.category = value;
            else if (name == "x-signalbox-input-tokens")
                head.inputTokens = value;
            else if (name == "x-signalbox-pin")
                head.pin = value;
            else if (name == "x-signalbox-actor")
                head.actor = value;
            else
                takeRoutingHeader(head, name, value);
            break;
        }
        default:
            break;
        }
    }
    return head;
}

} // namespace

struct RequestParser::Parts {
    std::optional<Parser> parser; ///< made anew for each request, so that a large body's memory goes with it
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
    m_parts->parser.emplace();
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
    return viewOf(*m_parts->parser);
}

std::string RequestParser::takeBody() {
    return std::move(m_parts->parser->get().body());
}

std::uint64_t RequestParser::bodyBytes() const {
    return m_parts->parser->get().body().size();
}

EdgeError bodyTooLarge(std::uint64_t limit) {
    return edgeError(413, "request_too_large",
                     "The request body is larger than " + std::to_string(limit) +
                         " bytes. Send less, or raise server.max_request_body_bytes.");
}

} // namespace signalbox::gateway
