// SPDX-License-Identifier: MIT
#include "router/base/json_layout.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

namespace signalbox::detail {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

/// One pass over the text outside of its strings.
class LayoutScan {
public:
    explicit LayoutScan(std::string_view text) : m_text(text) {}

    JsonLayout run() {
        const std::size_t newline = m_text.find('\n');
        if (newline != std::string_view::npos && newline > 0 && m_text[newline - 1] == '\r') m_layout.newline = "\r\n";
        m_layout.ascii = std::all_of(m_text.begin(), m_text.end(), [](char c) { return static_cast<signed char>(c) >= 0; });
        for (std::size_t at = 0; at < m_text.size(); ++at) at = step(at);
        // A text without a line end in its outermost value stays on one line altogether.
        const bool oneLine = m_outerOpen == false;
        m_layout.openObjects = m_objects.value_or(!oneLine);
        m_layout.openArrays = m_arrays.value_or(!oneLine);
        if (m_colon) m_layout.colon = *m_colon;
        m_layout.comma = m_comma.value_or(m_colon == ":" ? "," : ", ");
        if (m_unit && !m_unit->empty()) m_layout.unit = *m_unit;
        return m_layout;
    }

private:
    std::size_t step(std::size_t at) {
        switch (m_text[at]) {
        case '"': return endOfString(at);
        case '{': case '[': open(at); break;
        case '}': case ']': --m_depth; break;
        case ':': noteColon(at); break;
        case ',': noteComma(at); break;
        default: break;
        }
        return at;
    }

    std::size_t endOfString(std::size_t at) const {
        for (++at; at < m_text.size() && m_text[at] != '"'; ++at)
            if (m_text[at] == '\\') ++at;
        return at;
    }

    [[nodiscard]] std::string_view spaceBehind(std::size_t at) const {
        const std::size_t end = std::min(m_text.find_first_not_of(kSpace, at + 1), m_text.size());
        return m_text.substr(at + 1, end - at - 1);
    }

    void open(std::size_t at) {
        const std::string_view space = spaceBehind(at);
        const std::size_t next = at + 1 + space.size();
        const char first = next < m_text.size() ? m_text[next] : '\0';
        const int depth = m_depth++;
        if (first == '}' || first == ']') return;
        const std::size_t line = space.rfind('\n');
        const bool several = line != std::string_view::npos;
        if (depth == 0) m_outerOpen = several;
        if (depth == 0 && several) m_unit = std::string(space.substr(line + 1));
        if (m_text[at] == '{' && depth > 0 && !m_objects) m_objects = several;
        if (m_text[at] == '[' && first != '{' && first != '[' && !m_arrays) m_arrays = several;
    }

    void noteColon(std::size_t at) {
        if (m_colon) return;
        const std::size_t before = m_text.find_last_not_of(kSpace, at - 1) + 1;
        const std::string text(m_text.substr(before, at + 1 + spaceBehind(at).size() - before));
        if (text.find('\n') == std::string::npos) m_colon = text;
    }

    void noteComma(std::size_t at) {
        const std::string_view space = spaceBehind(at);
        if (!m_comma && space.find('\n') == std::string_view::npos) m_comma = "," + std::string(space);
    }

    std::string_view m_text;
    JsonLayout m_layout;
    int m_depth = 0;
    std::optional<bool> m_outerOpen;
    std::optional<bool> m_objects;
    std::optional<bool> m_arrays;
    std::optional<std::string> m_colon;
    std::optional<std::string> m_comma;
    std::optional<std::string> m_unit;
};

std::string scalar(const OrderedJson& value, const JsonLayout& layout) {
    return value.dump(-1, ' ', layout.ascii, OrderedJson::error_handler_t::replace);
}

}  // namespace

JsonLayout layoutOf(std::string_view text) { return LayoutScan(text).run(); }

std::string written(const OrderedJson& value, const JsonLayout& layout, const std::string& indent) {
    if (!value.is_structured() || value.empty()) return scalar(value, layout);
    const bool several = value.is_object() ? layout.openObjects : layout.openArrays;
    const std::string inner = indent + layout.unit;
    std::string out(1, value.is_object() ? '{' : '[');
    bool first = true;
    for (const auto& [key, item] : value.items()) {
        if (!first) out += several ? "," : layout.comma;
        first = false;
        if (several) out += layout.newline + inner;
        if (value.is_object()) out += scalar(key, layout) + layout.colon;
        out += written(item, layout, inner);
    }
    if (several) out += layout.newline + indent;
    return out + (value.is_object() ? '}' : ']');
}

}  // namespace signalbox::detail
