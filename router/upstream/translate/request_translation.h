// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/config/types.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace signalbox::upstream {

/// What an Anthropic upstream wants to be told besides what the client said.
struct AnthropicWish {
    std::string_view model;                 ///< the upstream's name
    std::uint64_t defaultMaxTokens = 4096;  ///< sent when the client named no limit, since that protocol requires one
};

/// What an OpenAI-compatible upstream wants to be told besides what the client said.
struct OpenAiWish {
    std::string_view model;  ///< the upstream's name
    config::TokensField tokensField = config::TokensField::asSent;  ///< asSent: `max_tokens`, as that client wrote it (F30)
    bool askForUsage = false;  ///< adds `stream_options.include_usage` when the client streams
    std::uint32_t maxStopSequences = config::kUsualStopSequences;  ///< more are refused
};

/// What is left out although an answer may differ for it. All else that is left out says nothing about the answer.
struct LeftOut {
    bool strict = false;  ///< of a tool or of the answer's format, whose schema the other protocol does not take as such
};

/// A body for `POST /v1/messages` that says what an OpenAI chat body says, and the other way round.
///
/// Pure functions. The body is the client's, before or after the gateway's splices. What is sent is written anew from what
/// both protocols have words for, so that neither our hints nor private fields can pass (F33); schemas and tool
/// arguments keep their bytes. Errors are badInput, `where` being a JSON pointer into the body (empty: the body itself):
/// not JSON, a value of the wrong type, a tool call without its name, … and every field that the other protocol has
/// no words for (`classify::Peculiarity`), which the message then names. Nothing is lost silently; README.md of
/// `router/upstream` lists what becomes of each field, and what is left out on purpose. `leftOut`, if given, is filled by a success.
[[nodiscard]] Result<std::string> anthropicRequest(std::string_view openAiChatBody, const AnthropicWish& wish);
[[nodiscard]] Result<std::string> openAiRequest(std::string_view anthropicBody, const OpenAiWish& wish, LeftOut* leftOut = nullptr);

}  // namespace signalbox::upstream
