// SPDX-License-Identifier: MIT
#include "router/upstream/simulated_request.h"

#include "router/upstream/json_value.h"
#include "router/upstream/simulated_value.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace signalbox::upstream {

namespace {

using DemandJson = nlohmann::ordered_json;

constexpr std::uint32_t kMaxInputs = 2048;
constexpr std::uint32_t kMaxDimensions = 4096;

/// The members that may demand something, as they stand in the body; read only when one of them does.
struct RawMembers {
    std::string_view toolChoice, tools, messages, responseFormat, outputConfig, outputFormat;
};

std::string_view rawOf(simdjson::ondemand::value& value) {
    if (value::isObject(value)) return value.get_object().value().raw_json().value();
    if (value::isArray(value)) return value.get_array().value().raw_json().value();
    const std::string_view token = value.raw_json_token();
    return token.substr(0, token.find_last_not_of(" \t\r\n") + 1);
}

std::optional<std::uint32_t> smallNumber(simdjson::ondemand::value& value) {
    const auto number = value::unsignedOf(value);
    if (!number || *number > UINT32_MAX) return std::nullopt;
    return static_cast<std::uint32_t>(*number);
}

/// Of what a text says, however it is written.
std::uint64_t hashOf(simdjson::ondemand::value& value) { return simulatedHash(value::isString(value) ? value::textOf(value) : std::string(rawOf(value))); }

std::vector<std::uint64_t> inputsOf(simdjson::ondemand::value& value) {
    if (!value::isArray(value)) return {hashOf(value)};
    std::vector<std::uint64_t> texts;
    std::uint64_t numbers = 0;  // they are one text, in tokens
    bool hasNumbers = false;
    for (auto entry : value.get_array()) {
        simdjson::ondemand::value element = entry.value();
        const bool isNumber = element.type().value() == simdjson::ondemand::json_type::number;
        const std::uint64_t hash = hashOf(element);
        if (isNumber) numbers = numbers * 0x100000001b3ULL + hash;
        else if (texts.size() < kMaxInputs) texts.push_back(hash);
        hasNumbers = hasNumbers || isNumber;
    }
    if (texts.empty()) texts.push_back(hasNumbers ? numbers : 0);
    return texts;
}

void readMember(std::string_view key, simdjson::ondemand::value& value, SimulatedOptions& options, RawMembers& raw) {
    if (key == "max_tokens" || key == "max_completion_tokens") {
        if (const auto limit = smallNumber(value)) options.maxTokens = limit;
    } else if (key == "dimensions") {
        options.dimensions = std::clamp(smallNumber(value).value_or(options.dimensions), 1U, kMaxDimensions);
    } else if (key == "encoding_format") {
        options.base64 = value::textOf(value) == "base64";
    } else if (key == "input") {
        options.inputs = inputsOf(value);
    } else if (key == "tool_choice") {
        raw.toolChoice = rawOf(value);
    } else if (key == "tools") {
        raw.tools = rawOf(value);
    } else if (key == "messages") {
        raw.messages = rawOf(value);
    } else if (key == "response_format") {
        raw.responseFormat = rawOf(value);
    } else if (key == "output_config") {
        raw.outputConfig = rawOf(value);
    } else if (key == "output_format") {
        raw.outputFormat = rawOf(value);
    }
}

DemandJson parsed(std::string_view raw) {
    return raw.empty() ? DemandJson() : DemandJson::parse(raw.begin(), raw.end(), nullptr, false);
}

/// A null where there is none, so that what has another shape than it should counts as absent.
const DemandJson& member(const DemandJson& of, const char* key) {
    static const DemandJson none;
    if (!of.is_object()) return none;
    const auto at = of.find(key);
    return at == of.end() ? none : *at;
}

std::string textIn(const DemandJson& of, const char* key) {
    const DemandJson& value = member(of, key);
    return value.is_string() ? value.get<std::string>() : std::string();
}

/// The part of an entry of `tools`, or of a choice, that holds the name: OpenAI's words wrap it.
const DemandJson& named(const DemandJson& tool) {
    for (const char* wrapper : {"function", "custom"})
        if (const DemandJson& inner = member(tool, wrapper); inner.is_object()) return inner;
    return tool;
}

struct Choice {
    bool isForced = false;
    std::string name;  ///< empty: any of them
};

Choice choiceOf(const DemandJson& choice) {
    if (choice.is_string()) return {choice == "required" || choice == "any", {}};
    const std::string type = textIn(choice, "type");
    if (type == "any") return {true, {}};
    if (type == "tool" || type == "function" || type == "custom") return {true, textIn(named(choice), "name")};
    if (type != "allowed_tools") return {};
    const DemandJson& allowed = member(choice, "allowed_tools");
    const DemandJson& some = member(allowed, "tools");
    if (textIn(allowed, "mode") != "required" || !some.is_array() || some.empty()) return {};
    return {true, textIn(named(some.front()), "name")};
}

/// A tool that the client itself runs; those of the upstream give no call to answer.
bool isClients(const DemandJson& tool) {
    const std::string type = textIn(tool, "type");
    return type.empty() || type == "function" || type == "custom";
}

std::optional<SimulatedDemand> callOf(const Choice& choice, const DemandJson& tools) {
    if (!choice.isForced || !tools.is_array()) return std::nullopt;
    for (const DemandJson& tool : tools) {
        const DemandJson& described = named(tool);
        const std::string name = textIn(described, "name");
        if (name.empty() || (choice.name.empty() ? !isClients(tool) : name != choice.name)) continue;
        if (member(tool, "custom").is_object()) return SimulatedDemand{name, true, "simulated"};
        const DemandJson& parameters = member(described, "parameters");
        const DemandJson value = plainValue(parameters.is_object() ? parameters : member(described, "input_schema"));
        return SimulatedDemand{name, false, value.is_object() ? value.dump() : "{}"};
    }
    return std::nullopt;
}

bool endsWithResult(const DemandJson& messages) {
    if (!messages.is_array() || messages.empty()) return false;
    const DemandJson& last = messages.back();
    const std::string role = textIn(last, "role");
    if (role == "tool" || role == "function") return true;
    const DemandJson& content = member(last, "content");
    return content.is_array() && std::any_of(content.begin(), content.end(), [](const DemandJson& block) { return textIn(block, "type") == "tool_result"; });
}

std::optional<SimulatedDemand> jsonOf(const RawMembers& raw) {
    const DemandJson format = parsed(raw.responseFormat);
    if (textIn(format, "type") == "json_object") return SimulatedDemand{{}, false, R"({"simulated":true})"};
    if (textIn(format, "type") == "json_schema") return SimulatedDemand{{}, false, plainValue(member(member(format, "json_schema"), "schema")).dump()};
    const DemandJson config = parsed(raw.outputConfig), old = parsed(raw.outputFormat);
    for (const DemandJson* one : {&member(config, "format"), &old})
        if (textIn(*one, "type") == "json_schema") return SimulatedDemand{{}, false, plainValue(member(*one, "schema")).dump()};
    return std::nullopt;
}

std::optional<SimulatedDemand> demandOf(const RawMembers& raw) {
    const Choice choice = choiceOf(parsed(raw.toolChoice));
    if (choice.isForced && !endsWithResult(parsed(raw.messages)))
        if (auto call = callOf(choice, parsed(raw.tools))) return call;
    return jsonOf(raw);
}

}  // namespace

SimulatedKind simulatedKindOf(std::string_view path) {
    if (path.ends_with("/embeddings")) return SimulatedKind::embedding;
    return path.ends_with("/chat/completions") ? SimulatedKind::chat : SimulatedKind::completion;
}

SimulatedOptions readSimulatedOptions(std::string body) {
    SimulatedOptions options;
    RawMembers raw;
    const bool whole = value::readDocument(body, [&](simdjson::ondemand::document& document) {
        value::forEachField(document.get_object().value(), [&](std::string_view key, simdjson::ondemand::value& value) { readMember(key, value, options, raw); });
    });
    if (!whole) return {};  // the edge judged the body; the simulation answers whatever came
    options.demand = demandOf(raw);
    return options;
}

std::uint64_t simulatedHash(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return hash;
}

}  // namespace signalbox::upstream
