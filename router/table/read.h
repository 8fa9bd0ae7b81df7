// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/base/finding.h"
#include "router/table/types.h"

#include <filesystem>
#include <memory>

namespace signalbox::table {

/// What reading a routing table gave. `table` is null exactly when `findings` holds an error: nothing is ever
/// half loaded. `advisories` are remarks of the linter, all of severity note.
struct LoadedTable {
    std::shared_ptr<const RoutingTable> table;
    Findings findings;
    Findings advisories;
    /// SHA-256 of the bytes as read, lower-case hex; set even when the table was refused.
    std::string sha256;
    /// The document behind it, for positions and for writing back; empty when it is not JSON at all.
    std::optional<JsonDocument> document;
};

/// Reads, validates and lints (contract A). The one validator of loader, editor and command line.
[[nodiscard]] LoadedTable readTable(std::string bytes, Timestamp now);
/// As above; a file that cannot be read is an Error, one that cannot be used is a LoadedTable with errors.
[[nodiscard]] Result<LoadedTable> readTableFile(const std::filesystem::path& path, Timestamp now);

}  // namespace signalbox::table
