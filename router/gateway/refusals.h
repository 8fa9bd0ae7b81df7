// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/evidence/record.h"

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace signalbox::gateway {

/// Requests that the gateway itself turned away, by code, with the newest message of each.
struct Refusal {
    std::string code;
    std::string message;
    std::uint64_t count = 0;
    Timestamp newest{};
};

/// Thread safe. Codes are ours, so their number is bounded.
class RefusalLog {
public:
    void add(const std::string& code, const std::string& message, Timestamp at, evidence::Edge edge) {
        const std::scoped_lock lock(m_mutex);
        ++m_byEdge[static_cast<std::size_t>(edge)];
        Refusal& refusal = m_byCode[code];
        refusal.code = code;
        refusal.message = message;
        refusal.newest = at;
        ++refusal.count;
    }
    [[nodiscard]] std::uint64_t of(evidence::Edge edge) const {
        const std::scoped_lock lock(m_mutex);
        return m_byEdge[static_cast<std::size_t>(edge)];
    }
    [[nodiscard]] std::vector<Refusal> all() const {
        const std::scoped_lock lock(m_mutex);
        std::vector<Refusal> out;
        for (const auto& [code, refusal] : m_byCode)
            out.push_back(refusal);
        return out;
    }

private:
    mutable std::mutex m_mutex;
    std::map<std::string, Refusal> m_byCode;
    std::array<std::uint64_t, 2> m_byEdge{};
};

} // namespace signalbox::gateway
