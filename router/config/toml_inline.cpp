// SPDX-License-Identifier: MIT
#include "router/config/toml_inline.h"

#include <algorithm>
#include <numeric>

namespace signalbox::config {
namespace {

constexpr std::string_view kAnySpace = " \t\r\n";

struct Item {
    ByteRange range;
    std::optional<std::size_t> comma;
    std::size_t lead = 0;  ///< begin of the comments on the lines directly above, else of the item
    ByteRange tail;        ///< the comment behind it on its line, with the spaces in front; else empty
    bool beginsLine = false;
    bool endsLine = false;

    /// Behind it and its comma.
    [[nodiscard]] std::size_t end() const { return comma ? *comma + 1 : range.end; }
};

class List {
public:
    List(const TomlLayout& layout, const TomlValue& list) : m_layout(layout), m_range(list.range) {
        for (const TomlValue& element : list.elements) items.push_back({element.range, element.comma});
        for (const TomlAssignment& member : list.members) items.push_back({member.range(), member.value.comma});
        for (std::size_t i = 0; i < items.size(); ++i) {
            findLead(items[i], i == 0 ? m_range.begin + 1 : items[i - 1].end());
            findTail(items[i]);
        }
    }

    std::vector<Item> items;

    [[nodiscard]] std::string_view text() const { return m_layout.text; }
    [[nodiscard]] ByteRange inside() const { return {m_range.begin + 1, m_range.end - 1}; }
    [[nodiscard]] bool isBlank(std::size_t begin, std::size_t end) const {
        return text().substr(begin, end - begin).find_first_not_of(kAnySpace) == std::string_view::npos;
    }

private:
    void findLead(Item& item, std::size_t least) const {
        item.lead = item.range.begin;
        std::size_t line = m_layout.lineBegin(item.range.begin);
        item.beginsLine = line >= least && isBlank(line, item.range.begin);
        while (item.beginsLine && line > least) {
            line = m_layout.lineBegin(line - 1);
            const std::size_t first = text().find_first_not_of(" \t", line);
            if (line < least || text()[first] != '#') break;
            item.lead = first;
        }
    }

    void findTail(Item& item) const {
        const std::size_t begin = item.end();
        const std::size_t first = std::min(text().find_first_not_of(" \t", begin), text().size());
        item.tail = {begin, begin};
        if (first < text().size() && text()[first] == '#')
            item.tail.end = text().find_last_not_of("\r\n", m_layout.lineEnd(first) - 1) + 1;
        item.endsLine = isBlank(item.tail.end, m_layout.lineEnd(item.tail.end)) && m_layout.lineEnd(item.tail.end) < m_range.end;
    }

    const TomlLayout& m_layout;
    ByteRange m_range;
};

TextSplices filled(const TomlLayout& layout, const TomlValue& value, const List& list, const std::string& text) {
    const ByteRange inside = list.inside();
    if (!list.isBlank(inside.begin, inside.end)) return {{{inside.begin, inside.begin}, text + " "}};
    return {{inside, layout.text[value.range.begin] == '{' ? " " + text + " " : text}};
}

/// Without the comma of the item before, where the removed one was the last and had none.
void dropCommaBefore(const List& list, std::size_t index, TextSplices& splices) {
    if (index == 0 || index + 1 < list.items.size() || list.items[index].comma) return;
    if (const auto comma = list.items[index - 1].comma) splices.push_back({{*comma, *comma + 1}, {}});
}

}  // namespace

TextSplices insertItem(const TomlLayout& layout, const TomlValue& value, std::size_t index, const std::string& text) {
    const List list(layout, value);
    if (list.items.empty()) return filled(layout, value, list, text);
    const bool open = list.items.front().beginsLine;
    const std::string lineBreak = layout.newline + std::string(layout.indentAt(list.items.front().range.begin));
    if (index < list.items.size()) {
        const std::size_t at = list.items[index].lead;
        const bool ownLine = open && list.items[index].beginsLine;
        return {{{at, at}, text + "," + (ownLine ? lineBreak : " ")}};
    }
    const Item& last = list.items.back();
    const std::size_t at = last.tail.end;
    // Behind a comment only a new line is free.
    const bool ownLine = open || last.tail.end > last.tail.begin;
    const std::string entry = (ownLine ? lineBreak : std::string(" ")) + text;
    if (last.comma) return {{{at, at}, ownLine ? entry + "," : entry}};
    return {{{last.range.end, last.range.end}, ","}, {{at, at}, entry}};
}

TextSplices removeItem(const TomlLayout& layout, const TomlValue& value, std::size_t index) {
    const List list(layout, value);
    const Item& item = list.items[index];
    TextSplices out;
    if (item.beginsLine && item.endsLine) {
        out.push_back({{layout.lineBegin(item.lead), layout.lineEnd(item.tail.end)}, {}});
        dropCommaBefore(list, index, out);
        return out;
    }
    const ByteRange inside = list.inside();
    if (list.items.size() == 1 && list.isBlank(inside.begin, item.range.begin) && list.isBlank(item.end(), inside.end))
        return {{inside, {}}};
    if (index + 1 < list.items.size()) {
        const std::size_t end = std::min(layout.text.find_first_not_of(" \t", item.end()), layout.text.size());
        return {{{item.range.begin, end}, {}}};
    }
    const std::size_t begin = layout.text.find_last_not_of(" \t", item.range.begin - 1) + 1;
    out.push_back({{begin, item.end()}, {}});
    dropCommaBefore(list, index, out);
    return out;
}

TextSplices moveItem(const TomlLayout& layout, const TomlValue& value, std::size_t from, std::size_t to) {
    const List list(layout, value);
    std::vector<std::size_t> order(list.items.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), from);
    // A comment behind an element can only go where nothing else follows on the line.
    const bool withTails = std::all_of(list.items.begin(), list.items.end(), [](const Item& item) { return item.endsLine; });
    TextSplices out;
    for (std::size_t i = std::min(from, to); i <= std::max(from, to); ++i) {
        const Item& slot = list.items[i];
        const Item& item = list.items[order[i]];
        out.push_back({{slot.lead, slot.range.end}, std::string(layout.at({item.lead, item.range.end}))});
        if (withTails) out.push_back({slot.tail, std::string(layout.at(item.tail))});
    }
    return out;
}

}  // namespace signalbox::config
