// SPDX-License-Identifier: MIT
#include "router/base/hashing.h"

#include "router/base/text.h"

#include <sodium.h>

namespace signalbox {

Sha256 sha256(std::string_view bytes) {
    Sha256 out;
    crypto_hash_sha256(out.data(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    return out;
}

std::string sha256Hex(std::string_view bytes) { return toHex(sha256(bytes)); }

// Comparing digests hides the length as well.
bool constantTimeEqual(std::string_view a, std::string_view b) {
    const Sha256 left = sha256(a);
    const Sha256 right = sha256(b);
    return sodium_memcmp(left.data(), right.data(), left.size()) == 0;
}

}  // namespace signalbox
