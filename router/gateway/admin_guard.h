// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace signalbox::gateway {

/// Counts who failed to enter the admin API, by address. After kMostFailures in a minute an address is locked for the
/// rest of it, and its attempts are no longer written down one by one. Thread safe; of bounded size.
class AdminGuard {
public:
    static constexpr std::uint32_t kMostFailures = 10;
    static constexpr std::chrono::seconds kWindow{60};
    /// Addresses that are counted each by itself; what comes on top shares one count.
    static constexpr std::size_t kMostPeers = 1024;

    /// For how long the address is locked; nullopt when it may try.
    [[nodiscard]] std::optional<std::chrono::seconds> lockedFor(const std::string& peer, Steady now);

    enum class Verdict : std::uint8_t {
        written, ///< to be written down
        last,    ///< the same, and the last one for this minute
        silent,  ///< locked: neither answered in detail nor written down
    };
    [[nodiscard]] Verdict failed(const std::string& peer, Steady now);

private:
    struct Window {
        Steady ends{};
        std::uint32_t failures = 0;
    };
    [[nodiscard]] Window& of(const std::string& peer, Steady now);

    std::mutex m_mutex;
    std::map<std::string, Window> m_peers;
};

} // namespace signalbox::gateway
