// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace signalbox {

/// How keys begin that somebody may paste where they do not belong, lower case, and how many key characters follow at least.
struct KeyForm {
    std::string_view prefix;
    std::size_t shortest;
};
/// OpenAI's, Anthropic's and those of many others; tokens of ours; Groq's, Hugging Face's, xAI's, Google's, GitHub's.
inline constexpr auto kKeyForms = std::to_array<KeyForm>(
    {{"sk-", 9}, {"sbx_", 12}, {"gsk_", 20}, {"hf_", 20}, {"xai-", 20}, {"aiza", 30}, {"ghp_", 20}, {"github_pat_", 20}});

}  // namespace signalbox
