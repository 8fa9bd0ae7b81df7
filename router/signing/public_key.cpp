// SPDX-License-Identifier: MIT
#include "router/signing/minisign.h"

#include "router/base/file.h"
#include "router/signing/key_text.h"

#include <algorithm>
#include <cstdio>

namespace signalbox::signing {

std::string PublicKey::idText() const {
    // The id is a little-endian number.
    std::string out;
    for (auto byte = keyId.rbegin(); byte != keyId.rend(); ++byte) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02X", *byte);
        out += digits;
    }
    return out;
}

std::string PublicKey::base64() const {
    std::array<std::uint8_t, kPublicKeyBytes> bytes{'E', 'd'};
    std::copy(keyId.begin(), keyId.end(), bytes.begin() + 2);
    std::copy(key.begin(), key.end(), bytes.begin() + 10);
    return encodeBase64(bytes);
}

std::string PublicKey::fileText() const {
    const std::string comment = untrustedComment.empty() ? "minisign public key " + idText() : untrustedComment;
    return std::string(kUntrustedPrefix) + oneLine(comment, kMaxUntrustedComment) + "\n" + base64() + "\n";
}

Result<PublicKey> parsePublicKey(std::string_view fileText) {
    const auto lines = splitLines(fileText);
    if (lines.empty())
        return fail(ErrorKind::badInput, "the file is empty, a minisign public key is needed", "1",
                    "It looks like the .pub file that `keys create` writes.");
    PublicKey key;
    // A lone base64 line is what `minisign -P` takes and what people paste.
    const std::size_t keyLine = lines.size() == 1 && !lines[0].starts_with(kUntrustedPrefix) ? 1 : 2;
    if (keyLine == 2) {
        auto comment = commentOf(lines, 1, kUntrustedPrefix);
        if (!comment) return tl::unexpected(comment.error());
        key.untrustedComment = *comment;
    }
    const std::string where = std::to_string(keyLine);
    auto bytes = decodeLine(lines, keyLine);
    if (!bytes) return tl::unexpected(bytes.error());
    if (bytes->size() != kPublicKeyBytes) {
        const std::string kind = kindBySize(bytes->size());
        return fail(ErrorKind::badInput,
                    (kind.empty() ? "the line holds " + std::to_string(bytes->size()) + " bytes" : kind) +
                        ", a public key of 42 bytes is needed",
                    where, "Name the file that ends in .pub.");
    }
    if ((*bytes)[0] != 'E' || (*bytes)[1] != 'd')
        return fail(ErrorKind::badInput, "this public key is of an unknown kind", where,
                    "Only Ed25519 keys of minisign (their line starts with RW) are supported.");
    if (lines.size() > keyLine)
        return fail(ErrorKind::badInput, "there is more text after the public key",
                    std::to_string(keyLine + 1), "Keep one key a file.");
    std::copy_n(bytes->begin() + 2, 8, key.keyId.begin());
    std::copy_n(bytes->begin() + 10, 32, key.key.begin());
    return key;
}

Result<PublicKey> readPublicKey(const std::filesystem::path& file) {
    return readFile(file, kMaxKeyFileBytes).and_then([&](const std::string& text) {
        return parsePublicKey(text).map_error([&](Error error) { return inFile(std::move(error), file); });
    });
}

}  // namespace signalbox::signing
