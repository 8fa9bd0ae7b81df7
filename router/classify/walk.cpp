// SPDX-License-Identifier: MIT
#include "router/classify/walk.h"

#include "router/classify/hints.h"
#include "router/classify/tokens.h"

#include <algorithm>
#include <array>
#include <limits>

namespace signalbox::classify {

namespace ondemand = simdjson::ondemand;

namespace {

constexpr unsigned kMaxDepth = 256;
/// A token id in a prompt is one token, and the estimate takes four bytes for one.
constexpr std::uint64_t kBytesPerToken = 4;

constexpr std::array<std::string_view, 13> kKeys{
    "model", "messages", "prompt", "input", "tools", "tool_choice", "response_format", "max_tokens",
    "max_completion_tokens", "stream", "stream_options", "metadata", "parallel_tool_calls"};

Key keyNamed(std::string_view name) {
    return static_cast<Key>(std::find(kKeys.begin(), kKeys.end(), name) - kKeys.begin());
}

std::string_view tokenOf(Walk::Value& value) {
    std::string_view token = value.raw_json_token();
    token.remove_suffix(token.size() - 1 - token.find_last_not_of(" \t\r\n"));
    return token;
}

bool isArray(Walk::Value& value) { return value.type() == ondemand::json_type::array; }
bool isObject(Walk::Value& value) { return value.type() == ondemand::json_type::object; }
bool isString(Walk::Value& value) { return value.type() == ondemand::json_type::string; }

// A non-negative JSON integer; anything else is as good as absent (choice T3).
std::optional<std::uint64_t> integerIn(std::string_view token) { return token == "-0" ? 0 : parseDigits(token); }

/// Bytes that a string stands for; counting checks its escapes. The string is consumed, since simdjson would take one
/// that is not, and has a colon behind it, for a key and skip what follows unchecked.
std::size_t lengthOf(Walk::Value& value) {
    const std::size_t length = decodedLength(tokenOf(value));
    static_cast<void>(value.get_raw_json_string().value());
    return length;
}

std::optional<std::string> textIn(Walk::Value& value) {
    if (!isString(value)) return std::nullopt;
    return std::string(std::string_view(value.get_string()));
}

}  // namespace

void Walk::run() {
    ondemand::object object = m_document.get_object();
    std::uint32_t seen = 0;
    for (auto result : object) {
        ondemand::field field = std::move(result).take_value();
        const std::size_t keyBegin = offset(field.key().raw()) - 1;
        const Key key = keyNamed(field.unescaped_key());
        Value value = field.value();
        const std::string_view token = tokenOf(value);
        const std::size_t begin = offset(token.data());
        if (key != Key::other) {
            const std::uint32_t bit = 1U << static_cast<unsigned>(key);
            if ((seen & bit) != 0) throw DuplicateKey{kKeys[static_cast<std::size_t>(key)], keyBegin};
            seen |= bit;
        }
        m_members.push_back({key, false, {keyBegin, begin + token.size()}});
        visit(key, value);
        if (token.front() == '{' || token.front() == '[') m_members.back().range.end = lastEnd();
        note(key, keyBegin, {begin, m_members.back().range.end});
    }
    m_facts.map.objectEnd = lastEnd() - 1;
    if (m_document.current_location().error() == simdjson::SUCCESS)
        throw BodyProblem{m_document.current_location().value(), "goes on after its end"};
}

// The end of the container that has just been walked: before the blanks that precede the next token.
std::size_t Walk::lastEnd() {
    const char* at = m_text + m_length;
    if (const auto location = m_document.current_location(); location.error() == simdjson::SUCCESS)
        at = location.value_unsafe();
    while (at != m_text && (at[-1] == ' ' || at[-1] == '\t' || at[-1] == '\r' || at[-1] == '\n')) --at;
    return offset(at);
}

void Walk::visit(Key key, Value value) {
    const std::string_view token = tokenOf(value);
    switch (key) {
        case Key::model:
            if (auto text = textIn(value)) m_facts.model = std::move(*text);
            else check(value, 1);
            return;
        case Key::messages: return messages(value);
        case Key::prompt:
        case Key::input: return prompt(value, 1);
        case Key::tools: return tools(value);
        case Key::responseFormat: return responseFormat(value);
        case Key::streamOptions: return streamOptions(value);
        case Key::metadata: return metadata(value);
        case Key::maxTokens: m_facts.maxTokens = integerIn(token); break;
        case Key::maxCompletionTokens: m_facts.maxCompletionTokens = integerIn(token); break;
        case Key::stream: m_facts.stream = token == "true"; break;
        case Key::parallelToolCalls: m_facts.parallelTools = token == "true"; break;
        case Key::toolChoice:
        case Key::other: break;
    }
    check(value, 1);
}

// Where things stand, for splicing.
void Walk::note(Key key, std::size_t keyBegin, BodyMap::Range value) {
    BodyMap& map = m_facts.map;
    switch (key) {
        case Key::model: map.modelValue = value; return;
        case Key::metadata:
            map.metadataMember = BodyMap::Range{keyBegin, value.end};
            map.metadataValue = value;
            m_members.back().cut = m_metadataIsOurs;
            return;
        case Key::tools:
            if (m_toolsIsEmpty) map.emptyToolsMember = BodyMap::Range{keyBegin, value.end};
            return;
        case Key::toolChoice: map.toolChoiceMember = BodyMap::Range{keyBegin, value.end}; return;
        case Key::maxTokens: map.maxTokensKey = keyRange(keyBegin); return;
        case Key::maxCompletionTokens: map.maxCompletionTokensKey = keyRange(keyBegin); return;
        case Key::streamOptions: map.streamOptionsValue = value; return;
        case Key::messages:
        case Key::prompt:
        case Key::input:
        case Key::responseFormat:
        case Key::stream:
        case Key::parallelToolCalls:
        case Key::other: return;
    }
}

BodyMap::Range Walk::keyRange(std::size_t keyBegin) const {
    std::size_t end = keyBegin + 1;
    while (m_text[end] != '"') end += m_text[end] == '\\' ? 2 : 1;
    return {keyBegin, end + 1};
}

void Walk::messages(Value value) {
    if (!isArray(value)) return check(value, 1);
    for (auto message : value.get_array()) {
        Value item = std::move(message).take_value();
        if (!isObject(item)) {
            check(item, 2);
            continue;
        }
        for (auto result : item.get_object()) {
            ondemand::field field = std::move(result).take_value();
            const bool isContent = std::string_view(field.unescaped_key()) == "content";
            if (isContent) content(field.value());
            else check(field.value(), 3);
        }
    }
}

void Walk::content(Value value) {
    if (isString(value)) {
        m_facts.textBytes += lengthOf(value);
        return;
    }
    if (!isArray(value)) return check(value, 3);
    for (auto part : value.get_array()) contentPart(std::move(part).take_value());
}

void Walk::contentPart(Value value) {
    if (isString(value)) {
        m_facts.textBytes += lengthOf(value);
        return;
    }
    if (!isObject(value)) return check(value, 4);
    for (auto result : value.get_object()) {
        ondemand::field field = std::move(result).take_value();
        const std::string_view key = field.unescaped_key();
        Value item = field.value();
        if (key == "text" && isString(item)) {
            m_facts.textBytes += lengthOf(item);
        } else if (key == "type" && isString(item)) {
            const std::string_view type = item.get_string();
            m_facts.vision = m_facts.vision || type == "image_url" || type == "input_image" || type == "image";
        } else {
            check(item, 5);
        }
    }
}

void Walk::prompt(Value value, unsigned depth) {
    if (depth > kMaxDepth) throw BodyProblem{tokenOf(value).data(), "is nested too deeply"};
    if (isString(value)) {
        m_facts.textBytes += lengthOf(value);
    } else if (isArray(value)) {
        for (auto item : value.get_array()) prompt(std::move(item).take_value(), depth + 1);
    } else {
        if (depth > 1 && integerIn(tokenOf(value))) m_facts.textBytes += kBytesPerToken;
        check(value, depth);
    }
}

void Walk::tools(Value value) {
    if (!isArray(value)) return check(value, 1);
    for (auto tool : value.get_array()) {
        ++m_facts.tools;
        check(std::move(tool).take_value(), 2);
    }
    m_toolsIsEmpty = m_facts.tools == 0;
}

void Walk::responseFormat(Value value) {
    m_facts.hasResponseFormat = value.type() != ondemand::json_type::null;
    if (!isObject(value)) return check(value, 1);
    for (auto result : value.get_object()) {
        ondemand::field field = std::move(result).take_value();
        const bool isType = std::string_view(field.unescaped_key()) == "type";
        Value item = field.value();
        if (isType && isString(item)) {
            const std::string_view type = item.get_string();
            m_facts.structuredOutput = type == "json_object" || type == "json_schema";
        } else {
            check(item, 2);
        }
    }
}

void Walk::streamOptions(Value value) {
    if (!isObject(value)) return check(value, 1);
    for (auto result : value.get_object()) {
        ondemand::field field = std::move(result).take_value();
        const bool isUsage = std::string_view(field.unescaped_key()) == "include_usage";
        Value item = field.value();
        const std::string_view token = tokenOf(item);
        check(item, 2);
        if (!isUsage) continue;
        const bool container = token.front() == '{' || token.front() == '[';
        m_facts.includeUsage = token == "true";
        m_facts.map.includeUsageValue =
            BodyMap::Range{offset(token.data()), container ? lastEnd() : offset(token.data()) + token.size()};
    }
}

// Our three keys are consumed whatever their values are; only text (and a number of tokens) is a hint.
void Walk::metadata(Value value) {
    if (!isObject(value)) return check(value, 1);
    const std::size_t first = m_members.size();
    for (auto result : value.get_object()) {
        ondemand::field field = std::move(result).take_value();
        const std::size_t keyBegin = offset(field.key().raw()) - 1;
        std::optional<std::string>* hint = hintNamed(field.unescaped_key());
        Value item = field.value();
        const std::string_view token = tokenOf(item);
        if (hint == nullptr) check(item, 2);
        else if (isString(item)) *hint = textIn(item);
        else takeOtherHint(*hint, item);
        const bool container = token.front() == '{' || token.front() == '[';
        m_members.push_back({Key::other, hint != nullptr,
                             {keyBegin, container ? lastEnd() : offset(token.data()) + token.size()}});
    }
    const auto begin = m_members.begin() + static_cast<std::ptrdiff_t>(first);
    const auto ours = std::count_if(begin, m_members.end(), [](const Member& m) { return m.cut; });
    m_metadataIsOurs = ours > 0 && ours == m_members.end() - begin;
    if (!m_metadataIsOurs) appendCuts(std::span(m_members).subspan(first), m_facts.map.cuts);
    m_members.resize(first);
}

void Walk::takeOtherHint(std::optional<std::string>& hint, Value value) {
    const std::string_view token = tokenOf(value);
    const bool countsTokens = &hint == &m_facts.metadataHints.inputTokens;
    hint.reset();
    if (countsTokens && integerIn(token)) hint = std::string(token);
    check(value, 2);
}

std::optional<std::string>* Walk::hintNamed(std::string_view key) {
    CallerHints& hints = m_facts.metadataHints;
    if (key == "expected_length") return &hints.expectedLength;
    if (key == "category") return &hints.category;
    if (key == "input_tokens") return &hints.inputTokens;
    return nullptr;
}

void Walk::check(Value value, unsigned depth) {
    if (depth > kMaxDepth) throw BodyProblem{tokenOf(value).data(), "is nested too deeply"};
    switch (value.type()) {
        case ondemand::json_type::array:
            for (auto item : value.get_array()) check(std::move(item).take_value(), depth + 1);
            return;
        case ondemand::json_type::object:
            for (auto result : value.get_object()) {
                ondemand::field field = std::move(result).take_value();
                if (const auto error = field.unescaped_key().error()) throw simdjson::simdjson_error(error);
                check(field.value(), depth + 1);
            }
            return;
        case ondemand::json_type::string:
            static_cast<void>(lengthOf(value));
            return;
        case ondemand::json_type::number:
        case ondemand::json_type::boolean:
        case ondemand::json_type::null: checkLiteral(tokenOf(value)); return;
    }
}

void appendCuts(std::span<const Walk::Member> members, std::vector<BodyMap::Range>& cuts) {
    bool keptBefore = false;
    for (std::size_t i = 0; i < members.size(); ++i) {
        const Walk::Member& member = members[i];
        if (!member.cut) {
            keptBefore = true;
        } else if (keptBefore) {  // with the comma before it
            cuts.push_back({members[i - 1].range.end, member.range.end});
        } else {  // with the comma after it
            cuts.push_back({member.range.begin, i + 1 < members.size() ? members[i + 1].range.begin : member.range.end});
        }
    }
}

}  // namespace signalbox::classify
