// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/target.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace signalbox::console {

/// What the window is built on.
struct Prepared {
    std::filesystem::path path;  ///< what to open: a workspace folder or a table file
    std::filesystem::path home;  ///< folder of the workspace that `target` runs and records for; empty when `path` is no policy
    bool isDemo = false;
    std::filesystem::path keyFolder;  ///< of the user's signing keys
    std::filesystem::path draftFolder;  ///< where drafts that were not saved are kept
    std::shared_ptr<engine::Target> target;
    /// What could not be had but does not keep the console from opening, e.g. the evidence database's name.
    std::optional<Error> complaint;
};

/// Installs the demo workspace where it is wanted, seeds its history once, and makes the gateway of this workspace. What is
/// neither a workspace nor a table is nobody's home: nothing is recorded and nothing made for it on disk.
/// Blocks on the disk, for about a second at the very first start: call it on a worker.
[[nodiscard]] Result<Prepared> prepare(const std::filesystem::path& wanted);

}  // namespace signalbox::console
