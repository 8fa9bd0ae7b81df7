// SPDX-License-Identifier: MIT
#include "app/ctl/key_files.h"

#include "app/ctl/password.h"
#include "app/shared/paths.h"
#include "router/base/file.h"
#include "router/signing/trust.h"

#include <ostream>

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
