// SPDX-License-Identifier: MIT
#include "tests/support/raw_http.h"

#include <arpa/inet.h>
#include <array>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace signalbox::test {

namespace {

std::string lower(std::string text) {
    for (char& c : text)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return text;
}

RawResponse parseHead(std::string_view head) {
    RawResponse response;
    response.status = std::atoi(std::string(head.substr(9, 3)).c_str());
    std::size_t at = head.find("\r\n");
    while (at != std::string_view::npos && at + 2 < head.size()) {
        const std::size_t end = std::min(head.find("\r\n", at + 2), head.size());
        const std::string_view line = head.substr(at + 2, end - at - 2);
        const std::size_t colon = line.find(':');
        if (colon != std::string_view::npos) {
            std::size_t value = line.find_first_not_of(' ', colon + 1);
            value = std::min(value, line.size());
            response.headers[lower(std::string(line.substr(0, colon)))] = line.substr(value);
        }
        at = end < head.size() ? end : std::string_view::npos;
    }
    return response;
}

} // namespace

RawClient::RawClient(std::uint16_t port, std::chrono::milliseconds patience) : m_patience(patience) {
    m_fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int on = 1; // what is sent in pieces shall arrive in pieces, and at once
    ::setsockopt(m_fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (::connect(m_fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
        close();
}

RawClient::RawClient(RawClient&& other) noexcept
    : m_fd(std::exchange(other.m_fd, -1)), m_patience(other.m_patience), m_buffer(std::move(other.m_buffer)),
      m_eof(other.m_eof) {}

RawClient::~RawClient() {
    close();
}

void RawClient::close() {
    if (m_fd >= 0)
        ::close(m_fd);
    m_fd = -1;
}

void RawClient::setReceiveBuffer(int bytes) {
    ::setsockopt(m_fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

bool RawClient::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(m_fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

bool RawClient::readMore() {
    if (m_eof || m_fd < 0)
        return false;
    pollfd wait{m_fd, POLLIN, 0};
    if (::poll(&wait, 1, static_cast<int>(m_patience.count())) <= 0)
        return false;
    std::array<char, 65536> chunk{};
    const ssize_t got = ::recv(m_fd, chunk.data(), chunk.size(), 0);
    m_eof = got <= 0;
    if (got > 0)
        m_buffer.append(chunk.data(), static_cast<std::size_t>(got));
    return got > 0;
}

bool RawClient::waitFor(std::string_view text) {
    while (m_buffer.find(text) == std::string::npos) {
        if (!readMore())
            return false;
    }
    return true;
}

std::string RawClient::readAtMost(std::size_t bytes) {
    if (m_buffer.empty())
        readMore();
    std::string out = m_buffer.substr(0, bytes);
    m_buffer.erase(0, out.size());
    return out;
}

bool RawClient::closedByPeer() {
    while (readMore()) {
    }
    return m_eof;
}

std::optional<RawResponse> RawClient::response(bool head) {
    if (!waitFor("\r\n\r\n"))
        return std::nullopt;
    const std::size_t headEnd = m_buffer.find("\r\n\r\n");
    RawResponse response = parseHead(std::string_view(m_buffer).substr(0, headEnd));
    m_buffer.erase(0, headEnd + 4);
    if (head || response.status < 200) {
        response.complete = true;
    } else if (const std::string length = response.header("content-length"); !length.empty()) {
        const std::size_t size = std::stoul(length);
        while (m_buffer.size() < size && readMore()) {
        }
        response.complete = m_buffer.size() >= size;
        response.body = m_buffer.substr(0, size);
        m_buffer.erase(0, response.body.size());
    } else if (response.header("transfer-encoding") == "chunked") {
        for (;;) {
            if (!waitFor("\r\n"))
                return response;
            const std::size_t lineEnd = m_buffer.find("\r\n");
            const std::size_t size = std::stoul(m_buffer.substr(0, lineEnd), nullptr, 16);
            while (m_buffer.size() < lineEnd + 2 + size + 2 && readMore()) {
            }
            if (m_buffer.size() < lineEnd + 2 + size + 2)
                return response;
            response.body += m_buffer.substr(lineEnd + 2, size);
            m_buffer.erase(0, lineEnd + 2 + size + 2);
            if (size == 0)
                break;
        }
        response.complete = true;
    } else {
        while (readMore()) {
        }
        response.body = std::exchange(m_buffer, {});
        response.complete = m_eof;
    }
    return response;
}

std::string requestText(const RequestLines& request) {
    std::string text = request.method + " " + request.target + " HTTP/1.1\r\nHost: " + request.host + "\r\n";
    for (const std::string& header : request.headers)
        text += header + "\r\n";
    const bool hasBody = request.method == "POST" || !request.body.empty();
    if (hasBody)
        text += "Content-Length: " + std::to_string(request.body.size()) + "\r\n";
    return text + "\r\n" + request.body;
}

std::optional<RawResponse> fetch(std::uint16_t port, const RequestLines& request) {
    RawClient client(port);
    if (!client.isConnected() || !client.send(requestText(request)))
        return std::nullopt;
    return client.response(request.method == "HEAD");
}

} // namespace signalbox::test
