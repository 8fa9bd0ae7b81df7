// SPDX-License-Identifier: MIT
#include "router/signing/minisign.h"

#include "router/signing/key_text.h"

#include <algorithm>
#include <cstdlib>
#include <sodium.h>
#include <vector>

namespace signalbox::signing {
namespace {

// The decoded line: "Ed" "Sc" "B2" salt(32) operations(8) memory(8) [ id(8) secret(64) checksum(32) ].
// The bracket is xored with the scrypt stream; an unencrypted key has two zero bytes instead of "Sc".
constexpr std::size_t kSaltAt = 6, kOperationsAt = 38, kMemoryAt = 46, kPayloadAt = 54;
constexpr std::size_t kPayloadBytes = 104, kChecksumBytes = 32;
/// Over these a key file is a trap rather than a key: stock minisign asks for 2^25 operations and 1 GiB.
constexpr std::uint64_t kMaxOperations = std::uint64_t{1} << 30;
constexpr std::uint64_t kMaxMemory = std::uint64_t{4} << 30;

using Payload = std::array<std::uint8_t, kPayloadBytes>;

/// Bytes that are wiped when they go.
template <class Bytes>
struct Wiped {
    Bytes bytes{};
    Wiped() = default;
    explicit Wiped(Bytes b) : bytes(std::move(b)) {}
    Wiped(const Wiped&) = delete;
    Wiped& operator=(const Wiped&) = delete;
    ~Wiped() { sodium_memzero(bytes.data(), bytes.size()); }
};

void store64(std::uint8_t* to, std::uint64_t value) {
    for (int i = 0; i < 8; ++i) to[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

std::uint64_t load64(const std::uint8_t* from) {
    std::uint64_t value = 0;
    for (int i = 7; i >= 0; --i) value = value << 8 | from[i];
    return value;
}

std::array<std::uint8_t, kChecksumBytes> checksumOf(const Payload& payload) {
    std::array<std::uint8_t, kChecksumBytes> sum{};
    crypto_generichash_state state;
    crypto_generichash_init(&state, nullptr, 0, sum.size());
    const std::uint8_t algorithm[2] = {'E', 'd'};
    crypto_generichash_update(&state, algorithm, sizeof algorithm);
    crypto_generichash_update(&state, payload.data(), kPayloadBytes - kChecksumBytes);
    crypto_generichash_final(&state, sum.data(), sum.size());
    return sum;
}

/// Stock minisign leaves the checksum of an unencrypted key zero; there the public half must follow from the seed.
bool isIntact(const Payload& payload, bool encrypted) {
    const std::uint8_t* written = payload.data() + kPayloadBytes - kChecksumBytes;
    if (!encrypted && sodium_is_zero(written, kChecksumBytes) == 1) {
        Wiped<std::array<std::uint8_t, 64>> again;
        std::array<std::uint8_t, 32> point{};
        crypto_sign_seed_keypair(point.data(), again.bytes.data(), payload.data() + 8);
        return sodium_memcmp(again.bytes.data(), payload.data() + 8, again.bytes.size()) == 0;
    }
    const auto sum = checksumOf(payload);
    return sodium_memcmp(sum.data(), written, kChecksumBytes) == 0;
}

Result<void> xorWithPassword(Payload& payload, std::string_view password, const std::uint8_t* salt,
                             std::uint64_t operations, std::uint64_t memory) {
    Wiped<Payload> stream;
    if (crypto_pwhash_scryptsalsa208sha256(stream.bytes.data(), stream.bytes.size(), password.data(), password.size(),
                                           salt, operations, static_cast<std::size_t>(memory)) != 0)
        return fail(ErrorKind::unavailable,
                    "there is not enough memory to derive the key from the password: it takes " +
                        std::to_string(memory >> 20) + " MiB",
                    {}, "Close other programs, or make the key anew with `signalboxctl keys passwd`.");
    for (std::size_t i = 0; i < payload.size(); ++i) payload[i] ^= stream.bytes[i];
    return {};
}

Result<std::vector<std::uint8_t>> decodeSecretLine(std::string_view fileText) {
    const auto lines = splitLines(fileText);
    if (auto comment = commentOf(lines, 1, kUntrustedPrefix); !comment) return tl::unexpected(comment.error());
    auto bytes = decodeLine(lines, 2);
    if (!bytes) return bytes;
    if (bytes->size() != kSecretKeyBytes) {
        const std::string kind = kindBySize(bytes->size());
        return fail(ErrorKind::badInput,
                    (kind.empty() ? "the line holds " + std::to_string(bytes->size()) + " bytes" : kind) +
                        ", a secret key of 158 bytes is needed",
                    "2", "Name the secret key file (PREFIX, without .pub), and fetch it again if it was cut short.");
    }
    const auto is = [&](std::size_t at, char a, char b) {
        return (*bytes)[at] == static_cast<std::uint8_t>(a) && (*bytes)[at + 1] == static_cast<std::uint8_t>(b);
    };
    const std::string hint = "Only keys in minisign's own format are supported.";
    if (!is(0, 'E', 'd')) return fail(ErrorKind::badInput, "this secret key is of an unknown kind", "2", hint);
    if (!is(2, 'S', 'c') && !is(2, '\0', '\0'))
        return fail(ErrorKind::badInput, "this key is encrypted in an unknown way", "2", hint);
    if (!is(4, 'B', '2')) return fail(ErrorKind::badInput, "this key has an unknown kind of checksum", "2", hint);
    return bytes;
}

}  // namespace

SecretKey::SecretKey(SecretKey&& other) noexcept : keyId(other.keyId), secret(other.secret) {
    sodium_memzero(other.secret.data(), other.secret.size());
}

SecretKey& SecretKey::operator=(SecretKey&& other) noexcept {
    if (this != &other) {
        keyId = other.keyId;
        secret = other.secret;
        sodium_memzero(other.secret.data(), other.secret.size());
    }
    return *this;
}

SecretKey::~SecretKey() { sodium_memzero(secret.data(), secret.size()); }

SecretKey SecretKey::generate() {
    SecretKey key;
    // Safe to call again and from any thread; without it randomness may be drawn before the generator is ready.
    if (sodium_init() < 0) std::abort();
    std::array<std::uint8_t, 32> point{};
    crypto_sign_keypair(point.data(), key.secret.data());
    randombytes_buf(key.keyId.data(), key.keyId.size());
    return key;
}

PublicKey SecretKey::publicKey() const {
    PublicKey out;
    out.keyId = keyId;
    std::copy_n(secret.begin() + 32, 32, out.key.begin());
    return out;
}

Result<std::string> encryptSecretKey(const SecretKey& key, std::string_view password, KdfEffort effort,
                                     std::string_view untrustedComment) {
    Wiped<Payload> payload;
    std::copy(key.keyId.begin(), key.keyId.end(), payload.bytes.begin());
    std::copy(key.secret.begin(), key.secret.end(), payload.bytes.begin() + 8);
    const auto sum = checksumOf(payload.bytes);
    std::copy(sum.begin(), sum.end(), payload.bytes.begin() + kPayloadBytes - kChecksumBytes);

    Wiped<std::array<std::uint8_t, kSecretKeyBytes>> file;
    auto& bytes = file.bytes;
    bytes = {'E', 'd', 0, 0, 'B', '2'};
    if (!password.empty()) {
        const bool interactive = effort == KdfEffort::interactive;
        const std::uint64_t operations = interactive ? crypto_pwhash_scryptsalsa208sha256_OPSLIMIT_INTERACTIVE
                                                     : crypto_pwhash_scryptsalsa208sha256_OPSLIMIT_SENSITIVE;
        const std::uint64_t memory = interactive ? crypto_pwhash_scryptsalsa208sha256_MEMLIMIT_INTERACTIVE
                                                 : crypto_pwhash_scryptsalsa208sha256_MEMLIMIT_SENSITIVE;
        bytes[2] = 'S';
        bytes[3] = 'c';
        randombytes_buf(bytes.data() + kSaltAt, kOperationsAt - kSaltAt);
        store64(bytes.data() + kOperationsAt, operations);
        store64(bytes.data() + kMemoryAt, memory);
        auto hidden = xorWithPassword(payload.bytes, password, bytes.data() + kSaltAt, operations, memory);
        if (!hidden) return tl::unexpected(hidden.error());
    }
    std::copy(payload.bytes.begin(), payload.bytes.end(), bytes.begin() + kPayloadAt);
    const std::string_view fallback = password.empty() ? "minisign secret key" : "minisign encrypted secret key";
    return std::string(kUntrustedPrefix) +
           oneLine(untrustedComment.empty() ? fallback : untrustedComment, kMaxUntrustedComment) + "\n" +
           encodeBase64(bytes) + "\n";
}

Result<bool> isSecretKeyEncrypted(std::string_view fileText) {
    auto decoded = decodeSecretLine(fileText);
    if (!decoded) return tl::unexpected(decoded.error());
    const Wiped<std::vector<std::uint8_t>> file(std::move(*decoded));
    return file.bytes[2] != 0;
}

Result<SecretKey> decryptSecretKey(std::string_view fileText, std::string_view password) {
    auto decoded = decodeSecretLine(fileText);
    if (!decoded) return tl::unexpected(decoded.error());
    const Wiped<std::vector<std::uint8_t>> file(std::move(*decoded));
    const auto& bytes = file.bytes;
    const bool encrypted = bytes[2] != 0;

    Wiped<Payload> payload;
    std::copy_n(bytes.begin() + kPayloadAt, kPayloadBytes, payload.bytes.begin());
    if (encrypted) {
        const std::uint64_t operations = load64(bytes.data() + kOperationsAt);
        const std::uint64_t memory = load64(bytes.data() + kMemoryAt);
        if (operations > kMaxOperations || memory > kMaxMemory)
            return fail(ErrorKind::badInput, "this key asks for an absurd effort to unlock it", "2",
                        "The file is damaged; use your copy of it.");
        auto shown = xorWithPassword(payload.bytes, password, bytes.data() + kSaltAt, operations, memory);
        if (!shown) return tl::unexpected(shown.error());
    }
    if (!isIntact(payload.bytes, encrypted)) {
        if (encrypted)
            return fail(ErrorKind::denied, "the password does not unlock this key", {},
                        "Type it again; if it is right, the key file is damaged.");
        return fail(ErrorKind::badInput, "the key does not fit together", "2",
                    "The file is damaged; use your copy of it.");
    }
    SecretKey key;
    std::copy_n(payload.bytes.begin(), 8, key.keyId.begin());
    std::copy_n(payload.bytes.begin() + 8, 64, key.secret.begin());
    return key;
}

}  // namespace signalbox::signing
