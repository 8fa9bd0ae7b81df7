// SPDX-License-Identifier: MIT
#include "router/classify/hints.h"

#include "router/base/text.h"

#include <limits>

namespace signalbox::classify {

std::optional<table::LengthBucket> parseLengthHint(const std::optional<std::string>& text) {
    if (!text) return std::nullopt;
    return table::parseLengthBucket(asciiLower(trimmed(*text)));
}

bool parseCodeHint(const std::optional<std::string>& text) {
    return text && asciiLower(trimmed(*text)) == "code";
}

std::optional<std::uint64_t> parseTokensHint(const std::optional<std::string>& text) {
    if (!text) return std::nullopt;
    return parseDigits(trimmed(*text));
}

std::optional<std::uint64_t> parseDigits(std::string_view digits) {
    constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
    if (digits.empty()) return std::nullopt;
    std::uint64_t value = 0;
    for (const char c : digits) {
        if (c < '0' || c > '9') return std::nullopt;
        const auto digit = static_cast<std::uint64_t>(c - '0');
        value = value > (kMax - digit) / 10 ? kMax : value * 10 + digit;
    }
    return value;
}

}  // namespace signalbox::classify
