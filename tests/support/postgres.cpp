// SPDX-License-Identifier: MIT
#include "tests/support/postgres.h"

#include <cstdlib>
#include <libpq-fe.h>
#include <sys/stat.h>

namespace signalbox::test {

OpenTemporaryFolder::OpenTemporaryFolder() {
    std::string name = "/tmp/sbtest-XXXXXX";
    if (::mkdtemp(name.data()) != nullptr) {
        ::chmod(name.c_str(), 0711);
        m_path = name;
    }
}

OpenTemporaryFolder::~OpenTemporaryFolder() {
    std::error_code ignored;
    if (!m_path.empty()) std::filesystem::remove_all(m_path, ignored);
}

Postgres::Postgres() {
    auto cluster = evidence::ManagedCluster::attach({m_folder.path()});
    if (cluster)
        m_cluster = std::move(*cluster);
    else
        m_problem = cluster.error().text();
}

Postgres::~Postgres() = default;

std::string Postgres::dsn() const { return m_cluster ? m_cluster->connectionString() : ""; }

bool Postgres::stop() { return m_cluster && m_cluster->stopNow().has_value(); }
bool Postgres::start() { return m_cluster && m_cluster->ensureRunning().has_value(); }

std::vector<std::string> Postgres::column(const std::string& sql) const {
    const std::unique_ptr<PGconn, decltype(&PQfinish)> connection(PQconnectdb(dsn().c_str()), &PQfinish);
    PQsetNoticeProcessor(connection.get(), [](void*, const char*) {}, nullptr);
    const std::unique_ptr<PGresult, decltype(&PQclear)> result(PQexec(connection.get(), sql.c_str()), &PQclear);
    const auto status = PQresultStatus(result.get());
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
        return {"ERROR " + std::string(PQerrorMessage(connection.get()))};
    std::vector<std::string> out;
    for (int row = 0; row < PQntuples(result.get()); ++row)
        out.emplace_back(PQgetisnull(result.get(), row, 0) != 0 ? "(null)" : PQgetvalue(result.get(), row, 0));
    return out;
}

std::string Postgres::value(const std::string& sql) const {
    const auto rows = column(sql);
    return rows.size() == 1 ? rows.front() : "(" + std::to_string(rows.size()) + " rows)";
}

void Postgres::clear() const { (void)column("DROP SCHEMA IF EXISTS signalbox CASCADE"); }

}  // namespace signalbox::test
