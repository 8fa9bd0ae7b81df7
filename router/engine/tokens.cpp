// SPDX-License-Identifier: MIT
#include "router/engine/tokens.h"

#include "router/base/file.h"
#include "router/base/text.h"

#include <algorithm>
#include <array>
#include <sys/random.h>

namespace signalbox::engine {

namespace {

constexpr std::string_view kPrefix = "sbx_";
constexpr std::size_t kTokenBytes = 24;
constexpr std::size_t kMinLength = 16;
constexpr std::size_t kMaxFileBytes = 4096;

Result<std::string> makeToken() {
    std::array<std::uint8_t, kTokenBytes> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
        return fail(ErrorKind::unavailable, "the system gives no random bytes for a token", {},
                    "Try again.");
    }
    return std::string(kPrefix) + toHex(bytes);
}

Result<std::string> readToken(const std::filesystem::path& file) {
    auto text = readFile(file, kMaxFileBytes);
    if (!text)
        return tl::unexpected(text.error());
    std::string token = *text;
    while (!token.empty() && (token.back() == '\n' || token.back() == '\r' || token.back() == ' '))
        token.pop_back();
    const bool usable = token.size() >= kMinLength &&
                        std::all_of(token.begin(), token.end(), [](char c) { return c > 0x20 && c < 0x7f; });
    if (!usable) {
        return fail(ErrorKind::badInput, "this file holds no usable client token", file.string(),
                    "Delete it to get a new one, or write at least 16 visible ASCII characters into it.");
    }
    return token;
}

Result<std::string> loadOrMake(const std::filesystem::path& stateFolder, const char* name) {
    namespace fs = std::filesystem;
    std::error_code ec;
    const bool created = fs::create_directories(stateFolder, ec);
    if (!ec && created)
        fs::permissions(stateFolder, fs::perms::owner_all, ec);
    if (ec) {
        return fail(ErrorKind::unavailable, "the state folder cannot be made: " + ec.message(),
                    stateFolder.string(),
                    "Check its parent's permissions, or set SIGNALBOX_DATA_DIR to a folder of yours.");
    }
    const fs::path file = stateFolder / name;
    if (fs::exists(file, ec))
        return readToken(file);
    auto token = makeToken();
    if (!token)
        return token;
    // Another process may be first; then its token counts.
    const auto written = writeFileAtomic(file, *token + "\n", {.mode = 0600, .expectedSha256 = ""});
    if (written)
        return token;
    if (written.error().kind == ErrorKind::conflict)
        return readToken(file);
    return tl::unexpected(written.error());
}

} // namespace

Result<std::string> loadOrMakeClientToken(const std::filesystem::path& stateFolder) {
    return loadOrMake(stateFolder, "client-token");
}

Result<std::string> loadOrMakeAdminToken(const std::filesystem::path& stateFolder) {
    return loadOrMake(stateFolder, kAdminTokenFile);
}

} // namespace signalbox::engine
