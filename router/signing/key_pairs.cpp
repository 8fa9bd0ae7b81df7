// SPDX-License-Identifier: MIT
#include "router/signing/key_pairs.h"

#include "router/base/file.h"
#include "router/signing/key_text.h"

#include <algorithm>
#include <unistd.h>

namespace signalbox::signing {

namespace fs = std::filesystem;

static constexpr std::string_view kPublicSuffix = ".pub";

fs::path KeyPair::publicKey() const {
    fs::path path = secret;
    path += kPublicSuffix;
    return path;
}

Result<void> expectNew(const KeyPair& files) {
    std::error_code ignored;
    for (const fs::path& path : {files.secret, files.publicKey()})
        if (fs::exists(path, ignored))
            return fail(ErrorKind::conflict, "a file of this name exists already, nothing was written", path.string(),
                        "Choose another name: a key that is overwritten is lost.");
    return {};
}

Result<void> writeNewPair(const KeyPair& files, const std::string& secretText, const PublicKey& publicKey) {
    const WriteOptions secretOptions{.mode = 0600, .expectedSha256 = ""};
    if (auto written = writeFileAtomic(files.secret, secretText, secretOptions); !written) return written;
    const WriteOptions publicOptions{.mode = 0644, .expectedSha256 = ""};
    auto written = writeFileAtomic(files.publicKey(), publicKey.fileText(), publicOptions);
    if (!written) ::unlink(files.secret.c_str());
    return written;
}

Result<void> makeKeyFolder(const fs::path& folder) {
    std::error_code code;
    if (fs::is_directory(folder, code)) return {};
    fs::create_directories(folder, code);
    if (!code) fs::permissions(folder, fs::perms::owner_all, code);
    if (code)
        return fail(ErrorKind::unavailable, "the folder for keys cannot be made: " + code.message(), folder.string(),
                    "Check the permissions above it, or name another place.");
    return {};
}

static ListedKey describe(const fs::path& publicFile, PublicKey key) {
    ListedKey listed{.files = {publicFile.parent_path() / publicFile.stem()}, .key = std::move(key)};
    std::error_code ignored;
    listed.hasSecret = fs::exists(listed.files.secret, ignored);
    // What cannot be read or understood is asked for a password, and unlocking then says what is wrong with it.
    if (listed.hasSecret)
        listed.needsPassword = readFile(listed.files.secret, kMaxKeyFileBytes).and_then([](const std::string& text) { return isSecretKeyEncrypted(text); }).value_or(true);
    return listed;
}

Result<KeyList> listKeys(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code code;
    for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code))
        if (entry->path().extension() == kPublicSuffix) found.push_back(entry->path());
    if (code && code != std::errc::no_such_file_or_directory)
        return fail(ErrorKind::denied, "the folder for keys cannot be read: " + code.message(), folder.string(),
                    "Check its owner and permissions.");
    std::sort(found.begin(), found.end());
    KeyList list;
    for (const fs::path& path : found) {
        if (auto key = readPublicKey(path)) list.keys.push_back(describe(path, std::move(*key)));
        else list.unreadable.push_back(std::move(key.error()));
    }
    return list;
}

}  // namespace signalbox::signing
