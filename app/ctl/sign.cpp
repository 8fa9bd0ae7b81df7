// SPDX-License-Identifier: MIT
#include "app/ctl/key_files.h"
#include "app/ctl/verbs.h"
#include "router/base/file.h"
#include "router/base/hashing.h"
#include "router/base/json_document.h"
#include "router/base/text.h"
#include "router/signing/trust.h"

#include <nlohmann/json.hpp>
#include <ostream>
#include <pwd.h>
#include <unistd.h>

namespace signalbox::ctl {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxSignedBytes = std::size_t{1} << 30;

/// The routing table that the signature speaks of: the file itself, or the one beside it.
std::string tableDigestFor(const fs::path& file, const std::string& content) {
    if (file.extension() == ".json") return sha256Hex(content);
    const auto beside = config::WorkspacePaths{file.parent_path()}.table();
    return readFile(beside, kMaxSignedBytes).map([](const std::string& bytes) { return sha256Hex(bytes); }).value_or("");
}

/// The policy version of the gateway.toml that is signed or stands beside the signed file.
std::string policyVersionFor(const fs::path& file, const std::string& content) {
    const auto loaded = file.extension() == ".toml" ? Result<config::LoadedConfig>(config::readConfig(content))
                                                    : config::readConfigFile(config::WorkspacePaths{file.parent_path()}.config());
    return loaded && loaded->config ? loaded->config->routing.policyVersion : std::string();
}

/// The login name, also where no login set $USER, as under cron.
std::string loginName(const Context& context) {
    if (const auto user = context.environment("USER"); user && !user->empty()) return *user;
    const passwd* entry = ::getpwuid(::geteuid());
    return entry == nullptr ? std::string() : entry->pw_name;
}

/// What is to be signed, as it was when it was asked for: the question for the password may stand for minutes.
struct ToSign {
    fs::path file;
    std::string sha256;
    signing::TrustedFacts facts;
};

Result<ToSign> lookAt(const fs::path& file, const SignOptions& options, const Context& context) {
    const auto content = readFile(file, kMaxSignedBytes);
    if (!content) return tl::unexpected(content.error());
    ToSign out{file, sha256Hex(*content), {}};
    out.facts.signer = options.signer.empty() ? loginName(context) : options.signer;
    out.facts.policyVersion = options.policyVersion.empty() ? policyVersionFor(file, *content) : options.policyVersion;
    out.facts.tableSha256 = tableDigestFor(file, *content);
    return out;
}

}  // namespace

int runSign(const SignOptions& options, Context& context) {
    std::vector<ToSign> wanted;
    for (const auto& file : options.files) {
        auto one = lookAt(file, options, context);
        if (!one) return report(context, one.error());
        wanted.push_back(std::move(*one));
    }
    const auto key = unlock(context, findKey(context, options.key));
    if (!key) return report(context, key.error());

    OrderedJson list = OrderedJson::array();
    for (auto& [file, sha256, facts] : wanted) {
        facts.at = toIso8601(context.clock.now());
        auto signature = signing::signFile(file, *key, facts, sha256);
        if (!signature) return report(context, signature.error());
        list.push_back({{"file", file.string()},
                        {"signature", signature->string()},
                        {"key", key->publicKey().idText()},
                        {"signer", facts.signer},
                        {"policy_version", facts.policyVersion},
                        {"table_sha256", facts.tableSha256},
                        {"at", facts.at}});
        if (!options.json) context.out << signature->string() << '\n';
    }
    if (options.json) context.out << list.dump(2) << '\n';
    return kOk;
}

}  // namespace signalbox::ctl
