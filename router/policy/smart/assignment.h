// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/hashing.h"
#include "router/base/sha256_stream.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace signalbox::policy::smart {

/// 64 lower-case hex digits.
struct HexDigest {
    std::array<char, 64> digits{};
    [[nodiscard]] std::string_view view() const { return {digits.data(), digits.size()}; }
    bool operator==(const HexDigest&) const = default;
};
[[nodiscard]] HexDigest toHexDigest(const Sha256& digest);

/// SHA-256 of principal, NUL and a second text: the only form in which a session id is kept.
[[nodiscard]] HexDigest principalDigest(std::string_view principal, std::string_view text);

/// First eight bytes of SHA-256(key), big endian, modulo 100.
[[nodiscard]] std::uint8_t activationBucket(std::string_view key);

/// Where a request stands in a rollout.
struct Assignment {
    std::optional<HexDigest> sessionHash;  ///< none without a session
    HexDigest activationKey;               ///< the session hash, else the digest of principal and request id
    std::uint8_t bucket = 0;               ///< 0..99
    /// A larger percentage keeps everyone who was in; 0 and 100 depend on no key.
    [[nodiscard]] bool isActive(std::uint8_t activationPercent) const { return bucket < activationPercent; }
    bool operator==(const Assignment&) const = default;
};

/// Hashes the session at once; the raw text goes no further.
[[nodiscard]] Assignment assign(std::string_view principal, std::optional<std::string_view> session,
                                std::string_view requestId);

/// A candidate as the affinity of a session sees it: NUL, provider, NUL, model.
[[nodiscard]] std::string affinitySuffix(std::string_view provider, std::string_view model);

/// How much one session leans to each candidate.
class Affinity {
public:
    explicit Affinity(const HexDigest& sessionHash) { m_begun.add(sessionHash.view()); }
    /// In 0..1, before its weight.
    [[nodiscard]] double of(std::string_view suffix) const;

private:
    Sha256Stream m_begun;
};

/// What full affinity adds to a score. It stands outside the four weights, so a score can reach 1.02.
inline constexpr double kAffinityWeight = 0.02;

}  // namespace signalbox::policy::smart
