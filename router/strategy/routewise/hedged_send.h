// SPDX-License-Identifier: MIT
#pragma once

#include "router/strategy/race.h"
#include "router/strategy/routewise/backups.h"
#include "router/strategy/routewise/pool_request.h"

namespace signalbox::strategy::routewise {

/// One attempt with a backup for the case that its first content does not come in time: a race of two legs, each its own
/// leaf, admission, reservation and record. The backup is planned anew at every checkpoint with the profiles as they are
/// and sent when the plan's moment has come, at once when the primary has failed; the first content wins, and the other
/// leg is cancelled down to its socket. Streams only.
class HedgedSend {
public:
    /// All of them must live until `run` has ended.
    HedgedSend(PoolRequest& request, Waiter& waiter, std::size_t primary);

    /// The faster answer; null when nobody delivered, which the request's verdict then knows.
    [[nodiscard]] dispatch::asio::awaitable<std::unique_ptr<dispatch::RoutedAnswer>> run(ReadyAttempt ready);

private:
    struct Backup {
        std::size_t member;
        std::size_t entry;  // of the attempt list
        capacity::HedgeLedger::Booking booking;
    };

    [[nodiscard]] dispatch::asio::awaitable<dispatch::AnswerResult> primaryLeg(ReadyAttempt ready);
    [[nodiscard]] dispatch::asio::awaitable<dispatch::AnswerResult> backupLeg();
    [[nodiscard]] dispatch::asio::awaitable<dispatch::AnswerResult> afterFailure();
    [[nodiscard]] std::optional<HedgeDispatch> planAt(std::size_t checkpoint);
    [[nodiscard]] std::optional<HedgeDispatch> planAfterFailure();
    void lookForBackups();
    [[nodiscard]] std::optional<ReadyAttempt> admit(const HedgeDispatch& dispatch);
    [[nodiscard]] std::unique_ptr<dispatch::RoutedAnswer> conclude(RaceEnd& end);
    void backupLost(bool failed, bool arrived);
    void markLost(std::size_t entry, std::size_t member, bool arrived);
    void say(std::string_view word);
    [[nodiscard]] double elapsedMs() const;

    PoolRequest& m_request;
    const Pool& m_pool;
    Waiter& m_waiter;
    const std::size_t m_primary;
    std::size_t m_primaryEntry = 0;
    Steady m_sentAt{};
    std::optional<Signal> m_primaryEnded;
    std::optional<dispatch::UpstreamFailure> m_primaryFailure;
    Backups m_backups;
    std::optional<Backup> m_backup;  // once it was sent
    std::string m_word;              // of RecordedPool::hedge
    bool m_refused = false;
    bool m_overCap = false;
};

}  // namespace signalbox::strategy::routewise
