// SPDX-License-Identifier: MIT
#include "router/classify/walk.h"

namespace signalbox::classify {

namespace ondemand = simdjson::ondemand;

namespace {

/// Results may hold blocks that hold results; nobody means it deeper than this, and the rest is only checked.
constexpr unsigned kMaxBlockDepth = 64;
/// OpenAI itself takes no more; of its protocol's other providers each has a limit of its own.
constexpr std::size_t kMaxOpenAiStops = 4;
/// Of edits of the context; a date follows.
constexpr std::string_view kClearThinking = "clear_thinking_";

bool isServersBlock(std::string_view type) {
    return type.starts_with("server_") || type.starts_with("mcp_") || type.starts_with("web_") ||
           type.find("code_execution") != std::string_view::npos || type == "container_upload";
}

/// Leave to think, which says nothing that another model could not be told by leaving it out. Others nobody knows.
bool isThinking(std::string_view type) { return type == "enabled" || type == "adaptive" || type == "disabled"; }

bool isEffort(std::string_view word) { return word == "low" || word == "medium" || word == "high" || word == "xhigh"; }

}  // namespace

void AnthropicWalk::visit(Key key, std::string_view name, Value value) {
    const std::string_view token = tokenOf(value);
    const auto addUnlessNull = [&](Peculiarity what) {
        if (token != "null") add(what);
    };
    switch (key) {
        case Key::model:
            if (auto text = textIn(value)) m_facts.model = std::move(*text);
            else check(value, 1);
            return;
        case Key::messages: return messages(value);
        case Key::system: return content(value, 1);
        case Key::tools:  // those that the client runs have no type, or the type "custom"
            return eachTool(value, [this](Value tool) {
                if (typeIs(tool, 2, [](std::string_view type) { return type != "custom"; })) add(Peculiarity::serverTools);
            });
        case Key::toolChoice: return toolChoice(value);
        case Key::metadata: return metadata(value);
        case Key::outputConfig: return outputConfig(value);
        case Key::outputFormat: return outputFormat(value, 1);
        case Key::thinking:
            if (typeIs(value, 1, [](std::string_view type) { return !isThinking(type); })) add(Peculiarity::thinking);
            return;
        case Key::stopSequences: return stopSequences(value);
        case Key::mcpServers:
            if (countChecked(value, 1) > 0) add(Peculiarity::serverTools);
            return;
        case Key::container: addUnlessNull(Peculiarity::serverTools); break;
        case Key::contextManagement:
            if (token == "null") break;
            if (!clearsThinkingOnly(value)) add(Peculiarity::contextManagement);
            return;
        case Key::topK: addUnlessNull(Peculiarity::topK); break;
        case Key::maxTokens: m_facts.maxTokens = integerIn(token); break;
        case Key::stream: m_facts.stream = token == "true"; break;
        default:
            if (token != "null" && !knowsField(Dialect::anthropic, key == Key::other ? name : nameOf(key)))
                add(Peculiarity::otherFields);
            break;
    }
    check(value, 1);
}

void AnthropicWalk::messages(Value value) {
    if (!isArray(value)) return check(value, 1);
    for (auto one : value.get_array()) {
        Value item = std::move(one).take_value();
        if (!isObject(item)) {
            check(item, 2);
            continue;
        }
        for (auto result : item.get_object()) {
            ondemand::field field = std::move(result).take_value();
            const bool isContent = std::string_view(field.unescaped_key()) == "content";
            if (isContent) content(field.value(), 3);
            else check(field.value(), 3);
        }
    }
}

/// Text, or blocks; also of the system prompt and of a tool's result. One block alone is what a server's tool fetched.
void AnthropicWalk::content(Value value, unsigned depth) {
    if (isString(value)) {
        m_facts.textBytes += lengthOf(value);
        return;
    }
    if (isObject(value) && depth <= kMaxBlockDepth) return block(value, depth + 1);
    if (!isArray(value) || depth > kMaxBlockDepth) return check(value, depth);
    for (auto one : value.get_array()) block(std::move(one).take_value(), depth + 1);
}

void AnthropicWalk::block(Value value, unsigned depth) {
    if (!isObject(value)) return check(value, depth);
    for (auto result : value.get_object()) {
        ondemand::field field = std::move(result).take_value();
        const std::string_view key = field.unescaped_key();
        Value item = field.value();
        if (key == "text" && isString(item)) m_facts.textBytes += lengthOf(item);
        else if (key == "type" && isString(item)) noteBlockType(item.get_string());
        else if (key == "content") content(item, depth + 1);
        else if (key == "source") source(item, depth + 1);
        else if (key == "citations") citations(item, depth + 1);
        else check(item, depth + 1);
    }
}

void AnthropicWalk::noteBlockType(std::string_view type) {
    if (type == "image") m_facts.vision = true;
    else if (type == "document" || type == "search_result") add(Peculiarity::documents);
    else if (isServersBlock(type)) add(Peculiarity::serverTools);
}

/// Of an image or a document: a file has its home at the upstream, and plain text is text.
void AnthropicWalk::source(Value value, unsigned depth) {
    if (!isObject(value)) return check(value, depth);
    std::uint64_t dataBytes = 0;
    bool isText = false;
    for (auto result : value.get_object()) {
        ondemand::field field = std::move(result).take_value();
        const std::string_view key = field.unescaped_key();
        Value item = field.value();
        if (key == "type" && isString(item)) {
            const std::string_view type = item.get_string();
            isText = type == "text";
            if (type == "file") add(Peculiarity::files);
        } else if (key == "data" && isString(item)) {
            dataBytes = lengthOf(item);
        } else if (key == "content") {
            content(item, depth + 1);
        } else {
            check(item, depth + 1);
        }
    }
    (isText ? m_facts.textBytes : m_facts.mediaBytes) += dataBytes;
}

void AnthropicWalk::citations(Value value, unsigned depth) {
    if (countChecked(value, depth) > 0) add(Peculiarity::citations);
}

/// Edits of that kind have nothing to do where no thinking is told. Reads the value whole.
bool AnthropicWalk::clearsThinkingOnly(Value value) {
    if (!isObject(value)) {
        check(value, 1);
        return false;
    }
    bool only = true, any = false;
    for (auto result : value.get_object()) {
        ondemand::field field = std::move(result).take_value();
        const bool isEdits = std::string_view(field.unescaped_key()) == "edits";
        Value item = field.value();
        if (!isEdits || !isArray(item)) {
            only = only && tokenOf(item) == "null";
            check(item, 2);
            continue;
        }
        for (auto one : item.get_array()) {
            any = true;
            only = typeIs(std::move(one).take_value(), 3, [](std::string_view type) { return type.starts_with(kClearThinking); }) && only;
        }
    }
    return only && any;
}

/// Only what is said counts, as in the other dialect: a choice that says nothing of it does not need parallel calls.
void AnthropicWalk::toolChoice(Value value) {
    if (!isObject(value)) return check(value, 1);
    for (auto result : value.get_object()) {
        ondemand::field field = std::move(result).take_value();
        const bool isSingle = std::string_view(field.unescaped_key()) == "disable_parallel_tool_use";
        Value item = field.value();
        if (isSingle) m_facts.parallelTools = tokenOf(item) == "false";
        check(item, 2);
    }
}

void AnthropicWalk::outputConfig(Value value) {
    if (!isObject(value)) return check(value, 1);
    for (auto result : value.get_object()) {
        ondemand::field field = std::move(result).take_value();
        const std::string_view key = field.unescaped_key();
        Value item = field.value();
        if (key == "format") {
            outputFormat(item, 2);
        } else if (key == "effort" && isString(item)) {
            if (!isEffort(item.get_string())) add(Peculiarity::effort);
        } else {
            if (tokenOf(item) != "null") add(Peculiarity::otherFields);
            check(item, 2);
        }
    }
}

void AnthropicWalk::outputFormat(Value value, unsigned depth) {
    if (value.type() != ondemand::json_type::null) m_facts.hasResponseFormat = true;
    if (typeIs(value, depth, [](std::string_view type) { return type == "json_schema"; })) m_facts.structuredOutput = true;
}

void AnthropicWalk::stopSequences(Value value) {
    const bool isList = isArray(value);
    const std::size_t count = countChecked(value, 1);
    if (count > kMaxOpenAiStops) add(Peculiarity::stopWords);
    if (isList) m_facts.stopSequences = static_cast<std::uint32_t>(count);
}

}  // namespace signalbox::classify
