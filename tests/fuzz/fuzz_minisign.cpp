// SPDX-License-Identifier: MIT
// Key and signature files: whatever is accepted is written back as the same thing.
#include "router/signing/minisign.h"
#include "tests/fuzz/require.h"

using namespace signalbox;
using namespace signalbox::signing;
using fuzz::require;

namespace {

void checkPublicKey(std::string_view text) {
    const auto key = parsePublicKey(text);
    if (!key) return require(!key.error().message.empty(), "an error says something");
    const auto again = parsePublicKey(key->fileText());
    require(again && again->key == key->key && again->keyId == key->keyId, "a public key is written as it was read");
    require(parsePublicKey(key->base64()).has_value(), "its line alone is a key");
    require(key->idText().size() == 16, "an id has 16 digits");
}

void checkSignature(std::string_view text) {
    const auto signature = parseSignature(text);
    if (!signature) return require(!signature.error().message.empty(), "an error says something");
    const auto again = parseSignature(signature->fileText());
    require(again && again->signature == signature->signature && again->globalSignature == signature->globalSignature &&
                again->trustedComment == signature->trustedComment && again->prehashed == signature->prehashed,
            "a signature is written as it was read");
    (void)parseTrustedFacts(signature->trustedComment);
    PublicKey stranger;
    stranger.keyId = signature->keyId;
    require(!verify(stranger, text, *signature).has_value(), "the key of all zeros verifies nothing");
}

void checkSecretKey(std::string_view text) {
    const auto encrypted = isSecretKeyEncrypted(text);
    if (!encrypted || *encrypted) return;  // unlocking takes a second on purpose
    const auto key = decryptSecretKey(text, "");
    if (!key) return require(!key.error().message.empty(), "an error says something");
    const Signature signature = sign(*key, "content", "trusted", "untrusted");
    require(verify(key->publicKey(), "content", signature).has_value(), "an accepted key signs what its public half verifies");
    require(!verify(key->publicKey(), "Content", signature).has_value(), "and nothing else");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    checkPublicKey(text);
    checkSignature(text);
    checkSecretKey(text);
    const TrustedFacts facts = parseTrustedFacts(text);
    const TrustedFacts again = parseTrustedFacts(writeTrustedFacts(facts));
    require(again.signer == facts.signer && again.policyVersion == facts.policyVersion &&
                again.tableSha256 == facts.tableSha256 && again.fileName == facts.fileName && again.at == facts.at,
            "trusted facts are written as they were read");
    return 0;
}
