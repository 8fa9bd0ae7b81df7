// SPDX-License-Identifier: MIT
#include "router/config/toml_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <toml++/toml.h>

namespace signalbox::config {
namespace {

bool isBare(std::string_view key) {
    const auto bare = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    };
    return !key.empty() && std::all_of(key.begin(), key.end(), bare);
}

std::string escaped(char c) {
    switch (c) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: break;
    }
    static constexpr std::string_view kDigits = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) return {c};
    return std::string("\\u00") + kDigits[byte >> 4U] + kDigits[byte & 0xfU];
}

std::string quotedText(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) out += escaped(c);
    return out + '"';
}

/// The shortest text that reads back as this number, and as no integer.
std::string writtenNumber(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    std::array<char, 64> buffer{};
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    std::string out(buffer.data(), end);
    return out.find_first_of(".e") == std::string::npos ? out + ".0" : out;
}

struct ValueWriter {
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return writtenNumber(value); }
    std::string operator()(const std::string& value) const { return quotedText(value); }
    std::string operator()(const std::vector<std::string>& values) const {
        std::string out = "[";
        for (const std::string& value : values) out += (out.size() > 1 ? ", " : "") + quotedText(value);
        return out + "]";
    }
};

struct Comparison {
    const toml::node& node;
    bool operator()(bool value) const { return node.is_boolean() && node.as_boolean()->get() == value; }
    bool operator()(std::int64_t value) const { return node.is_integer() && node.as_integer()->get() == value; }
    bool operator()(double value) const { return node.is_number() && node.value<double>() == value; }
    bool operator()(const std::string& value) const { return node.is_string() && node.as_string()->get() == value; }
    bool operator()(const std::vector<std::string>& values) const {
        const toml::array* array = node.as_array();
        if (array == nullptr || array->size() != values.size()) return false;
        for (std::size_t i = 0; i < values.size(); ++i)
            if (!Comparison{*array->get(i)}(values[i])) return false;
        return true;
    }
};

/// Calls `use` with the value that the text stands for.
template <class Use>
auto withNode(std::string_view written, const Use& use) {
    const toml::table table = toml::parse("v = " + std::string(written));
    return use(*table.get("v"));
}

}  // namespace

std::string applied(std::string_view text, TextSplices splices) {
    std::stable_sort(splices.begin(), splices.end(),
                     [](const TextSplice& a, const TextSplice& b) { return a.range.begin < b.range.begin; });
    std::string out;
    std::size_t at = 0;
    for (const TextSplice& splice : splices) {
        out += text.substr(at, splice.range.begin - at);
        out += splice.text;
        at = splice.range.end;
    }
    return out.append(text.substr(at));
}

std::string writtenKey(std::string_view key, bool quoted) {
    return isBare(key) && !quoted ? std::string(key) : quotedText(key);
}

std::string writtenValue(const Scalar& value) { return std::visit(ValueWriter{}, value); }

std::string writtenTable(const Members& members) {
    if (members.empty()) return "{}";
    std::string out;
    for (const Member& member : members)
        out += (out.empty() ? "{ " : ", ") + writtenKey(member.key) + " = " + writtenValue(member.value);
    return out + " }";
}

bool saysTheSame(std::string_view written, const Scalar& value) {
    return withNode(written, [&](const toml::node& node) { return std::visit(Comparison{node}, value); });
}

std::optional<std::string> asText(std::string_view written) {
    return withNode(written, [](const toml::node& node) {
        return node.is_string() ? std::optional(node.as_string()->get()) : std::nullopt;
    });
}

}  // namespace signalbox::config
