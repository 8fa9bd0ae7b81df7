// SPDX-License-Identifier: MIT
#include "router/engine/running_url.h"

#include "router/base/file.h"
#include "router/engine/tokens.h"

#include <charconv>
#include <csignal>
#include <unistd.h>

namespace signalbox::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxUrlBytes = 1024;

Result<std::string> firstLine(const fs::path& file) {
    auto text = readFile(file, kMaxUrlBytes);
    if (!text) return text;
    return text->substr(0, text->find_first_of("\r\n"));
}

/// Whoever took over the port of a gateway that was killed must not be sent its admin token. `kill` and not /proc, which
/// shows a process that keeps its memory to itself as root's.
bool writerLives(const fs::path& file) {
    const auto text = readFile(file, kMaxUrlBytes);
    const std::size_t second = text ? text->find('\n') : std::string::npos;
    if (second == std::string::npos) return false;
    pid_t writer = 0;
    const char* begin = text->data() + second + 1;
    const auto read = std::from_chars(begin, text->data() + text->size(), writer);
    return read.ec == std::errc() && writer > 0 && ::kill(writer, 0) == 0;
}

}  // namespace

void writeRunningUrl(const fs::path& stateFolder, const std::string& baseUrl) {
    const std::string text = baseUrl + "\n" + std::to_string(::getpid()) + "\n";
    static_cast<void>(writeFileAtomic(stateFolder / kRunningUrlFile, text, {.mode = 0600}));
}

void removeRunningUrl(const fs::path& stateFolder, const std::string& baseUrl) {
    const fs::path file = stateFolder / kRunningUrlFile;
    const auto written = firstLine(file);
    std::error_code ignored;
    if (written && *written == baseUrl) fs::remove(file, ignored);
}

Result<std::string> readRunningUrl(const fs::path& stateFolder) {
    auto url = firstLine(stateFolder / kRunningUrlFile);
    if (!url || url->empty())
        return fail(ErrorKind::unavailable, "no gateway of this workspace is running", {},
                    "Start it with `signalboxctl serve`, or name one elsewhere with --target URL.");
    if (!writerLives(stateFolder / kRunningUrlFile))
        return fail(ErrorKind::unavailable, "the gateway of this workspace ended without saying so", {},
                    "Start it again with `signalboxctl serve`, or name one elsewhere with --target URL.");
    return url;
}

Result<std::string> readAdminToken(const fs::path& stateFolder) {
    auto token = firstLine(stateFolder / kAdminTokenFile);
    if (token && token->empty()) return fail(ErrorKind::badInput, "this file holds no token", (stateFolder / kAdminTokenFile).string(), "Name another with --token-file.");
    return token;
}

}  // namespace signalbox::engine
