// SPDX-License-Identifier: MIT
#include "app/shared/visible_text.h"

#include "router/base/text.h"

namespace signalbox::app {
namespace {

/// What begins at a byte: one character, or a byte that is none.
struct Piece {
    std::size_t bytes = 1;
    unsigned codePoint = 0;
    bool isHidden = false;
};

Piece pieceAt(std::string_view rest) {
    const auto byte = [rest](std::size_t at) { return static_cast<unsigned>(static_cast<unsigned char>(rest[at])); };
    const unsigned first = byte(0);
    if (first < 0x80) return {1, first, (first < 0x20 && first != '\n' && first != '\t') || first == 0x7f};
    const std::size_t bytes = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (validUtf8Prefix(rest.substr(0, bytes)) != bytes) return {1, first, true};
    unsigned codePoint = first & (0xffU >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) codePoint = codePoint << 6 | (byte(i) & 0x3fU);
    return {bytes, codePoint, codePoint < 0xa0 || (codePoint >= 0x2028 && codePoint <= 0x202e) || (codePoint >= 0x2066 && codePoint <= 0x2069)};
}

void appendEscape(std::string& out, unsigned codePoint) {
    static constexpr char kDigits[] = "0123456789abcdef";
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[codePoint >> shift & 0xfU];
}

}  // namespace

std::string visibleText(std::string_view text) {
    std::string out;
    std::size_t copied = 0;
    for (std::size_t at = 0; at < text.size();) {
        const Piece piece = pieceAt(text.substr(at));
        if (piece.isHidden) {
            out.append(text, copied, at - copied);
            appendEscape(out, piece.codePoint);
            copied = at + piece.bytes;
        }
        at += piece.bytes;
    }
    out.append(text, copied);
    return out;
}

}  // namespace signalbox::app
