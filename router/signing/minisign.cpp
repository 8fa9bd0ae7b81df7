// SPDX-License-Identifier: MIT
#include "router/signing/minisign.h"

#include "router/signing/key_text.h"

#include <algorithm>
#include <sodium.h>
#include <vector>

namespace signalbox::signing {
namespace {

using Bytes64 = std::array<std::uint8_t, 64>;

bool verifies(const Bytes64& signature, std::string_view message, const PublicKey& key) {
    return crypto_sign_verify_detached(signature.data(), reinterpret_cast<const unsigned char*>(message.data()),
                                       message.size(), key.key.data()) == 0;
}

std::string digestOf(std::string_view content) {
    std::string out(crypto_generichash_BYTES_MAX, '\0');
    crypto_generichash(reinterpret_cast<unsigned char*>(out.data()), out.size(),
                       reinterpret_cast<const unsigned char*>(content.data()), content.size(), nullptr, 0);
    return out;
}

bool contentVerifies(const PublicKey& key, std::string_view content, const Bytes64& signature, bool prehashed) {
    return prehashed ? verifies(signature, digestOf(content), key) : verifies(signature, content, key);
}

/// The second signature covers the first one and the trusted comment.
std::string globalMessage(const Signature& signature) {
    return std::string(reinterpret_cast<const char*>(signature.signature.data()), signature.signature.size()) +
           signature.trustedComment;
}

Bytes64 signBytes(const SecretKey& key, std::string_view message) {
    Bytes64 out{};
    crypto_sign_detached(out.data(), nullptr, reinterpret_cast<const unsigned char*>(message.data()), message.size(),
                         key.secret.data());
    return out;
}

std::string idOf(const std::array<std::uint8_t, 8>& keyId) {
    PublicKey named;
    named.keyId = keyId;
    return named.idText();
}

}  // namespace

std::string Signature::fileText() const {
    std::array<std::uint8_t, kSignatureBytes> bytes{'E', static_cast<std::uint8_t>(prehashed ? 'D' : 'd')};
    std::copy(keyId.begin(), keyId.end(), bytes.begin() + 2);
    std::copy(signature.begin(), signature.end(), bytes.begin() + 10);
    return std::string(kUntrustedPrefix) + untrustedComment + "\n" + encodeBase64(bytes) + "\n" +
           std::string(kTrustedPrefix) + trustedComment + "\n" + encodeBase64(globalSignature) + "\n";
}

Result<Signature> parseSignature(std::string_view fileText) {
    const auto lines = splitLines(fileText);
    Signature out;
    auto untrusted = commentOf(lines, 1, kUntrustedPrefix);
    if (!untrusted) return tl::unexpected(untrusted.error());
    out.untrustedComment = *untrusted;

    auto first = decodeLine(lines, 2);
    if (!first) return tl::unexpected(first.error());
    if (first->size() != kSignatureBytes) {
        const std::string kind = kindBySize(first->size());
        return fail(ErrorKind::badInput,
                    (kind.empty() ? "the line holds " + std::to_string(first->size()) + " bytes" : kind) +
                        ", a signature of 74 bytes is needed",
                    "2", "Name the .minisig file of the signed file.");
    }
    if ((*first)[0] != 'E' || ((*first)[1] != 'D' && (*first)[1] != 'd'))
        return fail(ErrorKind::badInput, "this signature is of an unknown kind", "2",
                    "Only minisign's ED (prehashed) and Ed (legacy) signatures are supported; fetch the file again.");
    out.prehashed = (*first)[1] == 'D';
    std::copy_n(first->begin() + 2, 8, out.keyId.begin());
    std::copy_n(first->begin() + 10, 64, out.signature.begin());

    auto trusted = commentOf(lines, 3, kTrustedPrefix);
    if (!trusted) return tl::unexpected(trusted.error());
    out.trustedComment = *trusted;
    auto global = decodeLine(lines, 4);
    if (!global) return tl::unexpected(global.error());
    if (global->size() != out.globalSignature.size())
        return fail(ErrorKind::badInput,
                    "the signature of the trusted comment holds " + std::to_string(global->size()) +
                        " bytes instead of 64",
                    "4", "The file was damaged or cut short; fetch it again.");
    std::copy(global->begin(), global->end(), out.globalSignature.begin());
    if (lines.size() > 4)
        return fail(ErrorKind::badInput, "there is more text after the signature", "5", "Keep one signature a file.");
    return out;
}

Signature sign(const SecretKey& key, std::string_view content, std::string_view trustedComment,
               std::string_view untrustedComment) {
    Signature out;
    out.keyId = key.keyId;
    out.untrustedComment = untrustedComment.empty() ? "signature from key " + idOf(key.keyId)
                                                    : oneLine(untrustedComment, kMaxUntrustedComment);
    out.trustedComment = oneLine(trustedComment, kMaxTrustedComment);
    out.signature = signBytes(key, digestOf(content));
    out.globalSignature = signBytes(key, globalMessage(out));
    return out;
}

Result<void> verify(const PublicKey& key, std::string_view content, const Signature& signature) {
    if (signature.keyId != key.keyId)
        return fail(ErrorKind::denied,
                    "it was signed with key " + idOf(signature.keyId) + ", not with the given key " + key.idText(), {},
                    "Use the public key of whoever signed it, or ask a trusted signer to sign it.");
    const bool contentFits = contentVerifies(key, content, signature.signature, signature.prehashed);
    // As the second signature covers the first, it tells a changed file from a changed signature.
    const bool globalFits = verifies(signature.globalSignature, globalMessage(signature), key);
    if (contentFits && globalFits) return {};
    const std::string hint = "Do not use it; fetch the file and its signature again from whoever signed it.";
    if (contentFits)
        return fail(ErrorKind::denied, "the trusted comment or its signature was changed after signing", {}, hint);
    if (!globalFits)
        return fail(ErrorKind::denied, "the signature was changed, or the public key is not the signer's", {}, hint);
    if (contentVerifies(key, content, signature.signature, !signature.prehashed))
        return fail(ErrorKind::denied, "the kind of the signature (ED or Ed) was changed after signing", {}, hint);
    return fail(ErrorKind::denied, "the content of the file was changed after signing", {}, hint);
}

}  // namespace signalbox::signing
