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
/// A key may name a model that a client made up, where a provider takes any: it is forgotten with its last request.
class InFlightLedger {
    struct Keys {
        std::mutex mutex;
        std::unordered_map<std::string, std::uint32_t> counts; ///< none is 0
    };

public:
    /// One request in one count, or in two; leaving is its destructor.
    class Guard {
    public:
        Guard() = default;
        Guard(Guard&& other) noexcept { swap(other); }
        Guard& operator=(Guard&& other) noexcept {
            Guard(std::move(other)).swap(*this);
            return *this;
        }
        ~Guard() {
            if (m_count)
                m_count->fetch_sub(1);
            if (m_also)
                m_also->fetch_sub(1);
            if (m_key)
                leaveKey();
        }
        /// How many were in flight when this one entered, itself included.
        [[nodiscard]] std::uint32_t number() const { return m_number; }

    private:
        friend class InFlightLedger;
        using Count = std::shared_ptr<std::atomic<std::uint32_t>>;
        using Key = decltype(Keys::counts)::pointer;
        Guard(Count count, Count also)
            : m_count(std::move(count)), m_also(std::move(also)), m_number(m_count->fetch_add(1) + 1) {
            m_also->fetch_add(1);
        }
        Guard(std::shared_ptr<Keys> keys, Key key) : m_keys(std::move(keys)), m_key(key), m_number(key->second) {}
        void swap(Guard& other) noexcept {
            std::swap(m_count, other.m_count);
            std::swap(m_also, other.m_also);
            std::swap(m_keys, other.m_keys);
            std::swap(m_key, other.m_key);
            std::swap(m_number, other.m_number);
        }
        void leaveKey() const {
            const std::scoped_lock lock(m_keys->mutex);
            if (--m_key->second == 0)
                m_keys->counts.erase(m_keys->counts.find(m_key->first));
        }
        Count m_count, m_also;
        std::shared_ptr<Keys> m_keys;
        Key m_key = nullptr; ///< stays where it is while it is counted
        std::uint32_t m_number = 0;
    };

    [[nodiscard]] Guard enter(const std::string& key) {
        const std::scoped_lock lock(m_keys->mutex);
        const auto entry = m_keys->counts.try_emplace(key, 0).first;
        ++entry->second;
        return Guard(m_keys, &*entry);
    }
    [[nodiscard]] Guard enterAll(evidence::Edge edge) { return Guard(m_all, m_edges[static_cast<std::size_t>(edge)]); }
    [[nodiscard]] std::uint32_t all() const { return m_all->load(); }
    [[nodiscard]] std::uint32_t of(evidence::Edge edge) const { return m_edges[static_cast<std::size_t>(edge)]->load(); }
    /// Of which a request is in flight.
    [[nodiscard]] std::size_t keys() const {
        const std::scoped_lock lock(m_keys->mutex);
        return m_keys->counts.size();
    }

private:
    Guard::Count m_all = std::make_shared<std::atomic<std::uint32_t>>(0);
    std::array<Guard::Count, 2> m_edges{std::make_shared<std::atomic<std::uint32_t>>(0),
                                        std::make_shared<std::atomic<std::uint32_t>>(0)};
    const std::shared_ptr<Keys> m_keys = std::make_shared<Keys>();
};

} // namespace signalbox::gateway
