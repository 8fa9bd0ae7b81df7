// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/event.h"
#include "router/evidence/record.h"

#include <cstdint>
#include <string>

namespace signalbox::evidence {

enum class StoreState : std::uint8_t { off, starting, ready, catchingUp, unavailable, journalFull };
[[nodiscard]] std::string_view toString(StoreState state);

struct EvidenceStatus {
    StoreState state = StoreState::off;
    std::string where;                  ///< "private cluster in …" or "server named by $VAR"; never a password
    std::string lastError;              ///< redacted, with what to do
    std::uint64_t recorded = 0;         ///< decisions, as in the next two; appended to the journal since start
    std::uint64_t stored = 0;           ///< committed to PostgreSQL since start
    std::uint64_t backlogRecords = 0;   ///< in the journal and still to be stored; what was set aside or is damaged is not
    std::uint64_t journalBytes = 0;
    std::uint64_t dropped = 0;          ///< lost because the journal was full
    std::uint64_t eventsDropped = 0;    ///< what happened to the gateway and could not be written down
    std::uint64_t damagedBytes = 0;     ///< of the journal, found since start; the records in them are lost
    /// The newest so many of all known decisions may be on their way still. Of those before them none is, but for what a disk does not
    /// give; the backlog does not say which ones it counts. Not told elsewhere.
    std::uint64_t unsettled = 0;
};

/// Where a gateway thread puts its records: its own journal segment, written inline (some microseconds).
/// Not thread safe: one sink per I/O thread. Nothing here blocks on the database or throws.
class RecordSink {
public:
    virtual ~RecordSink() = default;
    /// Returns once the record would survive SIGKILL; false when the journal is full and the record was dropped
    /// and counted.
    virtual bool append(const DecisionRecord& record) noexcept = 0;
    /// The same for several: those that were gathered survive SIGKILL once `commit` has returned, in one write. It comes at the
    /// sink's end at the latest.
    virtual void gather(const DecisionRecord& record) noexcept { (void)append(record); }
    virtual void commit() noexcept {}
};

/// The same for events, in a segment of its own. Not thread safe.
class EventSink {
public:
    virtual ~EventSink() = default;
    /// As `RecordSink::append`.
    virtual bool append(const Event& event) noexcept = 0;
};

}  // namespace signalbox::evidence
