// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace signalbox {

/// Reads a regular file of at most `maxBytes`. Missing file, folder, unreadable file and a file over the limit
/// each give their own message with the path and what to do.
[[nodiscard]] Result<std::string> readFile(const std::filesystem::path& path, std::size_t maxBytes);

struct WriteOptions {
    /// Permission bits. Unset: those of the file that is replaced, else 0644.
    std::optional<unsigned> mode = std::nullopt;
    /// Refuse with ErrorKind::conflict unless the file on disk still has this SHA-256 (hex). Empty text: must not exist.
    std::optional<std::string> expectedSha256 = std::nullopt;
};

/// Writes a temporary file in the same folder, syncs it and renames it over `path`, so that a reader sees the old
/// bytes or the new ones and nothing else. A symbolic link is followed and stays a link, owner and group stay as far as
/// this process may give them, and what is no regular file (a device, a pipe) is refused.
[[nodiscard]] Result<void> writeFileAtomic(const std::filesystem::path& path, std::string_view bytes,
                                           const WriteOptions& options = {});

}  // namespace signalbox
