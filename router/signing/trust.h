// SPDX-License-Identifier: MIT
#pragma once

#include "router/signing/minisign.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Files and their detached signatures: FILE is signed by FILE.minisig, as stock minisign names it.
namespace signalbox::signing {

struct VerifiedFile {
    PublicKey key;  ///< the trusted key that signed it
    Signature signature;
    TrustedFacts facts;
    /// Of the bytes that verified, lower-case hex: whoever reads the file again compares it, so that a file swapped
    /// in between is noticed.
    std::string sha256;
    /// The signer's name in the trusted comment, else "key 0123…".
    [[nodiscard]] std::string signerText() const;
};

[[nodiscard]] std::filesystem::path signatureFileOf(const std::filesystem::path& file);

/// Reads public key files; the first bad one is the error.
[[nodiscard]] Result<std::vector<PublicKey>> readTrustedKeys(std::span<const std::filesystem::path> keyFiles);

/// Errors name the part and its file: a missing signature, one by a key that is not trusted, changed content, a
/// changed comment (ErrorKind::denied), or a signature file that is none (badInput).
[[nodiscard]] Result<VerifiedFile> verifyFile(const std::filesystem::path& file, std::span<const PublicKey> trusted);

/// Reads and unlocks a secret key. Slow by design, see decryptSecretKey. Errors carry the path.
[[nodiscard]] Result<SecretKey> readSecretKey(const std::filesystem::path& file, std::string_view password);

/// Signs the bytes of `file` and writes FILE.minisig beside it, whole or not at all. An empty `facts.fileName` is
/// filled from `file`. Gives the signature's path. ErrorKind::conflict when `expectedSha256` (hex), of the content that
/// the facts are about, is given and not that of the bytes.
[[nodiscard]] Result<std::filesystem::path> signFile(const std::filesystem::path& file, const SecretKey& key, TrustedFacts facts,
                                                     const std::optional<std::string>& expectedSha256 = std::nullopt);

}  // namespace signalbox::signing
