// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"

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
    void add(const std::string& code, const std::string& message, Timestamp at) {
        const std::scoped_lock lock(m_mutex);
        Refusal& refusal = m_byCode[code];
        refusal.code = code;
        refusal.message = message;
        refusal.newest = at;
        ++refusal.count;
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
};

} // namespace signalbox::gateway
