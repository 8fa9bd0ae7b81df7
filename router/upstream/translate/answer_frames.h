// SPDX-License-Identifier: MIT
#pragma once

#include "router/upstream/translate/answer_words.h"

namespace signalbox::upstream::translate {

/// `event: TYPE` with the event as its data, as Anthropic frames all of its own.
[[nodiscard]] std::string anthropicFrame(const OrderedJson& event);
/// A chunk as OpenAI frames it.
[[nodiscard]] std::string openAiFrame(const OrderedJson& chunk);

/// Sees where the first JSON object of a text that comes in pieces ends, in constant memory.
class ObjectEnd {
public:
    void feed(std::string_view piece);
    /// Nothing but white space may follow.
    [[nodiscard]] bool isComplete() const { return m_begun && m_depth == 0; }

private:
    std::size_t m_depth = 0;
    bool m_begun = false;
    bool m_inString = false;
    bool m_escaped = false;
};

/// More of them in one answer is an attack on our memory, not an answer.
inline constexpr std::size_t kMaxAnswerBlocks = 1024;
[[nodiscard]] AnswerProblem tooManyBlocks();

}  // namespace signalbox::upstream::translate
