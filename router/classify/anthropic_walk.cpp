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

// Kinds of blocks by where they may stand in the other protocol. Texts may stand everywhere.
constexpr unsigned kImageBlock = 1, kCallBlock = 2, kResultBlock = 4, kThoughtBlock = 8, kOtherBlock = 16;

/// Kinds of blocks that translation takes from a message of that role; of one that is no role it takes nothing anyway.
unsigned carriedKinds(std::string_view role) {
    if (role == "user") return kImageBlock | kResultBlock;
    if (role == "assistant") return kCallBlock | kThoughtBlock;
    return role == "system" ? 0U : ~0U;
}

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
        case Key::system:
            if (content(value, 1) != 0) add(Peculiarity::otherParts);
            return;
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
            if (countChecked(value, 1) > 0) add(Peculiarity::mcpServers);
            return;
        case Key::container: addUnlessNull(Peculiarity::container); break;
        case Key::contextManagement:
            if (token == "null") break;
            if (!clearsThinkingOnly(value)) add(Peculiarity::contextManagement);
            return;
        case Key::topK: addUnlessNull(Peculiarity::topK); break;
        case Key::maxTokens: m_facts.maxTokens = integerIn(token); break;
        case Key::stream: noteStream(token); break;
        default: noteUnlessKnown(Dialect::anthropic, key, name, value); break;
    }
    check(value, 1);
}

void AnthropicWalk::messages(Value value) {
    if (!isArray(value)) return check(value, 1);
    for (auto one : value.get_array()) message(std::move(one).take_value());
}

void AnthropicWalk::message(Value value) {
    if (!isObject(value)) return check(value, 2);
    BlockKinds kinds = 0, carried = ~0U;
    for (auto result : value.get_object()) {
        ondemand::field field = std::move(result).take_value();
        const std::string_view key = field.unescaped_key();
        Value item = field.value();
        if (key == "content") kinds |= content(item, 3);
        else if (key == "role" && isString(item)) carried = carriedKinds(item.get_string());
        else check(item, 3);
    }
    if ((kinds & ~carried) != 0) add(Peculiarity::otherParts);
}

/// Text, or blocks; also of the system prompt and of a tool's result. One block alone is what a server's tool fetched.
AnthropicWalk::BlockKinds AnthropicWalk::content(Value value, unsigned depth) {
    BlockKinds kinds = 0;
    if (isString(value)) {
        m_facts.textBytes += lengthOf(value);
    } else if (isObject(value) && depth <= kMaxBlockDepth) {
        kinds = block(value, depth + 1);
    } else if (isArray(value) && depth <= kMaxBlockDepth) {
        for (auto one : value.get_array()) kinds |= block(std::move(one).take_value(), depth + 1);
    } else {
        check(value, depth);
    }
    return kinds;
}

AnthropicWalk::BlockKinds AnthropicWalk::block(Value value, unsigned depth) {
    BlockKinds kinds = 0, inside = 0;
    if (!isObject(value)) {
        check(value, depth);
        return kinds;
    }
    for (auto result : value.get_object()) {
        ondemand::field field = std::move(result).take_value();
        const std::string_view key = field.unescaped_key();
        Value item = field.value();
        if (key == "text" && isString(item)) m_facts.textBytes += lengthOf(item);
        else if (key == "type" && isString(item)) kinds |= noteBlockType(item.get_string());
        else if (key == "content") inside |= content(item, depth + 1);
        else if (key == "source") source(item, depth + 1);
        else if (key == "citations") citations(item, depth + 1);
        else check(item, depth + 1);
    }
    // Of other blocks translation reads no content.
    const bool isResult = (kinds & kResultBlock) != 0;
    return isResult && (inside & ~kImageBlock) != 0 ? kinds | kOtherBlock : kinds;
}

AnthropicWalk::BlockKinds AnthropicWalk::noteBlockType(std::string_view type) {
    if (type == "text") return 0;
    if (type == "tool_use") return kCallBlock;
    if (type == "tool_result") return kResultBlock;
    if (type == "thinking" || type == "redacted_thinking") return kThoughtBlock;
    if (type == "image") {
        m_facts.vision = true;
        return kImageBlock;
    }
    const bool isDocument = type == "document" || type == "search_result";
    if (!isDocument && !isServersBlock(type)) return kOtherBlock;
    add(isDocument ? Peculiarity::documents : Peculiarity::serverTools);  // wherever it stands
    return 0;
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
            if (tokenOf(item) != "null") add(Peculiarity::otherFields, std::string("output_config.").append(key));
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
