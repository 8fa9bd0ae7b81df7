// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/event.h"
#include "router/evidence/record.h"
#include "router/evidence/stored_record.h"
#include "router/evidence/sum_tables.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace signalbox::evidence {

/// What one transaction of the writer stores.
struct Batch {
    struct EventEntry {
        Event event;
        std::string receipt;
    };
    std::string lines;            ///< of COPY, one for each decision
    std::size_t decisions = 0;
    std::string firstReceipt;     ///< of the first decision
    std::set<std::chrono::sys_days> days;  ///< of the decisions
    SumRollups sums;
    std::vector<EventEntry> events;
    /// How many decisions end with it.
    struct Ends {
        std::uint64_t stored = 0, setAside = 0;
    };
    Ends own, leftOver;                              ///< by whether this process recorded them
    std::uint64_t damagedBytes = 0;                  ///< stepped over
    /// Nothing was left to read: of what this process has recorded, so much at least ends with it or ended before.
    std::optional<std::uint64_t> settles;
    std::map<std::string, std::uint64_t> positions;  ///< segment id -> stored up to here
    std::vector<std::string> finished;               ///< segments whose files are gone: their positions can go, too
    /// Passed over, with the reason: to be set aside once the positions behind them are stored.
    std::vector<std::pair<std::string, std::string>> unreadable;

    /// Rows that it makes.
    [[nodiscard]] std::size_t size() const { return decisions + events.size(); }
    /// False when the sums cannot be read; nothing was added then.
    [[nodiscard]] bool add(const StoredRecord& record);
    /// Empty, but with the memory of `lines` unless that is large and was hardly used.
    void clear();
};

/// Why a step failed, so far as the writer must act on it.
struct StoreFailure {
    std::string message;       ///< not yet redacted
    bool dataRefused = false;  ///< the server did not like a value; trying again cannot help
    bool isDuplicate = false;  ///< of a row that is there already
};

/// The writer's connection. One thread, except for `interrupt`. Every call either happens wholly or not at all.
class StoreConnection {
public:
    /// Connects, within the `connect_timeout` of the connection string. Next is `prepare`.
    [[nodiscard]] static tl::expected<std::unique_ptr<StoreConnection>, StoreFailure> open(const std::string& dsn);
    ~StoreConnection();

    /// Brings the schema up to date, however long that takes; fails soon where another process is at it.
    [[nodiscard]] tl::expected<void, StoreFailure> prepare();

    [[nodiscard]] tl::expected<std::map<std::string, std::uint64_t>, StoreFailure> progress();
    /// Rows, rollups and positions together.
    [[nodiscard]] tl::expected<void, StoreFailure> store(const Batch& batch);
    /// Creates the partitions from `now`'s day on, so that no batch has to wait for one.
    [[nodiscard]] tl::expected<void, StoreFailure> prepareDays(Timestamp now, int days);
    /// Drops what is older: whole days of decisions and hours, passing events; minutes after two days. What people did stays, and
    /// so does what was spent this month. Positions that nobody needs go; those of `segments`, whose files are there, are kept.
    [[nodiscard]] tl::expected<void, StoreFailure> retain(Timestamp now, std::uint32_t retentionDays, const std::vector<std::string>& segments);
    /// From another thread: what is waiting for the server fails at once, as if the connection had broken.
    void interrupt();

private:
    struct Session;
    explicit StoreConnection(std::unique_ptr<Session> session);
    void storeDecisions(const Batch& batch);
    void storeEvents(const std::vector<Batch::EventEntry>& events);
    [[nodiscard]] tl::expected<void, StoreFailure> ensureDays(const std::set<std::chrono::sys_days>& days);

    std::unique_ptr<Session> m_session;
    std::set<std::chrono::sys_days> m_knownDays;
};

}  // namespace signalbox::evidence
