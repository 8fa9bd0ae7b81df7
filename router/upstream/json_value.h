// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <simdjson.h>
#include <string>
#include <string_view>

/// Tolerant reading of simdjson values: what has another type than it should counts as absent.
namespace signalbox::upstream::value {

namespace od = simdjson::ondemand;

inline bool isObject(od::value& value) { return value.type().value() == od::json_type::object; }
inline bool isArray(od::value& value) { return value.type().value() == od::json_type::array; }
inline bool isString(od::value& value) { return value.type().value() == od::json_type::string; }
inline bool isNull(od::value& value) { return value.type().value() == od::json_type::null; }

/// Without unescaping: a chunk may hold half of a surrogate pair.
inline bool isNonEmptyString(od::value& value) { return isString(value) && !value.raw_json_token().starts_with("\"\""); }

inline std::string textOf(od::value& value) {
    std::string_view text;
    if (!isString(value) || value.get_string().get(text)) return {};
    return std::string(text);
}

inline std::optional<std::uint64_t> unsignedOf(od::value& value) {
    std::uint64_t number = 0;
    if (value.type().value() != od::json_type::number || value.get_uint64().get(number)) return std::nullopt;
    return number;
}

/// The arguments of a tool call: what stands between the quotes, still escaped, or an object as it is written.
inline void readArguments(od::value& value, std::string_view& text, bool& quoted) {
    quoted = isString(value);
    if (quoted) {
        const std::string_view token = value.raw_json_token();
        text = token.substr(1, token.rfind('"') - 1);
    } else if (isObject(value)) {
        text = value.get_object().value().raw_json().value();
    }
}

template <class Visitor>
void forEachField(od::object object, Visitor&& visit) {
    for (auto field : object) {
        const std::string_view key = field.unescaped_key().value();
        od::value value = field.value().value();
        visit(key, value);
    }
}

/// What a parser may keep between two payloads.
inline constexpr std::size_t kKeepParserBytes = std::size_t{1} << 20;

/// Calls `read` with the document that `json` is, on this thread's parser; false when it is not one JSON value that `read`
/// could go through. `json` keeps its text; its capacity grows.
template <class Reader>
[[nodiscard]] bool readDocument(std::string& json, Reader&& read) {
    // One parser for each thread: its memory is what makes reading fast.
    thread_local od::parser parser;
    json.reserve(json.size() + simdjson::SIMDJSON_PADDING);
    bool whole = false;
    try {
        od::document document = parser.iterate(json.data(), json.size(), json.capacity()).value();
        read(document);
        // Anything after the object has a location; the end has none.
        whole = document.current_location().error() != simdjson::SUCCESS;
    } catch (const simdjson::simdjson_error&) {
        whole = false;
    }
    if (json.size() > kKeepParserBytes) parser = od::parser();
    return whole;
}

}  // namespace signalbox::upstream::value
