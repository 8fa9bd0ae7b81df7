// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace signalbox::ui {

/// One file to be saved, and what is believed to stand there.
struct FileWrite {
    std::filesystem::path path;
    std::string base;    ///< as it was read or saved last
    std::string text;    ///< ours
    /// What ours began with when that is not `base`: the file went on while ours lay in the recovery.
    std::optional<std::string> olderBase;
    /// What somebody else left there and may be written over: exactly this `FileConflict::state`, nothing newer.
    std::optional<std::string> accepted;
};

/// A file that somebody else changed since it was read: what both began with, what stands there now, ours.
struct FileConflict {
    std::filesystem::path path;
    std::string base, theirs, ours;
    bool removed = false;  ///< nothing stands there any more
    std::string state;     ///< SHA-256 of theirs; empty when removed
};

struct SaveOutcome {
    std::vector<std::filesystem::path> written;
    std::optional<FileConflict> conflict;  ///< then nothing was written
    std::optional<Error> error;            ///< of the first file that could not be written
};

/// Writes each file whole or not at all and keeps its permission bits. Looks at all of them before the first is written.
/// Blocks on the disk: call it from a worker.
[[nodiscard]] SaveOutcome saveFiles(const std::vector<FileWrite>& files);

}  // namespace signalbox::ui
