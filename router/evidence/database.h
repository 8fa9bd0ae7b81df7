// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/evidence.h"
#include "router/evidence/managed_cluster.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>

namespace signalbox::evidence {

/// Where the records live: the private cluster or a server that the user named. Shared by writer and readers, and
/// keeps the cluster running while any of them exists. Thread safe.
class Database {
public:
    explicit Database(const EvidenceOptions& options);

    /// The connection string of a server that should answer; starts the private cluster where needed. Blocks.
    [[nodiscard]] Result<std::string> bringUp();
    /// Tells waiting readers how the writer fares.
    void publish(Result<void> outcome);
    /// For readers beside a writer: waits while that one is still starting. Errors: its trouble; cancelled.
    [[nodiscard]] Result<std::string> whenReady(const CancelToken& cancel);

    /// "private cluster in …" or "server named by …".
    [[nodiscard]] std::string where() const;
    [[nodiscard]] Error problem(const std::string& message, ErrorKind kind = ErrorKind::unavailable) const;

private:
    std::string m_dsn;
    std::string m_name;
    ClusterOptions m_clusterOptions;

    std::mutex m_bringUp;  // held while the cluster starts
    std::unique_ptr<ManagedCluster> m_cluster;

    std::mutex m_mutex;  // guards what follows
    std::condition_variable m_published;
    std::optional<Result<void>> m_outcome;
};

}  // namespace signalbox::evidence
