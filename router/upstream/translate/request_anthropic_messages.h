// SPDX-License-Identifier: MIT
#pragma once

#include "router/upstream/translate/request_value.h"

#include <map>
#include <set>

namespace signalbox::upstream::translate {

/// The names of calls as Anthropic takes them: letters, digits, `_` and `-`, and each only once in a conversation. Other
/// engines write what they like, and some count anew in every answer; a name stands only in the conversation, so that
/// another one that is as distinct says the same.
class CallIds {
public:
    /// Of a call in the assistant's turn with that number.
    [[nodiscard]] std::string ofCall(const Value& id, std::size_t turn);
    /// Of the newest call with that id; where one turn has several, of each in their order.
    [[nodiscard]] std::string ofResult(const Value& id);

private:
    struct Given {
        std::vector<std::string> names;  ///< of the calls in the newest turn that has any, or of a result without a call
        std::size_t results = 0;         ///< to them
        std::size_t turn = 0;            ///< 0: no call yet
    };
    [[nodiscard]] Given& givenFor(const Value& id);
    [[nodiscard]] std::string fresh(const std::string& said);

    std::map<std::string, Given> m_given;
    std::set<std::string> m_taken;
    std::map<std::string, std::size_t> m_lastNumber;  ///< of names that were taken, by what stands before the number
};

/// An OpenAI conversation as Anthropic's system prompt and turns.
///
/// System and developer messages, wherever they stand, become the system prompt in their order, since that protocol
/// has no others. Neighbours of one role become one turn, results of tools first, as it demands. Texts of nothing but
/// white space, and what is left without content by that, are not written (F28).
class AnthropicConversation {
public:
    void add(const Value& messages);
    /// Writes `system` and `messages`; refused when no turn has content.
    void write(const Value& messages, OrderedJson& out);
    /// The tools that the conversation called, each once.
    [[nodiscard]] const std::vector<std::string>& calledNames() const { return m_calledNames; }

private:
    struct Turn {
        std::string_view role;
        std::vector<OrderedJson> results, blocks;
    };
    void addMessage(const Value& message);
    void addSystem(const Value& content);
    void addUser(const Value& message);
    void addAssistant(const Value& message);
    void addResult(const Value& message);
    void addCall(const Value& call, std::vector<OrderedJson>& blocks);
    Turn& turn(std::string_view role);
    /// What the assistant says next stands in it; they are counted from 1.
    [[nodiscard]] std::size_t assistantsTurn() const;

    std::vector<OrderedJson> m_system;
    std::vector<Turn> m_turns;
    std::vector<std::string> m_calledNames;
    std::set<std::string> m_called;  ///< the same, to be found in
    CallIds m_ids;
};

}  // namespace signalbox::upstream::translate
