// SPDX-License-Identifier: MIT
#include "router/evidence/database.h"

#include "router/evidence/dsn.h"

namespace signalbox::evidence {

Database::Database(const EvidenceOptions& options)
    : m_dsn(options.dsn), m_name(options.dsnName.empty() ? "the connection string" : options.dsnName) {
    // A named server that is not set must not silently become a private cluster.
    if (m_dsn.empty() && options.dsnName.empty()) m_clusterOptions.folder = options.managedClusterFolder;
}

Result<std::string> Database::bringUp() {
    if (m_clusterOptions.folder.empty()) return completedDsn(m_dsn, m_name);
    const std::lock_guard lock(m_bringUp);
    if (!m_cluster) {
        auto cluster = ManagedCluster::attach(m_clusterOptions);
        if (!cluster) return tl::unexpected(cluster.error());
        m_cluster = std::move(*cluster);
    } else if (auto running = m_cluster->ensureRunning(); !running) {
        return tl::unexpected(running.error());
    }
    return completedDsn(m_cluster->connectionString(), where());
}

void Database::publish(Result<void> outcome) {
    {
        const std::lock_guard lock(m_mutex);
        m_outcome = std::move(outcome);
    }
    m_published.notify_all();
}

Result<std::string> Database::whenReady(const CancelToken& cancel) {
    {
        std::unique_lock lock(m_mutex);
        while (!m_outcome) {
            if (cancel && cancel->load()) return fail(ErrorKind::cancelled, "the question was withdrawn");
            m_published.wait_for(lock, std::chrono::milliseconds(20));
        }
        if (!*m_outcome) return tl::unexpected(m_outcome->error());
    }
    return bringUp();
}

std::string Database::where() const {
    if (!m_clusterOptions.folder.empty()) return "private cluster in " + m_clusterOptions.folder.string();
    return "server named by " + m_name;
}

Error Database::problem(const std::string& message, ErrorKind kind) const {
    const bool ours = !m_clusterOptions.folder.empty();
    return {kind, redacted(message, m_dsn), where(),
            ours ? "Recording goes on in the journal and is stored when the database is back."
                 : "Check that server and its connection string; recording goes on in the journal meanwhile."};
}

}  // namespace signalbox::evidence
