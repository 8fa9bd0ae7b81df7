// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/admin_wire.h"

#include <filesystem>

namespace signalbox::engine {

/// What travels to a gateway elsewhere: both files as they stand on disk, each with its detached signatures, which are
/// FILE.minisig and FILE.SIGNER.minisig beside it. Errors: a file that cannot be read.
[[nodiscard]] Result<wire::ApplyRequest> readReleaseFiles(const std::filesystem::path& tableFile, const std::filesystem::path& configFile);

}  // namespace signalbox::engine
