// SPDX-License-Identifier: MIT
#include "tests/support/tunnel_proxy.h"

#include <arpa/inet.h>
#include <array>
#include <cstdlib>
#include <netinet/in.h>
#include <poll.h>
#include <stdexcept>
#include <string_view>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace signalbox::test {

namespace {

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in out{};
    out.sin_family = AF_INET;
    out.sin_port = htons(port);
    out.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return out;
}

/// False when the stop event came first.
bool waitReadable(int fd, int stop) {
    std::array<pollfd, 2> wait{{{fd, POLLIN, 0}, {stop, POLLIN, 0}}};
    return ::poll(wait.data(), wait.size(), -1) > 0 && wait[1].revents == 0;
}

bool sendAll(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

/// Of `CONNECT host:port HTTP/1.1`; 0 when it is something else.
std::uint16_t portIn(const std::string& head) {
    const std::size_t colon = head.find(':');
    return head.starts_with("CONNECT ") && colon != std::string::npos ? static_cast<std::uint16_t>(std::atoi(head.c_str() + colon + 1))
                                                                      : std::uint16_t{0};
}

}  // namespace

TunnelProxy::TunnelProxy() : m_listener(::socket(AF_INET, SOCK_STREAM, 0)), m_stopEvent(::eventfd(0, 0)) {
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(m_listener, generic, size) != 0 || ::listen(m_listener, 64) != 0 || ::getsockname(m_listener, generic, &size) != 0)
        throw std::runtime_error("the proxy cannot listen");
    m_port = ntohs(address.sin_port);
    m_acceptor = std::thread([this] { acceptLoop(); });
}

TunnelProxy::~TunnelProxy() {
    ::eventfd_write(m_stopEvent, 1);
    m_acceptor.join();
    for (std::thread& tunnel : m_tunnels) tunnel.join();
    ::close(m_listener);
    ::close(m_stopEvent);
}

std::vector<std::string> TunnelProxy::heads() const {
    const std::lock_guard lock(m_mutex);
    return m_heads;
}

std::string TunnelProxy::sent() const {
    const std::lock_guard lock(m_mutex);
    return m_sent;
}

void TunnelProxy::acceptLoop() {
    while (waitReadable(m_listener, m_stopEvent)) {
        const int client = ::accept(m_listener, nullptr, nullptr);
        if (client >= 0) m_tunnels.emplace_back([this, client] { serve(client); });
    }
}

void TunnelProxy::serve(int client) {
    std::string head;
    std::array<char, 4096> piece{};
    while (head.find("\r\n\r\n") == std::string::npos && waitReadable(client, m_stopEvent)) {
        const ssize_t got = ::recv(client, piece.data(), piece.size(), 0);
        if (got <= 0) break;
        head.append(piece.data(), static_cast<std::size_t>(got));
    }
    {
        const std::lock_guard lock(m_mutex);
        m_heads.push_back(head);
    }
    const int upstream = ::socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in address = loopback(portIn(head));
    const bool open = address.sin_port != 0 && ::connect(upstream, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    if (open && sendAll(client, "HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n")) pump(client, upstream);
    else sendAll(client, "HTTP/1.1 502 Bad Gateway\r\n\r\n");
    ::close(upstream);
    ::close(client);
}

void TunnelProxy::pump(int client, int upstream) {
    std::size_t back = 0;
    std::array<char, 16384> piece{};
    for (;;) {
        std::array<pollfd, 3> wait{{{client, POLLIN, 0}, {upstream, POLLIN, 0}, {m_stopEvent, POLLIN, 0}}};
        if (::poll(wait.data(), wait.size(), -1) <= 0 || wait[2].revents != 0) return;
        const bool fromClient = wait[0].revents != 0;
        const ssize_t got = ::recv(fromClient ? client : upstream, piece.data(), piece.size(), 0);
        if (got <= 0) return;
        const std::string_view bytes(piece.data(), static_cast<std::size_t>(got));
        if (fromClient) {
            const std::lock_guard lock(m_mutex);
            m_sent.append(bytes);
        } else if (back += bytes.size(); back >= m_closeAfter) {
            return;
        }
        if (!sendAll(fromClient ? upstream : client, bytes)) return;
    }
}

}  // namespace signalbox::test
