// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/evidence/record.h"

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace signalbox::gateway {

/// Whose requests were turned away, as far as they tell.
struct RefusedClient {
    std::string peer;      ///< address without port; empty when it had gone
    std::string agent;     ///< what its User-Agent names first, `agentOf`; empty without one
    std::string principal; ///< whose token it had; empty when it had none, or was not asked for it
    bool isOthers = false; ///< all that there was no room to tell apart, at `peer` where it says one
    auto operator<=>(const RefusedClient&) const = default;
};

/// Requests of the last hour that the gateway itself turned away, by code and client, with the newest message of each.
struct Refusal {
    std::string code;
    std::string message;
    RefusedClient client;
    std::uint64_t count = 0;
    Timestamp newest{};
};

/// Of one code since the gateway started.
struct RefusalTotal {
    std::string code;
    std::uint64_t count = 0;
};

/// Thread safe. Codes are ours, so their number is bounded; clients are bounded here: `kMostRows` by code and client, of which
/// one address fills `kMostOfOnePeer` at most, and one more of each code for the others.
class RefusalLog {
public:
    static constexpr std::size_t kMostRows = 256, kMostOfOnePeer = 64;
    /// Counts are kept by the minute, so that one falls out when it is 59 to 60 minutes old.
    static constexpr std::int64_t kMinutes = 60;

    struct Entry {
        std::string code, message;
        evidence::Edge edge = evidence::Edge::openai;
        Timestamp at{};
    };
    void add(Entry refused, RefusedClient client, Steady now);

    [[nodiscard]] std::vector<Refusal> ofLastHour(Steady now);
    /// Since the gateway started, as counters have to go on.
    [[nodiscard]] std::vector<RefusalTotal> totals() const;
    [[nodiscard]] std::uint64_t of(evidence::Edge edge) const;

private:
    class Row {
    public:
        void count(std::int64_t minute);
        /// Drops what is older than an hour at `minute`.
        void moveTo(std::int64_t minute);
        [[nodiscard]] std::uint64_t sum() const { return m_sum; }

        std::string message;
        Timestamp newest{};

    private:
        std::array<std::uint32_t, kMinutes> m_counts{};
        std::uint64_t m_sum = 0;
        std::int64_t m_minute = 0; ///< of the newest count
    };
    using Key = std::pair<RefusedClient, std::string>; ///< by client first, so that those of one address stand together

    [[nodiscard]] Row& rowFor(RefusedClient client, const std::string& code, std::int64_t minute);
    [[nodiscard]] bool isCrowded(const std::string& peer) const;
    void sweep(std::int64_t minute);

    mutable std::mutex m_mutex;
    std::map<std::string, std::uint64_t> m_totals; ///< by code
    std::array<std::uint64_t, 2> m_byEdge{};
    std::map<Key, Row> m_rows;
    std::map<std::string, Row> m_others; ///< by code, wherever they come from
    std::int64_t m_swept = 0;            ///< minute of the last sweep
};

} // namespace signalbox::gateway
