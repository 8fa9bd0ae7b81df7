// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

#include <filesystem>
#include <string>

namespace signalbox::engine {

/// The token in `client-token` of the state folder, made at the first call: folder 0700, file 0600.
/// Errors: folder or file cannot be made or read, or the file holds no token.
[[nodiscard]] Result<std::string> loadOrMakeClientToken(const std::filesystem::path& stateFolder);

/// The token that opens `/admin/`, in a file beside it, kept the same way.
inline constexpr const char* kAdminTokenFile = "admin-token";
[[nodiscard]] Result<std::string> loadOrMakeAdminToken(const std::filesystem::path& stateFolder);

} // namespace signalbox::engine
