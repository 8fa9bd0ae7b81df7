// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/history.h"
#include "router/evidence/sink.h"

#include <filesystem>
#include <memory>

namespace signalbox::evidence {

struct EvidenceOptions {
    std::filesystem::path journalFolder;
    std::uint64_t journalMaxBytes = std::uint64_t{4} << 30;
    /// libpq connection string; empty with `managedClusterFolder` set means the private cluster.
    std::string dsn;
    std::string dsnName;  ///< how to speak of it without its secrets, e.g. "$SIGNALBOX_DSN"
    std::filesystem::path managedClusterFolder;
    std::uint32_t retentionDays = 90;
    std::string workspaceId;
};

/// The evidence of one gateway: journal, the writer thread that moves it into PostgreSQL exactly once, readers.
/// Starting returns at once; the database comes up (or does not) in the background and `status` says so.
class EvidenceStore {
public:
    virtual ~EvidenceStore() = default;
    /// A sink with a segment of its own. Call once per I/O thread.
    [[nodiscard]] virtual Result<std::unique_ptr<RecordSink>> makeSink() = 0;
    /// One for each thread that posts events.
    [[nodiscard]] virtual Result<std::unique_ptr<EventSink>> makeEventSink() = 0;
    /// Connects on its first call.
    [[nodiscard]] virtual std::unique_ptr<HistoryReader> makeReader() = 0;
    [[nodiscard]] virtual EvidenceStatus status() const = 0;
    /// Whether something that an earlier process left in the journal is not committed yet.
    [[nodiscard]] virtual bool holdsLeftOvers() const = 0;
    /// Waits until everything appended so far is committed, or the deadline passes.
    [[nodiscard]] virtual bool flush(std::chrono::milliseconds deadline) = 0;
};

/// Errors: the journal folder cannot be used, or another process holds it (conflict, with the owner's name).
[[nodiscard]] Result<std::unique_ptr<EvidenceStore>> openEvidence(const EvidenceOptions& options, const Clock& clock);
/// Readers only, no journal, no writer: for `signalboxctl history` and a second console.
[[nodiscard]] Result<std::unique_ptr<HistoryReader>> openHistory(const EvidenceOptions& options);

}  // namespace signalbox::evidence
