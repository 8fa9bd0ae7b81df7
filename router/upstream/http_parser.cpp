// SPDX-License-Identifier: MIT
#include "router/upstream/http_parser.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>

namespace signalbox::upstream {

namespace {

namespace http = boost::beast::http;
using boost::beast::string_view;
using boost::beast::error_code;

constexpr std::uint32_t kMaxHeadBytes = 64 * 1024;
constexpr std::string_view kEncoding = "content-encoding";
constexpr std::size_t kUsualHeaders = 12;
constexpr std::size_t kUsualHeadBytes = 512;
/// Of an announced body this much memory is taken at once, and a little more, which who reads JSON needs behind it.
constexpr std::uint64_t kMaxReserved = 1 << 20;
constexpr std::size_t kRoomBehind = 64;

std::string_view asStd(string_view text) { return {text.data(), text.size()}; }

char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool isSameName(std::string_view one, std::string_view other) {
    return std::ranges::equal(one, other, {}, lowered, lowered);
}

/// Beast's push parser, writing into what we keep.
class Sink final : public http::basic_parser<false> {
public:
    Sink() {
        eager(true);
        header_limit(kMaxHeadBytes);
        body_limit(boost::none);
    }
    HttpHead head;
    std::string* body = nullptr;
    std::uint64_t chunkLeft = 0;  ///< bytes of the current chunk that are still to come

private:
    void on_request_impl(http::verb, string_view, string_view, int, error_code&) override {}
    void on_response_impl(int code, string_view, int, error_code&) override { head.status = code; }
    void on_field_impl(http::field field, string_view name, string_view value, error_code&) override {
        if (field == http::field::content_encoding) return head.addEncoding(asStd(value));
        head.add(asStd(name), asStd(value));
    }
    void on_header_impl(error_code&) override {}
    void on_body_init_impl(const boost::optional<std::uint64_t>& length, error_code&) override {
        if (length) body->reserve(static_cast<std::size_t>(std::min(*length, kMaxReserved)) + kRoomBehind);
    }
    std::size_t on_body_impl(string_view bytes, error_code&) override { return keep(bytes); }
    void on_chunk_header_impl(std::uint64_t size, string_view, error_code&) override { chunkLeft = size; }
    std::size_t on_chunk_body_impl(std::uint64_t left, string_view bytes, error_code&) override {
        chunkLeft = left - bytes.size();
        return keep(bytes);
    }
    void on_finish_impl(error_code&) override {}

    std::size_t keep(string_view bytes) {
        body->append(bytes.data(), bytes.size());
        return bytes.size();
    }
};

}  // namespace

std::string_view HttpHead::header(std::string_view name) const {
    for (const Field& one : m_fields)
        if (isSameName(text(one.name), name)) return text(one.value);
    return {};
}

HttpHead::Piece HttpHead::keep(std::string_view text) {
    const Piece piece{static_cast<std::uint32_t>(m_text.size()), static_cast<std::uint32_t>(text.size())};
    m_text.append(text);
    return piece;
}

void HttpHead::add(std::string_view name, std::string_view value) {
    if (m_fields.empty()) {
        m_fields.reserve(kUsualHeaders);
        m_text.reserve(kUsualHeadBytes);
    }
    const Piece kept = keep(name);
    m_fields.push_back({kept, keep(value)});
}

void HttpHead::addEncoding(std::string_view value) {
    for (Field& one : m_fields) {
        if (!isSameName(text(one.name), kEncoding)) continue;
        // Two are more than anybody undoes; the others need not be kept.
        if (text(one.value).find(',') == std::string_view::npos) one.value = keep(std::string(text(one.value)).append(", ").append(value));
        return;
    }
    add(kEncoding, value);
}

struct HttpParser::Impl {
    std::optional<Sink> sink{std::in_place};
    std::string pending;  ///< not yet parseable: an unfinished head or chunk header
    bool started = false;
    bool closed = false;

    /// Beast asserts that a last chunk comes with the four bytes that follow its 0. Within a chunk there is none: what
    /// looks like one is body, and a stream's client waits for it.
    [[nodiscard]] bool mustWaitForMore(std::string_view bytes) const {
        const bool mayBeLast = bytes.front() == '0' || bytes.front() == '\r';
        return bytes.size() < 5 && mayBeLast && sink->is_header_done() && sink->chunked() && sink->chunkLeft == 0;
    }

    /// Interim answers (100, 103) precede the one that was asked for.
    bool skippedInterim() {
        if (!sink->is_done() || sink->head.status / 100 != 1 || sink->head.status == 101) return false;
        sink.emplace();
        return true;
    }
};

HttpParser::HttpParser() : m_impl(std::make_unique<Impl>()) {}
HttpParser::~HttpParser() = default;
HttpParser::HttpParser(HttpParser&&) noexcept = default;
HttpParser& HttpParser::operator=(HttpParser&&) noexcept = default;

std::optional<std::string> HttpParser::feed(std::string_view bytes, std::string& body) {
    Impl& impl = *m_impl;
    impl.started = impl.started || !bytes.empty();
    std::string joined;
    if (!impl.pending.empty()) {
        joined = std::move(impl.pending);
        joined.append(bytes);
        bytes = joined;
        impl.pending.clear();
    }
    while (!bytes.empty() && !impl.sink->is_done()) {
        if (impl.mustWaitForMore(bytes)) break;
        error_code ec;
        impl.sink->body = &body;
        const std::size_t used = impl.sink->put(boost::asio::const_buffer(bytes.data(), bytes.size()), ec);
        bytes.remove_prefix(used);
        if (impl.skippedInterim()) continue;
        if (ec == http::error::need_more || (!ec && used == 0)) break;
        if (ec) return ec.message();
    }
    // Beast bounds the head but not what follows the size in a chunk header.
    if (!impl.sink->is_done() && bytes.size() > kMaxHeadBytes) return "a chunk header without end";
    impl.pending = bytes;
    return std::nullopt;
}

std::optional<std::string> HttpParser::close() {
    m_impl->closed = true;
    if (m_impl->sink->is_done()) return std::nullopt;
    if (!m_impl->sink->got_some()) return "no response";
    error_code ec;
    m_impl->sink->put_eof(ec);
    if (ec) return ec.message();
    return std::nullopt;
}

bool HttpParser::headComplete() const { return m_impl->sink->is_header_done(); }
const HttpHead& HttpParser::head() const { return m_impl->sink->head; }
bool HttpParser::complete() const { return m_impl->sink->is_done(); }
bool HttpParser::started() const { return m_impl->started; }

bool HttpParser::reusable() const {
    return complete() && !m_impl->closed && m_impl->pending.empty() && m_impl->sink->keep_alive();
}

}  // namespace signalbox::upstream
