// SPDX-License-Identifier: MIT
#pragma once

#include "router/classify/dialect.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace signalbox::upstream::translate {

/// What an answer has to say that the upstream may leave out.
struct AnswerFacts {
    std::string id;                 ///< unique; where the upstream names none
    std::string model;              ///< where the upstream names none
    std::int64_t created = 0;       ///< seconds since 1970, for OpenAI clients
    std::uint64_t inputTokens = 0;  ///< estimate, for Anthropic clients, who are told before the upstream counts (F20)
};

/// Why an answer cannot be told in the other protocol. `what` goes on after the upstream's name: "sent a tool call …".
struct AnswerProblem {
    std::string code;  ///< stable: `malformed_event`, `malformed_tool_call`, …
    std::string what;
};

/// One event of a translated stream, framed for an SSE client.
struct AnswerPiece {
    /// As in dispatch::Chunk: only content commits a stream (F2).
    enum class Kind : std::uint8_t { metadata, content, usage, done };
    Kind kind = Kind::metadata;
    std::string bytes;
};
using AnswerPieces = std::vector<AnswerPiece>;

/// Translates a stream event by event. Pure but for what it remembers, which is bounded: how many blocks or calls an answer
/// has, never their text. After a problem it must not be used again.
class StreamTranslator {
public:
    virtual ~StreamTranslator() = default;
    /// The data of one event of the upstream's. Errors in it are not judged here: whoever reads the upstream's protocol does.
    [[nodiscard]] virtual tl::expected<AnswerPieces, AnswerProblem> event(std::string data) = 0;
    /// The upstream's stream ended, which is no problem when the answer was finished (F4).
    [[nodiscard]] virtual tl::expected<AnswerPieces, AnswerProblem> end() = 0;
};

/// Chat completion chunks become the events of a message, or the other way round.
[[nodiscard]] std::unique_ptr<StreamTranslator> makeStreamTranslator(classify::Dialect from, AnswerFacts facts);
[[nodiscard]] std::unique_ptr<StreamTranslator> makeAnthropicEvents(AnswerFacts facts);
[[nodiscard]] std::unique_ptr<StreamTranslator> makeOpenAiChunks(AnswerFacts facts);

/// A whole chat completion as a message, and a whole message as a chat completion.
[[nodiscard]] tl::expected<std::string, AnswerProblem> anthropicAnswer(std::string_view openAiBody, const AnswerFacts& facts);
[[nodiscard]] tl::expected<std::string, AnswerProblem> openAiAnswer(std::string_view anthropicBody, const AnswerFacts& facts);

/// An error body of either protocol in the words of `to`; empty when it is not one that can be read. `status` 0: unknown.
[[nodiscard]] std::string errorAnswer(classify::Dialect to, std::string_view body, int status);
/// `rate_limit_error` and its like, in each protocol's words.
[[nodiscard]] std::string_view errorTypeOf(classify::Dialect dialect, int status);

}  // namespace signalbox::upstream::translate
