// SPDX-License-Identifier: MIT
#include "router/evidence/pg_writing.h"

#include <algorithm>

namespace signalbox::evidence {

namespace {
// libpq keeps a copy of the largest piece that it was given.
constexpr std::size_t kCopyPieceBytes = std::size_t{64} << 10;
}  // namespace

PgWriting::PgWriting(const std::string& dsn) : m_connection(PQconnectdb(dsn.c_str()), &PQfinish) {
    if (PQstatus(m_connection.get()) != CONNECTION_OK) refuse(nullptr);
    // A notice has nobody to read it here.
    PQsetNoticeProcessor(m_connection.get(), [](void*, const char*) {}, nullptr);
}

PgRows PgWriting::exec(const std::string& sql) {
    PGresult* const result = PQexec(m_connection.get(), sql.c_str());
    return checked(result, PQresultStatus(result) == PGRES_TUPLES_OK ? PGRES_TUPLES_OK : PGRES_COMMAND_OK);
}

PgRows PgWriting::exec(const std::string& sql, const std::vector<std::string>& parameters) {
    std::vector<const char*> values;
    for (const std::string& parameter : parameters) values.push_back(parameter.c_str());
    PGresult* const result = PQexecParams(m_connection.get(), sql.c_str(), static_cast<int>(values.size()), nullptr, values.data(),
                                          nullptr, nullptr, 0);
    return checked(result, PQresultStatus(result) == PGRES_TUPLES_OK ? PGRES_TUPLES_OK : PGRES_COMMAND_OK);
}

void PgWriting::copy(const std::string& statement, std::string_view lines) {
    checked(PQexec(m_connection.get(), statement.c_str()), PGRES_COPY_IN);
    while (!lines.empty()) {
        const std::string_view piece = lines.substr(0, kCopyPieceBytes);
        if (PQputCopyData(m_connection.get(), piece.data(), static_cast<int>(piece.size())) != 1) refuse(nullptr);
        lines.remove_prefix(piece.size());
    }
    if (PQputCopyEnd(m_connection.get(), nullptr) != 1) refuse(nullptr);
    const PgRows done = checked(PQgetResult(m_connection.get()), PGRES_COMMAND_OK);
    // Behind the only result comes its end.
    while (const Result rest{PQgetResult(m_connection.get()), &PQclear}) {}
}

std::string PgWriting::quote(const std::string& text) const {
    const std::unique_ptr<char, decltype(&PQfreemem)> literal(PQescapeLiteral(m_connection.get(), text.data(), text.size()), &PQfreemem);
    if (!literal) throw PgRefusal(PQerrorMessage(m_connection.get()), "22021");
    return literal.get();
}

PgRows PgWriting::checked(PGresult* result, ExecStatusType wanted) const {
    PgRows rows(result);
    if (PQresultStatus(result) != wanted) refuse(result);
    return rows;
}

void PgWriting::refuse(const PGresult* result) const {
    const char* const state = result != nullptr ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : nullptr;
    const char* const message = state != nullptr ? PQresultErrorMessage(result) : PQerrorMessage(m_connection.get());
    throw PgRefusal(message, state != nullptr ? state : "");
}

PgTransaction::~PgTransaction() {
    if (!m_open) return;
    try {
        m_session.exec("ROLLBACK");
    } catch (const PgRefusal&) {  // the connection is lost, and the transaction with it
    }
}

void PgTransaction::commit() {
    // Nothing in it failed, or somebody would have thrown: the server answers the commit of a failed one with a silent rollback.
    m_open = false;
    m_session.exec("COMMIT");
}

}  // namespace signalbox::evidence
