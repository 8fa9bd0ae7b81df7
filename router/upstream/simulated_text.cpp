// SPDX-License-Identifier: MIT
#include "router/upstream/simulated_text.h"

#include "router/base/random.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <simdjson.h>

namespace signalbox::upstream {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::uint32_t kMaxInputs = 2048;
constexpr std::uint32_t kMaxDimensions = 4096;

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

const char* finishReason(bool capped) { return capped ? "length" : "stop"; }

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
    Json data = Json::array();
    for (std::uint32_t input = 0; input < text.options.inputs; ++input) {
        Json vector = Json::array();
        for (std::uint32_t i = 0; i < text.options.dimensions; ++i)
            vector.push_back(static_cast<double>(mixed(text.seed + input, i) % 2001) / 1000.0 - 1.0);
        data.push_back({{"object", "embedding"}, {"index", input}, {"embedding", std::move(vector)}});
    }
    Json answer{{"object", "list"}, {"data", std::move(data)}, {"model", text.model}, {"simulated", true}};
    answer["usage"] = usageJson(text);
    return answer.dump();
}

namespace od = simdjson::ondemand;

std::optional<std::uint32_t> smallNumber(od::value& value) {
    std::uint64_t number = 0;
    if (value.get_uint64().get(number) || number > UINT32_MAX) return std::nullopt;
    return static_cast<std::uint32_t>(number);
}

void readOption(std::string_view key, od::value& value, SimulatedOptions& options) {
    if (key == "max_tokens" || key == "max_completion_tokens") {
        if (const auto limit = smallNumber(value)) options.maxTokens = limit;
    } else if (key == "dimensions") {
        options.dimensions = std::clamp(smallNumber(value).value_or(options.dimensions), 1U, kMaxDimensions);
    } else if (key == "input" && value.type().value() == od::json_type::array) {
        std::uint32_t texts = 0;
        for (auto entry : value.get_array()) {
            od::value element = entry.value();
            if (element.type().value() != od::json_type::number) ++texts;  // numbers are one tokenised text
        }
        options.inputs = std::clamp(texts, 1U, kMaxInputs);
    }
}

}  // namespace

SimulatedKind simulatedKindOf(std::string_view path) {
    if (path.ends_with("/embeddings")) return SimulatedKind::embedding;
    return path.ends_with("/chat/completions") ? SimulatedKind::chat : SimulatedKind::completion;
}

SimulatedOptions readSimulatedOptions(std::string body) {
    SimulatedOptions options;
    body.reserve(body.size() + simdjson::SIMDJSON_PADDING);
    od::parser parser;
    try {
        od::document document = parser.iterate(body.data(), body.size(), body.capacity()).value();
        od::object object = document.get_object().value();
        for (auto field : object) {
            const std::string_view key = field.unescaped_key().value();
            od::value value = field.value().value();
            readOption(key, value, options);
        }
    } catch (const simdjson::simdjson_error&) {
        return {};  // the edge judged the body; the simulation answers whatever came
    }
    return options;
}

std::string SimulatedText::token(std::uint32_t index) const {
    const std::string_view word =
        index < kLabel.size() ? kLabel[index] : kWords[(index - kLabel.size() + mixed(seed, 0)) % kWords.size()];
    return index == 0 ? std::string(word) : " " + std::string(word);
}

std::string SimulatedText::whole() const {
    if (kind == SimulatedKind::embedding) return wholeEmbedding(*this);
    std::string said;
    for (std::uint32_t i = 0; i < outputTokens; ++i) said += token(i);
    Json choice{{"index", 0}};
    if (kind == SimulatedKind::chat) choice["message"] = Json{{"role", "assistant"}, {"content", said}};
    else choice["text"] = said;
    choice["finish_reason"] = finishReason(capped);
    Json answer = envelope(*this, kind == SimulatedKind::chat ? "chat.completion" : "text_completion");
    answer["choices"] = Json::array({std::move(choice)});
    answer["usage"] = usageJson(*this);
    return answer.dump();
}

std::string SimulatedText::roleFrame() const {
    return choiceFrame(*this, Json{{"role", "assistant"}, {"content", ""}}, "", nullptr);
}

std::string SimulatedText::tokenFrame(std::uint32_t index) const {
    return choiceFrame(*this, Json{{"content", token(index)}}, token(index), nullptr);
}

std::string SimulatedText::finishFrame() const {
    return choiceFrame(*this, Json::object(), "", finishReason(capped));
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
