// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace signalbox::test {

/// An HTTP proxy on 127.0.0.1 that opens tunnels (CONNECT) to ports of this machine and keeps the heads that asked for them.
/// What refuses tunnels is a `ScriptedUpstream`. One thread per tunnel; everything public is thread safe.
class TunnelProxy {
public:
    TunnelProxy();
    ~TunnelProxy();
    TunnelProxy(const TunnelProxy&) = delete;
    TunnelProxy& operator=(const TunnelProxy&) = delete;

    [[nodiscard]] std::uint16_t port() const { return m_port; }
    [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(m_port); }
    [[nodiscard]] std::vector<std::string> heads() const;
    /// Closes each later tunnel once so many bytes have come back through it.
    void closeAfter(std::size_t bytesBack) { m_closeAfter = bytesBack; }
    /// All bytes that clients sent through tunnels.
    [[nodiscard]] std::string sent() const;

private:
    void acceptLoop();
    void serve(int client);
    void pump(int client, int upstream);

    int m_listener = -1;
    int m_stopEvent = -1;
    std::uint16_t m_port = 0;
    std::atomic<std::size_t> m_closeAfter{std::numeric_limits<std::size_t>::max()};
    mutable std::mutex m_mutex;
    std::vector<std::string> m_heads;
    std::string m_sent;
    std::vector<std::thread> m_tunnels;
    std::thread m_acceptor;
};

}  // namespace signalbox::test
