// SPDX-License-Identifier: MIT
#include "router/classify/walk_values.h"

#include "router/classify/hints.h"
#include "router/classify/tokens.h"

#include <charconv>

namespace signalbox::classify {

namespace ondemand = simdjson::ondemand;

std::string_view tokenOf(WalkValue& value) {
    std::string_view token = value.raw_json_token();
    token.remove_suffix(token.size() - 1 - token.find_last_not_of(" \t\r\n"));
    return token;
}

bool isArray(WalkValue& value) { return value.type() == ondemand::json_type::array; }
bool isObject(WalkValue& value) { return value.type() == ondemand::json_type::object; }
bool isString(WalkValue& value) { return value.type() == ondemand::json_type::string; }

std::optional<std::uint64_t> integerIn(std::string_view token) { return token == "-0" ? 0 : parseDigits(token); }

std::optional<double> numberIn(std::string_view token) {
    double number = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), number);
    if (error != std::errc() || end != token.data() + token.size()) return std::nullopt;
    return number;
}

// simdjson would take a string that is not consumed, and has a colon behind it, for a key and skip what follows unchecked.
std::size_t lengthOf(WalkValue& value) {
    const std::size_t length = decodedLength(tokenOf(value));
    static_cast<void>(value.get_raw_json_string().value());
    return length;
}

std::optional<std::string> textIn(WalkValue& value) {
    if (!isString(value)) return std::nullopt;
    return std::string(std::string_view(value.get_string()));
}

}  // namespace signalbox::classify
