// SPDX-License-Identifier: MIT
#include "router/evidence/store_connection.h"

#include "router/base/text.h"
#include "router/evidence/decision_rows.h"
#include "router/evidence/descriptor.h"
#include "router/evidence/migrations.h"
#include "router/evidence/sum_tables.h"

#include <cstdio>
#include <fcntl.h>
#include <pqxx/pqxx>
#include <sys/socket.h>

namespace pqxx {

template <>
struct string_traits<signalbox::evidence::Field> {
    static constexpr const char* name() noexcept { return "field"; }
    static constexpr bool has_null() noexcept { return true; }
    static bool is_null(const signalbox::evidence::Field& field) { return !field.text; }
    static std::string to_string(const signalbox::evidence::Field& field) { return *field.text; }
};

}  // namespace pqxx

namespace signalbox::evidence {

namespace {

using Done = tl::expected<void, StoreFailure>;
using Days = std::chrono::sys_days;

// Any fixed numbers; they keep two processes from changing the schema at once.
constexpr const char* kSchemaLock = "SELECT pg_advisory_xact_lock(7316420171)";
constexpr const char* kPartitionLock = "SELECT pg_advisory_xact_lock(7316420172)";

/// Whether the server will refuse this value whenever it comes: bad data, a duplicate, too large for an index. A missing
/// partition (23514) is none of that: another gateway's retention dropped it, and a new connection makes it anew.
bool isAboutData(const std::string& state) {
    return state.starts_with("22") || (state.starts_with("23") && state != "23514") || state == "54000";
}

/// Runs a step and turns what libpqxx throws into a value.
template <class Step>
auto attempt(const Step& step) -> tl::expected<decltype(step()), StoreFailure> {
    try {
        if constexpr (std::is_void_v<decltype(step())>) {
            step();
            return {};
        } else {
            return step();
        }
    } catch (const pqxx::sql_error& error) {
        const std::string state = error.sqlstate();
        return tl::unexpected(StoreFailure{error.what(), isAboutData(state)});
    } catch (const std::exception& error) {
        return tl::unexpected(StoreFailure{error.what(), false});
    }
}

std::string dayText(Days day, const char* format) {
    const std::chrono::year_month_day date(day);
    char out[32];
    std::snprintf(out, sizeof out, format, static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                  static_cast<unsigned>(date.day()));
    return out;
}
std::string partitionName(Days day) { return dayText(day, "decisions_%04d%02u%02u"); }
std::string dayStart(Days day) { return dayText(day, "'%04d-%02u-%02u 00:00:00+00'"); }

int schemaVersion(pqxx::work& work) {
    return work.exec1("SELECT coalesce(max(version), 0) FROM signalbox.schema_migration")[0].as<int>();
}

void migrate(pqxx::connection& connection) {
    pqxx::work work(connection);
    // A new index on months of decisions takes longer than any statement of every day may.
    work.exec("SET LOCAL statement_timeout = 0");
    work.exec(kSchemaLock);
    work.exec("CREATE SCHEMA IF NOT EXISTS signalbox");
    work.exec("CREATE TABLE IF NOT EXISTS signalbox.schema_migration (version integer PRIMARY KEY,"
              " applied_at timestamptz NOT NULL DEFAULT now())");
    const int present = schemaVersion(work);
    if (present > migrations().back().version)
        throw pqxx::failure("this history was written by a newer Signalbox (schema " + std::to_string(present) +
                            ", this one knows " + std::to_string(migrations().back().version) + ")");
    for (const Migration& migration : migrations()) {
        if (migration.version <= present) continue;
        work.exec(std::string(migration.sql));
        work.exec("INSERT INTO signalbox.schema_migration (version) VALUES (" + std::to_string(migration.version) + ")");
    }
    work.commit();
}

void prepareSession(pqxx::connection& connection) {
    pqxx::nontransaction work(connection);
    work.exec("SET client_min_messages = warning");
    work.exec("SET TIME ZONE 'UTC'");
    work.exec("SET statement_timeout = '60s'");
    work.exec("SET search_path = signalbox, pg_temp");
}

void prepareTemporaryTables(pqxx::connection& connection) {
    pqxx::nontransaction work(connection);
    work.exec("CREATE TEMP TABLE added_requests (LIKE signalbox.rollup_minute) ON COMMIT DELETE ROWS");
    work.exec("CREATE TEMP TABLE added_latencies (LIKE signalbox.latency_minute) ON COMMIT DELETE ROWS");
}

template <std::size_t N, class Rows, class Convert>
void copyRows(pqxx::work& work, const char* table, const std::vector<std::string>& columns, const Rows& rows,
              const Convert& convert) {
    pqxx::stream_to stream(work, table, columns);
    for (const auto& row : rows) {
        const std::array<Field, N> fields = convert(row);
        stream << fields;
    }
    stream.complete();
}

Field asField(Timestamp at) { return {toIso8601(at)}; }
Field asField(const std::string& text) { return {text}; }
Field asField(std::int64_t number) { return {std::to_string(number)}; }

template <class Entry>
auto keyedRow(const Entry& entry) {
    return std::apply(
        [&](const auto&... parts) {
            return std::array<Field, sizeof...(parts) + 1>{asField(parts)..., {std::to_string(entry.second)}};
        },
        entry.first);
}

void copyDecisions(pqxx::work& work, const Batch& batch) {
    static const std::vector<std::string> columns(kDecisionColumns.begin(), kDecisionColumns.end());
    copyRows<kDecisionColumns.size()>(work, "decisions", columns, batch.entries,
                                      [](const Batch::Entry& entry) { return toRow(entry.record, entry.receipt); });
}

// `kind`, our own word, comes last: libpqxx 6.4 refuses a line that ends in a backslash.
void copyEvents(pqxx::work& work, const Batch& batch) {
    copyRows<9>(work, "events",
                {"receipt", "id", "created_at", "target", "environment", "subject", "actor", "policy_hash", "kind"}, batch.events,
                [](const Batch::EventEntry& entry) {
                    const Event& event = entry.event;
                    return std::array<Field, 9>{{{storable(entry.receipt)},
                                                 {event.id.text().substr(4)},
                                                 asField(event.createdAt),
                                                 {storable(event.target)},
                                                 {storable(event.environment)},
                                                 {storable(event.subject)},
                                                 {storable(event.actor)},
                                                 {storable(event.policyHash)},
                                                 {std::string(toString(event.kind))}}};
                });
}

void addRollups(pqxx::work& work, const Rollups& rollups) {
    copyRows<10>(work, "added_requests",
                 {"bucket", "origin", "preset", "family", "cell", "rule_index", "coverage", "endpoint", "outcome", "requests"},
                 rollups.counts(), [](const auto& entry) { return keyedRow(entry); });
    copyRows<6>(work, "added_latencies", {"bucket", "origin", "preset", "measure", "slot", "requests"}, rollups.latencies(),
                [](const auto& entry) { return keyedRow(entry); });
    const std::string countKeys = "origin, preset, family, cell, rule_index, coverage, endpoint, outcome";
    const std::string latencyKeys = "origin, preset, measure, slot";
    const auto add = [&](const std::string& into, const char* unit, const std::string& from, const std::string& keys) {
        const std::string bucket = "date_trunc('" + std::string(unit) + "', bucket)";
        work.exec("INSERT INTO " + into + " AS old (bucket, " + keys + ", requests) SELECT " + bucket + ", " + keys +
                  ", sum(requests) FROM " + from + " GROUP BY 1, " + keys + " ORDER BY 1, " + keys +
                  " ON CONFLICT (bucket, " + keys + ") DO UPDATE SET requests = old.requests + excluded.requests");
    };
    add("rollup_minute", "minute", "added_requests", countKeys);
    add("rollup_hour", "hour", "added_requests", countKeys);
    add("latency_minute", "minute", "added_latencies", latencyKeys);
    add("latency_hour", "hour", "added_latencies", latencyKeys);
}

void addSums(pqxx::work& work, const SumRollups& sums) {
    const std::string sql = sumStatements(sums, [&](const std::string& text) { return work.quote(text); });
    if (!sql.empty()) work.exec(sql);
}

void savePositions(pqxx::work& work, const std::map<std::string, std::uint64_t>& positions) {
    for (const auto& [segment, position] : positions)
        work.exec_params("INSERT INTO journal_progress (segment, position) VALUES ($1, $2) ON CONFLICT (segment)"
                         " DO UPDATE SET position = excluded.position, updated_at = now()",
                         segment, std::to_string(position));
}

std::vector<std::string> expiredPartitions(pqxx::work& work, Days keepFrom) {
    const auto rows = work.exec_params("SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid"
                                       " WHERE i.inhparent = 'signalbox.decisions'::regclass AND c.relname < $1"
                                       " AND c.relname ~ '^decisions_[0-9]{8}$' ORDER BY 1",
                                       partitionName(keepFrom));
    std::vector<std::string> names;
    for (const auto& row : rows) names.push_back(row[0].as<std::string>());
    return names;
}

}  // namespace

struct StoreConnection::Session {
    explicit Session(const std::string& dsn)
        : connection(dsn), socket(::fcntl(connection.sock(), F_DUPFD_CLOEXEC, 0)) {}
    pqxx::connection connection;
    Descriptor socket;  ///< a number of our own: libpq may close its own at any time
};

StoreConnection::StoreConnection(std::unique_ptr<Session> session) : m_session(std::move(session)) {}
StoreConnection::~StoreConnection() = default;

tl::expected<std::unique_ptr<StoreConnection>, StoreFailure> StoreConnection::open(const std::string& dsn) {
    return attempt([&] {
        auto session = std::make_unique<Session>(dsn);
        prepareSession(session->connection);
        migrate(session->connection);
        prepareTemporaryTables(session->connection);
        return std::unique_ptr<StoreConnection>(new StoreConnection(std::move(session)));
    });
}

tl::expected<std::map<std::string, std::uint64_t>, StoreFailure> StoreConnection::progress() {
    return attempt([&] {
        pqxx::work work(m_session->connection);
        std::map<std::string, std::uint64_t> positions;
        for (const auto& row : work.exec("SELECT segment, position FROM journal_progress"))
            positions.emplace(row[0].as<std::string>(), static_cast<std::uint64_t>(row[1].as<long long>()));
        return positions;
    });
}

Done StoreConnection::store(const Batch& batch) {
    std::set<Days> days;
    Rollups rollups;
    SumRollups sums;
    for (const auto& entry : batch.entries) {
        days.insert(std::chrono::floor<std::chrono::days>(entry.record.createdAt));
        rollups.add(entry.record);
        sums.add(entry.record);
    }
    if (auto ensured = ensureDays(days); !ensured) return ensured;
    return attempt([&] {
        pqxx::work work(m_session->connection);
        if (!batch.entries.empty()) {
            copyDecisions(work, batch);
            addRollups(work, rollups);
            addSums(work, sums);
        }
        if (!batch.events.empty()) copyEvents(work, batch);
        savePositions(work, batch.positions);
        for (const std::string& segment : batch.finished)
            work.exec_params("DELETE FROM journal_progress WHERE segment = $1", segment);
        work.commit();
    });
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
        pqxx::work work(m_session->connection);
        work.exec(kPartitionLock);
        for (const Days day : missing) {
            const std::string name = partitionName(day);
            if (!work.exec1("SELECT to_regclass('signalbox." + name + "')")[0].is_null()) continue;
            // Attaching takes a weaker lock than CREATE TABLE … PARTITION OF: readers go on.
            work.exec("CREATE TABLE " + name + " (LIKE decisions INCLUDING DEFAULTS INCLUDING CONSTRAINTS)");
            work.exec("ALTER TABLE decisions ATTACH PARTITION " + name + " FOR VALUES FROM (" + dayStart(day) + ") TO (" +
                      dayStart(day + std::chrono::days(1)) + ")");
        }
        work.commit();
    });
    if (created) m_knownDays.insert(missing.begin(), missing.end());
    return created;
}

Done StoreConnection::retain(Timestamp now, std::uint32_t retentionDays) {
    const Days keepFrom = std::chrono::floor<std::chrono::days>(now) - std::chrono::days(retentionDays);
    const Timestamp minutesFrom =
        std::max<Timestamp>(keepFrom, std::chrono::floor<std::chrono::hours>(now) - std::chrono::hours(48));
    m_knownDays.erase(m_knownDays.begin(), m_knownDays.lower_bound(keepFrom));
    return attempt([&] {
        pqxx::work work(m_session->connection);
        // Detaching waits for running questions; better to come again later than to hold up everybody behind us.
        work.exec("SET LOCAL lock_timeout = '2s'");
        work.exec(kPartitionLock);
        for (const std::string& name : expiredPartitions(work, keepFrom)) {
            work.exec("ALTER TABLE decisions DETACH PARTITION " + name);
            work.exec("DROP TABLE " + name);
        }
        for (const char* table : {"rollup_hour", "latency_hour"})
            work.exec("DELETE FROM " + std::string(table) + " WHERE bucket < " + dayStart(keepFrom));
        for (const char* table : {"rollup_minute", "latency_minute"})
            work.exec_params("DELETE FROM " + std::string(table) + " WHERE bucket < $1", toIso8601(minutesFrom));
        for (std::size_t i = 0; i < kQuestions; ++i) {
            const SumTable& table = sumTable(static_cast<Question>(i));
            const std::string name(table.name);
            if (table.hasMinutes)
                work.exec_params("DELETE FROM " + name + "_minute WHERE bucket < $1", toIso8601(minutesFrom));
            work.exec("DELETE FROM " + name + "_hour WHERE bucket < " + dayStart(keepFrom));
        }
        for (const EventKind kind : kEventKinds)
            if (isPassing(kind))
                work.exec_params("DELETE FROM events WHERE kind = $1 AND created_at < " + dayStart(keepFrom), std::string(toString(kind)));
        // A crash between deleting a segment and forgetting it leaves a row. What such a segment held is past keeping.
        work.exec("DELETE FROM journal_progress WHERE updated_at < " + dayStart(keepFrom - std::chrono::days(2)));
        work.exec_params("UPDATE retention_state SET minutes_from = greatest(minutes_from, $1)", toIso8601(minutesFrom));
        work.commit();
    });
}

}  // namespace signalbox::evidence
