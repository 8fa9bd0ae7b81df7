// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace signalbox::classify {

/// Whether a string's token, quotes included, stands for white space alone. What is no string says nothing, either.
/// White space that is written as \u… counts as something.
[[nodiscard]] bool isBlankToken(std::string_view token);

/// Whether the text that a string's token stands for is one JSON object, or white space, which says as much as an empty
/// one. The token must have been checked; false for what is no string.
[[nodiscard]] bool isObjectInText(std::string_view token);

}  // namespace signalbox::classify
