// SPDX-License-Identifier: MIT
#pragma once

#include "router/upstream/translate/answer_json.h"
#include "router/upstream/translate/answer_translation.h"

#include <set>

namespace signalbox::upstream::translate {

/// What an answer is known to have ended by, gathered while it is read.
struct Ending {
    std::string reason;        ///< in the upstream's words; empty while unknown
    std::string stopSequence;  ///< the one that ended it, when the upstream says
    bool hasTools = false;
    bool refused = false;      ///< it said so in a refusal of its own
};
/// `end_turn`, `max_tokens`, … of a `finish_reason`.
[[nodiscard]] std::string_view anthropicStopReason(const Ending& ending);
/// `stop`, `length`, … of a `stop_reason`.
[[nodiscard]] std::string_view openAiFinishReason(const Ending& ending);

/// Tokens as counted so far; what the upstream has not said is absent. `input` is everything that was read, cached or not.
struct TokenCounts {
    std::optional<std::uint64_t> input, cacheRead, cacheWritten, output;
    bool operator==(const TokenCounts&) const = default;
};
/// Takes over what an OpenAI `usage` says; its prompt tokens hold the cached ones.
void countOpenAiUsage(const OrderedJson& usage, TokenCounts& counts);
/// Gathers what Anthropic's says at the beginning and the end, whose input tokens leave the cached ones out.
class AnthropicUsage {
public:
    void add(const OrderedJson& usage);
    [[nodiscard]] TokenCounts counts() const;

private:
    std::optional<std::uint64_t> m_fresh, m_read, m_written, m_output;
};
[[nodiscard]] OrderedJson openAiUsage(const TokenCounts& counts);
/// With `estimate` and `output` in the places of what was not counted.
[[nodiscard]] OrderedJson anthropicUsage(const TokenCounts& counts, std::uint64_t estimate, std::uint64_t output);

/// An id in the form that the protocol's clients know, made from the upstream's: `msg_…`, `chatcmpl-…`.
[[nodiscard]] std::string messageId(std::string_view upstreams, const AnswerFacts& facts);
[[nodiscard]] std::string completionId(std::string_view upstreams, const AnswerFacts& facts);
/// `toolu_` and the decision; `ordinal` tells the calls of an answer apart.
[[nodiscard]] std::string toolUseId(const AnswerFacts& facts, std::size_t ordinal);

/// The ids of an answer's tool calls as Anthropic wants them when the client sends them back: of letters, digits, `_` and
/// `-`, and no two alike in a conversation. The upstream's own stays where it can, since the upstream gets it back, and some
/// take no others. It cannot where another call of the answer has it, or where it only counts (`call_0`, `functions.f:3`):
/// the next answer then counts from the beginning.
class ToolIds {
public:
    explicit ToolIds(const AnswerFacts& facts) : m_facts(&facts) {}
    [[nodiscard]] std::string of(std::string_view upstreams, std::size_t ordinal);

private:
    const AnswerFacts* m_facts;
    std::set<std::string> m_taken;
};

/// Of a call or a tool; longer ones are no names but an attack on our memory.
inline constexpr std::size_t kMaxNameBytes = 1024;
[[nodiscard]] inline bool isLongName(std::string_view name) { return name.size() > kMaxNameBytes; }
[[nodiscard]] AnswerProblem longName();

/// The text of `content`, which is a string or a list of parts.
[[nodiscard]] std::string contentText(const OrderedJson& message);

/// What of an OpenAI message has no words in Anthropic's protocol: `images`, `audio` or the type of a part; empty when nothing.
[[nodiscard]] std::string untoldIn(const OrderedJson& message);
/// The same of an Anthropic block, by its type. Of hidden thinking nothing is missed.
[[nodiscard]] bool isUntold(std::string_view blockType);
/// Beside something that can be told the rest is left out. An answer of nothing else is none: it must not become an empty
/// successful one (F4).
[[nodiscard]] AnswerProblem onlyUntold(std::string_view what);

/// Whether an OpenAI message, or a piece of one, tells what the model thought. Anthropic's clients are told none of it.
[[nodiscard]] bool tellsReasoning(const OrderedJson& message);
/// An answer of nothing else that was not cut off: it is finished, and would be an empty success (F4).
[[nodiscard]] AnswerProblem onlyReasoned();
/// By a limit, a filter or a word of the client's own an answer may well end before it begins; the reason says so.
[[nodiscard]] inline bool mayEndUnsaid(const Ending& ending) {
    return ending.reason == "length" || ending.reason == "content_filter" || ending.refused || !ending.stopSequence.empty();
}

}  // namespace signalbox::upstream::translate
