// SPDX-License-Identifier: MIT
// A request body: whatever is translated is JSON that says the upstream's model, that comes back, and that no further
// way there and back changes; whatever is not says where and why. What classification cuts for having no words is what is
// refused for having none.
#include "router/base/json_document.h"
#include "router/classify/classify.h"
#include "router/upstream/translate/request_translation.h"
#include "tests/fuzz/require.h"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace signalbox;
using fuzz::require;

namespace {

constexpr std::string_view kModel = "up/\"m\"";

std::string toAnthropic(std::string_view body) {
    const auto out = upstream::anthropicRequest(body, {kModel, 77});
    require(out.has_value(), "what was translated comes back to Anthropic");
    return *out;
}

std::string toOpenAi(std::string_view body) {
    const auto out = upstream::openAiRequest(body, {kModel, config::TokensField::both, true});
    require(out.has_value(), "what was translated comes back to OpenAI");
    return *out;
}

bool isSaid(const Result<std::string>& translated) {
    if (translated) return true;
    const Error& error = translated.error();
    require(error.kind == ErrorKind::badInput && !error.message.empty(), "a refusal is the sender's and says why");
    require(error.where.empty() || error.where.front() == '/', "a refusal's place is a pointer");
    return false;
}

OrderedJson checkBody(std::string_view body) {
    // Our own reader, since what stays byte for byte may hold numbers that no double does.
    const auto document = JsonDocument::parse(std::string(body), {std::size_t{64} << 20, 300});
    require(document.has_value(), "a translated body is JSON");
    const OrderedJson& root = document->root();
    require(root.at("model") == kModel, "the model is the upstream's");
    require(root.at("messages").is_array() && !root.at("messages").empty(), "there is a conversation");
    require(!root.contains("tools") || !root.at("tools").empty(), "an empty tools array is gone");
    require(!root.contains("tool_choice") || root.contains("tools"), "no choice without tools");
    return root;
}

/// Roles take turns, and no text is empty (F28).
void checkTurns(const OrderedJson& root) {
    std::string last;
    for (const OrderedJson& message : root.at("messages")) {
        require(message.at("role") != last, "roles take turns");
        last = message.at("role").get<std::string>();
        require(!message.at("content").empty(), "no turn is empty");
        if (!message.at("content").is_array()) continue;
        for (const OrderedJson& block : message.at("content"))
            require(block.at("type") != "text" || !block.at("text").empty(), "no text is empty");
    }
}

/// From the first way back on nothing changes any more.
void checkStable(const std::string& openAi) {
    const std::string once = toOpenAi(toAnthropic(openAi));
    require(toOpenAi(toAnthropic(once)) == once, "going there and back changes nothing more");
}

/// Stop words of white space go to OpenAI and more than four to Anthropic, and neither comes back.
bool comesBack(const OrderedJson& root) {
    if (root.contains("top_k") || (root.contains("stop_sequences") && root.at("stop_sequences").size() > 4)) return false;
    const auto isBlank = [](const OrderedJson& word) {
        const std::string text = word.get<std::string>();
        return !text.empty() && text.find_first_not_of(" \t\r\n\v\f") == std::string::npos;
    };
    return !root.contains("stop") || std::ranges::none_of(root.at("stop"), isBlank);
}

void checkAgreement(classify::Dialect dialect, std::string_view body, const Result<std::string>& translated) {
    const auto classified = classify::classifyBody(dialect, body, {}, {}, 1);
    if (!classified) return;
    if (!classified->features.peculiarities.empty()) return require(!translated, "what is peculiar is not translated");
    const bool hasNoWords = !translated && translated.error().message.find("has no words for this (") != std::string::npos;
    require(!hasNoWords, "what has no words was found to be peculiar");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view body(reinterpret_cast<const char*>(data), size);
    const auto anthropic = upstream::anthropicRequest(body, {kModel, 77});
    const auto openAi = upstream::openAiRequest(body, {kModel, config::TokensField::both, true});
    checkAgreement(classify::Dialect::openai, body, anthropic);
    checkAgreement(classify::Dialect::anthropic, body, openAi);
    if (isSaid(anthropic)) {
        const OrderedJson root = checkBody(*anthropic);
        checkTurns(root);
        if (comesBack(root)) checkStable(toOpenAi(*anthropic));
    }
    if (isSaid(openAi)) {
        if (comesBack(checkBody(*openAi))) checkStable(*openAi);
    }
    return 0;
}
