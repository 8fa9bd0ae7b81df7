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

bool isUsable(std::string_view token) {
    return token.size() >= kMinLength && std::all_of(token.begin(), token.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

Result<std::string> readToken(const std::filesystem::path& file) {
    auto text = readFile(file, kMaxFileBytes);
    if (!text)
        return tl::unexpected(text.error());
    std::string token = *text;
    while (!token.empty() && (token.back() == '\n' || token.back() == '\r' || token.back() == ' '))
        token.pop_back();
    if (!isUsable(token)) {
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

Result<void> checkOwnToken(std::string_view token) {
    if (isUsable(token))
        return {};
    return fail(ErrorKind::denied, "it is too short, or holds spaces or other characters than visible ASCII", {},
                "Use at least 16 visible ASCII characters, such as `openssl rand -hex 24` prints.");
}

Result<std::string> loadOrMakeClientToken(const std::filesystem::path& stateFolder) {
    return loadOrMake(stateFolder, "client-token");
}

Result<std::string> loadOrMakeAdminToken(const std::filesystem::path& stateFolder) {
    return loadOrMake(stateFolder, kAdminTokenFile);
}

Result<std::string> clientTokenOf(const config::GatewayConfig& config, const config::Environment& environment,
                                  const std::filesystem::path& stateFolder) {
    if (config.server.auth == config::AuthMode::none)
        return std::string();
    const auto& name = config.server.tokenEnv;
    if (!name)
        return loadOrMakeClientToken(stateFolder);
    const auto token = environment(*name);
    if (token && !trimmed(*token).empty())
        return std::string(trimmed(*token));  // as what a client sends is read
    return fail(ErrorKind::denied, "the environment variable " + *name + " is not set", "auth.token_env",
                "Set it to the token that clients must send, or remove token_env to have one made.");
}

Result<std::string> adminTokenOf(const config::GatewayConfig& config, const config::Environment& environment,
                                 const std::filesystem::path& stateFolder) {
    const auto& name = config.server.adminTokenEnv;
    if (!name)
        return loadOrMakeAdminToken(stateFolder);
    const auto found = environment(*name);
    const std::string token(trimmed(found.value_or(std::string())));
    if (token.empty())
        return fail(ErrorKind::denied, "the environment variable " + *name + " is not set", "admin.token_env",
                    "Set it to the token that opens the admin paths, or remove token_env to have one made.");
    if (auto checked = checkOwnToken(token); !checked)
        return fail(ErrorKind::denied, "the environment variable " + *name + " holds no usable admin token: " + checked.error().message,
                    "admin.token_env", checked.error().hint);
    return token;
}

} // namespace signalbox::engine
