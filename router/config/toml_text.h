// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/toml_layout.h"

namespace signalbox::config {

/// One replaced stretch of a text; an insertion has an empty range.
struct TextSplice {
    ByteRange range;
    std::string text;
};
using TextSplices = std::vector<TextSplice>;

/// They do not overlap; insertions at one place keep their order.
[[nodiscard]] std::string applied(std::string_view text, TextSplices splices);

/// Bare where TOML allows it, unless quotes are asked for.
[[nodiscard]] std::string writtenKey(std::string_view key, bool quoted = false);
[[nodiscard]] std::string writtenValue(const Scalar& value);
/// `{ a = 1, b = "x" }`
[[nodiscard]] std::string writtenTable(const Members& members);

/// The text of a value says `value` already, in whatever spelling.
[[nodiscard]] bool saysTheSame(std::string_view written, const Scalar& value);
/// What a value stands for, if it is a text.
[[nodiscard]] std::optional<std::string> asText(std::string_view written);

}  // namespace signalbox::config
