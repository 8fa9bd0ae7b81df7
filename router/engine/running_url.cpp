// SPDX-License-Identifier: MIT
#include "router/engine/running_url.h"

#include "router/base/file.h"
#include "router/engine/tokens.h"

namespace signalbox::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxUrlBytes = 1024;

Result<std::string> firstLine(const fs::path& file) {
    auto text = readFile(file, kMaxUrlBytes);
    if (!text) return text;
    return text->substr(0, text->find_first_of("\r\n"));
}

}  // namespace

void writeRunningUrl(const fs::path& stateFolder, const std::string& baseUrl) {
    static_cast<void>(writeFileAtomic(stateFolder / kRunningUrlFile, baseUrl + "\n", {.mode = 0600}));
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
    return url;
}

Result<std::string> readAdminToken(const fs::path& stateFolder) {
    auto token = firstLine(stateFolder / kAdminTokenFile);
    if (token && token->empty()) return fail(ErrorKind::badInput, "this file holds no token", (stateFolder / kAdminTokenFile).string(), "Name another with --token-file.");
    return token;
}

}  // namespace signalbox::engine
