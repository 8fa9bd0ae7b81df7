// SPDX-License-Identifier: MIT
#include "app/ctl/key_files.h"
#include "app/ctl/password.h"
#include "app/ctl/verbs.h"
#include "router/base/file.h"
#include "router/base/hashing.h"
#include "router/base/json_document.h"
#include "router/signing/trust.h"

#include <nlohmann/json.hpp>
#include <ostream>

namespace signalbox::ctl {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxNamedKeyBytes = 64 * 1024;

OrderedJson keyJson(const KeyFiles& files, const signing::PublicKey& key) {
    std::error_code ignored;
    OrderedJson out{{"id", key.idText()},
                    {"public_key", key.base64()},
                    {"comment", key.untrustedComment},
                    {"file", files.publicKey().string()}};
    out["secret_key_file"] = fs::exists(files.secret, ignored) ? OrderedJson(files.secret.string()) : OrderedJson();
    return out;
}

/// The folder for a new pair: the user's own is made on first use, any other must be there.
Result<KeyFiles> newPair(Context& context, const std::string& name, const std::string& fallback) {
    if (!name.empty()) return KeyFiles{name};
    auto folder = keyFolder(context);
    if (!folder) return tl::unexpected(folder.error());
    if (auto made = signing::makeKeyFolder(*folder); !made) return tl::unexpected(made.error());
    return KeyFiles{*folder / fallback};
}

int printNew(const KeysOptions& options, Context& context, const KeyFiles& files, const signing::PublicKey& key) {
    if (options.json) {
        context.out << keyJson(files, key).dump(2) << '\n';
        return kOk;
    }
    context.out << "key " << key.idText() << '\n'
                << "  secret " << files.secret.string() << '\n'
                << "  public " << files.publicKey().string() << '\n'
                << "Verify with: minisign -Vm FILE -P " << key.base64() << '\n';
    return kOk;
}

/// Imports a public key alone: somebody whose signatures are to be checked.
int importPublic(const KeysOptions& options, Context& context, const KeyFiles& files, signing::PublicKey key) {
    auto written = writeFileAtomic(files.publicKey(), key.fileText(), {.mode = 0644, .expectedSha256 = ""});
    if (!written) return report(context, written.error());
    if (options.json) context.out << keyJson(files, key).dump(2) << '\n';
    else context.out << "key " << key.idText() << "\n  public " << files.publicKey().string() << '\n';
    return kOk;
}

}  // namespace

int runKeysCreate(const KeysOptions& options, Context& context) {
    const auto files = newPair(context, options.name, "default");
    if (!files) return report(context, files.error());
    if (auto fresh = expectNew(*files); !fresh) return report(context, fresh.error());
    std::string password;
    if (!options.noPassword) {
        auto asked = askPassword(context, kPasswordVariable, "Password for the new key", true);
        if (!asked) return report(context, asked.error());
        password = std::move(*asked);
    }
    const auto key = signing::SecretKey::generate();
    auto text = signing::encryptSecretKey(key, password, signing::KdfEffort::interactive, options.comment);
    if (!text) return report(context, text.error());
    auto publicKey = key.publicKey();
    publicKey.untrustedComment = options.comment;
    if (auto written = writeNewPair(*files, *text, publicKey); !written) return report(context, written.error());
    return printNew(options, context, *files, publicKey);
}

int runKeysList(const KeysOptions& options, Context& context) {
    const auto folder = keyFolder(context);
    if (!folder) return report(context, folder.error());
    const auto listed = signing::listKeys(*folder);
    if (!listed) return report(context, listed.error());

    OrderedJson list = OrderedJson::array();
    int result = kOk;
    for (const signing::ListedKey& entry : listed->keys) {
        list.push_back(keyJson(entry.files, entry.key));
        if (!options.json)
            context.out << entry.key.idText() << "  " << entry.files.secret.filename().string()
                        << (entry.hasSecret ? "" : "  (public only)") << "  " << entry.key.untrustedComment << '\n';
    }
    for (const Error& error : listed->unreadable) result = report(context, error);
    if (options.json) context.out << list.dump(2) << '\n';
    else if (listed->keys.empty() && listed->unreadable.empty())
        context.err << "There are no keys in " << folder->string() << " yet: signalboxctl keys create\n";
    return result;
}

int runKeysShow(const KeysOptions& options, Context& context) {
    const KeyFiles files = findKey(context, options.name);
    const auto key = signing::readPublicKey(files.publicKey());
    if (!key) return report(context, key.error());
    const OrderedJson shown = keyJson(files, *key);
    if (options.json) {
        context.out << shown.dump(2) << '\n';
        return kOk;
    }
    context.out << "key " << key->idText() << '\n' << "  public  " << key->base64() << '\n';
    if (!key->untrustedComment.empty()) context.out << "  comment " << key->untrustedComment << '\n';
    if (shown["secret_key_file"].is_string())
        context.out << "  secret  " << shown["secret_key_file"].get<std::string>() << '\n';
    return kOk;
}

int runKeysImport(const KeysOptions& options, Context& context) {
    const std::string stem = options.importFrom.stem().string();
    const auto files = newPair(context, options.name, stem.empty() ? "imported" : stem);
    if (!files) return report(context, files.error());
    auto text = readFile(options.importFrom, kMaxNamedKeyBytes);
    if (!text) return report(context, text.error());
    if (auto publicKey = signing::parsePublicKey(*text))
        return importPublic(options, context, *files, std::move(*publicKey));

    if (auto fresh = expectNew(*files); !fresh) return report(context, fresh.error());
    // Unlocking proves that the password is known, and gives the public half whatever else was kept.
    const auto key = unlock(context, KeyFiles{options.importFrom});
    if (!key) return report(context, key.error());
    if (auto written = writeNewPair(*files, *text, key->publicKey()); !written)
        return report(context, written.error());
    return printNew(options, context, *files, key->publicKey());
}

int runKeysPasswd(const KeysOptions& options, Context& context) {
    const KeyFiles files = findKey(context, options.name);
    auto before = readFile(files.secret, kMaxNamedKeyBytes);
    if (!before) return report(context, before.error());
    const auto key = unlock(context, files);
    if (!key) return report(context, key.error());
    std::string password;
    if (!options.noPassword) {
        auto asked = askPassword(context, kNewPasswordVariable, "New password", true);
        if (!asked) return report(context, asked.error());
        password = std::move(*asked);
    }
    auto text = signing::encryptSecretKey(*key, password, signing::KdfEffort::interactive, options.comment);
    if (!text) return report(context, text.error());
    const WriteOptions unchanged{.mode = 0600, .expectedSha256 = sha256Hex(*before)};
    if (auto written = writeFileAtomic(files.secret, *text, unchanged); !written)
        return report(context, written.error());
    if (options.json) {
        const auto shown = signing::readPublicKey(files.publicKey());  // whose comment the secret half does not know
        context.out << keyJson(files, shown ? *shown : key->publicKey()).dump(2) << '\n';
    }
    context.err << "The password of key " << key->publicKey().idText() << " was changed.\n";
    return kOk;
}

}  // namespace signalbox::ctl
