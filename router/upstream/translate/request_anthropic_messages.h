// SPDX-License-Identifier: MIT
#pragma once

#include "router/upstream/translate/request_value.h"

#include <map>
#include <set>

namespace signalbox::upstream::translate {

/// The names of calls as Anthropic takes them: letters, digits, `_` and `-`. Other engines write what they like; a
/// name stands only in the conversation, so that another one that is as distinct says the same.
class CallIds {
public:
    [[nodiscard]] std::string of(const Value& id);

private:
    std::map<std::string, std::string> m_given;
    std::set<std::string> m_taken;
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

    std::vector<OrderedJson> m_system;
    std::vector<Turn> m_turns;
    std::vector<std::string> m_calledNames;
    CallIds m_ids;
};

}  // namespace signalbox::upstream::translate
