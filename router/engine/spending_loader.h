// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/principal_use.h"
#include "router/engine/history_worker.h"

#include <atomic>

namespace signalbox::engine {

/// Asks history once what the principals had spent this month before this process began, and gives it to their
/// accounts. While the database is not there it asks again, with the traffic, at most every two seconds.
class SpendingLoader {
public:
    /// All of it must outlive this. `caughtUp` says on the history worker whether everything that earlier processes
    /// left in the journal and that can be read is stored; nothing is asked before.
    SpendingLoader(HistoryWorker& history, capacity::PrincipalAccounts& accounts, std::function<bool()> caughtUp,
                   const Clock& clock);
    /// Drops a question that waits; one that runs ends with the worker.
    ~SpendingLoader();

    /// Any thread, cheap: asks if nothing is known yet and no answer is on its way.
    void poke();

private:
    void load(evidence::HistoryReader& reader, const evidence::CancelToken& cancel);

    HistoryWorker& m_history;
    capacity::PrincipalAccounts& m_accounts;
    const std::function<bool()> m_caughtUp;
    const Clock& m_clock;
    const Timestamp m_begun;
    std::atomic<bool> m_done{false};
    std::atomic<Steady::rep> m_notBefore;
    std::mutex m_mutex;
    std::unique_ptr<HistoryJob> m_job;
};

} // namespace signalbox::engine
