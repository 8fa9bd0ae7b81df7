// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace signalbox::capacity {

/// Attempts at one provider, whatever model and route they were for: what reliability is judged by (choice S7).
/// Thread safe.
class ProviderTotals {
public:
    void count(bool success) {
        // Attempts first and read last: a reader never sees more successes than attempts.
        m_attempts.fetch_add(1, std::memory_order_relaxed);
        if (success) m_successes.fetch_add(1, std::memory_order_release);
    }
    [[nodiscard]] std::uint64_t successes() const { return m_successes.load(std::memory_order_acquire); }
    [[nodiscard]] std::uint64_t attempts() const { return m_attempts.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> m_attempts{0};
    std::atomic<std::uint64_t> m_successes{0};
};

/// The totals of all providers since the process began. Thread safe.
class ProviderHealth {
public:
    [[nodiscard]] std::shared_ptr<ProviderTotals> of(std::string_view provider);

private:
    std::mutex m_mutex;
    std::map<std::string, std::shared_ptr<ProviderTotals>, std::less<>> m_totals;
};

}  // namespace signalbox::capacity
