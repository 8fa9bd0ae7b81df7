// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace signalbox::gateway {

/// Counts requests in flight, in all and per concurrency key (a family or an endpoint). Thread safe.
/// Keys come from the policy, never from a client, so their number is bounded; a key keeps its counter.
class InFlightLedger {
public:
    /// One request in one count; leaving is its destructor.
    class Guard {
    public:
        Guard() = default;
        explicit Guard(std::shared_ptr<std::atomic<std::uint32_t>> count)
            : m_count(std::move(count)), m_number(m_count->fetch_add(1) + 1) {}
        Guard(Guard&& other) noexcept : m_count(std::move(other.m_count)), m_number(other.m_number) {}
        Guard& operator=(Guard&& other) noexcept {
            leave();
            m_count = std::move(other.m_count);
            m_number = other.m_number;
            return *this;
        }
        ~Guard() { leave(); }
        /// How many were in flight when this one entered, itself included.
        [[nodiscard]] std::uint32_t number() const { return m_number; }

    private:
        void leave() {
            if (m_count)
                m_count->fetch_sub(1);
            m_count.reset();
        }
        std::shared_ptr<std::atomic<std::uint32_t>> m_count;
        std::uint32_t m_number = 0;
    };

    [[nodiscard]] Guard enter(const std::string& key) {
        const std::scoped_lock lock(m_mutex);
        auto& count = m_counts[key];
        if (!count)
            count = std::make_shared<std::atomic<std::uint32_t>>(0);
        return Guard(count);
    }
    [[nodiscard]] Guard enterAll() { return Guard(m_all); }
    [[nodiscard]] std::uint32_t all() const { return m_all->load(); }

private:
    std::shared_ptr<std::atomic<std::uint32_t>> m_all = std::make_shared<std::atomic<std::uint32_t>>(0);
    std::mutex m_mutex;
    std::unordered_map<std::string, std::shared_ptr<std::atomic<std::uint32_t>>> m_counts;
};

} // namespace signalbox::gateway
