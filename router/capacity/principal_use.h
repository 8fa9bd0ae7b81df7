// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace signalbox::capacity {

/// What one principal used: requests in the last sixty seconds and estimated US dollars in the calendar month (UTC).
/// Thread safe.
class PrincipalAccount {
public:
    explicit PrincipalAccount(const Clock& clock);

    /// Counts a request; or does not, when `perMinute` were counted in the last sixty seconds, and says after how long
    /// another one is possible. The window slides by whole seconds.
    [[nodiscard]] std::optional<std::chrono::seconds> admit(std::optional<std::uint32_t> perMinute);
    [[nodiscard]] std::uint32_t requestsThisMinute() const;

    void spend(double usd);
    [[nodiscard]] double spentUsd() const;
    /// What was spent in that month before this process began, as history knows it. Other months are past: ignored.
    void setEarlier(std::chrono::year_month month, double usd);

private:
    static constexpr std::int64_t kWindowSeconds = 60;

    // All below: with the lock held.
    void slide() const;
    void turnMonth() const;

    const Clock& m_clock;
    mutable std::mutex m_mutex;
    mutable std::array<std::uint32_t, kWindowSeconds> m_counts{};  // by second, modulo the window
    mutable std::uint32_t m_requests = 0;                          // sum of them
    mutable std::int64_t m_second;                                 // the newest in the window
    mutable std::chrono::year_month m_month;
    mutable double m_earlierUsd = 0, m_ownUsd = 0;
};

/// The accounts of all principals. They outlive policies: a new policy forgives no spending. Thread safe.
class PrincipalAccounts {
public:
    explicit PrincipalAccounts(const Clock& clock);

    [[nodiscard]] std::shared_ptr<PrincipalAccount> of(std::string_view principal);
    /// What history knows of the month that holds `month`, of the time before this process began.
    void setEarlier(Timestamp month, const std::map<std::string, double>& usd);
    /// False while only this process's own spending counts; true too when the month began after the process did.
    [[nodiscard]] bool spentKnown() const;

private:
    const Clock& m_clock;
    const std::chrono::year_month m_begun;
    mutable std::mutex m_mutex;
    std::map<std::string, std::shared_ptr<PrincipalAccount>, std::less<>> m_accounts;
    std::optional<std::chrono::year_month> m_knownFor;
    std::map<std::string, double> m_earlier;  // of that month
};

/// The calendar month in UTC.
[[nodiscard]] std::chrono::year_month monthOf(Timestamp at);
/// Its first moment, and that of the next one.
[[nodiscard]] Timestamp startOfMonth(Timestamp at);
[[nodiscard]] Timestamp startOfNextMonth(Timestamp at);

}  // namespace signalbox::capacity
