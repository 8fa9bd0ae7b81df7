// SPDX-License-Identifier: MIT
#include "router/upstream/payload.h"

#include "router/upstream/json_value.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace signalbox::upstream {

namespace {

using namespace value;

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

/// `{"name":…, "arguments":…}`
void readFunction(od::value& value, ToolPiece& out) {
    forEachField(value.get_object().value(), [&](std::string_view key, od::value& member) {
        if (key == "name") out.name = textOf(member);
        else if (key == "arguments") readArguments(member, out.arguments, out.quoted);
    });
}

void readIndex(od::value& value, ToolPiece& out) {
    out.indexPlace.reset();
    if (isObject(value) || isArray(value)) return;
    const std::string_view token = value.raw_json_token();
    out.indexPlace = token.substr(0, token.find_last_not_of(" \t\r\n") + 1);
    if (const auto index = unsignedOf(value)) out.call = *index;
}

void readToolCall(od::value& value, ToolPiece& out) {
    out.indexPlace = value.raw_json_token().substr(1, 0);
    forEachField(value.get_object().value(), [&](std::string_view key, od::value& member) {
        if (key == "index") readIndex(member, out);
        else if (key == "id") out.id = textOf(member);
        else if (key == "function" && isObject(member)) readFunction(member, out);
        else if (key == "custom" && isObject(member)) out.noJson = true;
    });
}

void readToolCalls(od::value& value, std::vector<ToolPiece>& tools) {
    std::uint64_t place = 0;
    for (auto entry : value.get_array()) {
        od::value call = entry.value();
        ToolPiece& piece = tools.emplace_back();
        piece.call = place++;
        if (isObject(call)) readToolCall(call, piece);
    }
}

/// `delta` of a chunk or `message` of a whole answer.
void readMessage(od::value& value, Payload& out, std::vector<ToolPiece>& tools) {
    forEachField(value.get_object().value(), [&](std::string_view key, od::value& member) {
        if (key == "content") {
            out.hasContent = out.hasContent || isNonEmptyString(member) || isArray(member);
        } else if (key == "reasoning_content" || key == "reasoning" || key == "refusal") {
            out.hasContent = out.hasContent || isNonEmptyString(member);
        } else if (key == "tool_calls" && isArray(member)) {
            readToolCalls(member, tools);
        } else if (key == "function_call" && isObject(member)) {
            readFunction(member, tools.emplace_back());
        } else if (key == "audio" && isObject(member)) {
            out.hasContent = true;
        }
    });
    out.hasContent = out.hasContent || !tools.empty();
}

void readChoice(od::value& value, std::uint64_t place, Payload& out) {
    std::uint64_t choice = place;
    bool finished = false;
    std::vector<ToolPiece> tools;
    forEachField(value.get_object().value(), [&](std::string_view key, od::value& member) {
        if (key == "index") choice = unsignedOf(member).value_or(choice);
        else if (key == "finish_reason") finished = isNonEmptyString(member);
        else if (key == "text") out.hasContent = out.hasContent || isNonEmptyString(member);
        else if ((key == "delta" || key == "message") && isObject(member)) readMessage(member, out, tools);
    });
    for (ToolPiece& tool : tools) {
        tool.choice = choice;
        out.tools.push_back(std::move(tool));
    }
    if (finished) out.finished.push_back(choice);
    out.hasFinish = out.hasFinish || finished;
}

void readChoices(od::value& value, Payload& out) {
    out.listsChoices = true;
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

std::optional<Payload> read(std::string& json, bool isError) {
    Payload out;
    const bool whole = readDocument(json, [&](od::document& document) { readTop(document, isError, out); });
    return whole ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace

std::optional<Payload> readPayload(std::string& json) { return read(json, false); }
std::optional<Payload> readErrorPayload(std::string& json) { return read(json, true); }

}  // namespace signalbox::upstream
