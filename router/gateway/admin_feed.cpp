// SPDX-License-Identifier: MIT
#include "router/gateway/admin_feed.h"

#include <utility>

namespace signalbox::gateway {

std::string_view toString(AdminEntry::Outcome outcome) {
    switch (outcome) {
    case AdminEntry::Outcome::done:
        return "done";
    case AdminEntry::Outcome::unchanged:
        return "unchanged";
    case AdminEntry::Outcome::refused:
        return "refused";
    case AdminEntry::Outcome::looked:
        return "looked";
    }
    return "";
}

void AdminFeed::add(AdminEntry entry) noexcept {
    const std::scoped_lock lock(m_mutex);
    put(std::move(entry));
}

void AdminFeed::addLook(AdminEntry entry, Steady now) noexcept {
    const std::scoped_lock lock(m_mutex);
    try {
        if (isDue(entry, now))
            put(std::move(entry));
    } catch (...) { // no memory
        ++m_missed;
    }
}

AdminFeed::Batch AdminFeed::take() {
    const std::scoped_lock lock(m_mutex);
    return {std::exchange(m_waiting, {}), std::exchange(m_missed, 0)};
}

void AdminFeed::put(AdminEntry entry) {
    try {
        if (m_waiting.size() < kMostWaiting) {
            m_waiting.push_back(std::move(entry));
            return;
        }
    } catch (...) { // no memory
    }
    ++m_missed;
}

bool AdminFeed::isDue(const AdminEntry& entry, Steady now) {
    const std::string key = entry.action + '\n' + entry.actor + '\n' + entry.peer;
    auto at = m_lookers.find(key);
    if (at == m_lookers.end() && m_lookers.size() >= kMostLookers) {
        std::erase_if(m_lookers, [&](const auto& one) { return now - one.second.seen >= kPause; });
        if (m_lookers.size() >= kMostLookers) {
            ++m_missed;
            return false;
        }
    }
    const bool isNew = at == m_lookers.end();
    Looker& looker = isNew ? m_lookers[key] : at->second;
    const bool due = isNew || now - looker.seen >= kPause || now - looker.told >= kAgain;
    looker.seen = now;
    if (due)
        looker.told = now;
    return due;
}

} // namespace signalbox::gateway
