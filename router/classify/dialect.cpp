// SPDX-License-Identifier: MIT
#include "router/classify/dialect.h"

#include <algorithm>
#include <array>

namespace signalbox::classify {

namespace {

struct PeculiarityWords {
    std::string_view word, field, said;
};

constexpr std::array<PeculiarityWords, kPeculiarities> kPeculiarityWords{{
    {"several_choices", "n", "n above 1"},
    {"logprobs", "logprobs", "logprobs"},
    {"logit_bias", "logit_bias", "logit_bias"},
    {"penalties", "frequency_penalty, presence_penalty", "frequency_penalty or presence_penalty"},
    {"seed", "seed", "seed"},
    {"audio", "audio", "audio"},
    {"prediction", "prediction", "prediction"},
    {"files", "messages", "a file in messages"},
    {"json_object", "response_format", "response_format of the type json_object"},
    {"legacy_functions", "functions, function_call", "functions or function_call"},
    {"custom_tools", "tools", "a tool in tools that is no function"},
    {"grammar", "guided decoding", "guided decoding"},
    {"web_search", "web_search_options", "web_search_options"},
    {"top_k", "top_k", "top_k"},
    {"thinking", "thinking", "thinking"},
    {"documents", "messages", "a document in messages"},
    {"server_tools", "tools", "a tool in tools or messages that the upstream runs"},
    {"citations", "citations", "citations"},
    {"context_management", "context_management", "context_management"},
    {"temperature", "temperature", "temperature above 1"},
    {"effort", "reasoning_effort, output_config.effort", "this value of reasoning_effort or output_config.effort"},
    {"participant_names", "messages", "a name in messages"},
    {"other_fields", "a field that only one protocol or engine has", "a field that only one protocol or engine has"},
    {"embeddings", "input", "embeddings of an input"},
    {"legacy_completion", "prompt", "a prompt without messages"},
    {"only_system", "messages", "messages in which nobody but the system says something"},
    {"call_arguments", "messages", "arguments of a tool call in messages that are no JSON object"},
    {"stop_words", "stop, stop_sequences", "stop words of white space"},
    {"message_images", "messages", "images beside the content of messages"},
    {"other_parts", "messages", "a part of messages of this type or in this place"},
    {"container", "container", "container"},
    {"mcp_servers", "mcp_servers", "mcp_servers"},
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
std::string_view saidOf(Peculiarity peculiarity) { return kPeculiarityWords[static_cast<std::size_t>(peculiarity)].said; }

bool knowsField(Dialect body, std::string_view member) {
    const auto among = [&](const auto& fields) { return std::find(fields.begin(), fields.end(), member) != fields.end(); };
    return body == Dialect::openai ? among(kOpenAiFields) : among(kAnthropicFields);
}

}  // namespace signalbox::classify
