// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace signalbox::test {

/// What a process holds, from /proc.
struct ProcessState {
    std::uint64_t residentKb = 0;
    std::size_t sockets = 0;       ///< of a network
    std::size_t localSockets = 0;  ///< to processes of this machine, by a path
    std::size_t otherFiles = 0, threads = 0;
};

/// Of every local socket, as `socket:[NUMBER]`.
[[nodiscard]] inline std::set<std::string> localSockets() {
    std::set<std::string> out;
    std::ifstream list("/proc/net/unix");
    std::string line;
    std::getline(list, line);  // titles: Num RefCount Protocol Flags Type St Inode Path
    while (std::getline(list, line)) {
        std::istringstream fields(line);
        std::string field;
        for (int i = 0; i < 7; ++i) fields >> field;
        out.insert("socket:[" + field + "]");
    }
    return out;
}

[[nodiscard]] inline ProcessState stateOfProcess(long long pid) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::path("/proc") / std::to_string(pid);
    ProcessState out;
    std::ifstream status(folder / "status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmRSS:")) out.residentKb = std::stoull(line.substr(6));
        if (line.starts_with("Threads:")) out.threads = std::stoull(line.substr(8));
    }
    const std::set<std::string> local = localSockets();
    for (const auto& entry : fs::directory_iterator(folder / "fd")) {
        std::error_code gone;
        const std::string target = fs::read_symlink(entry.path(), gone).string();
        if (gone) continue;
        if (local.contains(target)) ++out.localSockets;
        else ++(target.starts_with("socket:") ? out.sockets : out.otherFiles);
    }
    return out;
}

} // namespace signalbox::test
