// SPDX-License-Identifier: MIT
#pragma once

#include "router/upstream/translate/request_value.h"

namespace signalbox::upstream::translate {

/// An Anthropic conversation as OpenAI's messages.
///
/// The system prompt becomes one system message, its blocks with a blank line between them. Results of tools become
/// tool messages in front of the rest of their turn. A tool message holds no images: they follow in the user message,
/// each behind a line that says of which call it is. `is_error` is said in words, `Error: `, there being no others.
/// What the assistant thought is left out.
class OpenAiConversation {
public:
    void addSystem(const Value& system);
    void add(const Value& messages);
    /// Refused when no message of a user or an assistant has content.
    [[nodiscard]] OrderedJson write(const Value& messages);

private:
    void addMessage(const Value& message);
    void addUser(const Value& content);
    void addAssistant(const Value& content);
    void addResult(const Value& result, std::vector<OrderedJson>& imagesBehind);

    OrderedJson m_messages = OrderedJson::array();
    bool m_hasTurn = false;
};

}  // namespace signalbox::upstream::translate
