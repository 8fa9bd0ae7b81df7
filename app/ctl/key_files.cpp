// SPDX-License-Identifier: MIT
#include "app/ctl/key_files.h"

#include "app/ctl/password.h"
#include "app/shared/paths.h"
#include "router/base/file.h"
#include "router/signing/trust.h"

#include <ostream>
#include <unistd.h>

namespace signalbox::ctl {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxKeyBytes = 64 * 1024;

bool pairExists(const KeyFiles& files) {
    std::error_code ignored;
    return fs::exists(files.secret, ignored) || fs::exists(files.publicKey(), ignored);
}

}  // namespace

Result<fs::path> keyFolder(const Context& context) {
    return app::userFolders(context.environment).map([](const auto& folders) { return folders.keys(); });
}

KeyFiles findKey(const Context& context, const std::string& name) {
    constexpr std::string_view kSuffix = ".pub";
    KeyFiles files{name.ends_with(kSuffix) ? name.substr(0, name.size() - kSuffix.size()) : name};
    if (pairExists(files) || files.secret.has_parent_path()) return files;
    const auto folder = keyFolder(context);
    if (!folder) return files;
    const KeyFiles inFolder{*folder / files.secret};
    return pairExists(inFolder) ? inFolder : files;
}

Result<void> expectNew(const KeyFiles& files) {
    std::error_code ignored;
    for (const fs::path& path : {files.secret, files.publicKey()})
        if (fs::exists(path, ignored))
            return fail(ErrorKind::conflict, "a file of this name exists already, nothing was written", path.string(),
                        "Choose another name: a key that is overwritten is lost.");
    return {};
}

Result<void> writeNewPair(const KeyFiles& files, const std::string& secretText, const signing::PublicKey& publicKey) {
    WriteOptions secretOptions{.mode = 0600, .expectedSha256 = ""};
    if (auto written = writeFileAtomic(files.secret, secretText, secretOptions); !written) return written;
    const WriteOptions publicOptions{.mode = 0644, .expectedSha256 = ""};
    auto written = writeFileAtomic(files.publicKey(), publicKey.fileText(), publicOptions);
    if (!written) ::unlink(files.secret.c_str());
    return written;
}

Result<signing::SecretKey> unlock(Context& context, const KeyFiles& files) {
    auto text = readFile(files.secret, kMaxKeyBytes);
    if (!text) return tl::unexpected(text.error());
    std::string password;
    if (signing::isSecretKeyEncrypted(*text).value_or(false)) {
        auto asked = askPassword(context, kPasswordVariable, "Password of " + files.secret.string(), false);
        if (!asked) return tl::unexpected(asked.error());
        password = std::move(*asked);
        if (context.errIsTerminal) context.err << "Unlocking the key…" << std::endl;
    }
    return signing::readSecretKey(files.secret, password);
}

}  // namespace signalbox::ctl
