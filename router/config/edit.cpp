// SPDX-License-Identifier: MIT
#include "router/config/edit.h"

#include "router/base/text.h"
#include "router/config/edit_parts.h"

#include <algorithm>

namespace signalbox::config {
namespace {

bool isUtf8(const Scalar& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return isValidUtf8(*text);
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value))
        return std::all_of(texts->begin(), texts->end(), [](const std::string& text) { return isValidUtf8(text); });
    return true;
}

Result<void> checkMembers(const Path& path, const Members& members) {
    for (const Member& member : members)
        if (!isValidUtf8(member.key) || !isUtf8(member.value))
            return fail(ErrorKind::badInput, "a value is not UTF-8", textOf(path), "Write it in plain text.");
    return {};
}

bool holdsTables(const TomlValue& value) {
    return value.kind == TomlValue::Kind::table ||
           std::any_of(value.elements.begin(), value.elements.end(),
                       [](const TomlValue& element) { return element.kind != TomlValue::Kind::scalar; });
}

/// One step of making a list of texts another one: elements that stay keep their place and comments.
TextSplices towards(const TomlLayout& layout, const TomlValue& list, const std::vector<std::string>& wanted) {
    const auto& elements = list.elements;
    const auto same = [&](std::size_t element, std::size_t text) {
        return saysTheSame(layout.at(elements[element].range), Scalar(wanted[text]));
    };
    const std::size_t least = std::min(elements.size(), wanted.size());
    std::size_t front = 0;
    while (front < least && same(front, front)) ++front;
    std::size_t back = 0;
    while (back < least - front && same(elements.size() - 1 - back, wanted.size() - 1 - back)) ++back;
    TextSplices out;
    for (std::size_t i = front; i + back < least; ++i)
        if (!same(i, i)) out.push_back({elements[i].range, writtenValue(wanted[i])});
    if (!out.empty()) return out;
    const std::size_t at = least - back;
    if (elements.size() > wanted.size()) return removeItem(layout, list, at);
    if (elements.size() < wanted.size()) return insertItem(layout, list, at, writtenValue(wanted[at]));
    return {};
}

Splices setExisting(const TomlLayout& layout, const Path& path, const TomlValue& old, const Scalar& value) {
    if (holdsTables(old)) return wrongKind(path, "no single value");
    if (saysTheSame(layout.at(old.range), value)) return TextSplices();
    const auto* texts = std::get_if<std::vector<std::string>>(&value);
    if (texts != nullptr && old.kind == TomlValue::Kind::array) return towards(layout, old, *texts);
    return TextSplices{{old.range, writtenValue(value)}};
}

Splices valueSplices(const TomlLayout& layout, const Path& path, const SplitPath& split, const Scalar& value) {
    const TomlPlace place = find(layout, path);
    if (place.blocked) return wrongKind(path, "below a value that is no table");
    if (place.value != nullptr) return setExisting(layout, path, *place.value, value);
    if (place.exists()) return wrongKind(path, "a table");
    const TomlPlace parent = find(layout, split.parent);
    if (parent.exists())
        return addMember(layout, split.parent, parent, writtenKey(split.key), writtenValue(value));
    return createTable(layout, split.parent, {{split.key, value}}, false);
}

}  // namespace

Result<std::string> setValue(std::string_view text, const Path& path, const Scalar& value) {
    const auto split = splitPath(path);
    if (!split) return tl::unexpected(split.error());
    if (!isUtf8(value)) return fail(ErrorKind::badInput, "the value is not UTF-8", textOf(path), "Write it in plain text.");
    // A list changes element by element; each step brings it nearer.
    std::string now(text);
    while (true) {
        auto next = edited(now, [&](const TomlLayout& layout) { return valueSplices(layout, path, *split, value); });
        if (!next || *next == now) return next;
        now = std::move(*next);
    }
}

Result<std::string> removeValue(std::string_view text, const Path& path) {
    if (const auto split = splitPath(path); !split) return tl::unexpected(split.error());
    return edited(text, [&](const TomlLayout& layout) -> Splices {
        const TomlPlace place = find(layout, path);
        if (place.member) return removeMember(layout, *place.member);
        if (place.exists()) return wrongKind(path, "a table of several lines");
        return TextSplices();
    });
}

Result<std::string> addTable(std::string_view text, const Path& path, const Members& members) {
    if (const auto split = splitPath(path); !split) return tl::unexpected(split.error());
    if (auto good = checkMembers(path, members); !good) return tl::unexpected(std::move(good.error()));
    return edited(text, [&](const TomlLayout& layout) -> Splices {
        const TomlPlace place = find(layout, path);
        if (place.exists())
            return fail(ErrorKind::conflict, "the file already has " + textOf(path), textOf(path), "Choose another name.");
        if (place.blocked) return wrongKind(path, "below a value that is no table");
        return createTable(layout, path, members, false);
    });
}

Result<std::string> removeTable(std::string_view text, const Path& path) {
    if (const auto split = splitPath(path); !split) return tl::unexpected(split.error());
    bool found = false;
    std::string now(text);
    while (true) {
        auto next = edited(now, [&](const TomlLayout& layout) -> Splices {
            const TomlPlace place = find(layout, path);
            if (!place.exists()) return found ? Splices(TextSplices()) : Splices(nothingAt(path));
            if (!place.isTable(path.size())) return wrongKind(path, "no table");
            found = true;
            if (place.member) return removeMember(layout, *place.member);
            if (!place.below.empty()) return removePieces(layout, piecesOf(layout, path));
            return removeMember(layout, place.dotted.back());
        });
        if (!next || *next == now) return next;
        now = std::move(*next);
    }
}

Result<std::string> renameTable(std::string_view text, const Path& path, std::string_view newKey) {
    const auto split = splitPath(path);
    if (!split) return tl::unexpected(split.error());
    if (!isValidUtf8(newKey)) return fail(ErrorKind::badInput, "the key is not UTF-8", textOf(path), "Write it in plain text.");
    return edited(text, [&](const TomlLayout& layout) -> Splices {
        const TomlPlace place = find(layout, path);
        if (!place.exists()) return nothingAt(path);
        if (split->key == newKey) return TextSplices();
        Path renamed = split->parent;
        renamed.emplace_back(std::string(newKey));
        if (find(layout, renamed).exists())
            return fail(ErrorKind::conflict, "the file already has " + textOf(renamed), textOf(renamed), "Choose another name.");
        std::vector<ByteRange> keys;
        const std::size_t ordinal = keyCount(path) - 1;
        for (const TomlBlock* block : place.below) keys.push_back(block->keys[ordinal].range);
        const auto inAssignment = [&](const TomlMember& member) {
            keys.push_back(member.assignment().keys[ordinal - keyCount(member.scope.path)].range);
        };
        if (place.member) inAssignment(*place.member);
        for (const TomlMember& member : place.dotted) inAssignment(member);
        TextSplices out;
        for (const ByteRange& key : keys) {
            const char first = layout.text[key.begin];
            out.push_back({key, writtenKey(newKey, first == '"' || first == '\'')});
        }
        return out;
    });
}

Result<std::string> insertElement(std::string_view text, const Path& array, std::size_t index, const Members& members) {
    if (const auto split = splitPath(array); !split) return tl::unexpected(split.error());
    if (auto good = checkMembers(array, members); !good) return tl::unexpected(std::move(good.error()));
    return edited(text, [&](const TomlLayout& layout) -> Splices {
        const TomlPlace place = find(layout, array);
        Path element = array;
        element.emplace_back(index);
        if (place.blocked) return wrongKind(array, "below a value that is no table");
        if (!place.exists() && index > 0) return nothingAt(element);
        if (!place.exists()) return createTable(layout, array, members, true);
        if (place.value != nullptr) {
            if (place.value->kind != TomlValue::Kind::array || !(place.value->elements.empty() || holdsTables(*place.value)))
                return wrongKind(array, "no list of tables");
            if (index > place.value->elements.size()) return nothingAt(element);
            return insertItem(layout, *place.value, index, writtenTable(members));
        }
        if (!place.isHeaderArray(array.size())) return wrongKind(array, "no list of tables");
        const std::string header = headerFor(layout, array, true);
        if (index > place.headerElements(array.size())) return nothingAt(element);
        if (index == place.headerElements(array.size())) return blockBehind(layout, *place.below.back(), header, members);
        return blockBefore(layout, *find(layout, element).below.front(), header, members);
    });
}

Result<std::string> removeElement(std::string_view text, const Path& array, std::size_t index) {
    Path element = array;
    element.emplace_back(index);
    return edited(text, [&](const TomlLayout& layout) -> Splices {
        const TomlPlace place = find(layout, element);
        if (!place.exists()) return nothingAt(element);
        if (place.inlineArray != nullptr) return removeItem(layout, *place.inlineArray, index);
        return removePieces(layout, piecesOf(layout, element));
    });
}

}  // namespace signalbox::config
