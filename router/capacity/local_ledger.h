// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::capacity {

/// What a local server has taken on by our own count.
struct LocalLoad {
    std::int64_t runningRequests = 0;
    std::int64_t reservedTokens = 0;
    std::int64_t remainingPrefillTokens = 0;
    std::int64_t remainingDecodeTokens = 0;
    bool operator==(const LocalLoad&) const = default;
};

/// What one request takes of a local server, all estimates.
struct LocalDemand {
    std::int64_t reservedTokens = 0;  ///< KV tokens that it holds at most
    std::int64_t prefillTokens = 0;
    std::int64_t decodeTokens = 0;
    double decodeTokensPerS = 0;      ///< of the whole server, shared by all that run; must be above 0
};

class LocalHold;

/// Hears when a server may have room again. Called on the thread whose request ended, with no lock held.
class LocalWatcher {
public:
    virtual ~LocalWatcher() = default;
    virtual void mayHaveRoom() = 0;
};

/// What one local server has taken on, from every router that sends there. A request counts from its admission until
/// its hold ends; its prefill is done when its first content comes, and from then on its remaining output shrinks with
/// time, by its share of the server's decode rate. Thread safe.
class LocalLedger : public std::enable_shared_from_this<LocalLedger> {
public:
    [[nodiscard]] LocalLoad load(Steady now);
    /// `decide` sees the load and says what is taken on now, all under one lock, so that two routers never both take
    /// the last of anything. It must not come back to this ledger. One hold for each demand, in its order.
    [[nodiscard]] std::vector<LocalHold> take(Steady now,
                                              const std::function<std::vector<LocalDemand>(const LocalLoad&)>& decide);
    /// From here on; a watcher that is gone is forgotten.
    void watch(std::weak_ptr<LocalWatcher> watcher);

private:
    friend class LocalHold;
    struct Entry {
        LocalDemand demand;
        bool decoding = false;
        double decodeLeft = 0;
        std::optional<Steady> contentDue;
    };
    using Entries = std::list<Entry>;

    void contentSeen(Entries::iterator entry, Steady now);
    void expectContent(Entries::iterator entry, Steady due);
    void end(Entries::iterator entry);
    void tellWatchers();
    // Both with the lock held.
    void advance(Steady now);
    [[nodiscard]] LocalLoad sum() const;

    std::mutex m_mutex;
    Entries m_entries;
    Steady m_asOf{};
    std::vector<std::weak_ptr<LocalWatcher>> m_watchers;
};

/// One request's part of a ledger. Move-only; ends when released or destroyed, whichever comes first, and only once.
class LocalHold {
public:
    LocalHold() = default;
    LocalHold(LocalHold&& other) noexcept;
    LocalHold& operator=(LocalHold&& other) noexcept;
    ~LocalHold() { release(); }

    /// The server has worked through the prompt.
    void contentSeen(Steady now);
    /// Of a whole body nobody sees the first token: it is taken to have come at that moment.
    void expectContent(Steady due);
    /// Idempotent.
    void release();
    [[nodiscard]] bool held() const { return m_ledger != nullptr; }

private:
    friend class LocalLedger;
    LocalHold(std::shared_ptr<LocalLedger> ledger, LocalLedger::Entries::iterator entry)
        : m_ledger(std::move(ledger)), m_entry(entry) {}

    std::shared_ptr<LocalLedger> m_ledger;
    LocalLedger::Entries::iterator m_entry;
};

/// The ledgers of a process, by server. They outlive policies: what an earlier one sent is still on the server.
/// Thread safe.
class LocalLedgers {
public:
    /// `server` is the identity that all pools agree on: the slots that a route names, else its endpoint.
    [[nodiscard]] std::shared_ptr<LocalLedger> of(std::string_view server);

private:
    std::mutex m_mutex;
    std::map<std::string, std::shared_ptr<LocalLedger>, std::less<>> m_ledgers;
};

}  // namespace signalbox::capacity
