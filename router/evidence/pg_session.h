// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/history.h"

#include <libpq-fe.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::evidence {

/// Rows in text form. Lives on its own.
class PgRows {
public:
    explicit PgRows(PGresult* result) : m_result(result, &PQclear) {}
    [[nodiscard]] int count() const { return PQntuples(m_result.get()); }
    [[nodiscard]] bool isNull(int row, int column) const { return PQgetisnull(m_result.get(), row, column) != 0; }
    [[nodiscard]] std::string_view text(int row, int column) const;
    [[nodiscard]] std::int64_t number(int row, int column) const;
    [[nodiscard]] double real(int row, int column) const;
    /// A `timestamptz` given out as microseconds since 1970.
    [[nodiscard]] Timestamp time(int row, int column) const;

private:
    std::unique_ptr<PGresult, decltype(&PQclear)> m_result;
};

struct PgFailure {
    enum class Kind { refused, timeout, cancelled, connectionLost, noSuchTable };
    Kind kind = Kind::refused;
    std::string message;  ///< not yet redacted
};

/// A read-only session for questions. Waits by polling, so that a cancel token is noticed within 20 ms and the query
/// ends on the server as well. One thread.
class PgSession {
public:
    [[nodiscard]] static tl::expected<std::unique_ptr<PgSession>, PgFailure>
    open(const std::string& dsn, std::chrono::milliseconds statementTimeout, const CancelToken& cancel);

    using Parameters = std::vector<std::optional<std::string>>;
    [[nodiscard]] tl::expected<PgRows, PgFailure> query(const std::string& sql, const Parameters& parameters,
                                                        const CancelToken& cancel);

    /// False after a lost connection or a server that stopped answering.
    [[nodiscard]] bool isUsable() const;

private:
    PgSession(PGconn* connection, std::chrono::milliseconds statementTimeout)
        : m_connection(connection, &PQfinish), m_statementTimeout(statementTimeout) {}
    [[nodiscard]] tl::expected<void, PgFailure> awaitResult(const CancelToken& cancel);
    void cancelOnServer();
    [[nodiscard]] PgFailure lost() const;

    std::unique_ptr<PGconn, decltype(&PQfinish)> m_connection;
    std::chrono::milliseconds m_statementTimeout;
    bool m_stuck = false;
};

}  // namespace signalbox::evidence
