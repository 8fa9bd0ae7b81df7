// SPDX-License-Identifier: MIT
#include "router/capacity/slots.h"

namespace signalbox::capacity {

std::optional<Reservation> Slots::tryTake() {
    std::uint32_t taken = m_inUse.load(std::memory_order_relaxed);
    do {
        if (taken >= m_limit.load(std::memory_order_acquire)) return std::nullopt;
    } while (!m_inUse.compare_exchange_weak(taken, taken + 1, std::memory_order_acq_rel, std::memory_order_relaxed));
    return Reservation(shared_from_this(), 1);
}

void Slots::settle(std::uint64_t units, bool /*spent*/) {
    m_inUse.fetch_sub(static_cast<std::uint32_t>(units), std::memory_order_acq_rel);
}

}  // namespace signalbox::capacity
