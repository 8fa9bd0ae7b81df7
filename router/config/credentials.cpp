// SPDX-License-Identifier: MIT
#include "router/config/credentials.h"

#include "router/base/file.h"

#include <algorithm>

namespace signalbox::config {

namespace {

/// systemd allows a megabyte for all of them together.
constexpr std::size_t kMaxCredentialBytes = std::size_t{1} << 20;

bool isVariableName(std::string_view name) {
    const auto isPart = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
    return !name.empty() && std::ranges::all_of(name, isPart);
}

std::optional<std::string> readCredential(const std::filesystem::path& folder, const std::string& name) {
    std::error_code ec;
    if (!isVariableName(name) || !std::filesystem::is_regular_file(folder / name, ec)) return std::nullopt;
    auto text = readFile(folder / name, kMaxCredentialBytes);
    if (!text) return std::nullopt;
    if (text->ends_with('\n')) text->pop_back();
    if (text->ends_with('\r')) text->pop_back();
    return std::move(*text);
}

}  // namespace

Environment withCredentials(Environment first) {
    return [first = std::move(first)](const std::string& name) -> std::optional<std::string> {
        if (auto value = first(name)) return value;
        constexpr const char* kFolder = "CREDENTIALS_DIRECTORY";
        const auto folder = first(kFolder);
        if (!folder || folder->empty() || name == kFolder) return std::nullopt;
        return readCredential(*folder, name);
    };
}

}  // namespace signalbox::config
