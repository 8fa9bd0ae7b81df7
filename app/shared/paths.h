// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/read.h"
#include "router/evidence/evidence.h"

#include <filesystem>
#include <string>

namespace signalbox::app {

/// The user's own folders by the XDG rules, each ending in `signalbox`. $SIGNALBOX_DATA_DIR, when set, is the data
/// folder itself and holds the state as well.
struct UserFolders {
    std::filesystem::path data, config, state;
    /// Where minisign keys live.
    [[nodiscard]] std::filesystem::path keys() const { return config / "keys"; }
    /// Where the demo workspace is installed.
    [[nodiscard]] std::filesystem::path demo() const { return data / "demo"; }
};
/// Fails only when neither HOME nor the variables that would replace it are set. Creates nothing.
[[nodiscard]] Result<UserFolders> userFolders(const config::Environment& environment);

/// Everything that belongs to one workspace on this machine and stands outside of it.
struct WorkspaceHome {
    /// 12 hex digits of the SHA-256 of its absolute path: short, since a unix socket's path holds 107 bytes.
    std::string id;
    std::filesystem::path state;    ///< client token and the like
    std::filesystem::path journal;
    std::filesystem::path cluster;  ///< of the private PostgreSQL
};
/// As root, without $SIGNALBOX_DATA_DIR, the cluster is in /var/lib/signalbox: root's home shuts `postgres` out.
[[nodiscard]] WorkspaceHome homeOfWorkspace(const std::filesystem::path& workspace, const UserFolders& folders,
                                            const config::Environment& environment);

/// Names the database: the server in `$DSN_ENV`, else the private cluster. `dsnEnv` empty means by configuration.
/// Fails when the variable that should hold the connection string is not set.
[[nodiscard]] Result<evidence::EvidenceOptions> evidenceOptionsOf(const WorkspaceHome& home,
                                                                  const config::Evidence& evidence,
                                                                  const std::string& dsnEnv,
                                                                  const config::Environment& environment);

}  // namespace signalbox::app
