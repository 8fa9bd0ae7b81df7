// SPDX-License-Identifier: MIT
#include "router/base/json_document.h"

#include "router/base/json_reader.h"
#include "router/base/text.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <simdjson.h>
#include <vector>

namespace signalbox {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::vector<std::size_t> lineStarts(std::string_view text, std::size_t first) {
    std::vector<std::size_t> starts{first};
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
        starts.push_back(at + 1);
    return starts;
}

TextPosition positionIn(std::string_view text, const std::vector<std::size_t>& starts, std::size_t byte) {
    byte = std::clamp(byte, starts.front(), text.size());
    const auto line = std::prev(std::upper_bound(starts.begin(), starts.end(), byte));
    const auto codePoints = std::count_if(text.begin() + static_cast<std::ptrdiff_t>(*line),
                                          text.begin() + static_cast<std::ptrdiff_t>(byte),
                                          [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
    return {static_cast<std::uint32_t>(line - starts.begin() + 1), static_cast<std::uint32_t>(codePoints + 1)};
}

Finding tooLarge(std::size_t size, std::size_t limit) {
    return {Severity::error, "document_too_large", "", {},
            "the document has " + std::to_string(size) + " bytes, the limit is " + std::to_string(limit),
            "Check that it is the right file."};
}

Finding notUtf8(std::string_view text, std::size_t first) {
    const std::size_t byte = validUtf8Prefix(text);
    const bool utf16 = text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
    return {Severity::error, "not_utf8", "", positionIn(text, lineStarts(text, first), byte),
            "byte " + std::to_string(byte) + " is not UTF-8",
            utf16 ? "The file is UTF-16; save it as UTF-8." : "Save the file as UTF-8."};
}

/// The reference tokens of a JSON pointer, unescaped; nullopt if it is not one.
std::optional<std::vector<std::string>> pointerTokens(std::string_view pointer) {
    std::vector<std::string> tokens;
    if (pointer.empty()) return tokens;
    if (pointer.front() != '/') return std::nullopt;
    for (std::size_t i = 0; i < pointer.size(); ++i) {
        const char c = pointer[i];
        if (c == '/') {
            tokens.emplace_back();
        } else if (c == '~') {
            const char next = i + 1 < pointer.size() ? pointer[++i] : '\0';
            if (next != '0' && next != '1') return std::nullopt;
            tokens.back() += next == '0' ? '~' : '/';
        } else {
            tokens.back() += c;
        }
    }
    return tokens;
}

/// Which child of `value` the token names.
std::optional<std::size_t> childIndex(const OrderedJson& value, const std::string& token) {
    if (value.is_object()) {
        const auto& members = value.get_ref<const OrderedJson::object_t&>();
        const auto it = std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.first == token; });
        if (it == members.end()) return std::nullopt;
        return static_cast<std::size_t>(it - members.begin());
    }
    if (!value.is_array() || token.empty() || (token.size() > 1 && token.front() == '0')) return std::nullopt;
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
    if (error != std::errc{} || end != token.data() + token.size() || index >= value.size()) return std::nullopt;
    return index;
}

const OrderedJson& childAt(const OrderedJson& value, std::size_t index) {
    if (value.is_array()) return value[index];
    const OrderedJson::object_t::Container& members = value.get_ref<const OrderedJson::object_t&>();
    return members[index].second;
}

}  // namespace

struct JsonDocument::Content {
    std::string text;
    bool byteOrderMark = false;
    detail::JsonTree tree;
    std::vector<std::size_t> lines;

    /// The node at `pointer`, or of its nearest existing parent; the flag says which of the two.
    [[nodiscard]] std::pair<std::size_t, bool> find(std::string_view pointer) const {
        const auto tokens = pointerTokens(pointer);
        if (!tokens) return {0, false};
        const OrderedJson* value = &tree.root;
        std::size_t node = 0;
        for (const std::string& token : *tokens) {
            const auto index = childIndex(*value, token);
            if (!index) return {node, false};
            ++node;
            for (std::size_t i = 0; i < *index; ++i) node = tree.nodes[node].next;
            value = &childAt(*value, *index);
        }
        return {node, true};
    }
};

tl::expected<JsonDocument, Finding> JsonDocument::parse(std::string text, const JsonLimits& limits) {
    if (text.size() > limits.maxBytes) return tl::unexpected(tooLarge(text.size(), limits.maxBytes));
    const bool marked = text.starts_with(kByteOrderMark);
    const std::size_t first = marked ? kByteOrderMark.size() : 0;
    if (!simdjson::validate_utf8(text)) return tl::unexpected(notUtf8(text, first));
    auto tree = detail::readJson(text, first, limits.maxDepth);
    if (!tree) {
        auto& fault = tree.error();
        const TextPosition at = positionIn(text, lineStarts(text, first), fault.byte);
        return tl::unexpected(Finding{Severity::error, std::move(fault.code), std::move(fault.pointer), at,
                                      std::move(fault.message), std::move(fault.hint)});
    }
    auto content = std::make_shared<Content>();
    content->lines = lineStarts(text, first);
    content->text = std::move(text);
    content->byteOrderMark = marked;
    content->tree = std::move(*tree);
    JsonDocument document;
    document.m_content = std::move(content);
    return document;
}

const OrderedJson& JsonDocument::root() const { return m_content->tree.root; }
const std::string& JsonDocument::text() const { return m_content->text; }
bool JsonDocument::hadByteOrderMark() const { return m_content->byteOrderMark; }

std::optional<ByteRange> JsonDocument::rangeOf(std::string_view pointer) const {
    const auto [node, exact] = m_content->find(pointer);
    if (!exact) return std::nullopt;
    return m_content->tree.nodes[node].range;
}

TextPosition JsonDocument::positionOf(std::string_view pointer) const {
    return positionAt(m_content->tree.nodes[m_content->find(pointer).first].range.begin);
}

TextPosition JsonDocument::positionAt(std::size_t byte) const {
    return positionIn(m_content->text, m_content->lines, byte);
}

Result<std::string> JsonDocument::withValue(std::string_view pointer, const OrderedJson& value) const {
    const auto range = rangeOf(pointer);
    if (!range) return fail(ErrorKind::notFound, "the document has no such value", std::string(pointer));
    const std::string& text = m_content->text;
    // A value of several lines is indented like the line on which it starts.
    const std::size_t line = m_content->lines[positionAt(range->begin).line - 1];
    const std::size_t content = text.find_first_not_of(" \t", line);
    const std::string indent = text.substr(line, content - line);
    std::string written = value.dump(2, ' ', true, OrderedJson::error_handler_t::replace);
    for (std::size_t at = written.find('\n'); at != std::string::npos; at = written.find('\n', at + 1))
        written.insert(at + 1, indent);
    return text.substr(0, range->begin) + written + text.substr(range->end);
}

}  // namespace signalbox
