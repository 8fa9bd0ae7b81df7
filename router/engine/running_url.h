// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

#include <filesystem>
#include <string>

namespace signalbox::engine {

/// Where the gateway of a workspace listens now, in a file of its state folder beside the tokens, so that
/// `signalboxctl` finds the gateway of this machine by itself, whatever port it got.
inline constexpr const char* kRunningUrlFile = "running-url";

/// `baseUrl` as in `TargetStatus`. What cannot be written is no reason not to serve: then one names the address.
void writeRunningUrl(const std::filesystem::path& stateFolder, const std::string& baseUrl);
/// Takes the file away, unless another gateway has written it since.
void removeRunningUrl(const std::filesystem::path& stateFolder, const std::string& baseUrl);
/// Error: no gateway of this workspace has said where it listens. A gateway that was killed leaves the file behind.
[[nodiscard]] Result<std::string> readRunningUrl(const std::filesystem::path& stateFolder);
/// Of a gateway on this machine, never one that is made by asking. Error: there is none, or it cannot be read.
[[nodiscard]] Result<std::string> readAdminToken(const std::filesystem::path& stateFolder);

}  // namespace signalbox::engine
