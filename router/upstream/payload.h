// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/adapter.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace signalbox::upstream {

/// What an upstream says about a failure, in any of the shapes that are around.
struct PayloadError {
    int status = 0;  ///< 400..599 when it names one or its type implies one, else 0
    std::string message;
    bool operator==(const PayloadError&) const = default;
};

/// A tool call, or a piece of one.
struct ToolPiece {
    std::uint64_t choice = 0, call = 0;  ///< a missing index means the place in its array (F24)
    std::string name;                    ///< empty but in the first piece
    /// Into the text that was read: what stands between the quotes of a JSON string, or a value that came unquoted.
    std::string_view arguments;
    bool quoted = true;
    bool noJson = false;                 ///< a custom tool, whose input is free text
    std::string id;                      ///< empty but in the first piece, with most servers
    /// Into the text that was read: the index or what stands there instead of a number; where nothing does, the empty place
    /// after the brace, where one belongs.
    std::optional<std::string_view> indexPlace;
};

/// What matters to a router in one chat, completion or embedding object, whole or chunk.
struct Payload {
    bool hasContent = false;   ///< text, reasoning, refusal, audio, tool or function call
    bool hasChoices = false;   ///< at least one
    bool listsChoices = false; ///< if only none
    bool hasFinish = false;    ///< a finish_reason that says something: some servers write "" until the end
    std::optional<dispatch::Usage> usage;
    std::optional<PayloadError> error;
    std::vector<ToolPiece> tools;
    std::vector<std::uint64_t> finished;  ///< choices with a finish_reason
};

/// Reads a payload tolerantly: absent, null or oddly typed members count as absent (F9). Text that is not one JSON
/// object gives nullopt; members that nobody reads are skipped unchecked. `json` keeps its text; its capacity grows.
[[nodiscard]] std::optional<Payload> readPayload(std::string& json);
/// As above for what came under an SSE event named `error`, where the object may be the error itself.
[[nodiscard]] std::optional<Payload> readErrorPayload(std::string& json);

}  // namespace signalbox::upstream
