// SPDX-License-Identifier: MIT
#include "router/base/json_edit.h"

#include "router/base/json_layout.h"
#include "router/base/json_reader.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

namespace signalbox {
namespace {

/// An object or array of the text, with the places of what it holds.
struct Container {
    ByteRange range;
    const OrderedJson* value = nullptr;
    /// From the key, of an object, or from the value, of an array.
    std::vector<ByteRange> children;

    /// The first child begins a line of its own.
    [[nodiscard]] bool isOpen(std::string_view text) const {
        return !children.empty() &&
               text.substr(range.begin, children.front().begin - range.begin).find('\n') != std::string_view::npos;
    }
};

const OrderedJson* valueAt(const JsonDocument& document, std::string_view pointer) {
    if (!document.rangeOf(pointer)) return nullptr;
    return &document.root().at(OrderedJson::json_pointer(std::string(pointer)));
}

std::vector<ByteRange> childrenOf(const JsonDocument& document, std::string_view pointer, const Container& container) {
    std::vector<ByteRange> out;
    std::size_t before = container.range.begin + 1;
    std::size_t index = 0;
    for (const auto& [key, item] : container.value->items()) {
        const std::string token =
            container.value->is_object() ? detail::pointerToken(key) : std::to_string(index++);
        ByteRange range = *document.rangeOf(std::string(pointer) + "/" + token);
        // Between two members stand only a comma and space.
        const std::size_t end = range.end;
        if (container.value->is_object()) range.begin = document.text().find('"', before);
        out.push_back(range);
        before = end;
    }
    return out;
}

Result<Container> containerAt(const JsonDocument& document, std::string_view pointer, bool object) {
    Container out;
    out.value = valueAt(document, pointer);
    if (out.value == nullptr) return fail(ErrorKind::notFound, "the document has no such value", std::string(pointer));
    if (object ? !out.value->is_object() : !out.value->is_array())
        return fail(ErrorKind::badInput, object ? "the value is no object" : "the value is no list", std::string(pointer));
    out.range = *document.rangeOf(pointer);
    out.children = childrenOf(document, pointer, out);
    return out;
}

Result<Container> elementsAt(const JsonDocument& document, std::string_view array, std::size_t index, std::size_t extra) {
    auto out = containerAt(document, array, false);
    if (out && index >= out->children.size() + extra)
        return fail(ErrorKind::notFound,
                    "the list has " + std::to_string(out->children.size()) + " elements and none at " +
                        std::to_string(index),
                    std::string(array));
    return out;
}

/// The spaces in front of what begins the line of `at`.
std::string indentOf(std::string_view text, std::size_t at) {
    const std::size_t newline = text.rfind('\n', at == 0 ? 0 : at - 1);
    const std::size_t line = newline == std::string_view::npos || newline >= at ? 0 : newline + 1;
    const std::size_t content = std::min(text.find_first_not_of(" \t", line), at);
    return std::string(text.substr(line, content - line));
}

/// An empty list or object inside of something that stands on one line.
bool isInline(std::string_view text, std::size_t at) {
    const std::size_t newline = text.substr(0, at).rfind('\n');
    const std::size_t line = newline == std::string_view::npos ? 0 : newline + 1;
    return text.substr(line, at - line).find_first_of("{[") != std::string_view::npos;
}

bool hasLines(std::string_view text, ByteRange range) {
    return text.substr(range.begin, range.end - range.begin).find('\n') != std::string_view::npos;
}

/// The layout of the document, corrected by what stands beside the new value.
detail::JsonLayout layoutBeside(const JsonDocument& document, const Container& container, std::size_t neighbour,
                                const OrderedJson& value) {
    detail::JsonLayout layout = detail::layoutOf(document.text());
    if (container.children.empty()) return layout;
    const bool open = container.isOpen(document.text());
    const bool several = hasLines(document.text(), container.children[neighbour]);
    if (!open && !several) layout.openObjects = layout.openArrays = false;
    else if (value.is_object() && container.value->is_array()) layout.openObjects = several;
    if (!layout.openObjects && value.is_object()) layout.openArrays = false;
    return layout;
}

/// Puts `child`, a value or a member as written, into the container.
std::string inserted(const JsonDocument& document, const Container& container, std::size_t index,
                     const detail::JsonLayout& layout, const std::function<std::string(const std::string&)>& child) {
    const std::string& text = document.text();
    if (container.children.empty()) {
        const std::string outer = indentOf(text, container.range.begin);
        const bool open = layout.openObjects && !isInline(text, container.range.begin);
        const std::string inner = outer + layout.unit;
        const std::string body = open ? layout.newline + inner + child(inner) + layout.newline + outer : child(outer);
        return text.substr(0, container.range.begin + 1) + body + text.substr(container.range.end - 1);
    }
    const bool open = container.isOpen(text);
    const std::string indent = indentOf(text, container.children.front().begin);
    const std::string separator = open ? "," + layout.newline + indent : layout.comma;
    if (index == container.children.size()) {
        const std::size_t at = container.children.back().end;
        return text.substr(0, at) + separator + child(indent) + text.substr(at);
    }
    const std::size_t at = container.children[index].begin;
    return text.substr(0, at) + child(indent) + separator + text.substr(at);
}

std::string removed(const std::string& text, const Container& container, std::size_t index) {
    const auto& children = container.children;
    ByteRange gone = children[index];
    if (children.size() == 1) gone = {container.range.begin + 1, container.range.end - 1};
    else if (index + 1 < children.size()) gone.end = children[index + 1].begin;
    else gone.begin = children[index - 1].end;
    return text.substr(0, gone.begin) + text.substr(gone.end);
}

std::optional<std::size_t> memberIndex(const Container& container, std::string_view key) {
    std::size_t index = 0;
    for (const auto& [name, value] : container.value->items()) {
        if (name == key) return index;
        ++index;
    }
    return std::nullopt;
}

std::string replaced(const JsonDocument& document, const Container& container, std::size_t index, ByteRange old,
                     const OrderedJson& value) {
    const std::string& text = document.text();
    detail::JsonLayout layout = layoutBeside(document, container, index, value);
    // What was a filled list or object keeps its lines.
    const bool filled = text[old.begin] == '[' || text[old.begin] == '{' ? old.end - old.begin > 2 : false;
    if (filled && value.is_array()) layout.openArrays = hasLines(text, old);
    if (filled && value.is_object()) layout.openObjects = hasLines(text, old);
    return text.substr(0, old.begin) + detail::written(value, layout, indentOf(text, old.begin)) + text.substr(old.end);
}

}  // namespace

Result<std::string> insertElement(const JsonDocument& document, std::string_view array, std::size_t index,
                                  const OrderedJson& value) {
    const auto container = elementsAt(document, array, index, 1);
    if (!container) return tl::unexpected(container.error());
    const std::size_t neighbour = index == 0 ? 0 : index - 1;
    const auto layout = layoutBeside(document, *container, neighbour, value);
    return inserted(document, *container, index, layout,
                    [&](const std::string& indent) { return detail::written(value, layout, indent); });
}

Result<std::string> removeElement(const JsonDocument& document, std::string_view array, std::size_t index) {
    const auto container = elementsAt(document, array, index, 0);
    if (!container) return tl::unexpected(container.error());
    return removed(document.text(), *container, index);
}

Result<std::string> moveElement(const JsonDocument& document, std::string_view array, std::size_t from, std::size_t to) {
    const auto container = elementsAt(document, array, std::max(from, to), 0);
    if (!container) return tl::unexpected(container.error());
    const std::string& text = document.text();
    std::vector<std::size_t> order(container->children.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), from);
    // What stands between the elements stays where it is.
    std::string out = text.substr(0, container->children.front().begin);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const ByteRange& value = container->children[order[i]];
        out += text.substr(value.begin, value.end - value.begin);
        const std::size_t gap = container->children[i].end;
        if (i + 1 < order.size()) out += text.substr(gap, container->children[i + 1].begin - gap);
    }
    return out + text.substr(container->children.back().end);
}

Result<std::string> setMember(const JsonDocument& document, std::string_view object, std::string_view key,
                              const OrderedJson& value) {
    const auto container = containerAt(document, object, true);
    if (!container) return tl::unexpected(container.error());
    if (const auto index = memberIndex(*container, key)) {
        const ByteRange old = *document.rangeOf(std::string(object) + "/" + detail::pointerToken(key));
        return replaced(document, *container, *index, old, value);
    }
    const std::size_t last = container->children.empty() ? 0 : container->children.size() - 1;
    const auto layout = layoutBeside(document, *container, last, value);
    return inserted(document, *container, container->children.size(), layout, [&](const std::string& indent) {
        return detail::written(std::string(key), layout, indent) + layout.colon + detail::written(value, layout, indent);
    });
}

Result<std::string> removeMember(const JsonDocument& document, std::string_view object, std::string_view key) {
    const auto container = containerAt(document, object, true);
    if (!container) return tl::unexpected(container.error());
    const auto index = memberIndex(*container, key);
    if (!index) return fail(ErrorKind::notFound, "the object has no \"" + std::string(key) + "\"", std::string(object));
    return removed(document.text(), *container, *index);
}

}  // namespace signalbox
