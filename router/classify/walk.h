// SPDX-License-Identifier: MIT
#pragma once

#include "router/classify/body_reader.h"
#include "router/classify/walk_values.h"

#include <span>
#include <vector>

namespace signalbox::classify {

/// The members of a body that we look at, in either dialect. `other` is everything else.
enum class Key : std::uint8_t {
    model, messages, prompt, input, tools, toolChoice, responseFormat, maxTokens, maxCompletionTokens,
    stream, streamOptions, metadata, parallelToolCalls,
    // What OpenAI's bodies may ask for beyond what both protocols have words for
    n, logprobs, topLogprobs, logitBias, frequencyPenalty, presencePenalty, seed, audio, modalities, prediction, functions,
    functionCall, webSearchOptions, guidedJson, guidedRegex, guidedChoice, guidedGrammar, structuredOutputs, grammar,
    jsonSchema, temperature, reasoningEffort, stop,
    // Anthropic's
    system, thinking, topK, mcpServers, container, contextManagement, outputConfig, outputFormat, stopSequences,
    other
};
[[nodiscard]] std::string_view nameOf(Key key);

struct DuplicateKey {
    std::string_view key;
    std::size_t at;
};

/// One walk over one body. Every value is visited and checked, because simdjson's on-demand reader checks only what
/// is asked of it. Throws DuplicateKey, BodyProblem or simdjson::simdjson_error. What the members mean is the dialect's.
class Walk {
public:
    using Value = WalkValue;
    /// A member of the object being walked, from its key to the end of its value.
    struct Member {
        Key key;
        bool cut;
        BodyMap::Range range;
    };

    /// `members` is scratch memory and holds the body's own members afterwards.
    Walk(std::string_view text, simdjson::ondemand::document& document, std::vector<Member>& members, BodyFacts& facts)
        : m_facts(facts), m_text(text.data()), m_length(text.size()), m_document(document), m_members(members) {}
    virtual ~Walk() = default;
    void run();
    /// It goes, and what speaks of tools with it (F26).
    [[nodiscard]] bool toolsIsEmpty() const { return m_toolsIsEmpty; }

protected:
    /// Reads one member of the body, all of it. `name` is its key, for those that are `other`.
    virtual void visit(Key key, std::string_view name, Value value) = 0;
    /// The body has been read: judges what depends on several members, which come in any order.
    virtual void conclude() {}

    void check(Value value, unsigned depth);
    /// Checks a value and counts what it holds: elements, members, or 0 for what is no container.
    [[nodiscard]] std::size_t countChecked(Value value, unsigned depth);
    void metadata(Value value);
    /// A tool each, read by `tool`, which must read all of it.
    template <class Tool>
    void eachTool(Value value, Tool tool) {
        if (!isArray(value)) return check(value, 1);
        for (auto one : value.get_array()) {
            ++m_facts.tools;
            tool(std::move(one).take_value());
        }
        m_toolsIsEmpty = m_facts.tools == 0;
    }
    /// Whether the member `type` of an object, which is checked whole, satisfies `judge`; false when it is no text.
    template <class Judge>
    [[nodiscard]] bool typeIs(Value value, unsigned depth, Judge judge) {
        bool out = false;
        if (!isObject(value)) {
            check(value, depth);
            return out;
        }
        for (auto result : value.get_object()) {
            simdjson::ondemand::field field = std::move(result).take_value();
            const bool isType = std::string_view(field.unescaped_key()) == "type";
            Value item = field.value();
            if (isType && isString(item)) out = judge(std::string_view(item.get_string()));
            else check(item, depth + 1);
        }
        return out;
    }
    void add(Peculiarity peculiarity) { m_facts.peculiarities.add(peculiarity); }
    void add(Peculiarity peculiarity, std::string_view field) { m_facts.peculiarities.addNamed(peculiarity, field); }
    /// Notes a member of the body that translation knows nothing of.
    void noteStream(std::string_view token);
    void noteUnlessKnown(Dialect dialect, Key key, std::string_view name, Value value);
    [[nodiscard]] std::size_t offset(const char* at) const { return static_cast<std::size_t>(at - m_text); }
    [[nodiscard]] std::size_t lastEnd();

    BodyFacts& m_facts;

private:
    void note(Key key, std::size_t keyBegin, BodyMap::Range value);
    [[nodiscard]] bool takeHint(std::optional<std::string>& hint, Value value);
    std::optional<std::string>* hintNamed(std::string_view key);
    [[nodiscard]] BodyMap::Range keyRange(std::size_t keyBegin) const;

    const char* m_text;
    std::size_t m_length;
    simdjson::ondemand::document& m_document;
    std::vector<Member>& m_members;
    bool m_toolsIsEmpty = false;
    bool m_metadataIsOurs = false;
};

/// A body of chat completions, completions or embeddings.
class OpenAiWalk final : public Walk {
public:
    using Walk::Walk;

private:
    void visit(Key key, std::string_view name, Value value) override;
    bool visitPeculiar(Key key, Value& value);
    void messages(Value value);
    void message(Value value);
    struct Told {
        bool any = false;      ///< something that translation would tell
        bool picture = false;  ///< that translation carries where pictures may stand
        void operator+=(const Told& more) { any = any || more.any, picture = picture || more.picture; }
    };
    [[nodiscard]] Told content(Value value);
    [[nodiscard]] Told contentPart(Value value);
    [[nodiscard]] bool images(Value value);
    /// Bytes of the texts of a value: of all of them, and of those that say themselves that they are no text.
    struct MediaBytes {
        std::uint64_t all = 0, sure = 0;
        void operator+=(const MediaBytes& more) { all += more.all, sure += more.sure; }
    };
    [[nodiscard]] MediaBytes mediaBytes(Value value, unsigned depth);
    [[nodiscard]] bool toolCalls(Value value);
    void toolCall(Value value);
    void calledFunction(Value value);
    void prompt(Value value, unsigned depth);
    void responseFormat(Value value);
    void streamOptions(Value value);
    void modalities(Value value);
    void stopWords(Value value);
    void stopWord(Value value, unsigned depth);
    void functions(Value value);
    void functionCall(Value value);
    void toolChoice(Value value);
    void conclude() override;

    bool m_hasTurn = false;
    bool m_choosesCustomTool = false, m_choosesOtherwise = false;  // of `tool_choice`
};

/// A body of Anthropic's Messages API.
class AnthropicWalk final : public Walk {
public:
    using Walk::Walk;

private:
    void visit(Key key, std::string_view name, Value value) override;
    void messages(Value value);
    void message(Value value);
    /// Kinds of blocks, as bits: those that translation carries in some places only, and those that it never does.
    using BlockKinds = unsigned;
    BlockKinds content(Value value, unsigned depth);
    BlockKinds block(Value value, unsigned depth);
    [[nodiscard]] BlockKinds noteBlockType(std::string_view type);
    void source(Value value, unsigned depth);
    void citations(Value value, unsigned depth);
    [[nodiscard]] bool clearsThinkingOnly(Value value);
    void toolChoice(Value value);
    void outputConfig(Value value);
    void outputFormat(Value value, unsigned depth);
    void stopSequences(Value value);
};

/// Appends the ranges that remove the members marked `cut` from their object and keep it well formed.
void appendCuts(std::span<const Walk::Member> members, std::vector<BodyMap::Range>& cuts);

}  // namespace signalbox::classify
