// SPDX-License-Identifier: MIT
#include "router/classify/dialect.h"

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
}};

}  // namespace

std::string_view toString(Peculiarity peculiarity) { return kPeculiarityWords[static_cast<std::size_t>(peculiarity)].word; }
std::string_view fieldOf(Peculiarity peculiarity) { return kPeculiarityWords[static_cast<std::size_t>(peculiarity)].field; }

}  // namespace signalbox::classify
