// SPDX-License-Identifier: MIT
#include "router/capacity/resource.h"

#include <utility>

namespace signalbox::capacity {

Reservation::Reservation(Reservation&& other) noexcept
    : m_owner(std::move(other.m_owner)), m_units(other.m_units), m_spent(other.m_spent) {}

Reservation& Reservation::operator=(Reservation&& other) noexcept {
    if (this == &other) return *this;
    release();
    m_owner = std::move(other.m_owner);
    m_units = other.m_units;
    m_spent = other.m_spent;
    return *this;
}

void Reservation::release() {
    if (const std::shared_ptr<Resource> owner = std::exchange(m_owner, nullptr)) owner->settle(m_units, m_spent);
}

}  // namespace signalbox::capacity
