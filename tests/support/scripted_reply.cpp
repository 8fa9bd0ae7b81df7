// SPDX-License-Identifier: MIT
#include "tests/support/scripted_upstream.h"

#include <algorithm>
#include <cctype>

namespace signalbox::test {

namespace {

bool equalsIgnoringCase(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::string hex(std::size_t number) {
    std::string out;
    do {
        out.insert(out.begin(), "0123456789abcdef"[number % 16]);
        number /= 16;
    } while (number != 0);
    return out;
}

}  // namespace

Reply Reply::raw(std::string bytes) {
    Reply reply;
    reply.bytes(std::move(bytes));
    return reply;
}

Reply Reply::json(std::string body, int status, std::string extraHeaders) {
    return raw("HTTP/1.1 " + std::to_string(status) + " Scripted\r\nContent-Type: application/json\r\n" + extraHeaders +
               "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
}

Reply Reply::stream(std::string extraHeaders) {
    return raw("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n" + extraHeaders +
               "Transfer-Encoding: chunked\r\n\r\n");
}

Reply& Reply::event(std::string_view data) { return chunk("data: " + std::string(data) + "\n\n"); }

Reply& Reply::chunk(std::string_view bytes) {
    return this->bytes(hex(bytes.size()) + "\r\n" + std::string(bytes) + "\r\n");
}

Reply& Reply::bytes(std::string bytes, std::size_t pieceBytes) {
    m_steps.push_back({Step::Kind::send, std::move(bytes), pieceBytes != 0 ? pieceBytes : m_pieceBytes});
    return *this;
}

Reply& Reply::end() { return bytes("0\r\n\r\n"); }

Reply& Reply::inPieces(std::size_t pieceBytes) {
    m_pieceBytes = pieceBytes;
    return *this;
}

Reply& Reply::gather() {
    m_steps.push_back({Step::Kind::gather, {}, 0});
    return *this;
}

Reply& Reply::stall() {
    m_steps.push_back({Step::Kind::stall, {}, 0});
    return *this;
}

Reply& Reply::awaitRelease() {
    m_steps.push_back({Step::Kind::awaitRelease, {}, 0});
    return *this;
}

Reply& Reply::close() {
    m_steps.push_back({Step::Kind::close, {}, 0});
    return *this;
}

Reply& Reply::reset() {
    m_steps.push_back({Step::Kind::reset, {}, 0});
    return *this;
}

std::string ReceivedRequest::header(std::string_view name) const {
    for (std::size_t at = head.find("\r\n"); at != std::string::npos && at + 2 < head.size();) {
        const std::size_t from = at + 2;
        const std::size_t end = head.find("\r\n", from);
        const std::string_view line = std::string_view(head).substr(from, end - from);
        const std::size_t colon = line.find(':');
        if (colon != std::string_view::npos && equalsIgnoringCase(line.substr(0, colon), name)) {
            const std::size_t value = line.find_first_not_of(' ', colon + 1);
            return value == std::string_view::npos ? std::string() : std::string(line.substr(value));
        }
        at = end;
    }
    return {};
}

std::string ReceivedRequest::requestLine() const { return head.substr(0, head.find("\r\n")); }

}  // namespace signalbox::test
