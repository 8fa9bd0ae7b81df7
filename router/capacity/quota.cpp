// SPDX-License-Identifier: MIT
#include "router/capacity/quota.h"

#include <algorithm>
#include <cmath>

namespace signalbox::capacity {

QuotaState quotaState(double used, double limit, double localIncrement) {
    if (!(limit > 0)) return {0, 1};
    const double taken = std::max(used + localIncrement, 0.0);
    // Beyond 2^53 a double no longer counts single units; no quota is that large.
    const double left = std::min(std::floor(std::max(limit - taken, 0.0)), 9007199254740992.0);
    return {static_cast<std::uint64_t>(left), std::min(taken / limit, 1.0)};
}

Quota::Quota(std::string identity, QuotaOptions options, Steady now)
    : Resource(std::move(identity)), m_window(options.window), m_known(!options.externallyCounted), m_limit(options.limit) {
    beginWindow(now);
}

std::optional<Reservation> Quota::tryTake(Steady now, std::uint64_t units) {
    const std::lock_guard lock(m_mutex);
    roll(now);
    if (!m_known || current().remaining < units) return std::nullopt;
    m_held += units;
    return Reservation(shared_from_this(), units);
}

std::optional<QuotaState> Quota::state(Steady now) {
    const std::lock_guard lock(m_mutex);
    roll(now);
    if (!m_known) return std::nullopt;
    return current();
}

std::optional<Steady> Quota::resetsAt(Steady now) {
    const std::lock_guard lock(m_mutex);
    roll(now);
    return m_resetsAt;
}

void Quota::applyReading(const QuotaReading& reading) {
    const std::lock_guard lock(m_mutex);
    m_known = true;
    m_used = std::max(reading.used, 0.0);
    m_limit = reading.limit;
    m_spentSince = 0;
    if (reading.resetsAt) m_resetsAt = reading.resetsAt;
}

void Quota::setLimit(double limit) {
    const std::lock_guard lock(m_mutex);
    m_limit = limit;
}

void Quota::setWindow(std::optional<std::chrono::seconds> window, Steady now) {
    const std::lock_guard lock(m_mutex);
    if (window == m_window) return;
    roll(now);
    m_window = window;
    beginWindow(now);
}

void Quota::beginWindow(Steady now) {
    m_resetsAt.reset();
    if (m_window && m_window->count() > 0) m_resetsAt = now + *m_window;
}

void Quota::settle(std::uint64_t units, bool spent) {
    const std::lock_guard lock(m_mutex);
    m_held -= units;
    if (spent) m_spentSince += units;
}

void Quota::roll(Steady now) {
    if (!m_resetsAt || now < *m_resetsAt) return;
    m_used = 0;
    m_spentSince = 0;
    if (!m_window || m_window->count() <= 0) {
        m_resetsAt.reset();
        return;
    }
    const auto windowsOver = (now - *m_resetsAt) / *m_window + 1;
    *m_resetsAt += windowsOver * *m_window;
}

QuotaState Quota::current() const {
    return quotaState(m_used, m_limit, static_cast<double>(m_spentSince + m_held));
}

}  // namespace signalbox::capacity
