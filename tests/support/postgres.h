// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/managed_cluster.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace signalbox::test {

/// A folder in /tmp that another user may pass through (root's server runs as `postgres`); removed at the end.
class OpenTemporaryFolder {
public:
    OpenTemporaryFolder();
    ~OpenTemporaryFolder();
    OpenTemporaryFolder(const OpenTemporaryFolder&) = delete;
    OpenTemporaryFolder& operator=(const OpenTemporaryFolder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

/// A real, throw-away PostgreSQL on a unix socket, for whoever runs the tests, root included. About a second to start.
class Postgres {
public:
    Postgres();
    ~Postgres();

    /// Empty if it runs; else why not, for QVERIFY2.
    [[nodiscard]] const std::string& problem() const { return m_problem; }
    [[nodiscard]] std::string dsn() const;
    /// As an administrator would: clients are thrown out, new ones refused until `start`.
    [[nodiscard]] bool stop();
    [[nodiscard]] bool start();

    /// First column of every row as text; "(null)" for NULL. An error is one row that begins with "ERROR".
    [[nodiscard]] std::vector<std::string> column(const std::string& sql) const;
    /// The only value.
    [[nodiscard]] std::string value(const std::string& sql) const;
    /// Drops everything that Signalbox made.
    void clear() const;

private:
    OpenTemporaryFolder m_folder;
    std::unique_ptr<evidence::ManagedCluster> m_cluster;
    std::string m_problem;
};

}  // namespace signalbox::test
