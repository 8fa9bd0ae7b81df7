// SPDX-License-Identifier: MIT
#include "router/upstream/translate/answer_words.h"

#include "router/base/text.h"
#include "router/dispatch/untranslatable.h"

#include <algorithm>

namespace signalbox::upstream::translate {

namespace {

std::string withPrefix(std::string_view prefix, std::string_view id, const AnswerFacts& facts) {
    if (id.empty()) id = facts.id;
    return id.starts_with(prefix) ? std::string(id) : std::string(prefix).append(id);
}

bool isIdDigit(char c) { return c >= '0' && c <= '9'; }
bool isIdLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isIdByte(char c) { return isIdLetter(c) || isIdDigit(c) || c == '_' || c == '-'; }

/// An answer has no more calls than this has digits for; longer numbers may be random.
constexpr std::size_t kMaxCounterDigits = 4;

/// Whether all that tells it apart is a number at its end: `call_0`, `functions.f:3`, `7`.
bool isCounter(std::string_view id) {
    std::size_t digits = 0;
    while (digits < id.size() && isIdDigit(id[id.size() - 1 - digits])) ++digits;
    const bool standsAlone = digits == id.size() || !isIdLetter(id[id.size() - 1 - digits]);
    return digits > 0 && digits <= kMaxCounterDigits && standsAlone;
}

}  // namespace

std::string_view anthropicStopReason(const Ending& ending) {
    if (ending.reason == "length") return "max_tokens";
    if (ending.reason == "content_filter" || ending.refused) return "refusal";
    // Several servers end calls with `stop`; Anthropic's clients run tools only after `tool_use`.
    if (ending.hasTools) return "tool_use";
    return ending.stopSequence.empty() ? "end_turn" : "stop_sequence";
}

std::string_view openAiFinishReason(const Ending& ending) {
    if (ending.reason == "max_tokens" || ending.reason == "model_context_window_exceeded") return "length";
    if (ending.reason == "refusal") return "content_filter";
    return ending.hasTools ? "tool_calls" : "stop";
}

void countOpenAiUsage(const OrderedJson& usage, TokenCounts& counts) {
    if (const auto prompt = countIn(usage, "prompt_tokens")) counts.input = prompt;
    if (const auto completion = countIn(usage, "completion_tokens")) counts.output = completion;
    const OrderedJson* details = objectIn(usage, "prompt_tokens_details");
    if (details == nullptr) return;
    if (const auto cached = countIn(*details, "cached_tokens")) counts.cacheRead = cached;
}

void AnthropicUsage::add(const OrderedJson& usage) {
    const auto take = [&](const char* key, std::optional<std::uint64_t>& into) {
        if (const auto count = countIn(usage, key)) into = count;
    };
    take("input_tokens", m_fresh);
    take("cache_read_input_tokens", m_read);
    take("cache_creation_input_tokens", m_written);
    take("output_tokens", m_output);
}

TokenCounts AnthropicUsage::counts() const {
    TokenCounts out{std::nullopt, m_read, m_written, m_output};
    if (m_fresh || m_read || m_written) out.input = m_fresh.value_or(0) + m_read.value_or(0) + m_written.value_or(0);
    return out;
}

OrderedJson openAiUsage(const TokenCounts& counts) {
    const std::uint64_t input = counts.input.value_or(0);
    const std::uint64_t output = counts.output.value_or(0);
    OrderedJson usage{{"prompt_tokens", input}, {"completion_tokens", output}, {"total_tokens", input + output}};
    if (counts.cacheRead) usage["prompt_tokens_details"] = OrderedJson{{"cached_tokens", *counts.cacheRead}};
    return usage;
}

OrderedJson anthropicUsage(const TokenCounts& counts, std::uint64_t estimate, std::uint64_t output) {
    const std::uint64_t input = counts.input.value_or(estimate);
    const std::uint64_t read = std::min(counts.cacheRead.value_or(0), input);
    const std::uint64_t written = std::min(counts.cacheWritten.value_or(0), input - read);
    return OrderedJson{{"input_tokens", input - read - written},
                       {"cache_creation_input_tokens", written},
                       {"cache_read_input_tokens", read},
                       {"output_tokens", counts.output.value_or(output)}};
}

std::string messageId(std::string_view upstreams, const AnswerFacts& facts) { return withPrefix("msg_", upstreams, facts); }

std::string completionId(std::string_view upstreams, const AnswerFacts& facts) {
    return withPrefix("chatcmpl-", upstreams, facts);
}

std::string toolUseId(const AnswerFacts& facts, std::size_t ordinal) { return "toolu_" + facts.id + "_" + std::to_string(ordinal); }

std::string ToolIds::of(std::string_view upstreams, std::size_t ordinal) {
    std::string id(upstreams);
    std::ranges::replace_if(id, [](char c) { return !isIdByte(c); }, '_');
    if (!id.empty() && !isCounter(upstreams) && m_taken.insert(id).second) return id;
    id = toolUseId(*m_facts, ordinal);
    while (!m_taken.insert(id).second) id += '_';  // an upstream that guessed it
    return id;
}

AnswerProblem longName() {
    return {"malformed_tool_call", "sent a tool call with a name or an id of more than " + std::to_string(kMaxNameBytes) + " bytes"};
}

std::string contentText(const OrderedJson& message) {
    if (const OrderedJson* parts = arrayIn(message, "content")) {
        std::string text;
        for (const OrderedJson& part : *parts) text += textIn(part, "text");
        return text;
    }
    return std::string(textIn(message, "content"));
}

std::string untoldIn(const OrderedJson& message) {
    if (const OrderedJson* images = arrayIn(message, "images"); images != nullptr && !images->empty()) return "images";
    if (objectIn(message, "audio") != nullptr) return "audio";
    if (const OrderedJson* parts = arrayIn(message, "content"))
        for (const OrderedJson& part : *parts) {
            const std::string_view type = textIn(part, "type");
            if (!type.empty() && type != "text" && type != "thinking" && type != "refusal") return std::string(type);
        }
    return {};
}

bool tellsReasoning(const OrderedJson& message) {
    if (!textIn(message, "reasoning_content").empty() || !textIn(message, "reasoning").empty()) return true;
    const OrderedJson* parts = arrayIn(message, "content");
    return parts != nullptr && std::any_of(parts->begin(), parts->end(), [](const OrderedJson& part) {
               const OrderedJson* thought = textIn(part, "type") == "thinking" ? memberIn(part, "thinking") : nullptr;
               return thought != nullptr && !thought->empty();
           });
}

bool isUntold(std::string_view blockType) {
    return blockType != "text" && blockType != "thinking" && blockType != "redacted_thinking" && blockType != "tool_use";
}

AnswerProblem onlyUntold(std::string_view what) {
    constexpr std::size_t kMaxShownType = 64;
    return {std::string(dispatch::kUntranslatableAnswer), "answered with nothing but what the client's protocol has no words for (" +
                                         elided(what.empty() ? "a block without a type" : what, kMaxShownType) + ")"};
}

AnswerProblem onlyReasoned() {
    return {std::string(dispatch::kUntranslatableAnswer),
            "answered with nothing but reasoning (reasoning_content), which a client of the other protocol is not told"};
}

}  // namespace signalbox::upstream::translate
