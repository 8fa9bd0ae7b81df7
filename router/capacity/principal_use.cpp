// SPDX-License-Identifier: MIT
#include "router/capacity/principal_use.h"

#include <algorithm>

namespace signalbox::capacity {
namespace {

std::int64_t secondOf(Steady at) {
    return std::chrono::floor<std::chrono::seconds>(at.time_since_epoch()).count();
}

Timestamp startOf(std::chrono::year_month month) { return std::chrono::sys_days(month / std::chrono::day(1)); }

}  // namespace

std::chrono::year_month monthOf(Timestamp at) {
    const std::chrono::year_month_day date(std::chrono::floor<std::chrono::days>(at));
    return date.year() / date.month();
}

Timestamp startOfMonth(Timestamp at) { return startOf(monthOf(at)); }

Timestamp startOfNextMonth(Timestamp at) { return startOf(monthOf(at) + std::chrono::months(1)); }

PrincipalAccount::PrincipalAccount(const Clock& clock)
    : m_clock(clock), m_second(secondOf(clock.steady())), m_month(monthOf(clock.now())) {}

std::optional<std::chrono::seconds> PrincipalAccount::admit(std::optional<std::uint32_t> perMinute) {
    const std::lock_guard lock(m_mutex);
    slide();
    if (perMinute && m_requests >= *perMinute) {
        for (std::int64_t age = kWindowSeconds - 1; age > 0; --age)
            if (m_counts[static_cast<std::size_t>((m_second - age + kWindowSeconds) % kWindowSeconds)] > 0)
                return std::chrono::seconds(kWindowSeconds - age);
        return std::chrono::seconds(kWindowSeconds);
    }
    ++m_counts[static_cast<std::size_t>(m_second % kWindowSeconds)];
    ++m_requests;
    return std::nullopt;
}

std::uint32_t PrincipalAccount::requestsThisMinute() const {
    const std::lock_guard lock(m_mutex);
    slide();
    return m_requests;
}

void PrincipalAccount::slide() const {
    const std::int64_t now = secondOf(m_clock.steady());
    const std::int64_t steps = std::clamp<std::int64_t>(now - m_second, 0, kWindowSeconds);
    for (std::int64_t i = 1; i <= steps; ++i) {
        std::uint32_t& leaving = m_counts[static_cast<std::size_t>((m_second + i) % kWindowSeconds)];
        m_requests -= leaving;
        leaving = 0;
    }
    m_second = std::max(m_second, now);
}

void PrincipalAccount::turnMonth() const {
    const std::chrono::year_month now = monthOf(m_clock.now());
    if (now == m_month) return;
    m_month = now;
    m_earlierUsd = 0;
    m_ownUsd = 0;
}

void PrincipalAccount::spend(double usd) {
    const std::lock_guard lock(m_mutex);
    turnMonth();
    m_ownUsd += usd;
}

double PrincipalAccount::spentUsd() const {
    const std::lock_guard lock(m_mutex);
    turnMonth();
    return m_earlierUsd + m_ownUsd;
}

void PrincipalAccount::setEarlier(std::chrono::year_month month, double usd) {
    const std::lock_guard lock(m_mutex);
    turnMonth();
    if (month == m_month) m_earlierUsd = usd;
}

PrincipalAccounts::PrincipalAccounts(const Clock& clock) : m_clock(clock), m_begun(monthOf(clock.now())) {}

std::shared_ptr<PrincipalAccount> PrincipalAccounts::of(std::string_view principal) {
    const std::lock_guard lock(m_mutex);
    if (const auto found = m_accounts.find(principal); found != m_accounts.end()) return found->second;
    auto account = std::make_shared<PrincipalAccount>(m_clock);
    if (const auto earlier = m_earlier.find(std::string(principal)); m_knownFor && earlier != m_earlier.end())
        account->setEarlier(*m_knownFor, earlier->second);
    m_accounts.emplace(principal, account);
    return account;
}

void PrincipalAccounts::setEarlier(Timestamp month, const std::map<std::string, double>& usd) {
    const std::lock_guard lock(m_mutex);
    m_knownFor = monthOf(month);
    m_earlier = usd;
    for (const auto& [id, account] : m_accounts) {
        const auto earlier = usd.find(id);
        account->setEarlier(*m_knownFor, earlier == usd.end() ? 0 : earlier->second);
    }
}

bool PrincipalAccounts::spentKnown() const {
    const std::chrono::year_month now = monthOf(m_clock.now());
    const std::lock_guard lock(m_mutex);
    return now != m_begun || m_knownFor == now;
}

}  // namespace signalbox::capacity
