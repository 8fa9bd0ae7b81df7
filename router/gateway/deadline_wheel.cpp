// SPDX-License-Identifier: MIT
#include "router/gateway/deadline_wheel.h"

#include <algorithm>

namespace signalbox::gateway {

DeadlineWheel::Entry::~Entry() {
    unlink();
}

void DeadlineWheel::Entry::unlink() {
    if (m_link == nullptr)
        return;
    *m_link = m_next;
    if (m_next != nullptr)
        m_next->m_link = m_link;
    m_link = nullptr;
    m_next = nullptr;
}

DeadlineWheel::DeadlineWheel(boost::asio::io_context& context) : m_timer(context) {}

DeadlineWheel::~DeadlineWheel() {
    for (Entry*& slot : m_slots) {
        while (slot != nullptr)
            slot->unlink();
    }
}

void DeadlineWheel::arm(Entry& entry, std::chrono::milliseconds after) {
    startTicking();
    entry.m_deadline = m_now + after + kTick; // m_now may be a tick old; early is worse than late
    const bool keepsItsSlot = entry.m_link != nullptr && entry.m_visit <= entry.m_deadline;
    if (keepsItsSlot)
        return;
    entry.unlink();
    insert(entry);
}

void DeadlineWheel::insert(Entry& entry) {
    const auto ticks = std::clamp<std::int64_t>((entry.m_deadline - m_now) / kTick + 1, 1, kSlots - 1);
    Entry*& head = m_slots[(m_cursor + static_cast<std::size_t>(ticks)) % kSlots];
    entry.m_visit = m_now + ticks * kTick;
    entry.m_next = head;
    entry.m_link = &head;
    if (head != nullptr)
        head->m_link = &entry.m_next;
    head = &entry;
}

void DeadlineWheel::startTicking() {
    if (m_ticking)
        return;
    m_ticking = true;
    m_now = Clock::now();
    waitTick();
}

void DeadlineWheel::waitTick() {
    m_timer.expires_at(m_now + kTick);
    m_timer.async_wait([this](const boost::system::error_code& ec) {
        if (!ec)
            tick();
    });
}

void DeadlineWheel::tick() {
    const auto now = Clock::now();
    while (m_now + kTick <= now) {
        m_now += kTick;
        m_cursor = (m_cursor + 1) % kSlots;
        // Detached first: a callback may arm entries, even into this slot.
        Entry* due = m_slots[m_cursor];
        m_slots[m_cursor] = nullptr;
        if (due != nullptr)
            due->m_link = &due;
        while (due != nullptr) {
            Entry& entry = *due;
            entry.unlink();
            if (entry.m_deadline == Clock::time_point::max())
                continue;
            if (entry.m_deadline > m_now) {
                insert(entry);
            } else {
                entry.m_deadline = Clock::time_point::max();
                entry.onDeadline();
            }
        }
    }
    m_ticking =
        std::any_of(m_slots.begin(), m_slots.end(), [](const Entry* slot) { return slot != nullptr; });
    if (m_ticking)
        waitTick();
}

} // namespace signalbox::gateway
