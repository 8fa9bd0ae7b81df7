// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/base/error.h"

#include <filesystem>
#include <string>
#include <vector>

namespace signalbox::engine {

/// Where the gateways of a workspace listen now, each in a file of its own in its state folder beside the tokens
/// (`running-url.PID.PORT`), so that `signalboxctl` finds the gateway of this machine by itself, whatever port it got. A file
/// of just this name is what an earlier version wrote.
inline constexpr const char* kRunningUrlFile = "running-url";

/// `baseUrl` and `startedAt` as in `TargetStatus`. What cannot be written is no reason not to serve: then one names the
/// address. Takes away what gateways left behind that were killed.
void writeRunningUrl(const std::filesystem::path& stateFolder, const std::string& baseUrl, Timestamp startedAt);
/// Takes away what this process wrote for that address, and nothing of another gateway.
void removeRunningUrl(const std::filesystem::path& stateFolder, const std::string& baseUrl);
/// Of the gateways of this workspace that run, the one that began last first. Error: there is none. One that was killed
/// leaves its file behind, and is not counted.
[[nodiscard]] Result<std::vector<std::string>> readRunningUrls(const std::filesystem::path& stateFolder);
/// The first of them.
[[nodiscard]] Result<std::string> readRunningUrl(const std::filesystem::path& stateFolder);
/// Of a gateway on this machine, never one that is made by asking. Error: there is none, or it cannot be read.
[[nodiscard]] Result<std::string> readAdminToken(const std::filesystem::path& stateFolder);

}  // namespace signalbox::engine
