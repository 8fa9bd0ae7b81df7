// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/config/read.h"

#include <filesystem>
#include <string>

namespace signalbox::engine {

/// The token in `client-token` of the state folder, made at the first call: folder 0700, file 0600.
/// Errors: folder or file cannot be made or read, or the file holds no token.
[[nodiscard]] Result<std::string> loadOrMakeClientToken(const std::filesystem::path& stateFolder);

/// What a token of the operator's own choice must be, so that nobody guesses it: 16 or more visible ASCII characters.
[[nodiscard]] Result<void> checkOwnToken(std::string_view token);

/// The token that opens `/admin/`, in a file beside it, kept the same way.
inline constexpr const char* kAdminTokenFile = "admin-token";
[[nodiscard]] Result<std::string> loadOrMakeAdminToken(const std::filesystem::path& stateFolder);

/// What a policy says: the value of `[auth] token_env` or `[admin] token_env` where it names one, else the file's. The
/// client's is empty where none is needed. Error: denied when the variable is not set or its value cannot be used.
[[nodiscard]] Result<std::string> clientTokenOf(const config::GatewayConfig& config, const config::Environment& environment,
                                                const std::filesystem::path& stateFolder);
[[nodiscard]] Result<std::string> adminTokenOf(const config::GatewayConfig& config, const config::Environment& environment,
                                               const std::filesystem::path& stateFolder);

} // namespace signalbox::engine
