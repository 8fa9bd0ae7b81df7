// SPDX-License-Identifier: MIT
#include "router/evidence/store_connection.h"

#include "router/base/text.h"
#include "router/evidence/copy_line.h"
#include "router/evidence/decision_rows.h"
#include "router/evidence/descriptor.h"
#include "router/evidence/migrations.h"
#include "router/evidence/pg_writing.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>

namespace signalbox::evidence {

namespace {

using Done = tl::expected<void, StoreFailure>;
using Days = std::chrono::sys_days;

// Any fixed numbers; they keep two processes from changing the schema at once.
constexpr const char* kSchemaLock = "SELECT pg_advisory_xact_lock(7316420171)";
constexpr const char* kPartitionLock = "SELECT pg_advisory_xact_lock(7316420172)";
constexpr std::string_view kLockNotAvailable = "55P03";
constexpr std::string_view kUniqueViolation = "23505";

/// Whether the server will refuse this value whenever it comes: bad data, a duplicate, too large for an index. A missing
/// partition (23514) is none of that: another gateway's retention dropped it, and a new connection makes it anew.
bool isAboutData(const std::string& state) {
    return state.starts_with("22") || (state.starts_with("23") && state != "23514") || state == "54000";
}

// Lines of one record are about 2 KB; less than this is not worth giving back.
constexpr std::size_t kKeptLinesBytes = std::size_t{1} << 20;

/// Runs a step and turns what it throws into a value.
template <class Step>
auto attempt(const Step& step) -> tl::expected<decltype(step()), StoreFailure> {
    try {
        if constexpr (std::is_void_v<decltype(step())>) {
            step();
            return {};
        } else {
            return step();
        }
    } catch (const PgRefusal& error) {
        return tl::unexpected(StoreFailure{error.what(), isAboutData(error.sqlState()), error.sqlState() == kUniqueViolation});
    } catch (const std::exception& error) {
        return tl::unexpected(StoreFailure{error.what()});
    }
}

std::string dayText(Days day, const char* format) {
    const std::chrono::year_month_day date(day);
    char out[32];
    std::snprintf(out, sizeof out, format, static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                  static_cast<unsigned>(date.day()));
    return out;
}
/// In UTC, as a principal's month is reckoned.
Days firstOfMonth(Timestamp now) {
    const std::chrono::year_month_day date(std::chrono::floor<std::chrono::days>(now));
    return Days(date.year() / date.month() / 1);
}
std::string partitionName(Days day) { return dayText(day, "decisions_%04d%02u%02u"); }
std::string dayStart(Days day) { return dayText(day, "'%04d-%02u-%02u 00:00:00+00'"); }

int schemaVersion(PgWriting& session) {
    return static_cast<int>(session.exec("SELECT coalesce(max(version), 0) FROM signalbox.schema_migration").number(0, 0));
}

/// Another gateway may hold it for minutes, while it makes an index: better to say so and come again.
void lockSchema(PgWriting& session) {
    session.exec("SET LOCAL lock_timeout = '2s'");
    try {
        session.exec(kSchemaLock);
    } catch (const PgRefusal& error) {
        if (error.sqlState() != kLockNotAvailable) throw;
        throw std::runtime_error("another Signalbox is bringing the schema of this history up to date");
    }
    session.exec("SET LOCAL lock_timeout TO DEFAULT");
}

void migrate(PgWriting& session) {
    PgTransaction transaction(session);
    lockSchema(session);
    // A new index on months of decisions takes longer than any statement of every day may.
    session.exec("SET LOCAL statement_timeout = 0");
    session.exec("CREATE SCHEMA IF NOT EXISTS signalbox");
    session.exec("CREATE TABLE IF NOT EXISTS signalbox.schema_migration (version integer PRIMARY KEY,"
                 " applied_at timestamptz NOT NULL DEFAULT now())");
    const int present = schemaVersion(session);
    if (present > migrations().back().version)
        throw std::runtime_error("this history was written by a newer Signalbox (schema " + std::to_string(present) +
                                 ", this one knows " + std::to_string(migrations().back().version) + ")");
    for (const Migration& migration : migrations()) {
        if (migration.version <= present) continue;
        session.exec(std::string(migration.sql));
        session.exec("INSERT INTO signalbox.schema_migration (version) VALUES (" + std::to_string(migration.version) + ")");
    }
    transaction.commit();
}

void prepareSession(PgWriting& session) {
    session.exec("SET client_min_messages = warning");
    session.exec("SET TIME ZONE 'UTC'");
    session.exec("SET statement_timeout = '60s'");
    session.exec("SET search_path = signalbox, pg_temp");
    // Receipts are just large enough to be compressed, which takes the usual way a fifth of all that storing one costs.
    try {
        session.exec("SET default_toast_compression = 'lz4'");
    } catch (const PgRefusal&) {  // before version 14, or built without it
    }
}

std::string copyStatement() {
    std::string columns;
    for (const std::string_view column : kDecisionColumns) columns.append(columns.empty() ? "" : ", ").append(column);
    return "COPY decisions (" + columns + ") FROM STDIN";
}

void appendEventValues(std::string& out, const Batch::EventEntry& entry) {
    const Event& event = entry.event;
    CopyLine line(out);
    line.text(entry.receipt);
    line.text(std::string_view(event.id.text()).substr(4));
    line.text(toIso8601(event.createdAt));
    line.text(event.target);
    line.text(event.environment);
    line.text(event.subject);
    line.text(event.actor);
    line.text(event.policyHash);
    line.text(toString(event.kind));
}

void savePositions(PgWriting& session, const std::map<std::string, std::uint64_t>& positions) {
    std::string values;
    for (const auto& [segment, position] : positions)
        values += (values.empty() ? "(" : ", (") + session.quote(segment) + ", " + std::to_string(position) + ")";
    if (!values.empty())
        session.exec("INSERT INTO journal_progress (segment, position) VALUES " + values +
                     " ON CONFLICT (segment) DO UPDATE SET position = excluded.position, updated_at = now()");
}

/// Nothing is stored of a quiet thread, and so nothing renews its segment's position. Other gateways on this server, too, go by
/// the time of the row.
void renewPositions(PgWriting& session, const std::vector<std::string>& segments) {
    std::string ids;
    for (const std::string& segment : segments) ids += (ids.empty() ? "" : ", ") + session.quote(segment);
    if (!ids.empty()) session.exec("UPDATE journal_progress SET updated_at = now() WHERE segment IN (" + ids + ")");
}

std::vector<std::string> expiredPartitions(PgWriting& session, Days keepFrom) {
    const PgRows rows = session.exec("SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid"
                                     " WHERE i.inhparent = 'signalbox.decisions'::regclass AND c.relname < $1"
                                     " AND c.relname ~ '^decisions_[0-9]{8}$' ORDER BY 1",
                                     {partitionName(keepFrom)});
    std::vector<std::string> names;
    for (int row = 0; row < rows.count(); ++row) names.emplace_back(rows.text(row, 0));
    return names;
}

}  // namespace

bool Batch::add(const StoredRecord& record) {
    if (!sums.add(record.createdAt, record.sums)) return false;
    if (decisions++ == 0) firstReceipt = record.receipt;
    days.insert(std::chrono::floor<std::chrono::days>(record.createdAt));
    // JSON has no control characters of its own, so that a backslash is all that could need escaping.
    const bool plain = std::memchr(record.receipt.data(), '\\', record.receipt.size()) == nullptr;
    if (plain) lines += record.receipt;
    else appendEscaped(lines, record.receipt);
    ((lines += '\t') += record.row) += '\n';
    return true;
}

void Batch::clear() {
    std::string kept = std::move(lines);
    if (kept.capacity() > kKeptLinesBytes && kept.size() < kept.capacity() / 4) kept = {};
    kept.clear();
    *this = {};
    lines = std::move(kept);
}

struct StoreConnection::Session {
    explicit Session(const std::string& dsn) : writing(dsn), socket(::fcntl(writing.socket(), F_DUPFD_CLOEXEC, 0)) {}
    PgWriting writing;
    Descriptor socket;  ///< a number of our own: libpq may close its own at any time
};

StoreConnection::StoreConnection(std::unique_ptr<Session> session) : m_session(std::move(session)) {}
StoreConnection::~StoreConnection() = default;

tl::expected<std::unique_ptr<StoreConnection>, StoreFailure> StoreConnection::open(const std::string& dsn) {
    return attempt([&] {
        return std::unique_ptr<StoreConnection>(new StoreConnection(std::make_unique<Session>(dsn)));
    });
}

Done StoreConnection::prepare() {
    return attempt([&] {
        prepareSession(m_session->writing);
        migrate(m_session->writing);
    });
}

tl::expected<std::map<std::string, std::uint64_t>, StoreFailure> StoreConnection::progress() {
    return attempt([&] {
        const PgRows rows = m_session->writing.exec("SELECT segment, position FROM journal_progress");
        std::map<std::string, std::uint64_t> positions;
        for (int row = 0; row < rows.count(); ++row)
            positions.emplace(rows.text(row, 0), static_cast<std::uint64_t>(rows.number(row, 1)));
        return positions;
    });
}

Done StoreConnection::store(const Batch& batch) {
    if (auto ensured = ensureDays(batch.days); !ensured) return ensured;
    return attempt([&] {
        PgTransaction transaction(m_session->writing);
        if (batch.decisions > 0) storeDecisions(batch);
        if (!batch.events.empty()) storeEvents(batch.events);
        savePositions(m_session->writing, batch.positions);
        for (const std::string& segment : batch.finished)
            m_session->writing.exec("DELETE FROM journal_progress WHERE segment = $1", {segment});
        transaction.commit();
    });
}

void StoreConnection::storeDecisions(const Batch& batch) {
    static const std::string statement = copyStatement();
    m_session->writing.copy(statement, batch.lines);
    m_session->writing.exec(sumStatements(batch.sums, [&](const std::string& text) { return m_session->writing.quote(text); }));
}

void StoreConnection::storeEvents(const std::vector<Batch::EventEntry>& events) {
    std::string lines;
    for (const Batch::EventEntry& entry : events) {
        appendEventValues(lines, entry);
        lines += '\n';
    }
    m_session->writing.copy("COPY events (receipt, id, created_at, target, environment, subject, actor, policy_hash, kind)"
                            " FROM STDIN", lines);
}

void StoreConnection::interrupt() { ::shutdown(m_session->socket.get(), SHUT_RDWR); }

Done StoreConnection::prepareDays(Timestamp now, int days) {
    const Days today = std::chrono::floor<std::chrono::days>(now);
    std::set<Days> wanted;
    for (int i = 0; i <= days; ++i) wanted.insert(today + std::chrono::days(i));
    return ensureDays(wanted);
}

Done StoreConnection::ensureDays(const std::set<Days>& days) {
    std::vector<Days> missing;
    for (const Days day : days)
        if (!m_knownDays.contains(day)) missing.push_back(day);
    if (missing.empty()) return {};
    auto created = attempt([&] {
        PgWriting& session = m_session->writing;
        PgTransaction transaction(session);
        session.exec(kPartitionLock);
        for (const Days day : missing) {
            const std::string name = partitionName(day);
            if (!session.exec("SELECT to_regclass('signalbox." + name + "')").isNull(0, 0)) continue;
            // Attaching takes a weaker lock than CREATE TABLE … PARTITION OF: readers go on.
            session.exec("CREATE TABLE " + name + " (LIKE decisions INCLUDING DEFAULTS INCLUDING CONSTRAINTS)");
            session.exec("ALTER TABLE decisions ATTACH PARTITION " + name + " FOR VALUES FROM (" + dayStart(day) + ") TO (" +
                      dayStart(day + std::chrono::days(1)) + ")");
        }
        transaction.commit();
    });
    if (created) m_knownDays.insert(missing.begin(), missing.end());
    return created;
}

Done StoreConnection::retain(Timestamp now, std::uint32_t retentionDays, const std::vector<std::string>& segments) {
    const Days keepFrom = std::chrono::floor<std::chrono::days>(now) - std::chrono::days(retentionDays);
    const Timestamp minutesFrom =
        std::max<Timestamp>(keepFrom, std::chrono::floor<std::chrono::hours>(now) - std::chrono::hours(48));
    // Budgets are of a month: at its next start a gateway asks what was spent from the first day on.
    const Days spentFrom = std::min(keepFrom, firstOfMonth(now));
    m_knownDays.erase(m_knownDays.begin(), m_knownDays.lower_bound(keepFrom));
    return attempt([&] {
        PgWriting& session = m_session->writing;
        PgTransaction transaction(session);
        // Detaching waits for running questions; better to come again later than to hold up everybody behind us.
        session.exec("SET LOCAL lock_timeout = '2s'");
        session.exec(kPartitionLock);
        for (const std::string& name : expiredPartitions(session, keepFrom)) {
            session.exec("ALTER TABLE decisions DETACH PARTITION " + name);
            session.exec("DROP TABLE " + name);
        }
        for (std::size_t i = 0; i < kQuestions; ++i) {
            const SumTable& table = sumTable(static_cast<Question>(i));
            const std::string name(table.name);
            if (table.hasMinutes)
                session.exec("DELETE FROM " + name + "_minute WHERE bucket < $1", {toIso8601(minutesFrom)});
            const bool isSpending = static_cast<Question>(i) == Question::spend;
            session.exec("DELETE FROM " + name + "_hour WHERE bucket < " + dayStart(isSpending ? spentFrom : keepFrom));
        }
        for (const EventKind kind : kEventKinds)
            if (isPassing(kind))
                session.exec("DELETE FROM events WHERE kind = $1 AND created_at < " + dayStart(keepFrom), {std::string(toString(kind))});
        // A crash between deleting a segment and forgetting it leaves a row. What such a segment held is past keeping, its sums too.
        renewPositions(session, segments);
        session.exec("DELETE FROM journal_progress WHERE updated_at < " + dayStart(spentFrom - std::chrono::days(2)));
        session.exec("UPDATE retention_state SET minutes_from = greatest(minutes_from, $1)", {toIso8601(minutesFrom)});
        transaction.commit();
    });
}

}  // namespace signalbox::evidence
