// SPDX-License-Identifier: MIT
#include "router/capacity/hedge_ledger.h"

#include <algorithm>

namespace signalbox::capacity {

void HedgeLedger::countRequest() {
    const std::lock_guard lock(m_mutex);
    ++m_counts.requests;
}

std::optional<HedgeLedger::Booking> HedgeLedger::book(Steady now, double usd, std::optional<double> capUsd) {
    const std::lock_guard lock(m_mutex);
    age(now);
    if (capUsd && total() + usd > *capUsd) {
        ++m_counts.skippedForSpend;
        return std::nullopt;
    }
    // Threads may come a little out of order; ageing needs the entries in order.
    const Steady at = m_hour.empty() ? now : std::max(now, m_hour.back().at);
    m_hour.push_back({++m_last, at, usd});
    return m_last;
}

void HedgeLedger::takeBack(Booking booking) {
    const std::lock_guard lock(m_mutex);
    if (const auto found = find(booking); found != m_hour.end()) m_hour.erase(found);
}

void HedgeLedger::countSent() {
    const std::lock_guard lock(m_mutex);
    ++m_counts.sent;
}

void HedgeLedger::settle(Booking booking, double usd) {
    const std::lock_guard lock(m_mutex);
    if (const auto found = find(booking); found != m_hour.end()) found->usd = usd;
}

void HedgeLedger::countEnd(End end) {
    const std::lock_guard lock(m_mutex);
    switch (end) {
    case End::won: ++m_counts.won; break;
    case End::lost: ++m_counts.lost; break;
    case End::failed: ++m_counts.failed; break;
    }
}

HedgeLedger::Counts HedgeLedger::counts() const {
    const std::lock_guard lock(m_mutex);
    return m_counts;
}

double HedgeLedger::spentLastHour(Steady now) {
    const std::lock_guard lock(m_mutex);
    age(now);
    return total();
}

void HedgeLedger::age(Steady now) {
    while (!m_hour.empty() && now - m_hour.front().at >= std::chrono::hours(1)) m_hour.pop_front();
}

// Summed anew instead of kept up: an hour of backups is short, and nothing drifts.
double HedgeLedger::total() const {
    double usd = 0;
    for (const Spent& one : m_hour) usd += one.usd;
    return usd;
}

std::deque<HedgeLedger::Spent>::iterator HedgeLedger::find(Booking booking) {
    return std::find_if(m_hour.begin(), m_hour.end(), [&](const Spent& one) { return one.id == booking; });
}

}  // namespace signalbox::capacity
