// SPDX-License-Identifier: MIT
#include "router/classify/tokens.h"

#include "router/base/text.h"

#include <algorithm>
#include <cstring>

namespace signalbox::classify {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

// Four hex digits at `p`, or -1.
int hexUnit(const char* p, const char* end) {
    if (end - p < 4) return -1;
    int unit = 0;
    for (int i = 0; i < 4; ++i) {
        const char c = p[i];
        const char lower = static_cast<char>(c | 0x20);
        if (isDigit(c)) unit = unit * 16 + (c - '0');
        else if (lower >= 'a' && lower <= 'f') unit = unit * 16 + (lower - 'a' + 10);
        else return -1;
    }
    return unit;
}

struct Escape {
    std::size_t written;  ///< bytes of the escape in the text
    std::size_t decoded;  ///< UTF-8 bytes that it stands for
};

Escape unicodeEscape(const char* backslash, const char* end) {
    const int unit = hexUnit(backslash + 2, end);
    if (unit < 0) throw BodyProblem{backslash, "has a \\u escape without four hex digits"};
    if (unit < 0x80) return {6, 1};
    if (unit < 0x800) return {6, 2};
    if (unit < 0xd800 || unit > 0xdfff) return {6, 3};
    const char* second = backslash + 6;
    const int low = unit <= 0xdbff && end - second >= 6 && second[0] == '\\' && second[1] == 'u' ? hexUnit(second + 2, end) : -1;
    if (low < 0xdc00 || low > 0xdfff) throw BodyProblem{backslash, "has half a surrogate pair, which is no character"};
    return {12, 4};
}

Escape readEscape(const char* backslash, const char* end) {
    if (end - backslash >= 2) {
        if (backslash[1] == 'u') return unicodeEscape(backslash, end);
        if (std::strchr("\"\\/bfnrt", backslash[1]) != nullptr && backslash[1] != '\0') return {2, 1};
    }
    throw BodyProblem{backslash, "has an escape that JSON does not know"};
}

const char* skipDigits(const char* p, const char* end) { return std::find_if_not(p, end, isDigit); }

bool isNumber(std::string_view token) {
    const char* p = token.data();
    const char* end = p + token.size();
    if (p != end && *p == '-') ++p;
    if (p == end || !isDigit(*p)) return false;
    p = *p == '0' ? p + 1 : skipDigits(p, end);
    if (p != end && *p == '.') {
        const char* fraction = p + 1;
        p = skipDigits(fraction, end);
        if (p == fraction) return false;
    }
    if (p != end && (*p == 'e' || *p == 'E')) {
        const char* exponent = p + 1;
        if (exponent != end && (*exponent == '+' || *exponent == '-')) ++exponent;
        p = skipDigits(exponent, end);
        if (p == exponent) return false;
    }
    return p == end;
}

}  // namespace

std::size_t decodedLength(std::string_view token) {
    if (token.size() < 2 || token.back() != '"') throw BodyProblem{token.data(), "has a string that does not end"};
    const char* p = token.data() + 1;
    const char* const end = token.data() + token.size() - 1;
    std::size_t length = 0;
    while (p < end) {
        const auto* backslash = static_cast<const char*>(std::memchr(p, '\\', static_cast<std::size_t>(end - p)));
        if (backslash == nullptr) return length + static_cast<std::size_t>(end - p);
        const Escape escape = readEscape(backslash, end);
        length += static_cast<std::size_t>(backslash - p) + escape.decoded;
        p = backslash + escape.written;
    }
    return length;
}

void checkLiteral(std::string_view token) {
    if (token == "true" || token == "false" || token == "null" || isNumber(token)) return;
    throw BodyProblem{token.data(), "has something that is not a JSON value"};
}

std::size_t firstInvalidUtf8(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        // A quote never stands inside a sequence, so whole pieces between quotes can be judged at once.
        const std::size_t pieceEnd = std::min(text.find('"', at), text.size() - 1) + 1;
        if (isValidUtf8(text.substr(at, pieceEnd - at))) {
            at = pieceEnd;
            continue;
        }
        for (std::size_t length = 1; at < pieceEnd; at += length, length = 1) {
            while (length <= 4 && !isValidUtf8(text.substr(at, length))) ++length;
            if (length > 4) return at;
        }
    }
    return text.size();
}

std::size_t firstBrokenString(std::string_view text) {
    std::size_t opened = text.size();
    bool inside = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (!inside) {
            if (c == '"') inside = true, opened = i;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            return i;
        } else if (c == '\\') {
            ++i;
        } else if (c == '"') {
            inside = false;
        }
    }
    return inside ? opened : text.size();
}

}  // namespace signalbox::classify
