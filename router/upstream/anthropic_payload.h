// SPDX-License-Identifier: MIT
#pragma once

#include "router/upstream/payload.h"

namespace signalbox::upstream {

/// What matters to a router in one message or one event of a message's stream.
struct AnthropicPayload {
    enum class Type : std::uint8_t { message, messageStart, blockStart, blockDelta, blockStop, messageDelta, messageStop, ping, error, other };
    Type type = Type::other;
    bool hasContent = false;    ///< text, thinking, arguments, or a block that says something with its beginning
    bool hasStopReason = false;
    bool listsBlocks = false;   ///< of a whole message, if only none
    /// Calls that are in it or begin with it, which have a name, and pieces of their arguments, which have none.
    std::vector<ToolPiece> tools;
    std::optional<std::uint64_t> freshTokens, cacheReadTokens, cacheWrittenTokens, outputTokens;
    std::optional<PayloadError> error;
};

/// Reads tolerantly, as `readPayload` does. An answer of count_tokens reads as one whose input was counted.
[[nodiscard]] std::optional<AnthropicPayload> readAnthropicPayload(std::string& json);

/// 400..599 for a type of Anthropic's errors, 0 for an unknown one. `overloaded_error` is 529.
[[nodiscard]] int anthropicErrorStatus(std::string_view type);

}  // namespace signalbox::upstream
