// SPDX-License-Identifier: MIT
#include "router/engine/release_files.h"

#include "router/base/file.h"

#include <algorithm>

namespace signalbox::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxReleaseFile = std::size_t{32} << 20;
constexpr std::size_t kMaxSignatureFile = 64 * 1024;

/// In the order of their names, so that the same release is always sent alike.
Result<std::vector<std::string>> signaturesOf(const fs::path& file) {
    std::vector<fs::path> files;
    std::error_code ignored;
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        const std::string found = entry.path().filename().string();
        if (found.starts_with(file.filename().string() + ".") && found.ends_with(".minisig")) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::vector<std::string> signatures;
    for (const fs::path& signature : files) {
        auto text = readFile(signature, kMaxSignatureFile);
        if (!text) return tl::unexpected(text.error());
        signatures.push_back(std::move(*text));
    }
    return signatures;
}

}  // namespace

Result<wire::ApplyRequest> readReleaseFiles(const fs::path& tableFile, const fs::path& configFile) {
    wire::ApplyRequest release;
    for (const auto& [name, file] : {std::pair("routing-table.json", tableFile), std::pair("gateway.toml", configFile)}) {
        auto text = readFile(file, kMaxReleaseFile);
        if (!text) return tl::unexpected(text.error());
        auto signatures = signaturesOf(file);
        if (!signatures) return tl::unexpected(signatures.error());
        release.files.push_back({name, std::move(*text), std::move(*signatures)});
    }
    return release;
}

}  // namespace signalbox::engine
