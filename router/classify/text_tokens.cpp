// SPDX-License-Identifier: MIT
#include "router/classify/text_tokens.h"

#include "router/classify/tokens.h"
#include "router/classify/walk_values.h"

namespace signalbox::classify {

namespace ondemand = simdjson::ondemand;

namespace {

/// What the parsers of texts keep between two of them.
constexpr std::size_t kKeepTextBytes = std::size_t{64} << 10;

struct TextParsers {
    ondemand::parser ofToken, ofText;
};

/// Padded, as simdjson wants it.
simdjson::padded_string textOfToken(ondemand::parser& parser, std::string_view token) {
    const simdjson::padded_string copy(token);
    ondemand::document document = parser.iterate(copy).value();
    return simdjson::padded_string(std::string_view(document.get_string()));
}

bool isOneObject(ondemand::parser& parser, const simdjson::padded_string& text) {
    ondemand::document document = parser.iterate(text).value();
    if (document.type() != ondemand::json_type::object) return false;
    for (auto result : document.get_object()) {
        ondemand::field field = std::move(result).take_value();
        if (field.unescaped_key().error() != simdjson::SUCCESS) return false;
        checkValue(field.value(), 1);
    }
    // Anything after the object has a location; the end has none.
    return document.current_location().error() != simdjson::SUCCESS;
}

}  // namespace

bool isBlankToken(std::string_view token) {
    if (!token.starts_with('"')) return true;
    constexpr std::string_view kBlankEscapes = "ntrf";
    for (std::size_t at = 1; at + 1 < token.size(); ++at) {
        if (token[at] == ' ') continue;
        if (token[at] != '\\' || kBlankEscapes.find(token[at + 1]) == std::string_view::npos) return false;
        ++at;
    }
    return true;
}

bool isObjectInText(std::string_view token) {
    if (!token.starts_with('"')) return false;
    if (isBlankToken(token)) return true;
    thread_local TextParsers parsers;
    bool isObject = false;
    try {
        isObject = isOneObject(parsers.ofText, textOfToken(parsers.ofToken, token));
    } catch (const simdjson::simdjson_error&) {
        isObject = false;
    } catch (const BodyProblem&) {
        isObject = false;
    }
    if (token.size() > kKeepTextBytes) parsers = TextParsers();
    return isObject;
}

}  // namespace signalbox::classify
