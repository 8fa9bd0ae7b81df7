// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/base/json_reader.h"
#include "router/classify/dialect.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::upstream::translate {

/// Ends a translation; caught where it began. Thrown inside this folder only.
struct Refused {
    Error error;
};

/// A body, read once.
struct ReadText {
    std::string_view text;
    detail::JsonTree tree;
};

/// One value of a body that is being translated: what it says, the bytes it stands in, and its place for errors.
/// Lives as long as the `ReadText`. What is read as another type than it has throws Refused with that place.
class Value {
public:
    explicit Value(const ReadText& text) : Value(text, text.tree.root, 0, {}) {}

    [[nodiscard]] bool isText() const { return m_json->is_string(); }
    [[nodiscard]] bool isObject() const { return m_json->is_object(); }
    [[nodiscard]] bool isArray() const { return m_json->is_array(); }
    /// The elements; of what is no array: refused.
    [[nodiscard]] std::vector<Value> items() const;
    /// The members that are not null, in their order; of what is no object: refused.
    struct Member;
    [[nodiscard]] std::vector<Member> members() const;
    /// Nullopt when absent or null.
    [[nodiscard]] std::optional<Value> member(std::string_view key) const;
    /// Whether it stands there, if only as null; of what is no object: refused.
    [[nodiscard]] bool has(std::string_view key) const;
    /// Like `member`, and refused when absent.
    [[nodiscard]] Value required(std::string_view key) const;

    [[nodiscard]] const std::string& text() const;
    [[nodiscard]] bool flag() const;
    [[nodiscard]] double number() const;
    /// Refused unless it is a whole number of at least 1.
    [[nodiscard]] std::uint64_t count() const;
    [[nodiscard]] const Value& asObject() const;
    [[nodiscard]] bool empty() const { return m_json->empty(); }
    /// As it stands in the body.
    [[nodiscard]] std::string_view bytes() const;
    /// As it was read, to look around in without a place: what is asked of a schema, for example.
    [[nodiscard]] const OrderedJson& json() const { return *m_json; }
    /// Where all of the body stands, and its own node there, for the same.
    [[nodiscard]] const std::vector<detail::JsonNode>& nodes() const { return m_text->tree.nodes; }
    [[nodiscard]] std::size_t node() const { return m_node; }

    [[noreturn]] void refuse(std::string message, std::string hint = {}) const;
    /// Refuses what the other protocol has no words for.
    [[noreturn]] void peculiar(classify::Peculiarity what) const { hasNoWords(classify::saidOf(what)); }
    /// The same of what `said` names.
    [[noreturn]] void hasNoWords(std::string_view said) const;

private:
    Value(const ReadText& text, const OrderedJson& json, std::size_t node, std::string pointer)
        : m_text(&text), m_json(&json), m_node(node), m_pointer(std::move(pointer)) {}
    [[noreturn]] void wrongType(std::string_view wanted) const;

    const ReadText* m_text;
    const OrderedJson* m_json;
    std::size_t m_node;
    std::string m_pointer;
};

struct Value::Member {
    std::string_view key;
    Value value;
};

/// Reads a whole body (strictly: no duplicate keys, no lone surrogates). Throws Refused.
[[nodiscard]] ReadText readText(std::string_view text);

/// JSON bytes that `written` puts out as they are, wherever they stand in the tree.
[[nodiscard]] OrderedJson verbatim(std::string_view bytes);
[[nodiscard]] inline OrderedJson verbatim(const Value& value) { return verbatim(value.bytes()); }
/// Of a text, with its quotes; anything else is refused.
[[nodiscard]] OrderedJson sameText(const Value& value);
[[nodiscard]] OrderedJson sameNumber(const Value& value);
[[nodiscard]] std::string written(const OrderedJson& value);

/// Whether nothing would be left if it were said: Anthropic refuses texts of white space (F28).
[[nodiscard]] bool isBlank(std::string_view text);

}  // namespace signalbox::upstream::translate
