// SPDX-License-Identifier: MIT
#include "router/classify/dialect.h"

#include <algorithm>
#include <array>

namespace signalbox::classify {

namespace {

struct PeculiarityWords {
    std::string_view word, field;
};

constexpr std::array<PeculiarityWords, kPeculiarities> kPeculiarityWords{{
    {"several_choices", "n"},
    {"logprobs", "logprobs"},
    {"logit_bias", "logit_bias"},
    {"penalties", "frequency_penalty, presence_penalty"},
    {"seed", "seed"},
    {"audio", "audio"},
    {"prediction", "prediction"},
    {"files", "messages: a file part"},
    {"json_object", "response_format: json_object"},
    {"legacy_functions", "functions, function_call"},
    {"custom_tools", "tools: a tool that is no function"},
    {"grammar", "guided decoding"},
    {"web_search", "web_search_options"},
    {"top_k", "top_k"},
    {"thinking", "thinking"},
    {"documents", "messages: a document"},
    {"server_tools", "tools: one that the upstream runs"},
    {"citations", "citations"},
    {"context_management", "context_management"},
    {"temperature", "temperature above 1"},
    {"effort", "reasoning_effort, output_config.effort"},
    {"participant_names", "messages: a name"},
    {"other_fields", "a field that only one protocol or engine has"},
    {"embeddings", "input"},
    {"legacy_completion", "prompt"},
    {"only_system", "messages: none but those of the system"},
    {"call_arguments", "messages: arguments of a tool call that are no JSON object"},
    {"stop_words", "stop, stop_sequences: stop words of white space, or too many"},
}};

constexpr auto kOpenAiFields = std::to_array<std::string_view>({
    // carried
    "model", "messages", "tools", "tool_choice", "parallel_tool_calls", "response_format", "max_tokens",
    "max_completion_tokens", "stop", "temperature", "top_p", "top_k", "user", "safety_identifier", "stream",
    "stream_options", "reasoning_effort",
    // peculiar
    "n", "logprobs", "top_logprobs", "logit_bias", "frequency_penalty", "presence_penalty", "seed", "audio", "modalities",
    "prediction", "functions", "function_call", "web_search_options", "guided_json", "guided_regex", "guided_choice",
    "guided_grammar", "structured_outputs", "grammar", "json_schema",
    // about the call and not the answer
    "metadata", "store", "service_tier", "prompt_cache_key", "prompt_cache_retention"});

constexpr auto kAnthropicFields = std::to_array<std::string_view>({
    // carried
    "model", "messages", "system", "tools", "tool_choice", "max_tokens", "stop_sequences", "temperature", "top_p",
    "metadata", "stream", "output_config", "output_format",
    // peculiar
    "top_k", "thinking", "mcp_servers", "container", "context_management",
    // about the call and not the answer
    "service_tier", "cache_control"});

}  // namespace

std::string_view toString(Dialect dialect) { return dialect == Dialect::anthropic ? "anthropic" : "openai"; }

std::string_view toString(Peculiarity peculiarity) { return kPeculiarityWords[static_cast<std::size_t>(peculiarity)].word; }
std::string_view fieldOf(Peculiarity peculiarity) { return kPeculiarityWords[static_cast<std::size_t>(peculiarity)].field; }

bool knowsField(Dialect body, std::string_view member) {
    const auto among = [&](const auto& fields) { return std::find(fields.begin(), fields.end(), member) != fields.end(); };
    return body == Dialect::openai ? among(kOpenAiFields) : among(kAnthropicFields);
}

}  // namespace signalbox::classify
