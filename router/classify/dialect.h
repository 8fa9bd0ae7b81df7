// SPDX-License-Identifier: MIT
#pragma once

#include <array>
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
    serverTools,       ///< tools that the upstream runs itself
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
    messageImages,     ///< OpenAI-compatible answers' `images` beside the content of a message
    otherParts,        ///< a part or block of a type that the other protocol does not know, or not where it stands
    // Anthropic
    container,
    mcpServers,
};
inline constexpr int kPeculiarities = 32;
/// `several_choices`, `logprobs`, …
[[nodiscard]] std::string_view toString(Peculiarity peculiarity);
/// The fields of the body that may be at fault, by commas: `n`, `logprobs`, `messages`, … Of a peculiarity that has no field of
/// its own (`other_fields`, `grammar`), what stands for one.
[[nodiscard]] std::string_view fieldOf(Peculiarity peculiarity);
/// What of it is at fault, for a person, in the middle of a sentence: `n above 1`, `a file in messages`, …
[[nodiscard]] std::string_view saidOf(Peculiarity peculiarity);

/// Whether translation knows what becomes of a body's own member of that name: it is carried, it belongs to a
/// peculiarity, or it says nothing about the answer and is left out.
[[nodiscard]] bool knowsField(Dialect body, std::string_view member);

class PeculiaritySet {
public:
    void add(Peculiarity one) { m_bits |= bit(one); }
    void add(const PeculiaritySet& others) {
        m_bits |= others.m_bits;
        m_mostStopWords = m_mostStopWords > others.m_mostStopWords ? m_mostStopWords : others.m_mostStopWords;
        if (m_name.length == 0) m_name = others.m_name;
    }
    void remove(Peculiarity one) { m_bits &= ~bit(one); }
    /// One that many fields may be, and the field that is. The first is kept, unless it is too long to be
    /// one, or words.
    void addNamed(Peculiarity one, std::string_view field) {
        add(one);
        if (m_name.length == 0) m_name = Name(one, field);
    }
    /// Empty where nobody has named one.
    [[nodiscard]] std::string_view fieldNamed(Peculiarity one) const {
        return m_name.length > 0 && m_name.of == one && contains(one) ? std::string_view(m_name.bytes.data(), m_name.length)
                                                                     : std::string_view();
    }
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
    /// Without memory of its own: sets are copied with every candidate.
    struct Name {
        Name() = default;
        Name(Peculiarity one, std::string_view field) : of(one) {
            if (field.size() > bytes.size() || field.find(' ') != std::string_view::npos) return;
            field.copy(bytes.data(), field.size());
            length = static_cast<std::uint8_t>(field.size());
        }
        bool operator==(const Name&) const = default;

        std::array<char, 38> bytes{};
        std::uint8_t length = 0;
        Peculiarity of{};
    };
    std::uint32_t m_bits = 0;
    std::uint32_t m_mostStopWords = 0;
    Name m_name;
};

}  // namespace signalbox::classify
