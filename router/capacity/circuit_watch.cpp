// SPDX-License-Identifier: MIT
#include "router/capacity/circuit_watch.h"

namespace signalbox::capacity {

void CircuitWatch::setListener(CircuitListener listener) {
    auto next = listener ? std::make_shared<const CircuitListener>(std::move(listener)) : nullptr;
    const std::lock_guard lock(m_mutex);
    m_listener.swap(next);
}

void CircuitWatch::tell(const CircuitChange& change) const noexcept {
    std::shared_ptr<const CircuitListener> listener;
    {
        const std::lock_guard lock(m_mutex);
        listener = m_listener;
    }
    try {
        if (listener) (*listener)(change);
    } catch (...) {  // nobody may be harmed by being watched
    }
}

}  // namespace signalbox::capacity
