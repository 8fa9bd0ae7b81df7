// SPDX-License-Identifier: MIT
#include "router/evidence/pg_session.h"

#include <charconv>
#include <poll.h>

namespace signalbox::evidence {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using Kind = PgFailure::Kind;

constexpr int kPollMs = 20;
constexpr milliseconds kConnectPatience{10000};
// How long a server may take to answer beyond its own statement timeout before we give it up.
constexpr milliseconds kGrace{3000};

bool isSet(const CancelToken& cancel) { return cancel && cancel->load(); }

void waitOn(const PGconn* connection, short events) {
    pollfd wait{PQsocket(connection), events, 0};
    ::poll(&wait, 1, kPollMs);
}

PgFailure failureOf(const PGresult* result, const CancelToken& cancel) {
    const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const std::string_view code = state != nullptr ? state : "";
    const char* text = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    const std::string message = text != nullptr ? text : PQresultErrorMessage(result);
    if (code == "57014") return {isSet(cancel) ? Kind::cancelled : Kind::timeout, message};
    if (code == "42P01" || code == "3F000") return {Kind::noSuchTable, message};
    if (code.starts_with("57P") || code.starts_with("08") || code.empty()) return {Kind::connectionLost, message};
    return {Kind::refused, message};
}

}  // namespace

std::string_view PgRows::text(int row, int column) const {
    return {PQgetvalue(m_result.get(), row, column), static_cast<std::size_t>(PQgetlength(m_result.get(), row, column))};
}

std::int64_t PgRows::number(int row, int column) const {
    const std::string_view digits = text(row, column);
    std::int64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

double PgRows::real(int row, int column) const {
    const std::string_view digits = text(row, column);
    double value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

Timestamp PgRows::time(int row, int column) const { return Timestamp(std::chrono::microseconds(number(row, column))); }

tl::expected<std::unique_ptr<PgSession>, PgFailure> PgSession::open(const std::string& dsn, milliseconds statementTimeout,
                                                                    const CancelToken& cancel) {
    std::unique_ptr<PgSession> session(new PgSession(PQconnectStart(dsn.c_str()), statementTimeout));
    PGconn* const connection = session->m_connection.get();
    const auto deadline = steady_clock::now() + kConnectPatience;
    PostgresPollingStatusType next = PGRES_POLLING_WRITING;
    while (next != PGRES_POLLING_OK) {
        if (PQstatus(connection) == CONNECTION_BAD || next == PGRES_POLLING_FAILED) return tl::unexpected(session->lost());
        if (isSet(cancel)) return tl::unexpected(PgFailure{Kind::cancelled, "cancelled while connecting"});
        if (steady_clock::now() > deadline)
            return tl::unexpected(PgFailure{Kind::connectionLost, "the server does not answer"});
        pollfd wait{PQsocket(connection), static_cast<short>(next == PGRES_POLLING_READING ? POLLIN : POLLOUT), 0};
        if (::poll(&wait, 1, kPollMs) > 0) next = PQconnectPoll(connection);
    }
    PQsetnonblocking(connection, 1);
    // A notice has nobody to read it here.
    PQsetNoticeProcessor(connection, [](void*, const char*) {}, nullptr);
    for (const std::string& setting :
         {std::string("SET default_transaction_read_only = on"), std::string("SET TIME ZONE 'UTC'"),
          "SET statement_timeout = " + std::to_string(statementTimeout.count())})
        if (auto done = session->query(setting, {}, cancel); !done) return tl::unexpected(done.error());
    return session;
}

tl::expected<PgRows, PgFailure> PgSession::query(const std::string& sql, const Parameters& parameters,
                                                 const CancelToken& cancel) {
    PGconn* const connection = m_connection.get();
    std::vector<const char*> values;
    for (const auto& parameter : parameters) values.push_back(parameter ? parameter->c_str() : nullptr);
    if (PQsendQueryParams(connection, sql.c_str(), static_cast<int>(values.size()), nullptr, values.data(), nullptr, nullptr,
                          0) == 0)
        return tl::unexpected(lost());
    if (auto arrived = awaitResult(cancel); !arrived) return tl::unexpected(arrived.error());
    PGresult* const result = PQgetResult(connection);
    PgRows rows(result);
    const bool good = PQresultStatus(result) == PGRES_TUPLES_OK || PQresultStatus(result) == PGRES_COMMAND_OK;
    const auto failure = good ? PgFailure{} : failureOf(result, cancel);
    // After the only result comes its end, which may still have to arrive.
    for (;;) {
        if (auto arrived = awaitResult(nullptr); !arrived) break;
        const std::unique_ptr<PGresult, decltype(&PQclear)> rest(PQgetResult(connection), &PQclear);
        if (!rest) break;
    }
    if (!good) return tl::unexpected(failure);
    return rows;
}

bool PgSession::isUsable() const { return !m_stuck && PQstatus(m_connection.get()) == CONNECTION_OK; }

tl::expected<void, PgFailure> PgSession::awaitResult(const CancelToken& cancel) {
    PGconn* const connection = m_connection.get();
    auto deadline = steady_clock::now() + m_statementTimeout + kGrace;
    bool withdrawn = false;
    for (;;) {
        const int unsent = PQflush(connection);
        if (unsent < 0 || PQconsumeInput(connection) == 0) return tl::unexpected(lost());
        if (PQisBusy(connection) == 0) return {};
        if (isSet(cancel) && !withdrawn) {
            cancelOnServer();
            withdrawn = true;
            deadline = steady_clock::now() + kGrace;
        }
        if (steady_clock::now() > deadline) {
            m_stuck = true;
            return tl::unexpected(PgFailure{withdrawn ? Kind::cancelled : Kind::timeout, "the server does not answer"});
        }
        waitOn(connection, static_cast<short>(unsent > 0 ? POLLIN | POLLOUT : POLLIN));
    }
}

void PgSession::cancelOnServer() {
    const std::unique_ptr<PGcancel, decltype(&PQfreeCancel)> handle(PQgetCancel(m_connection.get()), &PQfreeCancel);
    char problem[256];
    // Without success the statement timeout ends the query.
    if (handle) PQcancel(handle.get(), problem, sizeof problem);
}

PgFailure PgSession::lost() const { return {Kind::connectionLost, PQerrorMessage(m_connection.get())}; }

}  // namespace signalbox::evidence
