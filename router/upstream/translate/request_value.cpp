// SPDX-License-Identifier: MIT
#include "router/upstream/translate/request_value.h"

#include "router/base/text.h"

#include <algorithm>
#include <cmath>

namespace signalbox::upstream::translate {

namespace {

/// The same depth as documents; deeper than any schema that a person wrote.
constexpr std::size_t kMaxDepth = 256;
/// Of a whole request: long conversations have some ten thousand.
constexpr std::size_t kMaxValues = 1'000'000;

std::string_view typeName(const OrderedJson& value) {
    switch (value.type()) {
    case OrderedJson::value_t::null: return "null";
    case OrderedJson::value_t::object: return "an object";
    case OrderedJson::value_t::array: return "a list";
    case OrderedJson::value_t::string: return "a text";
    case OrderedJson::value_t::boolean: return "true or false";
    default: return "a number";
    }
}

void appendJson(std::string& out, const OrderedJson& value) {
    if (value.is_binary()) {
        const auto& bytes = value.get_binary();
        out.append(bytes.begin(), bytes.end());
    } else if (value.is_array()) {
        char before = '[';
        for (const OrderedJson& item : value) {
            out += before;
            appendJson(out, item);
            before = ',';
        }
        out += value.empty() ? "[]" : "]";
    } else if (value.is_object()) {
        char before = '{';
        for (const auto& [key, member] : value.items()) {
            out += before;
            out += OrderedJson(key).dump();
            out += ':';
            appendJson(out, member);
            before = ',';
        }
        out += value.empty() ? "{}" : "}";
    } else {
        out += value.dump();
    }
}

}  // namespace

void Value::refuse(std::string message, std::string hint) const {
    throw Refused{{ErrorKind::badInput, std::move(message), m_pointer, std::move(hint)}};
}

void Value::hasNoWords(std::string_view said) const {
    refuse("the upstream's protocol has no words for this (" + std::string(said) + ")",
           "Leave it out, or ask for a model whose upstream speaks the protocol of this request.");
}

void Value::wrongType(std::string_view wanted) const {
    refuse("must be " + std::string(wanted) + ", not " + std::string(typeName(*m_json)), "Correct the value.");
}

std::vector<Value> Value::items() const {
    if (!isArray()) wrongType("a list");
    std::vector<Value> out;
    out.reserve(m_json->size());
    std::size_t node = m_node + 1;
    for (const OrderedJson& item : *m_json) {
        out.push_back(Value(*m_text, item, node, m_pointer + "/" + std::to_string(out.size())));
        node = m_text->tree.nodes[node].next;
    }
    return out;
}

std::vector<Value::Member> Value::members() const {
    std::vector<Member> out;
    std::size_t node = asObject().m_node + 1;
    for (const auto& [key, value] : m_json->get_ref<const OrderedJson::object_t&>()) {
        if (!value.is_null())
            out.push_back({key, Value(*m_text, value, node, m_pointer + "/" + detail::pointerToken(key))});
        node = m_text->tree.nodes[node].next;
    }
    return out;
}

std::optional<Value> Value::member(std::string_view key) const {
    std::size_t node = asObject().m_node + 1;
    for (const auto& [name, value] : m_json->get_ref<const OrderedJson::object_t&>()) {
        if (name == key) {
            if (value.is_null()) return std::nullopt;
            return Value(*m_text, value, node, m_pointer + "/" + detail::pointerToken(key));
        }
        node = m_text->tree.nodes[node].next;
    }
    return std::nullopt;
}

bool Value::has(std::string_view key) const {
    const auto& members = asObject().m_json->get_ref<const OrderedJson::object_t&>();
    return std::any_of(members.begin(), members.end(), [&](const auto& member) { return member.first == key; });
}

Value Value::required(std::string_view key) const {
    auto found = member(key);
    if (!found) refuse("has no " + std::string(key), "Add it.");
    return std::move(*found);
}

const std::string& Value::text() const {
    if (!isText()) wrongType("a text");
    return m_json->get_ref<const std::string&>();
}

bool Value::flag() const {
    if (!m_json->is_boolean()) wrongType("true or false");
    return m_json->get<bool>();
}

double Value::number() const {
    if (!m_json->is_number()) wrongType("a number");
    return m_json->get<double>();
}

std::uint64_t Value::count() const {
    const double value = number();
    if (!(value >= 1) || value != std::floor(value) || value > 9e15) refuse("must be a whole number of at least 1");
    return static_cast<std::uint64_t>(value);
}

const Value& Value::asObject() const {
    if (!isObject()) wrongType("an object");
    return *this;
}

std::string_view Value::bytes() const {
    const ByteRange& range = m_text->tree.nodes[m_node].range;
    return m_text->text.substr(range.begin, range.end - range.begin);
}

ReadText readText(std::string_view text) {
    if (const std::size_t good = validUtf8Prefix(text); good < text.size())
        throw Refused{{ErrorKind::badInput, "byte " + std::to_string(good) + " is not UTF-8", {}, "Send UTF-8."}};
    auto tree = detail::readJson(text, 0, kMaxDepth, kMaxValues);
    if (!tree) {
        detail::JsonFault& fault = tree.error();
        throw Refused{{ErrorKind::badInput, "byte " + std::to_string(fault.byte) + ": " + fault.message, fault.pointer, fault.hint}};
    }
    return {text, std::move(*tree)};
}

OrderedJson verbatim(std::string_view bytes) {
    return OrderedJson::binary(OrderedJson::binary_t::container_type(bytes.begin(), bytes.end()));
}

OrderedJson sameText(const Value& value) {
    (void)value.text();
    return verbatim(value);
}

OrderedJson sameNumber(const Value& value) {
    (void)value.number();
    return verbatim(value);
}

std::string written(const OrderedJson& value) {
    std::string out;
    appendJson(out, value);
    return out;
}

bool isBlank(std::string_view text) { return text.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos; }

}  // namespace signalbox::upstream::translate
