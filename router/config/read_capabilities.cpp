// SPDX-License-Identifier: MIT
#include "router/config/read_parts.h"

namespace signalbox::config {
namespace {

constexpr std::int64_t kMaxTokens = std::int64_t{1} << 40;

std::optional<std::uint64_t> readTokens(Section& section, std::string_view key) {
    const auto tokens = section.integer(key, 1, kMaxTokens);
    return tokens ? std::optional(static_cast<std::uint64_t>(*tokens)) : std::nullopt;
}

/// The tables of the smart-routing system; it says nothing of structured output and vision.
void readToolUse(Section& provider, Capabilities& out) {
    auto section = provider.section("tool_use");
    if (!section) return;
    out.tools = section->boolean("supported");
    out.parallelTools = section->boolean("parallel_tool_calls");
    for (const char* key : {"tool_choice", "streaming_arguments", "response_validation", "repair_invalid_arguments"})
        section->keep(key);
    section->finish();
}

void readTokenCounting(Section& provider, Provider& out) {
    auto section = provider.section("token_counting");
    if (!section) return;
    out.capabilities.contextTokens = readTokens(*section, "context_tokens");
    out.capabilities.maxOutputTokens = readTokens(*section, "max_output_tokens");
    if (auto models = section->section("model_max_output_tokens"))
        for (const std::string& model : models->keys())
            if (const auto tokens = readTokens(*models, model)) out.modelCapabilities[model].maxOutputTokens = tokens;
    section->keep("mode");
    section->finish();
}

template <class T>
void replace(std::optional<T>& value, std::optional<T> with) {
    if (with) value = with;
}

void readOwn(Section& section, Capabilities& out) {
    replace(out.tools, section.boolean("tools"));
    replace(out.parallelTools, section.boolean("parallel_tools"));
    replace(out.structuredOutput, section.boolean("structured_output"));
    replace(out.vision, section.boolean("vision"));
    replace(out.contextTokens, readTokens(section, "context_tokens"));
    replace(out.maxOutputTokens, readTokens(section, "max_output_tokens"));
    section.finish();
}

/// Who cannot call tools cannot call several of them at once.
void settleTools(Section* own, Capabilities& out) {
    if (out.tools != std::optional(false)) return;
    if (own != nullptr && out.parallelTools == std::optional(true) && own->has("parallel_tools"))
        own->report(Severity::warning, "parallel_without_tools", "parallel_tools",
                    "several tools at once are of no use without tools", "Set tools = true, or remove this line.");
    out.parallelTools = false;
}

void readOwnOfModels(Section& provider, Provider& out) {
    for (auto& [model, section] : provider.children("model_capabilities")) {
        readOwn(section, out.modelCapabilities[model]);
        settleTools(&section, out.modelCapabilities[model]);
        if (!out.accepts(model))
            section.reportHere(Severity::warning, "capability_model_not_accepted",
                               "provider " + inQuotes(out.id) + " does not accept the model " + inQuotes(model),
                               modelAdvice(out, model));
    }
}

}  // namespace

void readCapabilities(Section& provider, Provider& out) {
    readToolUse(provider, out.capabilities);
    readTokenCounting(provider, out);
    auto own = provider.section("capabilities");
    if (own) readOwn(*own, out.capabilities);
    settleTools(own ? &*own : nullptr, out.capabilities);
    readOwnOfModels(provider, out);
}

}  // namespace signalbox::config
