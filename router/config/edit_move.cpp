// SPDX-License-Identifier: MIT
#include "router/config/edit.h"

#include "router/config/edit_parts.h"

#include <algorithm>
#include <numeric>

namespace signalbox::config {
namespace {

/// An element of `[[…]]`: one stretch of text as a rule, several where tables of others stand in between.
struct Element {
    std::vector<ByteRange> pieces;  ///< without the line end behind each
};

Element elementAt(const TomlLayout& layout, const Path& array, std::size_t index) {
    Path path = array;
    path.emplace_back(index);
    Element out{piecesOf(layout, path)};
    for (ByteRange& piece : out.pieces)
        piece.end = layout.text.find_last_not_of("\r\n", piece.end - 1) + 1;
    return out;
}

std::string textOf(const TomlLayout& layout, const Element& element) {
    std::string out;
    for (const ByteRange& piece : element.pieces)
        out += (out.empty() ? "" : layout.newline + layout.newline) + std::string(layout.at(piece));
    return out;
}

TextSplices moveBlocks(const TomlLayout& layout, const Path& array, std::size_t from, std::size_t to) {
    const std::size_t first = std::min(from, to);
    std::vector<Element> elements;
    for (std::size_t i = first; i <= std::max(from, to); ++i) elements.push_back(elementAt(layout, array, i));
    std::vector<std::size_t> order(elements.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(from - first));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to - first), from - first);
    // What stands between the elements stays where it is, so that the last one keeps its way to the end of the file.
    TextSplices out;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const auto& slot = elements[i].pieces;
        out.push_back({slot.front(), textOf(layout, elements[order[i]])});
        std::vector<ByteRange> rest(slot.begin() + 1, slot.end());
        for (ByteRange& piece : rest) piece.end = layout.lineEnd(piece.end);
        for (TextSplice& splice : removePieces(layout, rest)) out.push_back(std::move(splice));
    }
    return out;
}

}  // namespace

Result<std::string> moveElement(std::string_view text, const Path& array, std::size_t from, std::size_t to) {
    return edited(text, [&](const TomlLayout& layout) -> Splices {
        const TomlPlace place = find(layout, array);
        const bool isInline = place.value != nullptr && place.value->kind == TomlValue::Kind::array;
        const std::size_t count = isInline ? place.value->elements.size() : place.headerElements(array.size());
        if (std::max(from, to) >= count) {
            Path element = array;
            element.emplace_back(std::max(from, to));
            return nothingAt(element);
        }
        if (from == to) return TextSplices();
        return isInline ? moveItem(layout, *place.value, from, to) : moveBlocks(layout, array, from, to);
    });
}

}  // namespace signalbox::config
