// SPDX-License-Identifier: MIT
#include "router/upstream/payload.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <simdjson.h>

namespace signalbox::upstream {

namespace {

namespace od = simdjson::ondemand;

bool isObject(od::value& value) { return value.type().value() == od::json_type::object; }
bool isArray(od::value& value) { return value.type().value() == od::json_type::array; }
bool isString(od::value& value) { return value.type().value() == od::json_type::string; }
bool isNull(od::value& value) { return value.type().value() == od::json_type::null; }

/// Without unescaping: a chunk may hold half of a surrogate pair.
bool isNonEmptyString(od::value& value) { return isString(value) && !value.raw_json_token().starts_with("\"\""); }

std::string textOf(od::value& value) {
    std::string_view text;
    if (!isString(value) || value.get_string().get(text)) return {};
    return std::string(text);
}

std::optional<std::uint64_t> unsignedOf(od::value& value) {
    std::uint64_t number = 0;
    if (value.type().value() != od::json_type::number || value.get_uint64().get(number)) return std::nullopt;
    return number;
}

template <class Visitor>
void forEachField(od::object object, Visitor&& visit) {
    for (auto field : object) {
        const std::string_view key = field.unescaped_key().value();
        od::value value = field.value().value();
        visit(key, value);
    }
}

int errorStatus(std::uint64_t number) { return number >= 400 && number < 600 ? static_cast<int>(number) : 0; }

/// Codes come as numbers, as digits in a string or as words.
int statusOfWord(std::string_view word) {
    constexpr std::array<std::pair<std::string_view, int>, 17> kWords{{
        {"invalid_request_error", 400}, {"context_length_exceeded", 400}, {"BadRequestError", 400},
        {"authentication_error", 401}, {"invalid_api_key", 401}, {"permission_error", 403},
        {"not_found_error", 404}, {"model_not_found", 404}, {"rate_limit_error", 429},
        {"rate_limit_exceeded", 429}, {"insufficient_quota", 429}, {"server_error", 500},
        {"api_error", 500}, {"internal_server_error", 500}, {"InternalServerError", 500},
        {"overloaded_error", 503}, {"service_unavailable", 503},
    }};
    const auto found = std::ranges::find(kWords, word, &std::pair<std::string_view, int>::first);
    if (found != kWords.end()) return found->second;
    std::uint64_t number = 0;
    const auto [end, ec] = std::from_chars(word.data(), word.data() + word.size(), number);
    return ec == std::errc{} && end == word.data() + word.size() ? errorStatus(number) : 0;
}

void readErrorField(std::string_view key, od::value& value, PayloadError& error, int& impliedStatus) {
    if (key == "message") {
        error.message = textOf(value);
    } else if (key == "code" || key == "status" || key == "status_code") {
        int status = 0;
        if (const auto number = unsignedOf(value)) status = errorStatus(*number);
        else status = statusOfWord(textOf(value));
        if (error.status == 0) error.status = status;
    } else if (key == "type") {
        impliedStatus = statusOfWord(textOf(value));
    }
}

PayloadError readErrorObject(od::value& value) {
    PayloadError error;
    if (!isObject(value)) {
        error.message = textOf(value);
        return error;
    }
    int implied = 0;
    forEachField(value.get_object().value(), [&](std::string_view key, od::value& member) {
        readErrorField(key, member, error, implied);
    });
    if (error.status == 0) error.status = implied;
    return error;
}

dispatch::Usage readUsage(od::value& value) {
    dispatch::Usage usage;
    forEachField(value.get_object().value(), [&](std::string_view key, od::value& member) {
        if (key == "prompt_tokens" || key == "input_tokens") usage.inputTokens = unsignedOf(member);
        else if (key == "completion_tokens" || key == "output_tokens") usage.outputTokens = unsignedOf(member);
        else if ((key == "prompt_tokens_details" || key == "input_tokens_details") && isObject(member))
            forEachField(member.get_object().value(), [&](std::string_view name, od::value& detail) {
                if (name == "cached_tokens") usage.cachedTokens = unsignedOf(detail);
            });
    });
    return usage;
}

void readToolCalls(od::value& value, std::vector<std::uint64_t>& tools) {
    std::uint64_t place = 0;
    for (auto entry : value.get_array()) {
        od::value call = entry.value();
        std::uint64_t index = place++;
        if (isObject(call))
            forEachField(call.get_object().value(), [&](std::string_view key, od::value& member) {
                if (key == "index") index = unsignedOf(member).value_or(index);
            });
        tools.push_back(index);
    }
}

/// `delta` of a chunk or `message` of a whole answer.
void readMessage(od::value& value, Payload& out, std::vector<std::uint64_t>& tools) {
    forEachField(value.get_object().value(), [&](std::string_view key, od::value& member) {
        if (key == "content") {
            out.hasContent = out.hasContent || isNonEmptyString(member) || isArray(member);
        } else if (key == "reasoning_content" || key == "reasoning" || key == "refusal") {
            out.hasContent = out.hasContent || isNonEmptyString(member);
        } else if (key == "tool_calls" && isArray(member)) {
            readToolCalls(member, tools);
        } else if (key == "function_call" && isObject(member)) {
            tools.push_back(0);
        } else if (key == "audio" && isObject(member)) {
            out.hasContent = true;
        }
    });
    out.hasContent = out.hasContent || !tools.empty();
}

void readChoice(od::value& value, std::uint64_t place, Payload& out) {
    std::uint64_t choice = place;
    std::vector<std::uint64_t> tools;
    forEachField(value.get_object().value(), [&](std::string_view key, od::value& member) {
        if (key == "index") choice = unsignedOf(member).value_or(choice);
        else if (key == "finish_reason") out.hasFinish = out.hasFinish || !isNull(member);
        else if (key == "text") out.hasContent = out.hasContent || isNonEmptyString(member);
        else if ((key == "delta" || key == "message") && isObject(member)) readMessage(member, out, tools);
    });
    for (const std::uint64_t tool : tools) out.toolCalls.emplace_back(choice, tool);
}

void readChoices(od::value& value, Payload& out) {
    std::uint64_t place = 0;
    for (auto entry : value.get_array()) {
        od::value choice = entry.value();
        out.hasChoices = true;
        if (isObject(choice)) readChoice(choice, place, out);
        ++place;
    }
}

void readTop(od::document& document, bool isError, Payload& out) {
    PayloadError flat;
    int implied = 0;
    bool objectIsError = isError;
    forEachField(document.get_object().value(), [&](std::string_view key, od::value& value) {
        if (key == "choices" && isArray(value)) readChoices(value, out);
        else if (key == "usage" && isObject(value)) out.usage = readUsage(value);
        else if (key == "error" && !isNull(value)) out.error = readErrorObject(value);
        else if (key == "object") objectIsError = objectIsError || textOf(value) == "error";
        else readErrorField(key, value, flat, implied);
    });
    if (flat.status == 0) flat.status = implied;
    if (objectIsError && !out.error) out.error = std::move(flat);
}

/// What a parser may keep between two payloads.
constexpr std::size_t kKeepBytes = std::size_t{1} << 20;

std::optional<Payload> parse(od::parser& parser, std::string& json, bool isError) {
    json.reserve(json.size() + simdjson::SIMDJSON_PADDING);
    Payload out;
    try {
        od::document document = parser.iterate(json.data(), json.size(), json.capacity()).value();
        readTop(document, isError, out);
        // Anything after the object has a location; the end has none.
        if (document.current_location().error() == simdjson::SUCCESS) return std::nullopt;
    } catch (const simdjson::simdjson_error&) {
        return std::nullopt;
    }
    return out;
}

std::optional<Payload> read(std::string& json, bool isError) {
    // One parser for each thread: its memory is what makes reading fast.
    thread_local od::parser parser;
    auto payload = parse(parser, json, isError);
    if (json.size() > kKeepBytes) parser = od::parser();
    return payload;
}

}  // namespace

std::optional<Payload> readPayload(std::string& json) { return read(json, false); }
std::optional<Payload> readErrorPayload(std::string& json) { return read(json, true); }

}  // namespace signalbox::upstream
