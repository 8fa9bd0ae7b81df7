// SPDX-License-Identifier: MIT
#include "router/capacity/local_ledger.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace signalbox::capacity {

LocalLoad LocalLedger::load(Steady now) {
    const std::lock_guard lock(m_mutex);
    advance(now);
    return sum();
}

std::vector<LocalHold> LocalLedger::take(Steady now,
                                         const std::function<std::vector<LocalDemand>(const LocalLoad&)>& decide) {
    const std::lock_guard lock(m_mutex);
    advance(now);
    std::vector<LocalHold> out;
    for (const LocalDemand& demand : decide(sum())) {
        m_entries.push_back({demand, false, static_cast<double>(demand.decodeTokens), std::nullopt});
        out.push_back(LocalHold(shared_from_this(), std::prev(m_entries.end())));
    }
    return out;
}

void LocalLedger::watch(std::weak_ptr<LocalWatcher> watcher) {
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_watchers, [](const auto& one) { return one.expired(); });
    m_watchers.push_back(std::move(watcher));
}

void LocalLedger::contentSeen(Entries::iterator entry, Steady now) {
    {
        const std::lock_guard lock(m_mutex);
        if (entry->decoding) return;
        advance(now);
        entry->decoding = true;
    }
    tellWatchers();
}

void LocalLedger::expectContent(Entries::iterator entry, Steady due) {
    const std::lock_guard lock(m_mutex);
    entry->contentDue = due;
}

void LocalLedger::end(Entries::iterator entry) {
    {
        const std::lock_guard lock(m_mutex);
        m_entries.erase(entry);
    }
    tellWatchers();
}

void LocalLedger::tellWatchers() {
    std::vector<std::shared_ptr<LocalWatcher>> watchers;
    {
        const std::lock_guard lock(m_mutex);
        for (const auto& one : m_watchers)
            if (auto watcher = one.lock()) watchers.push_back(std::move(watcher));
    }
    for (const auto& watcher : watchers) watcher->mayHaveRoom();
}

// Everyone that runs shares the rate, those still in prefill too: a batch that mixes both decodes more slowly.
void LocalLedger::advance(Steady now) {
    if (now <= m_asOf) return;
    const auto running = static_cast<double>(m_entries.size());
    for (Entry& entry : m_entries) {
        Steady since = m_asOf;
        if (!entry.decoding) {
            if (!entry.contentDue || *entry.contentDue > now) continue;
            entry.decoding = true;
            since = std::max(since, *entry.contentDue);
        }
        const double tokens = std::chrono::duration<double>(now - since).count() * entry.demand.decodeTokensPerS / running;
        entry.decodeLeft = std::max(0.0, entry.decodeLeft - tokens);
    }
    m_asOf = now;
}

LocalLoad LocalLedger::sum() const {
    LocalLoad out;
    double decode = 0;
    for (const Entry& entry : m_entries) {
        ++out.runningRequests;
        out.reservedTokens += entry.demand.reservedTokens;
        if (!entry.decoding) out.remainingPrefillTokens += entry.demand.prefillTokens;
        decode += entry.decodeLeft;
    }
    out.remainingDecodeTokens = static_cast<std::int64_t>(std::ceil(decode));
    return out;
}

LocalHold::LocalHold(LocalHold&& other) noexcept : m_ledger(std::move(other.m_ledger)), m_entry(other.m_entry) {}

LocalHold& LocalHold::operator=(LocalHold&& other) noexcept {
    if (this == &other) return *this;
    release();
    m_ledger = std::move(other.m_ledger);
    m_entry = other.m_entry;
    return *this;
}

void LocalHold::contentSeen(Steady now) {
    if (m_ledger) m_ledger->contentSeen(m_entry, now);
}

void LocalHold::expectContent(Steady due) {
    if (m_ledger) m_ledger->expectContent(m_entry, due);
}

void LocalHold::release() {
    if (const auto ledger = std::exchange(m_ledger, nullptr)) ledger->end(m_entry);
}

std::shared_ptr<LocalLedger> LocalLedgers::of(std::string_view server) {
    const std::lock_guard lock(m_mutex);
    std::shared_ptr<LocalLedger>& ledger = m_ledgers[std::string(server)];
    if (!ledger) ledger = std::make_shared<LocalLedger>();
    return ledger;
}

}  // namespace signalbox::capacity
