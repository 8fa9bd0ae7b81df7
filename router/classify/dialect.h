// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace signalbox::classify {

/// The protocol that a request's body is written in and that its client expects the answer in.
enum class Dialect : std::uint8_t { openai, anthropic };
/// `openai`, `anthropic`; for messages and the command line.
[[nodiscard]] std::string_view toString(Dialect dialect);

/// What a request asks for that only its own protocol has words for. A target that speaks the other one cannot carry it.
enum class Peculiarity : std::uint8_t {
    // OpenAI
    severalChoices,    ///< n > 1
    logprobs,          ///< logprobs or top_logprobs
    logitBias,
    penalties,         ///< frequency_penalty or presence_penalty other than 0
    seed,
    audio,             ///< audio in a message, or asked for as an answer
    prediction,
    files,             ///< a file part in a message
    jsonObject,        ///< response_format json_object: JSON, but no schema
    legacyFunctions,   ///< functions and function_call
    customTools,       ///< a tool that is no function
    grammar,           ///< guided decoding and structured outputs of an engine
    webSearch,
    // Anthropic
    topK,
    thinking,          ///< of a kind that we do not know; leave to think is left out
    documents,         ///< a document or search result in a message
    serverTools,       ///< tools that the upstream runs itself, MCP servers and containers
    citations,
    contextManagement, ///< that does more than clear thinking
    // either
    temperature,       ///< above 1, where Anthropic ends
    effort,            ///< an effort of reasoning that the other protocol has no word for
    participantNames,  ///< OpenAI's `name` of a message
    otherFields,       ///< a member of the body that is not null and that `knowsField` does not know
    embeddings,        ///< the body of an embeddings request
    legacyCompletion,  ///< a prompt instead of messages
    onlySystem,        ///< OpenAI messages of which none is a turn of a user, an assistant or a tool
    callArguments,     ///< arguments of an earlier tool call that are no JSON object
    stopWords,         ///< that the other protocol refuses: of white space (Anthropic), more than four (OpenAI itself)
};
inline constexpr int kPeculiarities = 28;
/// `several_choices`, `logprobs`, …
[[nodiscard]] std::string_view toString(Peculiarity peculiarity);
/// The field at fault, for a person: `n`, `logprobs`, `thinking`, …
[[nodiscard]] std::string_view fieldOf(Peculiarity peculiarity);

/// Whether translation knows what becomes of a body's own member of that name: it is carried, it belongs to a
/// peculiarity, or it says nothing about the answer and is left out.
[[nodiscard]] bool knowsField(Dialect body, std::string_view member);

class PeculiaritySet {
public:
    void add(Peculiarity one) { m_bits |= bit(one); }
    void add(const PeculiaritySet& others) {
        m_bits |= others.m_bits;
        m_mostStopWords = m_mostStopWords > others.m_mostStopWords ? m_mostStopWords : others.m_mostStopWords;
    }
    void remove(Peculiarity one) { m_bits &= ~bit(one); }
    /// Stop words beyond `most`, which is what a target takes: it is named where the target is refused.
    void addStopWordsBeyond(std::uint32_t most) {
        add(Peculiarity::stopWords);
        m_mostStopWords = most;
    }
    /// The limit that stop words are beyond; 0 where nobody has named one. Of several targets the highest.
    [[nodiscard]] std::uint32_t mostStopWords() const { return m_mostStopWords; }
    [[nodiscard]] bool contains(Peculiarity one) const { return (m_bits & bit(one)) != 0; }
    [[nodiscard]] bool empty() const { return m_bits == 0; }
    [[nodiscard]] std::uint32_t bits() const { return m_bits; }
    bool operator==(const PeculiaritySet&) const = default;

private:
    static constexpr std::uint32_t bit(Peculiarity one) { return std::uint32_t{1} << static_cast<unsigned>(one); }
    std::uint32_t m_bits = 0;
    std::uint32_t m_mostStopWords = 0;
};

}  // namespace signalbox::classify
