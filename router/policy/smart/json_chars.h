// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace signalbox::policy::smart {

/// Where a JSON string ends, and how many code points it has when it is written with as few escapes as JSON allows.
struct StringChars {
    const char* end;      ///< after the closing quote; the end of the text if there is none
    std::uint64_t chars;  ///< quotes included
};
/// `begin` points at the opening quote. The bytes are well-formed UTF-8.
[[nodiscard]] StringChars countString(const char* begin, const char* end);

/// Code points of `true`, `false`, `null` or a number; a number with a fraction or exponent in its shortest form.
[[nodiscard]] std::uint64_t literalChars(std::string_view token);

/// What the quoted `token` stands for, when every character of it is ASCII; otherwise something that equals no ASCII
/// word.
[[nodiscard]] std::string unescapedKey(std::string_view token);

}  // namespace signalbox::policy::smart
