// SPDX-License-Identifier: MIT
#pragma once

#include "router/classify/body_reader.h"

#include <simdjson.h>
#include <span>
#include <vector>

namespace signalbox::classify {

/// The members of a body that we look at. `other` is everything else.
enum class Key : std::uint8_t {
    model, messages, prompt, input, tools, toolChoice, responseFormat, maxTokens, maxCompletionTokens,
    stream, streamOptions, metadata, parallelToolCalls, other
};

struct DuplicateKey {
    std::string_view key;
    std::size_t at;
};

/// One walk over one body. Every value is visited and checked, because simdjson's on-demand reader checks only what
/// is asked of it. Throws DuplicateKey, BodyProblem or simdjson::simdjson_error.
class Walk {
public:
    using Value = simdjson::ondemand::value;
    /// A member of the object being walked, from its key to the end of its value.
    struct Member {
        Key key;
        bool cut;
        BodyMap::Range range;
    };

    /// `members` is scratch memory and holds the body's own members afterwards.
    Walk(std::string_view text, simdjson::ondemand::document& document, std::vector<Member>& members, BodyFacts& facts)
        : m_text(text.data()), m_length(text.size()), m_document(document), m_members(members), m_facts(facts) {}
    void run();
    [[nodiscard]] bool toolsIsEmpty() const { return m_toolsIsEmpty; }

private:
    void visit(Key key, Value value);
    void note(Key key, std::size_t keyBegin, BodyMap::Range value);
    void messages(Value value);
    void content(Value value);
    void contentPart(Value value);
    void prompt(Value value, unsigned depth);
    void tools(Value value);
    void responseFormat(Value value);
    void streamOptions(Value value);
    void metadata(Value value);
    void takeOtherHint(std::optional<std::string>& hint, Value value);
    std::optional<std::string>* hintNamed(std::string_view key);
    void check(Value value, unsigned depth);
    [[nodiscard]] BodyMap::Range keyRange(std::size_t keyBegin) const;
    [[nodiscard]] std::size_t lastEnd();
    [[nodiscard]] std::size_t offset(const char* at) const { return static_cast<std::size_t>(at - m_text); }

    const char* m_text;
    std::size_t m_length;
    simdjson::ondemand::document& m_document;
    std::vector<Member>& m_members;
    BodyFacts& m_facts;
    bool m_toolsIsEmpty = false;
    bool m_metadataIsOurs = false;
};

/// Appends the ranges that remove the members marked `cut` from their object and keep it well formed.
void appendCuts(std::span<const Walk::Member> members, std::vector<BodyMap::Range>& cuts);

}  // namespace signalbox::classify
