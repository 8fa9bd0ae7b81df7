// SPDX-License-Identifier: MIT
#include "router/classify/walk.h"

#include "router/classify/tokens.h"

#include <algorithm>
#include <array>

namespace signalbox::classify {

namespace ondemand = simdjson::ondemand;

namespace {

constexpr auto kKeys = std::to_array<std::string_view>({
    "model", "messages", "prompt", "input", "tools", "tool_choice", "response_format", "max_tokens",
    "max_completion_tokens", "stream", "stream_options", "metadata", "parallel_tool_calls",
    "n", "logprobs", "top_logprobs", "logit_bias", "frequency_penalty", "presence_penalty", "seed", "audio", "modalities",
    "prediction", "functions", "function_call", "web_search_options", "guided_json", "guided_regex", "guided_choice",
    "guided_grammar", "structured_outputs", "grammar", "json_schema", "temperature", "reasoning_effort", "stop",
    "system", "thinking", "top_k", "mcp_servers", "container", "context_management", "output_config", "output_format", "stop_sequences"});
static_assert(kKeys.size() == static_cast<std::size_t>(Key::other) && kKeys.size() <= 64);

Key keyNamed(std::string_view name) {
    return static_cast<Key>(std::find(kKeys.begin(), kKeys.end(), name) - kKeys.begin());
}

}  // namespace

std::string_view nameOf(Key key) { return key == Key::other ? std::string_view() : kKeys[static_cast<std::size_t>(key)]; }

void Walk::run() {
    ondemand::object object = m_document.get_object();
    std::uint64_t seen = 0;
    for (auto result : object) {
        ondemand::field field = std::move(result).take_value();
        const std::size_t keyBegin = offset(field.key().raw()) - 1;
        const std::string_view name = field.unescaped_key();
        const Key key = keyNamed(name);
        Value value = field.value();
        const std::string_view token = tokenOf(value);
        const std::size_t begin = offset(token.data());
        if (key != Key::other) {
            const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(key);
            if ((seen & bit) != 0) throw DuplicateKey{nameOf(key), keyBegin};
            seen |= bit;
        }
        m_members.push_back({key, false, {keyBegin, begin + token.size()}});
        visit(key, name, value);
        if (token.front() == '{' || token.front() == '[') m_members.back().range.end = lastEnd();
        note(key, keyBegin, {begin, m_members.back().range.end});
    }
    m_facts.map.objectEnd = lastEnd() - 1;
    if (m_document.current_location().error() == simdjson::SUCCESS)
        throw BodyProblem{m_document.current_location().value(), "goes on after its end"};
    conclude();
}

// The end of the container that has just been walked: before the blanks that precede the next token.
std::size_t Walk::lastEnd() {
    const char* at = m_text + m_length;
    if (const auto location = m_document.current_location(); location.error() == simdjson::SUCCESS)
        at = location.value_unsafe();
    while (at != m_text && (at[-1] == ' ' || at[-1] == '\t' || at[-1] == '\r' || at[-1] == '\n')) --at;
    return offset(at);
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
        default: return;  // the others are never touched
    }
}

BodyMap::Range Walk::keyRange(std::size_t keyBegin) const {
    std::size_t end = keyBegin + 1;
    while (m_text[end] != '"') end += m_text[end] == '\\' ? 2 : 1;
    return {keyBegin, end + 1};
}

// What is a hint is consumed; another value under one of our three keys is the client's own.
void Walk::metadata(Value value) {
    if (!isObject(value)) return check(value, 1);
    const std::size_t first = m_members.size();
    for (auto result : value.get_object()) {
        ondemand::field field = std::move(result).take_value();
        const std::size_t keyBegin = offset(field.key().raw()) - 1;
        std::optional<std::string>* hint = hintNamed(field.unescaped_key());
        Value item = field.value();
        const std::string_view token = tokenOf(item);
        const bool isOurs = hint != nullptr && takeHint(*hint, item);
        if (hint == nullptr) check(item, 2);
        const bool container = token.front() == '{' || token.front() == '[';
        m_members.push_back({Key::other, isOurs, {keyBegin, container ? lastEnd() : offset(token.data()) + token.size()}});
    }
    const auto begin = m_members.begin() + static_cast<std::ptrdiff_t>(first);
    const auto ours = std::count_if(begin, m_members.end(), [](const Member& m) { return m.cut; });
    m_metadataIsOurs = ours > 0 && ours == m_members.end() - begin;
    if (!m_metadataIsOurs) appendCuts(std::span(m_members).subspan(first), m_facts.map.cuts);
    m_members.resize(first);
}

/// True when it is one: text, or a number of tokens. Reads the value whole; the last of a name counts, be it none.
bool Walk::takeHint(std::optional<std::string>& hint, Value value) {
    hint = textIn(value);
    if (hint) return true;
    const std::string_view token = tokenOf(value);
    const bool countsTokens = &hint == &m_facts.metadataHints.inputTokens && integerIn(token);
    if (countsTokens) hint = std::string(token);
    check(value, 2);
    return countsTokens;
}

std::optional<std::string>* Walk::hintNamed(std::string_view key) {
    CallerHints& hints = m_facts.metadataHints;
    if (key == "expected_length") return &hints.expectedLength;
    if (key == "category") return &hints.category;
    if (key == "input_tokens") return &hints.inputTokens;
    return nullptr;
}

void Walk::check(Value value, unsigned depth) { checkValue(value, depth); }

void Walk::noteStream(std::string_view token) {
    m_facts.stream = token == "true";
    m_facts.streamUnclear = token != "true" && token != "false" && token != "null";
}

void Walk::noteUnlessKnown(Dialect dialect, Key key, std::string_view name, Value value) {
    const std::string_view member = key == Key::other ? name : nameOf(key);
    if (tokenOf(value) != "null" && !knowsField(dialect, member)) add(Peculiarity::otherFields, member);
}

std::size_t Walk::countChecked(Value value, unsigned depth) {
    std::size_t count = 0;
    if (isArray(value)) {
        for (auto item : value.get_array()) {
            ++count;
            check(std::move(item).take_value(), depth + 1);
        }
    } else if (isObject(value)) {
        for (auto result : value.get_object()) {
            ++count;
            ondemand::field field = std::move(result).take_value();
            if (const auto error = field.unescaped_key().error()) throw simdjson::simdjson_error(error);
            check(field.value(), depth + 1);
        }
    } else {
        check(value, depth);
    }
    return count;
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
