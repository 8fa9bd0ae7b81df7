// SPDX-License-Identifier: MIT
#include "router/base/hashing.h"

#include "router/base/text.h"

#include <memory>
#include <openssl/evp.h>
#include <sodium.h>

namespace signalbox {

namespace {

using EvpContext = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;
using EvpDigest = std::unique_ptr<EVP_MD, decltype(&EVP_MD_free)>;

/// OpenSSL's SHA-256 uses the processor's own instructions, libsodium's does not; its fetching and its context are what
/// costs, so both are kept. False where it cannot do it.
bool digestByOpenSsl(std::string_view bytes, Sha256& out) {
    static const EvpDigest digest(EVP_MD_fetch(nullptr, "SHA256", nullptr), &EVP_MD_free);
    thread_local const EvpContext context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    unsigned int size = 0;
    return digest != nullptr && context != nullptr && EVP_DigestInit_ex2(context.get(), digest.get(), nullptr) == 1 &&
           EVP_DigestUpdate(context.get(), bytes.data(), bytes.size()) == 1 &&
           EVP_DigestFinal_ex(context.get(), out.data(), &size) == 1 && size == out.size();
}

}  // namespace

Sha256 sha256(std::string_view bytes) {
    Sha256 out;
    if (!digestByOpenSsl(bytes, out))
        crypto_hash_sha256(out.data(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    return out;
}

std::string sha256Hex(std::string_view bytes) { return toHex(sha256(bytes)); }

bool constantTimeEqual(const Sha256& a, const Sha256& b) { return sodium_memcmp(a.data(), b.data(), a.size()) == 0; }

}  // namespace signalbox
