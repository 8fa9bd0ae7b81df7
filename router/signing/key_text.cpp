// SPDX-License-Identifier: MIT
#include "router/signing/key_text.h"

#include "router/base/text.h"

#include <algorithm>
#include <sodium.h>

namespace signalbox::signing {

std::vector<std::string_view> splitLines(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        std::string_view line = text.substr(0, end);
        // A lone CR is not a line end, so it stays and is refused where it does not belong.
        if (end != std::string_view::npos && line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(line);
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
}

Result<std::string_view> commentOf(const std::vector<std::string_view>& lines, std::size_t number,
                                   std::string_view prefix) {
    const std::string where = std::to_string(number);
    if (lines.size() < number)
        return fail(ErrorKind::badInput, "the file ends before its line \"" + std::string(prefix) + "…\"", where,
                    "It is cut short or of another kind; fetch it again.");
    const std::string_view line = lines[number - 1];
    if (!line.starts_with(prefix))
        return fail(ErrorKind::badInput, "this line must start with \"" + std::string(prefix) + "\"", where + ":1",
                    "It is not a minisign file, or it was damaged; fetch it again.");
    return line.substr(prefix.size());
}

Result<std::vector<std::uint8_t>> decodeLine(const std::vector<std::string_view>& lines, std::size_t number) {
    const std::string where = std::to_string(number);
    if (lines.size() < number || lines[number - 1].empty())
        return fail(ErrorKind::badInput, "the file ends before its base64 line", where,
                    "It is cut short; fetch it again.");
    const std::string_view line = lines[number - 1];
    const auto notBase64 = [&](std::size_t column) {
        return fail(ErrorKind::badInput, "this is not base64", where + ":" + std::to_string(column),
                    "The line was damaged or cut short; fetch the file again.");
    };
    std::vector<std::uint8_t> bytes(line.size() / 4 * 3 + 3);
    std::size_t size = 0;
    const char* end = nullptr;
    const int bad = sodium_base642bin(bytes.data(), bytes.size(), line.data(), line.size(), nullptr, &size, &end,
                                      sodium_base64_VARIANT_ORIGINAL);
    if (bad != 0 || end != line.data() + line.size()) {
        sodium_memzero(bytes.data(), bytes.size());
        return notBase64(static_cast<std::size_t>(end == nullptr ? 0 : end - line.data()) + 1);
    }
    bytes.resize(size);
    // libsodium takes some bytes over 0x7f for letters, so only the one canonical spelling counts.
    std::string again = encodeBase64(bytes);
    const auto differs = std::mismatch(line.begin(), line.end(), again.begin(), again.end()).first;
    const auto column = static_cast<std::size_t>(differs - line.begin()) + 1;
    const bool canonical = again == line;
    sodium_memzero(again.data(), again.size());
    if (!canonical) {
        sodium_memzero(bytes.data(), bytes.size());
        return notBase64(column);
    }
    return bytes;
}

std::string encodeBase64(std::span<const std::uint8_t> bytes) {
    std::string out(sodium_base64_encoded_len(bytes.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
    sodium_bin2base64(out.data(), out.size(), bytes.data(), bytes.size(), sodium_base64_VARIANT_ORIGINAL);
    out.pop_back();  // its terminating zero
    return out;
}

std::string oneLine(std::string_view comment, std::size_t maxBytes) {
    std::string out = comment.size() <= maxBytes ? std::string(comment) : elided(comment, maxBytes - 3);
    for (char& c : out)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    return out;
}

std::string kindBySize(std::size_t bytes) {
    switch (bytes) {
    case kPublicKeyBytes: return "this is a minisign public key";
    case kSignatureBytes: return "this is a minisign signature";
    case kSecretKeyBytes: return "this is a minisign secret key";
    default: return {};
    }
}

Error inFile(Error error, const std::filesystem::path& file) {
    error.where = error.where.empty() ? file.string() : file.string() + ":" + error.where;
    return error;
}

}  // namespace signalbox::signing
