// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

#include <filesystem>
#include <optional>
#include <string>

namespace signalbox::evidence {

/// The server programs of one major version of PostgreSQL, as Debian installs them.
struct PgPrograms {
    int version = 0;
    std::filesystem::path folder;
    [[nodiscard]] std::string path(const std::string& program) const { return (folder / program).string(); }
};

/// The newest version under `root` (`/usr/lib/postgresql`), or exactly `version`: a cluster runs only with the
/// version that made it. Errors: not installed, with the package that would help.
[[nodiscard]] Result<PgPrograms> findPgPrograms(const std::filesystem::path& root, std::optional<int> version);

}  // namespace signalbox::evidence
