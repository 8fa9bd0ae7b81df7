// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/cluster_folder.h"
#include "router/evidence/descriptor.h"
#include "router/evidence/pg_programs.h"

#include <memory>

namespace signalbox::evidence {

struct ClusterOptions {
    std::filesystem::path folder;
    std::filesystem::path programs = "/usr/lib/postgresql";
};

/// A PostgreSQL server of our own: unix socket only, in a closed folder, so that being able to open the socket is
/// the permission. Every process that uses it holds a shared lock; the last one out stops it.
/// All calls block (the first start takes about a second) and belong on a background thread.
class ManagedCluster {
public:
    /// Creates the cluster if there is none and starts it if it does not run.
    /// Errors: see ClusterFolder and PgPrograms; the server's own words when it does not start.
    [[nodiscard]] static Result<std::unique_ptr<ManagedCluster>> attach(const ClusterOptions& options);
    /// Stops the server if nobody else uses it.
    ~ManagedCluster();

    /// Starts it again if it stopped behind our back.
    [[nodiscard]] Result<void> ensureRunning();
    /// Stops it although others may use it; `ensureRunning` brings it back.
    [[nodiscard]] Result<void> stopNow();

    [[nodiscard]] std::string connectionString() const { return m_folder.connectionString(); }
    [[nodiscard]] const ClusterFolder& folder() const { return m_folder; }

private:
    ManagedCluster(ClusterFolder folder, std::filesystem::path programs)
        : m_folder(std::move(folder)), m_programs(std::move(programs)) {}
    [[nodiscard]] Result<Descriptor> openLock(const char* name) const;
    [[nodiscard]] Result<Descriptor> lockStarting() const;
    [[nodiscard]] Result<void> startLocked();
    [[nodiscard]] Result<PgPrograms> programs() const;
    [[nodiscard]] Result<void> initialise(const PgPrograms& programs) const;
    [[nodiscard]] Result<void> configure() const;
    void forgetDeadServer() const;
    [[nodiscard]] std::string refusalInLog(std::uintmax_t from) const;

    ClusterFolder m_folder;
    std::filesystem::path m_programs;
    Descriptor m_users;
};

}  // namespace signalbox::evidence
