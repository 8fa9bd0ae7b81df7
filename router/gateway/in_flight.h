// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"

#include <array>
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
        using Count = std::shared_ptr<std::atomic<std::uint32_t>>;
        /// In one count, of which it has a number, and perhaps in another one too.
        explicit Guard(Count count, Count also = nullptr)
            : m_count(std::move(count)), m_also(std::move(also)), m_number(m_count->fetch_add(1) + 1) {
            if (m_also)
                m_also->fetch_add(1);
        }
        Guard(Guard&& other) noexcept
            : m_count(std::move(other.m_count)), m_also(std::move(other.m_also)), m_number(other.m_number) {}
        Guard& operator=(Guard&& other) noexcept {
            leave();
            m_count = std::move(other.m_count);
            m_also = std::move(other.m_also);
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
            if (m_also)
                m_also->fetch_sub(1);
            m_count.reset();
            m_also.reset();
        }
        Count m_count, m_also;
        std::uint32_t m_number = 0;
    };

    [[nodiscard]] Guard enter(const std::string& key) {
        const std::scoped_lock lock(m_mutex);
        auto& count = m_counts[key];
        if (!count)
            count = std::make_shared<std::atomic<std::uint32_t>>(0);
        return Guard(count);
    }
    [[nodiscard]] Guard enterAll(evidence::Edge edge) { return Guard(m_all, m_edges[static_cast<std::size_t>(edge)]); }
    [[nodiscard]] std::uint32_t all() const { return m_all->load(); }
    [[nodiscard]] std::uint32_t of(evidence::Edge edge) const { return m_edges[static_cast<std::size_t>(edge)]->load(); }

private:
    Guard::Count m_all = std::make_shared<std::atomic<std::uint32_t>>(0);
    std::array<Guard::Count, 2> m_edges{std::make_shared<std::atomic<std::uint32_t>>(0),
                                        std::make_shared<std::atomic<std::uint32_t>>(0)};
    std::mutex m_mutex;
    std::unordered_map<std::string, std::shared_ptr<std::atomic<std::uint32_t>>> m_counts;
};

} // namespace signalbox::gateway
