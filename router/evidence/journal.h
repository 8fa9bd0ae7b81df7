// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/base/random.h"
#include "router/evidence/owner_lock.h"
#include "router/evidence/segment.h"
#include "router/evidence/sink.h"

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace signalbox::evidence {

struct JournalOptions {
    std::filesystem::path folder;
    std::uint64_t maxBytes = std::uint64_t{4} << 30;
    /// A segment is closed when it would grow over this, or over its share of half of maxBytes (4 KiB at least). 0: a sixteenth
    /// of maxBytes, 4 KiB to 64 MiB.
    std::uint64_t segmentBytes = 0;
};

/// Decision records and events on disk until PostgreSQL has them. Sinks append on their own threads, each to its own segment;
/// one thread syncs once a second at least; the writer reads segments and removes the finished ones.
class Journal : public std::enable_shared_from_this<Journal> {
public:
    /// Errors: the folder cannot be used; conflict when somebody else holds it.
    [[nodiscard]] static Result<std::shared_ptr<Journal>> open(const JournalOptions& options, const Clock& clock);
    ~Journal();

    [[nodiscard]] Result<std::unique_ptr<RecordSink>> makeSink();
    [[nodiscard]] Result<std::unique_ptr<EventSink>> makeEventSink();
    /// Live and left-over segments, oldest first.
    [[nodiscard]] std::vector<std::shared_ptr<Segment>> segments() const;
    /// Deletes the file of a segment that is closed and stored.
    void remove(const std::shared_ptr<Segment>& segment);
    /// Keeps a record that cannot be stored, for a person to look at.
    void setAside(std::string_view payload, const std::string& why);
    /// Trouble that somebody should look at, for `lastError`.
    void noteError(std::string text);

    /// Decisions appended.
    [[nodiscard]] std::uint64_t recorded() const { return m_recorded; }
    /// Decisions and events that did not fit.
    [[nodiscard]] std::uint64_t dropped() const { return m_dropped; }
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }
    /// The newest append was refused because the journal or its disk is full.
    [[nodiscard]] bool isFull() const { return m_full; }
    /// Why it is full while it is; otherwise the newest trouble that somebody should look at.
    [[nodiscard]] std::string lastError() const;

private:
    class Appender;
    class Records;
    class Events;
    Journal(JournalOptions options, const Clock& clock, OwnerLock lock);
    [[nodiscard]] Result<void> findLeftOvers();
    [[nodiscard]] Result<std::shared_ptr<Segment>> newSegment();
    [[nodiscard]] bool reserve(std::size_t bytes);
    void refuse(std::size_t reservedBytes, std::uint64_t entries, std::string_view reason) noexcept;
    /// Where a sink closes its segment. Open ones hold half of the journal at most, so that the other half can be removed whenever
    /// PostgreSQL has it, also of sinks that append nothing any more.
    [[nodiscard]] std::uint64_t segmentBytes() const;
    void syncLoop();
    void syncAll();
    void syncFolder() const;

    JournalOptions m_options;
    const Clock& m_clock;
    OwnerLock m_lock;
    std::atomic<std::uint64_t> m_recorded{0}, m_dropped{0}, m_bytes{0};
    std::atomic<std::uint32_t> m_appenders{0};  // made and ended on any thread
    std::atomic<bool> m_full{false};

    mutable std::mutex m_mutex;  // guards what follows
    FastRandom m_random;
    std::vector<std::shared_ptr<Segment>> m_segments;
    std::string m_lastError;
    std::string m_fullReason;
    bool m_folderChanged = false;
    bool m_stopping = false;
    std::condition_variable m_wake;
    std::thread m_syncThread;
};

}  // namespace signalbox::evidence
