// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace signalbox::evidence {

/// Somebody to run a program as.
struct Account {
    std::string name;
    uid_t uid = 0;
    gid_t gid = 0;
    std::vector<gid_t> groups;

    [[nodiscard]] static std::optional<Account> find(const std::string& name);
    /// Works for an id without a name, too.
    [[nodiscard]] static Account ofUser(uid_t uid, gid_t gid);
};

struct ProcessResult {
    int exitCode = -1;   ///< 128 + signal when it was killed
    std::string output;  ///< standard output and error together, at most 64 KiB
};

/// Runs a program to its end in its own session, in `/`, with none of our descriptors (a server it leaves behind
/// must not keep our sockets open) and a plain environment. Blocks; kills it when `patience` is over.
/// `account` switches to another user first, which only root can.
[[nodiscard]] Result<ProcessResult> runProcess(const std::vector<std::string>& command,
                                               const std::optional<Account>& account, std::chrono::seconds patience);
/// Whether that user may enter and write `folder`.
[[nodiscard]] bool canUseFolder(const std::filesystem::path& folder, const std::optional<Account>& account);

}  // namespace signalbox::evidence
