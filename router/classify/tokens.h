// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace signalbox::classify {

/// Why a body cannot be read. Thrown and caught inside this folder only.
struct BodyProblem {
    const char* at = nullptr;  ///< into the scanned text; null when unknown
    std::string what;          ///< completes "The request body …"
};

/// Checks a string token, quotes included, and counts the UTF-8 bytes that it stands for without decoding it.
/// UTF-8 and raw control characters have been checked before (simdjson's first stage). Throws BodyProblem.
[[nodiscard]] std::size_t decodedLength(std::string_view token);

/// Checks `true`, `false`, `null` or a number of RFC 8259, of any size. Throws BodyProblem.
void checkLiteral(std::string_view token);

/// First byte that is not UTF-8; the size of the text if there is none.
[[nodiscard]] std::size_t firstInvalidUtf8(std::string_view text);
/// First raw control character inside a string, or the start of a string that never ends.
[[nodiscard]] std::size_t firstBrokenString(std::string_view text);

}  // namespace signalbox::classify
