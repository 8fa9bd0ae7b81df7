// SPDX-License-Identifier: MIT
#include "router/policy/smart/capability.h"

#include "router/classify/peculiar_words.h"

#include <algorithm>
#include <limits>

namespace signalbox::policy::smart {
namespace {

// A caller may name any number.
std::uint64_t saturatingSum(std::uint64_t a, std::uint64_t b) {
    return a > std::numeric_limits<std::uint64_t>::max() - b ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

const std::optional<bool>& featureOf(const config::Capabilities& has, Capability capability) {
    switch (capability) {
    case Capability::parallelTools: return has.parallelTools;
    case Capability::structuredOutput: return has.structuredOutput;
    case Capability::vision: return has.vision;
    case Capability::tools:
    case Capability::contextTokens:
    case Capability::maxOutputTokens: break;
    }
    return has.tools;
}

constexpr std::uint64_t kBytesPerToken = 4;

constexpr std::array kFeatures{Capability::tools, Capability::parallelTools, Capability::structuredOutput, Capability::vision};

}  // namespace

std::string_view fieldOf(Capability capability) {
    switch (capability) {
    case Capability::tools: return "tools";
    case Capability::parallelTools: return "parallel_tool_calls, tool_choice";
    case Capability::structuredOutput: return "response_format, output_config, output_format";
    case Capability::vision:
    case Capability::contextTokens: return "messages";
    case Capability::maxOutputTokens: return "max_completion_tokens, max_tokens";
    }
    return {};
}

std::string_view toString(Capability capability) {
    switch (capability) {
    case Capability::tools: return "tools";
    case Capability::parallelTools: return "parallel_tools";
    case Capability::structuredOutput: return "structured_output";
    case Capability::vision: return "vision";
    case Capability::contextTokens: return "context_tokens";
    case Capability::maxOutputTokens: return "max_output_tokens";
    }
    return {};
}

std::vector<std::string> CapabilitySet::words() const {
    std::vector<std::string> out;
    for (const Capability capability : kCapabilities)
        if (contains(capability)) out.emplace_back(toString(capability));
    if (!m_uncarried.empty())
        for (std::string& word : classify::wordsOf(m_uncarried)) out.push_back(std::move(word));
    return out;
}

std::uint64_t plannedInputTokens(const classify::RequestFeatures& features, const Sizes& sizes) {
    if (features.inputTokensFoundBy != classify::FoundBy::estimate || sizes.inputTokens == 0) return features.inputTokens;
    const std::uint64_t media = features.mediaBytes / kBytesPerToken;
    if (media == 0) return sizes.inputTokens;
    // The text is always part of it: bytes and characters are counted by different rules.
    return std::max(features.inputTokens, sizes.inputTokens - std::min(sizes.inputTokens, media));
}

Needs needsOf(const classify::RequestFeatures& features, const Sizes& sizes) {
    Needs out;
    if (features.toolsOffered > 0 || features.functionsOffered > 0) out.features.add(Capability::tools);
    // Without tools there is nothing to call in parallel; the older functions are called one by one.
    if (features.parallelTools && features.toolsOffered > 0) out.features.add(Capability::parallelTools);
    if (features.structuredOutput) out.features.add(Capability::structuredOutput);
    if (features.vision) out.features.add(Capability::vision);
    out.outputTokens = features.outputCap.value_or(0);
    out.contextTokens = saturatingSum(plannedInputTokens(features, sizes), out.outputTokens);
    out.dialect = features.dialect;
    out.peculiarities = features.peculiarities;
    out.stopSequences = features.stopSequences;
    return out;
}

CapabilitySet missing(const Needs& needs, const config::Capabilities& has) {
    CapabilitySet out;
    for (const Capability capability : kFeatures)
        if (needs.features.contains(capability) && !featureOf(has, capability).value_or(true)) out.add(capability);
    if (has.contextTokens && needs.contextTokens > *has.contextTokens) out.add(Capability::contextTokens);
    if (has.maxOutputTokens && needs.outputTokens > *has.maxOutputTokens) out.add(Capability::maxOutputTokens);
    return out;
}

}  // namespace signalbox::policy::smart
