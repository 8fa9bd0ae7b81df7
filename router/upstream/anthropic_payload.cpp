// SPDX-License-Identifier: MIT
#include "router/upstream/anthropic_payload.h"

#include "router/upstream/json_value.h"

#include <algorithm>
#include <array>

namespace signalbox::upstream {

namespace {

using namespace value;
using Type = AnthropicPayload::Type;

template <class Value, std::size_t size>
Value wordIn(const std::array<std::pair<std::string_view, Value>, size>& words, std::string_view word, Value otherwise) {
    const auto found = std::ranges::find(words, word, &std::pair<std::string_view, Value>::first);
    return found != words.end() ? found->second : otherwise;
}

Type typeNamed(std::string_view word) {
    constexpr std::array<std::pair<std::string_view, Type>, 9> kTypes{{
        {"message", Type::message}, {"message_start", Type::messageStart}, {"content_block_start", Type::blockStart},
        {"content_block_delta", Type::blockDelta}, {"content_block_stop", Type::blockStop},
        {"message_delta", Type::messageDelta}, {"message_stop", Type::messageStop}, {"ping", Type::ping},
        {"error", Type::error},
    }};
    return wordIn(kTypes, word, Type::other);
}

bool isEmptyObject(std::string_view json) {
    const std::size_t open = json.find('{');
    const std::size_t next = json.find_first_not_of(" \t\r\n", open + 1);
    return open == std::string_view::npos || next == std::string_view::npos || json[next] == '}';
}

void readAnthropicUsage(od::value& value, AnthropicPayload& out) {
    forEachField(value.get_object().value(), [&](std::string_view key, od::value& member) {
        if (key == "input_tokens") out.freshTokens = unsignedOf(member);
        else if (key == "cache_read_input_tokens") out.cacheReadTokens = unsignedOf(member);
        else if (key == "cache_creation_input_tokens") out.cacheWrittenTokens = unsignedOf(member);
        else if (key == "output_tokens") out.outputTokens = unsignedOf(member);
    });
}

/// A block of a message, or the beginning of one. Texts may be empty then; other kinds say something by being there.
void readBlock(od::value& value, std::uint64_t place, AnthropicPayload& out) {
    std::string type;
    ToolPiece call;
    bool says = false;
    forEachField(value.get_object().value(), [&](std::string_view key, od::value& member) {
        if (key == "type") type = textOf(member);
        else if (key == "name") call.name = textOf(member);
        else if (key == "text" || key == "thinking" || key == "data") says = says || isNonEmptyString(member);
        else if (key == "input" && isObject(member)) {
            readArguments(member, call.arguments, call.quoted);
            says = says || !isEmptyObject(call.arguments);
        }
    });
    const bool mayBeEmpty = type == "text" || type == "thinking" || type.empty();
    if (type == "tool_use") {
        call.call = place;
        out.tools.push_back(std::move(call));
    }
    out.hasContent = out.hasContent || says || !mayBeEmpty;
}

void readBlocks(od::value& value, AnthropicPayload& out) {
    out.listsBlocks = true;
    std::uint64_t place = 0;
    for (auto entry : value.get_array()) {
        od::value block = entry.value();
        if (isObject(block)) readBlock(block, place, out);
        ++place;
    }
}

/// `delta` of a block, or of the message at its end.
void readDelta(od::value& value, AnthropicPayload& out) {
    forEachField(value.get_object().value(), [&](std::string_view key, od::value& member) {
        if (key == "partial_json") {
            ToolPiece& piece = out.tools.emplace_back();
            readArguments(member, piece.arguments, piece.quoted);
        }
        if (key == "text" || key == "thinking" || key == "partial_json") out.hasContent = out.hasContent || isNonEmptyString(member);
        else if (key == "stop_reason") out.hasStopReason = isNonEmptyString(member);
    });
}

PayloadError readAnthropicError(od::value& value) {
    PayloadError error;
    if (!isObject(value)) {
        error.message = textOf(value);
        return error;
    }
    forEachField(value.get_object().value(), [&](std::string_view key, od::value& member) {
        if (key == "type") error.status = anthropicErrorStatus(textOf(member));
        else if (key == "message") error.message = textOf(member);
    });
    return error;
}

void readAnthropicMember(std::string_view key, od::value& value, AnthropicPayload& out, std::uint64_t& index) {
    if (key == "type") out.type = typeNamed(textOf(value));
    else if (key == "content" && isArray(value)) readBlocks(value, out);
    else if (key == "content_block" && isObject(value)) readBlock(value, 0, out);
    else if (key == "delta" && isObject(value)) readDelta(value, out);
    else if (key == "usage" && isObject(value)) readAnthropicUsage(value, out);
    else if (key == "stop_reason") out.hasStopReason = isNonEmptyString(value);
    else if (key == "index") index = unsignedOf(value).value_or(0);
    else if (key == "input_tokens") out.freshTokens = unsignedOf(value);
    else if (key == "error" && !isNull(value)) out.error = readAnthropicError(value);
    else if (key == "message" && isObject(value))
        forEachField(value.get_object().value(), [&](std::string_view inner, od::value& member) {
            if (inner == "usage" && isObject(member)) readAnthropicUsage(member, out);
        });
}

}  // namespace

std::optional<AnthropicPayload> readAnthropicPayload(std::string& json) {
    AnthropicPayload out;
    std::uint64_t index = 0;
    const bool whole = readDocument(json, [&](od::document& document) {
        forEachField(document.get_object().value(),
                     [&](std::string_view key, od::value& value) { readAnthropicMember(key, value, out, index); });
    });
    if (!whole) return std::nullopt;
    if (out.type == Type::blockStart || out.type == Type::blockDelta)
        for (ToolPiece& piece : out.tools) piece.call = index;
    if (out.type == Type::error && !out.error) out.error.emplace();
    return out;
}

int anthropicErrorStatus(std::string_view type) {
    constexpr std::array<std::pair<std::string_view, int>, 10> kStatuses{{
        {"invalid_request_error", 400}, {"authentication_error", 401}, {"billing_error", 402}, {"permission_error", 403},
        {"not_found_error", 404}, {"request_too_large", 413}, {"rate_limit_error", 429}, {"api_error", 500},
        {"timeout_error", 504}, {"overloaded_error", 529},
    }};
    return wordIn(kStatuses, type, 0);
}

}  // namespace signalbox::upstream
