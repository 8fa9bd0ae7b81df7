// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/base/error.h"
#include "router/evidence/descriptor.h"

#include <filesystem>
#include <string>
#include <vector>

namespace signalbox::engine {

/// Where the gateways of a workspace listen now, each in a file of its own in its state folder beside the tokens
/// (`running-url.NUMBER`), so that `signalboxctl` finds the gateway of this machine by itself, whatever port it got.
inline constexpr const char* kRunningUrlFile = "running-url";

/// That a gateway listens somewhere, told for as long as this lives. The gateway holds a lock on its file, which the kernel
/// releases however the process ends: neither the number of another process nor a restart of the machine makes a file speak
/// again, and whoever has the port by then is sent no admin token.
class RunningUrl {
public:
    RunningUrl() = default;
    /// `baseUrl` and `startedAt` as in `TargetStatus`. What cannot be written or locked is no reason not to serve: then one names
    /// the address. Takes away what gateways left behind that were killed.
    RunningUrl(const std::filesystem::path& stateFolder, const std::string& baseUrl, Timestamp startedAt);
    ~RunningUrl() { takeAway(); }
    RunningUrl(RunningUrl&& other) noexcept = default;
    /// What it told before is taken away once this is told.
    RunningUrl& operator=(RunningUrl&& other) noexcept;

private:
    void takeAway() noexcept;

    evidence::Descriptor m_lock;  ///< of `m_file`, while it stands there
    std::filesystem::path m_file;
};

/// Of the gateways of this workspace that run, the one that began last first. Errors: unavailable, there is none (one that was
/// killed leaves its file behind, and is not counted); denied, the folder or a file in it may not be read.
[[nodiscard]] Result<std::vector<std::string>> readRunningUrls(const std::filesystem::path& stateFolder);
/// The first of them.
[[nodiscard]] Result<std::string> readRunningUrl(const std::filesystem::path& stateFolder);
/// Of a gateway on this machine, never one that is made by asking. Error: there is none, or it cannot be read.
[[nodiscard]] Result<std::string> readAdminToken(const std::filesystem::path& stateFolder);

}  // namespace signalbox::engine
