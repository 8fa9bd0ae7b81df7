// SPDX-License-Identifier: MIT
#include "router/gateway/admin_guard.h"

namespace signalbox::gateway {

std::optional<std::chrono::seconds> AdminGuard::lockedFor(const std::string& peer, Steady now) {
    const std::scoped_lock lock(m_mutex);
    const Window& window = of(peer, now);
    if (window.failures < kMostFailures)
        return std::nullopt;
    return std::chrono::ceil<std::chrono::seconds>(window.ends - now);
}

AdminGuard::Verdict AdminGuard::failed(const std::string& peer, Steady now) {
    const std::scoped_lock lock(m_mutex);
    Window& window = of(peer, now);
    if (window.failures >= kMostFailures)
        return Verdict::silent;
    return ++window.failures == kMostFailures ? Verdict::last : Verdict::written;
}

/// With the lock held.
AdminGuard::Window& AdminGuard::of(const std::string& peer, Steady now) {
    const auto known = m_peers.find(peer);
    if (known == m_peers.end() && m_peers.size() >= kMostPeers)
        std::erase_if(m_peers, [&](const auto& one) { return one.second.ends <= now; });
    const bool fits = known != m_peers.end() || m_peers.size() < kMostPeers;
    Window& window = m_peers[fits ? peer : std::string()];
    if (window.ends <= now)
        window = {now + kWindow, 0};
    return window;
}

} // namespace signalbox::gateway
