// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/base/error.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace signalbox::signing {

/// A minisign public key: 8 bytes of key id and an Ed25519 point.
struct PublicKey {
    std::array<std::uint8_t, 8> keyId{};
    std::array<std::uint8_t, 32> key{};
    std::string untrustedComment;
    /// As minisign prints it: 16 upper-case hex digits.
    [[nodiscard]] std::string idText() const;
    /// The key file's base64 line (`RW…`).
    [[nodiscard]] std::string base64() const;
    /// The whole file minisign reads.
    [[nodiscard]] std::string fileText() const;
};

/// The whole file, or its base64 line alone. Where parsing fails, `where` holds LINE or LINE:COLUMN of the text;
/// functions that read files put the path in front.
[[nodiscard]] Result<PublicKey> parsePublicKey(std::string_view fileText);
[[nodiscard]] Result<PublicKey> readPublicKey(const std::filesystem::path& file);

/// A secret key, unlocked. Wipes its memory when it goes.
class SecretKey {
public:
    SecretKey() = default;
    SecretKey(const SecretKey&) = delete;
    SecretKey& operator=(const SecretKey&) = delete;
    SecretKey(SecretKey&& other) noexcept;
    SecretKey& operator=(SecretKey&& other) noexcept;
    ~SecretKey();

    [[nodiscard]] static SecretKey generate();
    [[nodiscard]] PublicKey publicKey() const;

    std::array<std::uint8_t, 8> keyId{};
    std::array<std::uint8_t, 64> secret{};
};

/// Key derivation effort. Stock minisign writes `sensitive` (1 GiB and 2 to 3 s); it reads both.
enum class KdfEffort : std::uint8_t { interactive, sensitive };

/// The key file minisign reads, encrypted with scrypt under `password`; without a password it is written in the
/// clear, as `minisign -GW` does. Comments are cut to one line of what minisign reads.
[[nodiscard]] Result<std::string> encryptSecretKey(const SecretKey& key, std::string_view password, KdfEffort effort,
                                                   std::string_view untrustedComment);
/// Slow and hungry by design: never on the GUI thread. Wrong password is ErrorKind::denied.
[[nodiscard]] Result<SecretKey> decryptSecretKey(std::string_view fileText, std::string_view password);

/// False for a key made without password (`minisign -GW`).
[[nodiscard]] Result<bool> isSecretKeyEncrypted(std::string_view fileText);

struct Signature {
    std::array<std::uint8_t, 8> keyId{};
    bool prehashed = true;
    std::array<std::uint8_t, 64> signature{};
    std::array<std::uint8_t, 64> globalSignature{};
    std::string untrustedComment;
    std::string trustedComment;
    [[nodiscard]] std::string fileText() const;
};

[[nodiscard]] Result<Signature> parseSignature(std::string_view fileText);
[[nodiscard]] Signature sign(const SecretKey& key, std::string_view content, std::string_view trustedComment,
                             std::string_view untrustedComment);
/// Errors say which part failed: another key, the file's content, or the trusted comment.
[[nodiscard]] Result<void> verify(const PublicKey& key, std::string_view content, const Signature& signature);

/// What our trusted comments hold: `signer=… policy=… table=… at=… file=…` (space separated, values percent-encoded).
struct TrustedFacts {
    std::string signer;
    std::string policyVersion;
    std::string tableSha256;
    std::string fileName;
    std::string at;  ///< ISO-8601 UTC
};
[[nodiscard]] std::string writeTrustedFacts(const TrustedFacts& facts);
/// Empty fields where the comment, as stock minisign writes it, says nothing.
[[nodiscard]] TrustedFacts parseTrustedFacts(std::string_view trustedComment);

}  // namespace signalbox::signing
