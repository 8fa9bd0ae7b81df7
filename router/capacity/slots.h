// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/resource.h"

#include <atomic>
#include <optional>

namespace signalbox::capacity {

/// Concurrency slots: at most `limit` calls at once, over all routers. Lock-free.
class Slots final : public Resource, public std::enable_shared_from_this<Slots> {
public:
    Slots(std::string identity, std::uint32_t limit) : Resource(std::move(identity)), m_limit(limit) {}

    /// nullopt when every slot is taken: an admission refusal, not a failure.
    [[nodiscard]] std::optional<Reservation> tryTake();
    [[nodiscard]] std::uint32_t inUse() const { return m_inUse.load(std::memory_order_acquire); }
    [[nodiscard]] std::uint32_t limit() const { return m_limit.load(std::memory_order_acquire); }
    /// A lower limit takes nothing away from running calls; new ones wait until enough have ended.
    void setLimit(std::uint32_t limit) { m_limit.store(limit, std::memory_order_release); }

private:
    void settle(std::uint64_t units, bool spent) override;

    std::atomic<std::uint32_t> m_inUse{0};
    std::atomic<std::uint32_t> m_limit;
};

}  // namespace signalbox::capacity
