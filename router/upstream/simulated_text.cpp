// SPDX-License-Identifier: MIT
#include "router/upstream/simulated_text.h"

#include "router/base/random.h"
#include "router/upstream/simulated_embedding.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace signalbox::upstream {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t kPieceBytes = 4;

/// Said first, so that even a short answer is labelled.
constexpr std::array<std::string_view, 10> kLabel{"This", "answer", "is", "simulated", "by",
                                                  "Signalbox;", "no", "model", "was", "asked."};
constexpr std::array<std::string_view, 16> kWords{
    "The", "signal", "stays", "clear", "while", "the", "next", "section", "is",
    "free", "and", "the", "points", "are", "locked", "behind."};

std::uint64_t mixed(std::uint64_t seed, std::uint64_t index) {
    FastRandom random(seed * 0x9E3779B97F4A7C15ULL + index);
    return random.next();
}

const char* finishReason(const SimulatedText& text) {
    if (text.capped) return "length";
    return text.call() != nullptr ? "tool_calls" : "stop";
}

/// Cut between characters, so that every piece is UTF-8.
std::vector<std::string> piecesOf(std::string_view text) {
    std::vector<std::string> out;
    while (!text.empty()) {
        std::size_t end = std::min(kPieceBytes, text.size());
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) ++end;
        out.emplace_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return out;
}

/// The call as far as `said`; a stream names it in its first piece only.
Json callJson(const SimulatedText& text, std::string said, bool named, bool indexed) {
    const SimulatedDemand& call = *text.call();
    const char* kind = call.freeText ? "custom" : "function";
    Json out = Json::object();
    if (indexed) out["index"] = 0;
    if (named) {
        std::string id = text.id.text();
        out["id"] = "call_" + id.substr(id.find('_') + 1);
        out["type"] = kind;
        out[kind]["name"] = call.tool;
    }
    out[kind][call.freeText ? "input" : "arguments"] = std::move(said);
    return out;
}

Json usageJson(const SimulatedText& text) {
    Json usage{{"prompt_tokens", text.inputTokens}};
    if (text.kind != SimulatedKind::embedding) usage["completion_tokens"] = text.outputTokens;
    usage["total_tokens"] = text.inputTokens + (text.kind == SimulatedKind::embedding ? 0 : text.outputTokens);
    return usage;
}

Json envelope(const SimulatedText& text, const char* object) {
    const auto created = std::chrono::duration_cast<std::chrono::seconds>(text.id.time().time_since_epoch()).count();
    return Json{{"id", "sim-" + text.id.text()}, {"object", object}, {"created", created}, {"model", text.model},
                {"system_fingerprint", "simulated"}};
}

const char* chunkObject(SimulatedKind kind) {
    return kind == SimulatedKind::chat ? "chat.completion.chunk" : "text_completion";
}

std::string frame(const Json& json) { return "data: " + json.dump() + "\n\n"; }

std::string choiceFrame(const SimulatedText& text, Json chatDelta, std::string completionText, Json finish) {
    Json choice{{"index", 0}};
    if (text.kind == SimulatedKind::chat) choice["delta"] = std::move(chatDelta);
    else choice["text"] = std::move(completionText);
    choice["finish_reason"] = std::move(finish);
    Json chunk = envelope(text, chunkObject(text.kind));
    chunk["choices"] = Json::array({std::move(choice)});
    return frame(chunk);
}

std::string wholeEmbedding(const SimulatedText& text) {
    // Numbers by the million are written as text at once.
    return R"({"object":"list","data":)" + simulatedEmbeddings(text.options, text.model) + R"(,"model":)" + Json(text.model).dump() +
           R"(,"simulated":true,"usage":)" + usageJson(text).dump() + '}';
}

}  // namespace

void SimulatedText::measure(std::uint32_t prose) {
    const std::uint32_t limit = options.maxTokens.value_or(UINT32_MAX);
    if (kind == SimulatedKind::chat && options.demand) pieces = piecesOf(options.demand->text);
    const auto all = pieces.empty() ? prose : static_cast<std::uint32_t>(pieces.size());
    outputTokens = call() != nullptr ? all : std::min(all, limit);
    capped = outputTokens < all;
}

const SimulatedDemand* SimulatedText::call() const {
    return pieces.empty() || options.demand->tool.empty() ? nullptr : &*options.demand;
}

std::string SimulatedText::token(std::uint32_t index) const {
    if (!pieces.empty()) return index < pieces.size() ? pieces[index] : std::string();
    const std::string_view word =
        index < kLabel.size() ? kLabel[index] : kWords[(index - kLabel.size() + mixed(seed, 0)) % kWords.size()];
    return index == 0 ? std::string(word) : " " + std::string(word);
}

std::string SimulatedText::whole() const {
    if (kind == SimulatedKind::embedding) return wholeEmbedding(*this);
    std::string said;
    for (std::uint32_t i = 0; i < outputTokens; ++i) said += token(i);
    Json choice{{"index", 0}};
    if (call() != nullptr)
        choice["message"] = Json{{"role", "assistant"}, {"content", nullptr}, {"tool_calls", Json::array({callJson(*this, said, true, false)})}};
    else if (kind == SimulatedKind::chat) choice["message"] = Json{{"role", "assistant"}, {"content", said}};
    else choice["text"] = said;
    choice["finish_reason"] = finishReason(*this);
    Json answer = envelope(*this, kind == SimulatedKind::chat ? "chat.completion" : "text_completion");
    answer["choices"] = Json::array({std::move(choice)});
    answer["usage"] = usageJson(*this);
    return answer.dump();
}

std::string SimulatedText::roleFrame() const {
    Json delta{{"role", "assistant"}, {"content", ""}};
    if (call() != nullptr) delta["content"] = nullptr;
    return choiceFrame(*this, std::move(delta), "", nullptr);
}

std::string SimulatedText::tokenFrame(std::uint32_t index) const {
    if (call() != nullptr)
        return choiceFrame(*this, Json{{"tool_calls", Json::array({callJson(*this, token(index), index == 0, true)})}}, "", nullptr);
    return choiceFrame(*this, Json{{"content", token(index)}}, token(index), nullptr);
}

std::string SimulatedText::finishFrame() const {
    return choiceFrame(*this, Json::object(), "", finishReason(*this));
}

std::string SimulatedText::usageFrame() const {
    Json chunk = envelope(*this, chunkObject(kind));
    chunk["choices"] = Json::array();
    chunk["usage"] = usageJson(*this);
    return frame(chunk);
}

dispatch::Usage SimulatedText::usage() const {
    dispatch::Usage usage;
    usage.inputTokens = inputTokens;
    if (kind != SimulatedKind::embedding) usage.outputTokens = outputTokens;
    return usage;
}

}  // namespace signalbox::upstream
