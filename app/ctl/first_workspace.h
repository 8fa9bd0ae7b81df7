// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/base/error.h"

#include <filesystem>
#include <string>

namespace signalbox::ctl {

/// A gateway.toml to begin with: valid as it stands, whatever variables are set. `table` is the workspace's, whose presets it
/// binds; it may be missing.
[[nodiscard]] std::string firstConfig(const std::filesystem::path& table, Timestamp now);

/// Something stands there, whatever it is: also a link to nowhere, through which nothing should be written.
[[nodiscard]] bool isTaken(const std::filesystem::path& file);
/// Writes a file that must not exist yet.
[[nodiscard]] Result<void> writeNew(const std::filesystem::path& file, const std::string& text);
/// Writes an empty routing table unless something stands there; true when it did.
[[nodiscard]] Result<bool> writeMissingTable(const std::filesystem::path& file, Timestamp now);

}  // namespace signalbox::ctl
