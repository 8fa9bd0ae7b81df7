// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/database.h"
#include "router/evidence/journal.h"
#include "router/evidence/segment_cursor.h"
#include "router/evidence/store_connection.h"

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace signalbox::evidence {

/// One thread that moves the journal into PostgreSQL. Rows and the position up to which they were read commit
/// together, so a record arrives exactly once whatever dies in between. While the database is away it tries again
/// with growing pauses; nothing else waits for it. It reads the journal and stores in threads that interrupt no other; not so
/// connecting, which may start the private cluster, and that would inherit it.
class StoreWriter {
public:
    StoreWriter(std::shared_ptr<Journal> journal, std::shared_ptr<Database> database, std::uint32_t retentionDays,
                const Clock& clock);
    /// Stores what it can within two seconds if the database answers; the rest stays in the journal.
    ~StoreWriter();

    [[nodiscard]] EvidenceStatus status() const;
    [[nodiscard]] bool flush(std::chrono::milliseconds deadline);

private:
    void run();
    void guarded(void (StoreWriter::*step)());
    void work();
    void storeWhileConnected();
    [[nodiscard]] bool startAtStored();
    [[nodiscard]] bool stopping() const;
    [[nodiscard]] bool pause(std::chrono::milliseconds time);
    void countLeftOvers();
    [[nodiscard]] bool connect();
    void keep(std::unique_ptr<StoreConnection> connection);
    bool disconnect(const StoreFailure& failure);  ///< false
    void startAt(std::map<std::string, std::uint64_t> positions);
    /// True when more is waiting.
    [[nodiscard]] bool storeOnce();
    void findSegments();
    void correctStored(const std::shared_ptr<Segment>& segment, std::uint64_t position);
    /// True when nothing was left to read.
    [[nodiscard]] bool collect();
    void tellTrouble(const SegmentCursor& cursor, std::uint64_t damagedBytes);
    void take(const SegmentCursor& cursor, std::string_view receipt);
    void accept(Batch& batch);
    void settle(const Batch& batch);
    void handleRefusal(const StoreFailure& failure);
    [[nodiscard]] bool databaseHasMore();
    void removeFinished();
    void keepHouse();
    void fail(const Error& error);
    void drainAtStop();

    std::shared_ptr<Journal> m_journal;
    std::shared_ptr<Database> m_database;
    std::uint32_t m_retentionDays;
    const Clock& m_clock;

    // The writer thread and the storing thread, of which one waits while the other runs.
    Batch m_batch;  // with positions until the database has told that it has them
    std::string m_madeAnew;  // what is not as this version stores it
    std::map<std::string, SegmentCursor> m_cursors;  // by segment id, so the oldest comes first
    std::map<std::string, std::uint64_t> m_positions;
    std::map<std::string, std::uint64_t> m_unreadable;  // segments whose disk gives an error, by id: how far down
    std::vector<std::string> m_finished;  // removed segments whose position the database still holds
    std::size_t m_batchLimit;
    std::chrono::milliseconds m_retry;
    bool m_batchWasFull = false;
    bool m_leftOversMoved = false;  // the database had another position of one than this process knew
    bool m_readableAgain = false;
    std::optional<std::chrono::steady_clock::time_point> m_nextHousekeeping;

    // Decisions. Those that this process recorded: rows; at their end, in the database or not.
    std::atomic<std::uint64_t> m_stored{0}, m_handled{0};
    std::atomic<std::uint64_t> m_leftOvers{0}, m_leftOversHandled{0};
    std::atomic<std::uint64_t> m_settled{0};  // of the left-overs and what was recorded behind them, without a gap
    std::atomic<std::uint64_t> m_damagedBytes{0};

    mutable std::mutex m_mutex;  // guards what follows
    std::unique_ptr<StoreConnection> m_connection;  ///< changed and used by these two threads, which alone need no lock to read
    std::condition_variable m_wake;
    std::condition_variable m_advanced;
    StoreState m_state = StoreState::starting;
    std::string m_lastError;
    bool m_stopping = false;
    bool m_ended = false;
    bool m_givenUp = false;  ///< whoever closes waits no longer: connections are interrupted, one that is still to come as well
    bool m_hurry = false;
    std::thread m_thread;
};

}  // namespace signalbox::evidence
