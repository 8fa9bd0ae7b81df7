// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace signalbox::test {

/// What a process holds, from /proc.
struct ProcessState {
    std::uint64_t residentKb = 0;
    std::size_t sockets = 0, otherFiles = 0, threads = 0;
};

[[nodiscard]] inline ProcessState stateOfProcess(long long pid) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::path("/proc") / std::to_string(pid);
    ProcessState out;
    std::ifstream status(folder / "status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmRSS:")) out.residentKb = std::stoull(line.substr(6));
        if (line.starts_with("Threads:")) out.threads = std::stoull(line.substr(8));
    }
    for (const auto& entry : fs::directory_iterator(folder / "fd")) {
        std::error_code gone;
        const fs::path target = fs::read_symlink(entry.path(), gone);
        if (!gone) ++(target.string().starts_with("socket:") ? out.sockets : out.otherFiles);
    }
    return out;
}

} // namespace signalbox::test
