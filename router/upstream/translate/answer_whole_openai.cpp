// SPDX-License-Identifier: MIT
// A whole Anthropic message as a chat completion.
#include "router/upstream/translate/answer_words.h"
#include "router/upstream/translate/request_value.h"

namespace signalbox::upstream::translate {

namespace {

struct MessageParts {
    std::string text, reasoning;
    OrderedJson calls = OrderedJson::array();
    std::optional<std::string> untold;  ///< the type of the first block of which nothing is told
    [[nodiscard]] bool saysNothing() const { return text.empty() && reasoning.empty() && calls.empty(); }
};

OrderedJson toolCall(const OrderedJson& block, const AnswerFacts& facts, std::size_t ordinal) {
    const OrderedJson* input = objectIn(block, "input");
    const std::string_view id = textIn(block, "id");
    const OrderedJson function{{"name", textIn(block, "name")}, {"arguments", input != nullptr ? written(*input) : "{}"}};
    return OrderedJson{{"id", id.empty() ? toolUseId(facts, ordinal) : std::string(id)}, {"type", "function"}, {"function", function}};
}

// Blocks of tools that the upstream runs itself are no part of what an OpenAI client asked for. A text is one in any block.
MessageParts partsOf(const OrderedJson& blocks, const AnswerFacts& facts) {
    MessageParts out;
    for (const OrderedJson& block : blocks) {
        const std::string_view type = textIn(block, "type");
        if (isUntold(type) && !out.untold) out.untold = std::string(type);
        if (type == "text" || isUntold(type)) out.text += textIn(block, "text");
        else if (type == "thinking") out.reasoning += textIn(block, "thinking");
        else if (type == "tool_use") out.calls.push_back(toolCall(block, facts, out.calls.size()));
    }
    return out;
}

OrderedJson assistantMessage(MessageParts parts) {
    OrderedJson message{{"role", "assistant"}, {"content", nullptr}, {"refusal", nullptr}};
    if (!parts.text.empty() || parts.calls.empty()) message["content"] = std::move(parts.text);
    if (!parts.reasoning.empty()) message["reasoning_content"] = std::move(parts.reasoning);
    if (!parts.calls.empty()) message["tool_calls"] = std::move(parts.calls);
    return message;
}

}  // namespace

tl::expected<std::string, AnswerProblem> openAiAnswer(std::string_view anthropicBody, const AnswerFacts& facts) {
    const auto body = readAnswerObject(withoutHalfPairs(std::string(anthropicBody)));
    if (!body) return tl::unexpected(AnswerProblem{"malformed_body", "answered with something that is no JSON object"});
    const OrderedJson* blocks = arrayIn(*body, "content");
    if (blocks == nullptr) return tl::unexpected(AnswerProblem{"malformed_body", "answered without any content"});
    MessageParts parts = partsOf(*blocks, facts);
    if (parts.untold && parts.saysNothing()) return tl::unexpected(onlyUntold(*parts.untold));
    const Ending ending{std::string(textIn(*body, "stop_reason")), {}, !parts.calls.empty()};
    AnthropicUsage usage;
    if (const OrderedJson* counted = objectIn(*body, "usage")) usage.add(*counted);
    const std::string_view model = textIn(*body, "model");
    const OrderedJson choice{{"index", 0},
                             {"message", assistantMessage(std::move(parts))},
                             {"logprobs", nullptr},
                             {"finish_reason", openAiFinishReason(ending)}};
    return OrderedJson{{"id", completionId(textIn(*body, "id"), facts)},
                       {"object", "chat.completion"},
                       {"created", facts.created},
                       {"model", model.empty() ? std::string_view(facts.model) : model},
                       {"choices", OrderedJson::array({choice})},
                       {"usage", openAiUsage(usage.counts())}}
        .dump();
}

}  // namespace signalbox::upstream::translate
