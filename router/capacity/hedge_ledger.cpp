// SPDX-License-Identifier: MIT
#include "router/capacity/hedge_ledger.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace signalbox::capacity {
namespace {

constexpr double kNano = 1e9;
constexpr double kMostUsd = 9e9;  // what 64 bits hold of nano-USD

std::int64_t nanoUsd(double usd) { return usd > 0 ? std::llround(std::min(usd, kMostUsd) * kNano) : 0; }

}  // namespace

void HedgeLedger::countRequest() {
    const std::lock_guard lock(m_mutex);
    ++m_counts.requests;
}

std::optional<HedgeLedger::Booking> HedgeLedger::book(Steady now, double usd, std::optional<double> capUsd) {
    const std::lock_guard lock(m_mutex);
    age(now);
    const std::int64_t cost = nanoUsd(usd);
    if (capUsd && m_total + cost > nanoUsd(*capUsd)) {
        ++m_counts.skippedForSpend;
        return std::nullopt;
    }
    // Threads may come a little out of order; ageing needs the entries in order.
    const Steady at = m_hour.empty() ? now : std::max(now, m_hour.back().at);
    m_hour.push_back({++m_last, at, cost});
    m_total += cost;
    return m_last;
}

void HedgeLedger::takeBack(Booking booking) {
    const std::lock_guard lock(m_mutex);
    const auto found = find(booking);
    if (found == m_hour.end()) return;
    m_total -= found->nanoUsd;
    m_hour.erase(found);
}

void HedgeLedger::countSent() {
    const std::lock_guard lock(m_mutex);
    ++m_counts.sent;
}

void HedgeLedger::settle(Booking booking, double usd) {
    const std::lock_guard lock(m_mutex);
    const auto found = find(booking);
    if (found == m_hour.end()) return;
    m_total += nanoUsd(usd) - std::exchange(found->nanoUsd, nanoUsd(usd));
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
    return static_cast<double>(m_total) / kNano;
}

void HedgeLedger::age(Steady now) {
    while (!m_hour.empty() && now - m_hour.front().at >= std::chrono::hours(1)) {
        m_total -= m_hour.front().nanoUsd;
        m_hour.pop_front();
    }
}

std::deque<HedgeLedger::Spent>::iterator HedgeLedger::find(Booking booking) {
    const auto found = std::lower_bound(m_hour.begin(), m_hour.end(), booking,
                                        [](const Spent& one, Booking id) { return one.id < id; });
    return found != m_hour.end() && found->id == booking ? found : m_hour.end();
}

}  // namespace signalbox::capacity
