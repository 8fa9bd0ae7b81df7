// SPDX-License-Identifier: MIT
#include "router/engine/spending_loader.h"

#include <algorithm>

namespace signalbox::engine {

namespace {

constexpr std::chrono::seconds kAskAgain{2};
constexpr int kMostTries = 5;
using Spending = std::map<std::string, double>;

/// What was spent before, of everything and what this process's own records say.
Spending earlier(const Spending& all, const Spending& own) {
    Spending out;
    for (const auto& [principal, usd] : all) {
        const auto mine = own.find(principal);
        out[principal] = std::max(0.0, usd - (mine == own.end() ? 0 : mine->second));
    }
    return out;
}

} // namespace

SpendingLoader::SpendingLoader(HistoryWorker& history, capacity::PrincipalAccounts& accounts,
                               std::function<bool()> caughtUp, const Clock& clock)
    : m_history(history), m_accounts(accounts), m_caughtUp(std::move(caughtUp)), m_clock(clock), m_begun(clock.now()),
      m_notBefore(clock.steady().time_since_epoch().count()) {}

SpendingLoader::~SpendingLoader() {
    const std::scoped_lock lock(m_mutex);
    if (m_job)
        m_job->cancel();
}

void SpendingLoader::poke() {
    if (m_done.load(std::memory_order_relaxed))
        return;
    const Steady now = m_clock.steady();
    Steady::rep due = m_notBefore.load(std::memory_order_relaxed);
    if (now.time_since_epoch().count() < due)
        return;
    // Of several threads one asks.
    if (!m_notBefore.compare_exchange_strong(due, (now + kAskAgain).time_since_epoch().count()))
        return;
    const std::scoped_lock lock(m_mutex);
    m_job = m_history.ask([this](evidence::HistoryReader& reader, const evidence::CancelToken& cancel) {
        load(reader, cancel);
    });
}

/// History also holds what this process wrote since it began, which its accounts count themselves. The part is taken
/// off, and the answer kept only if that part stood still while the whole was read.
void SpendingLoader::load(evidence::HistoryReader& reader, const evidence::CancelToken& cancel) {
    if (m_done)
        return;
    const Timestamp month = capacity::startOfMonth(m_clock.now());
    // A month that began after the process did is wholly in the accounts.
    if (month > m_begun) {
        m_done = true;
        return;
    }
    if (!m_caughtUp())
        return;
    auto own = reader.spentByPrincipal(m_begun, cancel);
    for (int i = 0; own && i < kMostTries; ++i) {
        const auto all = reader.spentByPrincipal(month, cancel);
        auto after = reader.spentByPrincipal(m_begun, cancel);
        if (!all || !after)
            return;
        if (*after == *own || i + 1 == kMostTries) {
            m_accounts.setEarlier(month, earlier(*all, *own));
            m_done = true;
            return;
        }
        own = std::move(after);
    }
}

} // namespace signalbox::engine
