// SPDX-License-Identifier: MIT
#include "router/policy/smart/json_chars.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

namespace signalbox::policy::smart {
namespace {

constexpr std::uint64_t kOnes = 0x0101010101010101U;
constexpr std::uint64_t kHighs = kOnes * 0x80;

// The high bit of every byte that equals `byte` (exact up to the first hit, which is all that matters here).
constexpr std::uint64_t hits(std::uint64_t word, std::uint8_t byte) {
    const std::uint64_t same = word ^ (kOnes * byte);
    return (same - kOnes) & ~same & kHighs;
}

// Bytes 10xxxxxx go on with a code point; all others begin one.
constexpr int startsIn(std::uint64_t word) { return 8 - std::popcount(word & ~(word << 1) & kHighs); }
bool isStart(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

/// Sixteen bytes; the compiler makes one instruction of each step where the machine has it.
using Piece [[gnu::vector_size(16)]] = signed char;
constexpr std::ptrdiff_t kPieceBytes = sizeof(Piece);

/// Whether all are ASCII and none a quote or backslash, as nearly everywhere in a prompt.
bool isPlain(const char* at) {
    Piece piece;
    std::memcpy(&piece, at, sizeof piece);
    const Piece odd = (piece < 0) | (piece == '"') | (piece == '\\');
    std::uint64_t halves[2];
    std::memcpy(halves, &odd, sizeof halves);
    return (halves[0] | halves[1]) == 0;
}

/// Up to the first quote or backslash.
const char* plainRun(const char* at, const char* end, std::uint64_t& chars) {
    while (end - at >= kPieceBytes && isPlain(at)) {
        chars += kPieceBytes;
        at += kPieceBytes;
    }
    while (end - at >= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, at, 8);
        if ((hits(word, '"') | hits(word, '\\')) != 0) break;
        // Where no byte begins or goes on with a longer code point there is nothing to count.
        chars += (word & kHighs) == 0 ? 8 : static_cast<std::uint64_t>(startsIn(word));
        at += 8;
    }
    for (; at != end && *at != '"' && *at != '\\'; ++at)
        if (isStart(*at)) ++chars;
    return at;
}

unsigned hexAt(const char* at, const char* end) {
    unsigned value = 0;
    if (end - at >= 4) std::from_chars(at, at + 4, value, 16);
    return value;
}

std::uint64_t charsOfUnit(unsigned unit) {
    if (unit == '"' || unit == '\\' || unit == '\b' || unit == '\f' || unit == '\n' || unit == '\r' || unit == '\t') return 2;
    if (unit < 0x20) return 6;
    return unit >= 0xDC00 && unit <= 0xDFFF ? 0 : 1;  // the second half of a pair was counted with the first
}

/// `at` points behind the backslash.
const char* escape(const char* at, const char* end, std::uint64_t& chars) {
    if (at == end) return at;
    if (*at != 'u') {
        chars += *at == '/' ? 1 : 2;
        return at + 1;
    }
    chars += charsOfUnit(hexAt(at + 1, end));
    return end - at >= 5 ? at + 5 : end;
}

}  // namespace

StringChars countString(const char* begin, const char* end) {
    std::uint64_t chars = 1;
    const char* at = begin + 1;
    while (true) {
        at = plainRun(at, end, chars);
        if (at == end) return {end, chars};
        if (*at == '"') return {at + 1, chars + 1};
        at = escape(at + 1, end, chars);
    }
}

std::uint64_t literalChars(std::string_view token) {
    if (token.find_first_of(".eE") == std::string_view::npos || token == "true" || token == "false") return token.size();
    double value = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
    if (error != std::errc() || end != token.data() + token.size()) return token.size();
    char text[32];
    const std::string_view shortest(text, std::to_chars(text, text + sizeof text, value).ptr);
    // A whole number that was written as a fraction keeps one: 1e3 is 1000.0.
    const bool looksWhole = shortest.find_first_of(".e") == std::string_view::npos;
    return shortest.size() + (looksWhole ? 2 : 0);
}

std::string unescapedKey(std::string_view token) {
    std::string out;
    for (std::size_t i = 1; i + 1 < token.size(); ++i) {
        if (token[i] != '\\') {
            out += token[i];
            continue;
        }
        if (token[++i] != 'u') {
            out += token[i];  // "\n" becomes "n" with a mark that no word of ours has
            if (token[i] != '/' && token[i] != '"' && token[i] != '\\') out += '\0';
            continue;
        }
        const unsigned unit = hexAt(token.data() + i + 1, token.data() + token.size());
        out += unit < 0x80 ? static_cast<char>(unit) : '\0';
        i += 4;
    }
    return out;
}

}  // namespace signalbox::policy::smart
