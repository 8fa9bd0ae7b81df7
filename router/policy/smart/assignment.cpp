// SPDX-License-Identifier: MIT
#include "router/policy/smart/assignment.h"

#include <limits>

namespace signalbox::policy::smart {
namespace {

constexpr std::string_view kNul{"\0", 1};

std::uint64_t firstEightBytes(const Sha256& digest) {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < 8; ++i) out = out << 8 | digest[i];
    return out;
}

}  // namespace

HexDigest toHexDigest(const Sha256& digest) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    HexDigest out;
    for (std::size_t i = 0; i < digest.size(); ++i) {
        out.digits[2 * i] = kDigits[digest[i] >> 4];
        out.digits[2 * i + 1] = kDigits[digest[i] & 15];
    }
    return out;
}

HexDigest principalDigest(std::string_view principal, std::string_view text) {
    std::string bytes;
    bytes.reserve(principal.size() + kNul.size() + text.size());
    bytes.append(principal).append(kNul).append(text);
    return toHexDigest(sha256(bytes));
}

std::uint8_t activationBucket(std::string_view key) {
    return static_cast<std::uint8_t>(firstEightBytes(sha256(key)) % 100);
}

Assignment assign(std::string_view principal, std::optional<std::string_view> session, std::string_view requestId) {
    Assignment out;
    out.activationKey = principalDigest(principal, session.value_or(requestId));
    if (session) out.sessionHash = out.activationKey;
    out.bucket = activationBucket(out.activationKey.view());
    return out;
}

std::string affinitySuffix(std::string_view provider, std::string_view model) {
    std::string out;
    out.reserve(provider.size() + model.size() + 2);
    out.append(kNul).append(provider).append(kNul).append(model);
    return out;
}

// Both sides are rounded to double before they are divided, so 1.0 can be reached (choice S12).
double Affinity::of(std::string_view suffix) const {
    Sha256Stream stream = m_begun;
    stream.add(suffix);
    return static_cast<double>(firstEightBytes(stream.digest())) /
           static_cast<double>(std::numeric_limits<std::uint64_t>::max());
}

}  // namespace signalbox::policy::smart
