// SPDX-License-Identifier: MIT
#include "app/ctl/key_files.h"
#include "app/ctl/verbs.h"
#include "router/base/json_document.h"
#include "router/signing/trust.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

namespace signalbox::ctl {
namespace {

void print(std::ostream& out, const std::filesystem::path& file, const signing::VerifiedFile& verified) {
    const auto& facts = verified.facts;
    out << file.string() << ": good signature by " << verified.signerText() << '\n'
        << "  key               " << verified.key.idText() << '\n'
        << "  signed at         " << (facts.at.empty() ? "not said" : facts.at) << '\n'
        << "  policy version    " << (facts.policyVersion.empty() ? "not said" : facts.policyVersion) << '\n';
    if (!facts.tableSha256.empty()) out << "  routing table     SHA-256 " << facts.tableSha256 << '\n';
    if (!facts.fileName.empty() && facts.fileName != file.filename().string())
        out << "  signed under the name " << facts.fileName << '\n';
    out << "  trusted comment   " << verified.signature.trustedComment << '\n'
        << "  untrusted comment " << verified.signature.untrustedComment << " (anybody can change this line)\n";
}

OrderedJson toJson(const std::filesystem::path& file, const Result<signing::VerifiedFile>& result) {
    OrderedJson out{{"file", file.string()}, {"valid", result.has_value()}};
    if (!result) {
        out["error"] = result.error().text();
        return out;
    }
    const auto& facts = result->facts;
    out["signer"] = facts.signer;
    out["key"] = result->key.idText();
    out["at"] = facts.at;
    out["policy_version"] = facts.policyVersion;
    out["table_sha256"] = facts.tableSha256;
    out["signed_file_name"] = facts.fileName;
    out["sha256"] = result->sha256;
    out["trusted_comment"] = result->signature.trustedComment;
    return out;
}

}  // namespace

int runVerify(const VerifyOptions& options, Context& context) {
    std::vector<std::filesystem::path> keyFiles;
    std::error_code ignored;
    for (const auto& key : options.keys)
        keyFiles.push_back(std::filesystem::exists(key, ignored) ? key : findKey(context, key.string()).publicKey());
    const auto trusted = signing::readTrustedKeys(keyFiles);
    if (!trusted) return report(context, trusted.error());

    int code = kOk;
    OrderedJson list = OrderedJson::array();
    for (const auto& file : options.files) {
        const auto verified = signing::verifyFile(file, *trusted);
        if (!verified) code = std::max(code, report(context, verified.error()));
        else if (!options.json) print(context.out, file, *verified);
        if (options.json) list.push_back(toJson(file, verified));
    }
    if (options.json) context.out << list.dump(2) << '\n';
    return code;
}

}  // namespace signalbox::ctl
