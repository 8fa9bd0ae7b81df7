// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/pg_session.h"

#include <stdexcept>

namespace signalbox::evidence {

/// What the server or the connection had against a step. Caught where the step is turned into a value.
class PgRefusal : public std::runtime_error {
public:
    PgRefusal(const std::string& message, std::string sqlState) : std::runtime_error(message), m_sqlState(std::move(sqlState)) {}
    /// Empty when the server did not say it.
    [[nodiscard]] const std::string& sqlState() const { return m_sqlState; }

private:
    std::string m_sqlState;
};

/// A session that changes things, with libpq alone: rows go to the server as one piece of memory. One thread. Everything
/// throws PgRefusal.
class PgWriting {
public:
    explicit PgWriting(const std::string& dsn);

    /// One or several statements; the rows of the last.
    PgRows exec(const std::string& sql);
    PgRows exec(const std::string& sql, const std::vector<std::string>& parameters);
    /// `statement` is a COPY … FROM STDIN; `lines` end in newlines.
    void copy(const std::string& statement, std::string_view lines);
    /// As a literal.
    [[nodiscard]] std::string quote(const std::string& text) const;
    [[nodiscard]] int socket() const { return PQsocket(m_connection.get()); }

private:
    using Result = std::unique_ptr<PGresult, decltype(&PQclear)>;
    PgRows checked(PGresult* result, ExecStatusType wanted) const;
    [[noreturn]] void refuse(const PGresult* result) const;

    std::unique_ptr<PGconn, decltype(&PQfinish)> m_connection;
};

/// Undone unless committed.
class PgTransaction {
public:
    explicit PgTransaction(PgWriting& session) : m_session(session) { m_session.exec("BEGIN"); }
    ~PgTransaction();
    PgTransaction(const PgTransaction&) = delete;
    PgTransaction& operator=(const PgTransaction&) = delete;
    void commit();

private:
    PgWriting& m_session;
    bool m_open = true;
};

}  // namespace signalbox::evidence
