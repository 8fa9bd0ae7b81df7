// SPDX-License-Identifier: MIT
#include "router/config/edit_parts.h"

#include "router/base/text.h"
#include "router/config/syntax.h"

#include <algorithm>

namespace signalbox::config {
namespace {

std::string place(TextPosition at) { return std::to_string(at.line) + ":" + std::to_string(at.column); }

/// The last place where a file without final newline may still be cut so that it has none afterwards either.
std::size_t withoutLineEnd(const TomlLayout& layout, std::size_t at) {
    if (at > 0 && layout.text[at - 1] == '\n') --at;
    if (at > 0 && layout.text[at - 1] == '\r') --at;
    return at;
}

/// Lines that go in at the begin of a line, or at the end of a text that has no final newline.
TextSplice insertedLines(const TomlLayout& layout, std::size_t at, std::string lines) {
    const bool unfinished = at == layout.text.size() && at > 0 && layout.lineBegin(at) != at;
    if (unfinished) {
        lines.resize(lines.size() - layout.newline.size());
        lines.insert(0, layout.newline);
    }
    return {{at, at}, std::move(lines)};
}

/// ` = `, or as the assignment nearest above writes it.
std::string equalsSign(const TomlLayout& layout, const TomlBlock& block) {
    for (const TomlBlock* each = &block; each >= layout.blocks.data(); --each) {
        if (each->assignments.empty()) continue;
        const TomlAssignment& last = each->assignments.back();
        const ByteRange between{last.keys.back().range.end, last.value.range.begin};
        return layout.at(between) == "=" ? "=" : " = ";
    }
    return " = ";
}

std::string assignmentIndent(const TomlLayout& layout, const TomlBlock& block) {
    if (!block.assignments.empty()) return std::string(layout.indentAt(block.assignments.back().range().begin));
    return block.keys.empty() ? std::string() : std::string(layout.indentAt(block.headerBegin));
}

std::string blockLines(const TomlLayout& layout, const TomlBlock& model, const std::string& header, const Members& members) {
    const std::string indent = model.keys.empty() ? std::string() : std::string(layout.indentAt(model.headerBegin));
    std::string out = indent + header + layout.newline;
    for (const Member& member : members)
        out += (model.keys.empty() ? std::string() : assignmentIndent(layout, model)) + writtenKey(member.key) +
               equalsSign(layout, model) + writtenValue(member.value) + layout.newline;
    return out;
}

/// Tables of this text have a blank line between them. The first one of a text tells nothing.
bool hasBlankLines(const TomlLayout& layout, const TomlBlock& beside) {
    return layout.isBlankLineAbove(beside.range.begin) || beside.keys.empty() ||
           &beside == layout.blocks.data() + 1;
}

Splices addLine(const TomlLayout& layout, const TomlBlock& block, const std::string& assigned) {
    if (!block.assignments.empty()) {
        const std::size_t end = layout.lineEnd(block.assignments.back().value.range.end);
        return TextSplices{insertedLines(layout, end, assigned)};
    }
    const bool root = block.keys.empty();
    if (!root) return TextSplices{insertedLines(layout, block.headerEnd, assigned)};
    // In front of the first header, with the comments that introduce the file left above.
    if (layout.blocks.size() > 1)
        return TextSplices{insertedLines(layout, layout.blocks[1].range.begin, assigned + layout.newline)};
    return TextSplices{insertedLines(layout, layout.text.size(), assigned)};
}

/// `a.b.` in front of the new key, as the dotted assignment beside it spells it.
std::string prefixOf(const TomlLayout& layout, const TomlMember& beside, const Path& table) {
    const auto& keys = beside.assignment().keys;
    const std::size_t count = keyCount(table) - keyCount(beside.scope.path);
    return std::string(layout.at({keys.front().range.begin, keys[count - 1].range.end})) + ".";
}

Splices addDotted(const TomlLayout& layout, const Path& table, const TomlMember& beside, const std::string& key,
                  const std::string& value) {
    const std::string dotted = prefixOf(layout, beside, table) + key;
    if (beside.scope.inlineTable != nullptr)
        return insertItem(layout, *beside.scope.inlineTable, beside.index + 1, dotted + " = " + value);
    const TomlAssignment& above = beside.assignment();
    const std::string line = std::string(layout.indentAt(above.range().begin)) + dotted +
                             equalsSign(layout, *beside.scope.block) + value + layout.newline;
    return TextSplices{insertedLines(layout, layout.lineEnd(above.value.range.end), line)};
}

/// Of the members of a table that does not exist: `{ a = { b = 1 } }` from the step `from` of the path on.
std::string nested(const Path& path, std::size_t from, const Members& members, bool asElement) {
    std::string out = asElement ? "[" + writtenTable(members) + "]" : writtenTable(members);
    for (std::size_t i = path.size(); i-- > from;)
        out = "{ " + writtenKey(std::get<std::string>(path[i])) + " = " + out + " }";
    return out;
}

std::string spelled(const TomlLayout& layout, const Path& path, std::size_t step) {
    const Path parent(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(step));
    const std::size_t ordinal = keyCount(parent);
    const auto& name = std::get<std::string>(path[step]);
    bool quoted = false;
    for (const TomlBlock& block : layout.blocks) {
        if (block.path.size() <= step || !hasPrefix(block.path, parent)) continue;
        const std::string_view written = layout.at(block.keys[ordinal].range);
        if (block.keys[ordinal].name == name) return std::string(written);
        quoted = written.front() == '"';
    }
    return writtenKey(name, quoted);
}

}  // namespace

Result<std::string> edited(std::string_view text, const std::function<Splices(const TomlLayout&)>& change) {
    if (const auto parsed = parseToml(text); !parsed) {
        const Finding& finding = parsed.error();
        return fail(ErrorKind::badInput, finding.message, place(finding.position), finding.hint);
    }
    const TomlLayout layout = layoutOf(text);
    auto splices = change(layout);
    if (!splices) return tl::unexpected(std::move(splices.error()));
    std::string out = applied(text, std::move(*splices));
    if (const auto parsed = parseToml(out); !parsed) {
        const Finding& finding = parsed.error();
        return fail(ErrorKind::badInput, "the change cannot be written into this file: " + finding.message,
                    place(finding.position), "Change the file by hand there.");
    }
    return out;
}

tl::unexpected<Error> nothingAt(const Path& path) {
    return fail(ErrorKind::notFound, "the file has nothing there", textOf(path), "Look at the file as it is now.");
}

tl::unexpected<Error> wrongKind(const Path& path, std::string_view is) {
    return fail(ErrorKind::badInput, "what stands there is " + std::string(is), textOf(path),
                "Change the file by hand there.");
}

Result<SplitPath> splitPath(const Path& path) {
    if (path.empty() || !std::holds_alternative<std::string>(path.back()))
        return fail(ErrorKind::badInput, "the path does not end with a key", textOf(path), "Name the key to change.");
    const auto& key = std::get<std::string>(path.back());
    if (!isValidUtf8(key)) return fail(ErrorKind::badInput, "the key is not UTF-8", textOf(Path(path.begin(), path.end() - 1)));
    return SplitPath{Path(path.begin(), path.end() - 1), key};
}

Splices addMember(const TomlLayout& layout, const Path& table, const TomlPlace& place, const std::string& key,
                  const std::string& value) {
    if (!place.isTable(table.size())) return wrongKind(table, "no table");
    if (place.value != nullptr)
        return insertItem(layout, *place.value, place.value->members.size(), key + " = " + value);
    if (place.block != nullptr)
        return addLine(layout, *place.block, assignmentIndent(layout, *place.block) + key +
                                                 equalsSign(layout, *place.block) + value + layout.newline);
    if (!place.dotted.empty()) return addDotted(layout, table, place.dotted.back(), key, value);
    // Only tables inside of it have headers.
    const TomlBlock& first = *place.below.front();
    const std::string lines = std::string(layout.indentAt(first.headerBegin)) + headerFor(layout, table, false) +
                              layout.newline + assignmentIndent(layout, first) + key + equalsSign(layout, first) + value +
                              layout.newline + (hasBlankLines(layout, first) ? layout.newline : "");
    return TextSplices{{{first.range.begin, first.range.begin}, lines}};
}

Splices createTable(const TomlLayout& layout, const Path& path, const Members& members, bool asElement) {
    Path above = path;
    TomlPlace place;
    do {
        above.pop_back();
        place = find(layout, above);
        if (place.blocked) return wrongKind(path, "below a value that is no table");
    } while (!place.exists());
    if (!place.isTable(above.size())) return wrongKind(above, "no table");
    const std::size_t depth = above.size();
    for (std::size_t i = depth; i < path.size(); ++i)
        if (std::holds_alternative<std::size_t>(path[i])) return nothingAt(path);
    if (place.value != nullptr || (place.block == nullptr && !place.dotted.empty())) {
        const std::string key = writtenKey(std::get<std::string>(path[depth]));
        return addMember(layout, above, place, key, nested(path, depth + 1, members, asElement));
    }
    const TomlBlock& last = depth == 0 ? layout.blocks.back() : place.below.empty() ? *place.block : *place.below.back();
    return blockBehind(layout, last, headerFor(layout, path, asElement), members);
}

TextSplices blockBefore(const TomlLayout& layout, const TomlBlock& before, const std::string& header, const Members& members) {
    const std::string lines =
        blockLines(layout, before, header, members) + (hasBlankLines(layout, before) ? layout.newline : "");
    return {{{before.range.begin, before.range.begin}, lines}};
}

TextSplices blockBehind(const TomlLayout& layout, const TomlBlock& behind, const std::string& header, const Members& members) {
    const bool first = behind.keys.empty() && behind.assignments.empty();
    const std::size_t at = first ? layout.text.size() : behind.range.end;
    const bool empty = first && layout.skipBlankLines(behind.headerEnd) == layout.text.size();
    const std::string blank = !empty && hasBlankLines(layout, behind) ? layout.newline : "";
    return {insertedLines(layout, at, blank + blockLines(layout, behind, header, members))};
}

std::string headerFor(const TomlLayout& layout, const Path& path, bool asElement) {
    std::string keys;
    for (std::size_t i = 0; i < path.size(); ++i)
        if (std::holds_alternative<std::string>(path[i])) keys += (keys.empty() ? "" : ".") + spelled(layout, path, i);
    return asElement ? "[[" + keys + "]]" : "[" + keys + "]";
}

TextSplices removeMember(const TomlLayout& layout, const TomlMember& member) {
    if (member.scope.inlineTable != nullptr) return removeItem(layout, *member.scope.inlineTable, member.index);
    const ByteRange range = member.assignment().range();
    ByteRange lines{layout.lineBegin(range.begin), layout.lineEnd(range.end)};
    if (lines.end == layout.text.size() && !layout.text.ends_with('\n')) lines.begin = withoutLineEnd(layout, lines.begin);
    return {{lines, {}}};
}

std::vector<ByteRange> piecesOf(const TomlLayout& layout, const Path& path) {
    std::vector<ByteRange> out;
    bool follows = false;
    for (std::size_t i = 1; i < layout.blocks.size(); ++i) {
        const TomlBlock& block = layout.blocks[i];
        const bool ours = hasPrefix(block.path, path);
        if (ours && follows) out.back().end = block.range.end;
        else if (ours) out.push_back(block.range);
        follows = ours;
    }
    return out;
}

TextSplices removePieces(const TomlLayout& layout, const std::vector<ByteRange>& pieces) {
    TextSplices out;
    for (ByteRange piece : pieces) {
        const std::size_t next = layout.skipBlankLines(piece.end);
        const bool last = next == layout.text.size();
        if (last || layout.isBlankLineAbove(piece.begin) || layout.lineBegin(piece.begin) == layout.blocks[0].headerEnd)
            piece.end = next;
        while (last && layout.isBlankLineAbove(piece.begin)) piece.begin = layout.lineBegin(piece.begin - 1);
        if (last && !layout.text.ends_with('\n')) piece.begin = withoutLineEnd(layout, piece.begin);
        out.push_back({piece, {}});
    }
    return out;
}

}  // namespace signalbox::config
