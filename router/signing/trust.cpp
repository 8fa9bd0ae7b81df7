// SPDX-License-Identifier: MIT
#include "router/signing/trust.h"

#include "router/base/file.h"
#include "router/base/hashing.h"
#include "router/signing/key_text.h"

#include <algorithm>

namespace signalbox::signing {
namespace {

/// Tables and configurations are small, but anything may be signed.
constexpr std::size_t kMaxSignedBytes = std::size_t{1} << 30;

Result<Signature> readSignature(const std::filesystem::path& file) {
    const auto path = signatureFileOf(file);
    auto text = readFile(path, kMaxKeyFileBytes);
    if (!text && text.error().kind == ErrorKind::notFound)
        return fail(ErrorKind::denied, "it is not signed: there is no " + path.filename().string() + " beside it",
                    file.string(), "Sign it with `signalboxctl sign --key PREFIX " + file.string() + "`.");
    if (!text) return tl::unexpected(text.error());
    return parseSignature(*text).map_error([&](Error error) { return inFile(std::move(error), path); });
}

std::string idsOf(std::span<const PublicKey> keys) {
    std::string out;
    for (const auto& key : keys) out += (out.empty() ? "" : ", ") + key.idText();
    return out;
}

}  // namespace

std::string VerifiedFile::signerText() const {
    return facts.signer.empty() ? "key " + key.idText() : facts.signer;
}

std::filesystem::path signatureFileOf(const std::filesystem::path& file) {
    auto path = file;
    path += ".minisig";
    return path;
}

Result<std::vector<PublicKey>> readTrustedKeys(std::span<const std::filesystem::path> keyFiles) {
    std::vector<PublicKey> keys;
    for (const auto& file : keyFiles) {
        auto key = readPublicKey(file);
        if (!key) return tl::unexpected(key.error());
        keys.push_back(std::move(*key));
    }
    return keys;
}

Result<VerifiedFile> verifyFile(const std::filesystem::path& file, std::span<const PublicKey> trusted) {
    auto content = readFile(file, kMaxSignedBytes);
    if (!content) return tl::unexpected(content.error());
    auto signature = readSignature(file);
    if (!signature) return tl::unexpected(signature.error());
    const auto key =
        std::find_if(trusted.begin(), trusted.end(), [&](const auto& k) { return k.keyId == signature->keyId; });
    if (key == trusted.end()) {
        PublicKey named;
        named.keyId = signature->keyId;
        return fail(ErrorKind::denied,
                    "it was signed with key " + named.idText() + ", which is not trusted here (" + idsOf(trusted) + ")",
                    file.string(), "Ask a trusted signer to sign it, or name the signer's .pub file as trusted.");
    }
    if (auto verified = verify(*key, *content, *signature); !verified)
        return tl::unexpected(inFile(verified.error(), file));
    auto facts = parseTrustedFacts(signature->trustedComment);
    return VerifiedFile{*key, std::move(*signature), std::move(facts), sha256Hex(*content)};
}

Result<SecretKey> readSecretKey(const std::filesystem::path& file, std::string_view password) {
    return readFile(file, kMaxKeyFileBytes).and_then([&](const std::string& text) {
        return decryptSecretKey(text, password).map_error([&](Error error) { return inFile(std::move(error), file); });
    });
}

Result<std::filesystem::path> signFile(const std::filesystem::path& file, const SecretKey& key, TrustedFacts facts,
                                       const std::optional<std::string>& expectedSha256) {
    auto content = readFile(file, kMaxSignedBytes);
    if (!content) return tl::unexpected(content.error());
    if (expectedSha256 && sha256Hex(*content) != *expectedSha256)
        return fail(ErrorKind::conflict, "the file was changed by someone else since it was read, it is not signed", file.string(),
                    "Look at what it says now, then sign it.");
    if (facts.fileName.empty()) facts.fileName = file.filename().string();
    const Signature signature = sign(key, *content, writeTrustedFacts(facts), {});
    const auto path = signatureFileOf(file);
    return writeFileAtomic(path, signature.fileText()).map([&] { return path; });
}

}  // namespace signalbox::signing
