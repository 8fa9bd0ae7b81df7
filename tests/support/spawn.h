// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::test {

struct SpawnResult {
    int code = -1;  ///< -1: it did not start or was killed
    std::string output;
    std::string errors;
};

/// Runs a program, found on the path, to its end, which must come by itself. `more` is set in its environment. In the place
/// of QProcess where a test has threads of ours: after that has started a process, ThreadSanitizer sees nothing any more of
/// what the starting thread synchronises.
[[nodiscard]] SpawnResult spawn(const std::vector<std::string>& command, std::string_view input = {},
                                const std::map<std::string, std::string>& more = {});

}  // namespace signalbox::test
