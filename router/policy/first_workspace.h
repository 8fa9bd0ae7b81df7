// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/base/error.h"

#include <filesystem>

namespace signalbox::policy {

/// What `beginWorkspace` did.
struct FirstWorkspace {
    std::filesystem::path config, table;
    bool wroteConfig = false, wroteTable = false;  ///< false: it was there and is left as it is
    std::size_t simulatedPresets = 0;              ///< of a table that was there, bound to the simulated provider
};

/// Makes `folder`, where it is missing, a workspace to begin with: a gateway.toml that is valid as it stands, whatever variables
/// are set, and an empty table. Writes over nothing. Errors: conflict, it is a workspace already; denied or badInput, the folder
/// cannot be made or is a file; what writing a file can come to.
[[nodiscard]] Result<FirstWorkspace> beginWorkspace(const std::filesystem::path& folder, Timestamp now);

/// Writes an empty routing table unless something stands there, also a link to nowhere; true when it did.
[[nodiscard]] Result<bool> writeMissingTable(const std::filesystem::path& file, Timestamp now);

}  // namespace signalbox::policy
