// SPDX-License-Identifier: MIT
#include "router/classify/walk_values.h"

#include "router/classify/hints.h"
#include "router/classify/tokens.h"

#include <charconv>

namespace signalbox::classify {

namespace ondemand = simdjson::ondemand;

namespace {

constexpr unsigned kMaxDepth = 256;

}  // namespace

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

void checkValue(WalkValue value, unsigned depth) {
    if (depth > kMaxDepth) throw BodyProblem{tokenOf(value).data(), "is nested too deeply"};
    switch (value.type()) {
        case ondemand::json_type::array:
            for (auto item : value.get_array()) checkValue(std::move(item).take_value(), depth + 1);
            return;
        case ondemand::json_type::object:
            for (auto result : value.get_object()) {
                ondemand::field field = std::move(result).take_value();
                if (const auto error = field.unescaped_key().error()) throw simdjson::simdjson_error(error);
                checkValue(field.value(), depth + 1);
            }
            return;
        case ondemand::json_type::string:
            static_cast<void>(lengthOf(value));
            return;
        case ondemand::json_type::number:
        case ondemand::json_type::boolean:
        case ondemand::json_type::null: checkLiteral(tokenOf(value)); return;
    }
}

}  // namespace signalbox::classify
