// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <simdjson.h>
#include <string>
#include <string_view>

namespace signalbox::classify {

using WalkValue = simdjson::ondemand::value;

/// The value's first token without the blanks behind it; of a container only its opening bracket.
[[nodiscard]] std::string_view tokenOf(WalkValue& value);
[[nodiscard]] bool isArray(WalkValue& value);
[[nodiscard]] bool isObject(WalkValue& value);
[[nodiscard]] bool isString(WalkValue& value);

/// A non-negative JSON integer; anything else is as good as absent (choice T3).
[[nodiscard]] std::optional<std::uint64_t> integerIn(std::string_view token);
/// Any JSON number.
[[nodiscard]] std::optional<double> numberIn(std::string_view token);

/// Bytes that a string stands for; counting checks its escapes and consumes it.
[[nodiscard]] std::size_t lengthOf(WalkValue& value);
[[nodiscard]] std::optional<std::string> textIn(WalkValue& value);

/// Visits a value to its end, because simdjson checks only what is asked of it. Throws BodyProblem or simdjson_error.
void checkValue(WalkValue value, unsigned depth);

}  // namespace signalbox::classify
