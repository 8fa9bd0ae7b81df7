// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/child_process.h"

#include <filesystem>

namespace signalbox::evidence {

/// Where a private cluster lives: `parent`/pg, closed to everybody but the user who runs the server. PostgreSQL
/// refuses to run as root, so root runs it as `postgres`, or as whoever owns the folder already.
struct ClusterFolder {
    std::filesystem::path root;     ///< holds locks and the server's log
    std::filesystem::path data;     ///< PostgreSQL's own
    std::filesystem::path sockets;  ///< root, or a short folder in /tmp where the path would be too long for a socket
    std::optional<Account> account; ///< to run the server's programs as; nullopt: as ourselves

    /// Creates what is missing and checks that the server's user can work there.
    /// Errors: no user `postgres`; a folder on the way is closed to it; owned by somebody else; unwritable.
    [[nodiscard]] static Result<ClusterFolder> prepare(const std::filesystem::path& parent);
    /// Whether a cluster was made there before. Needs nothing to exist.
    [[nodiscard]] static bool exists(const std::filesystem::path& parent);

    /// Gives a file or folder of ours to the server's user.
    void giveToServer(const std::filesystem::path& path) const;
    [[nodiscard]] std::string connectionString() const;
    /// `root` by a name without special characters: pg_ctl starts the server through a shell.
    [[nodiscard]] Result<std::filesystem::path> shellSafeRoot() const;
};

}  // namespace signalbox::evidence
