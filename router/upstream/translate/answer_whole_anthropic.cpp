// SPDX-License-Identifier: MIT
// A whole chat completion as an Anthropic message.
#include "router/upstream/translate/answer_words.h"
#include "router/upstream/translate/request_value.h"

namespace signalbox::upstream::translate {

namespace {

using BlockResult = tl::expected<OrderedJson, AnswerProblem>;

tl::unexpected<AnswerProblem> noCompletion(std::string what) {
    return tl::unexpected(AnswerProblem{"malformed_body", std::move(what)});
}

/// The choice with index 0: there is one, since asking for several is nothing that a client of the other protocol can do.
const OrderedJson* onlyChoice(const OrderedJson& completion) {
    const OrderedJson* choices = arrayIn(completion, "choices");
    if (choices == nullptr) return nullptr;
    for (const OrderedJson& choice : *choices)
        if (choice.is_object() && countIn(choice, "index").value_or(0) == 0) return &choice;
    return nullptr;
}

/// What the model wrote as arguments, byte for byte; nullopt when that is no JSON object.
std::optional<OrderedJson> toolInput(const OrderedJson& function) {
    const OrderedJson* arguments = memberIn(function, "arguments");
    if (arguments == nullptr || arguments->is_null()) return OrderedJson::object();
    if (arguments->is_object()) return *arguments;
    if (!arguments->is_string()) return std::nullopt;
    const std::string text = withoutHalfPairs(arguments->get<std::string>());
    if (isBlank(text)) return OrderedJson::object();
    // What that reader passes over would stand in the answer: a byte order mark, and all that follows a NUL.
    if (text.find('\0') != std::string::npos || text.starts_with("\xEF\xBB\xBF") || !isAnswerObject(text)) return std::nullopt;
    return verbatim(text);
}

/// A tool call as a block; null for one that the token limit cut off, so that nobody runs half of it.
BlockResult toolBlock(const OrderedJson& call, const OrderedJson& function, const Ending& ending, ToolIds& ids, std::size_t ordinal) {
    const std::string_view id = textIn(call, "id"), name = textIn(function, "name");
    if (isLongName(id) || isLongName(name)) return tl::unexpected(longName());
    const auto input = toolInput(function);
    if ((!input || name.empty()) && ending.reason == "length") return OrderedJson(nullptr);
    if (name.empty()) return tl::unexpected(AnswerProblem{"malformed_tool_call", "sent a tool call without a name"});
    if (!input)
        return tl::unexpected(AnswerProblem{"malformed_tool_arguments", "called the tool " + std::string(name) +
                                                " with arguments that are no JSON object"});
    return OrderedJson{{"type", "tool_use"}, {"id", ids.of(id, ordinal)}, {"name", name}, {"input", *input}};
}

class MessageBlocks {
public:
    MessageBlocks(const OrderedJson& message, Ending& ending, const AnswerFacts& facts)
        : m_message(message), m_ending(ending), m_ids(facts) {}

    tl::expected<OrderedJson, AnswerProblem> make() {
        text(contentText(m_message));
        const std::string_view refusal = textIn(m_message, "refusal");
        m_ending.refused = !refusal.empty();
        text(refusal);
        if (const OrderedJson* calls = arrayIn(m_message, "tool_calls"))
            for (const OrderedJson& call : *calls) tool(call, objectIn(call, "function"));
        if (const OrderedJson* call = objectIn(m_message, "function_call")) tool(*call, call);
        if (m_problem) return tl::unexpected(std::move(*m_problem));
        if (const std::string untold = untoldIn(m_message); m_blocks.empty() && !untold.empty()) return tl::unexpected(onlyUntold(untold));
        if (m_blocks.empty() && !mayEndUnsaid(m_ending) && tellsReasoning(m_message)) return tl::unexpected(onlyReasoned());
        return std::move(m_blocks);
    }

private:
    // Beside tool calls there is no empty block (F28), and neither is there alone: Anthropic refuses white space, too, when
    // the client sends it back.
    void text(std::string_view said) {
        if (!isBlank(said)) m_blocks.push_back(OrderedJson{{"type", "text"}, {"text", said}});
    }

    void tool(const OrderedJson& call, const OrderedJson* function) {
        static const OrderedJson kNothing = OrderedJson::object();
        auto block = toolBlock(call, function != nullptr ? *function : kNothing, m_ending, m_ids, m_ordinal++);
        if (!block) return void(m_problem = std::move(block.error()));
        if (block->is_null()) return;
        m_ending.hasTools = true;
        m_blocks.push_back(std::move(*block));
    }

    const OrderedJson& m_message;
    Ending& m_ending;
    ToolIds m_ids;
    OrderedJson m_blocks = OrderedJson::array();
    std::size_t m_ordinal = 0;
    std::optional<AnswerProblem> m_problem;
};

}  // namespace

tl::expected<std::string, AnswerProblem> anthropicAnswer(std::string_view openAiBody, const AnswerFacts& facts) {
    const auto completion = readAnswerObject(withoutHalfPairs(std::string(openAiBody)));
    if (!completion) return noCompletion("answered with something that is no JSON object");
    const OrderedJson* choice = onlyChoice(*completion);
    const OrderedJson* message = choice != nullptr ? objectIn(*choice, "message") : nullptr;
    if (message == nullptr) return noCompletion("answered without a message");
    Ending ending{std::string(textIn(*choice, "finish_reason")), std::string(textIn(*choice, "stop_reason"))};
    if (ending.reason == "error")
        return tl::unexpected(AnswerProblem{"failed_generation", "says that the generation failed"});
    auto blocks = MessageBlocks(*message, ending, facts).make();
    if (!blocks) return tl::unexpected(std::move(blocks.error()));

    TokenCounts counts;
    if (const OrderedJson* usage = objectIn(*completion, "usage")) countOpenAiUsage(*usage, counts);
    const std::string_view model = textIn(*completion, "model");
    const std::string_view reason = anthropicStopReason(ending);
    return written(OrderedJson{{"id", messageId(textIn(*completion, "id"), facts)},
                               {"type", "message"},
                               {"role", "assistant"},
                               {"model", model.empty() ? std::string_view(facts.model) : model},
                               {"content", std::move(*blocks)},
                               {"stop_reason", reason},
                               {"stop_sequence", reason == "stop_sequence" ? OrderedJson(ending.stopSequence) : OrderedJson(nullptr)},
                               {"usage", anthropicUsage(counts, facts.inputTokens, 0)}});
}

}  // namespace signalbox::upstream::translate
