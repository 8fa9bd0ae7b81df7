// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/json_document.h"
#include "router/config/edit.h"

#include <map>
#include <optional>

namespace signalbox::config {

/// Where everything stands in a TOML text. The parser tells where values begin, but neither where dotted keys, headers,
/// commas and comments do nor anything in bytes; editing needs all of that.
struct TomlKey {
    std::string name;
    ByteRange range;  ///< as written, with its quotes
};

struct TomlAssignment;

struct TomlValue {
    enum class Kind : std::uint8_t { scalar, array, table };
    Kind kind = Kind::scalar;
    ByteRange range;
    std::vector<TomlValue> elements;      ///< of an array
    std::vector<TomlAssignment> members;  ///< of an inline table
    std::optional<std::size_t> comma;     ///< behind this value, where it stands in an array or inline table
};

/// `a.b = value`
struct TomlAssignment {
    std::vector<TomlKey> keys;
    TomlValue value;

    [[nodiscard]] ByteRange range() const { return {keys.front().range.begin, value.range.end}; }
};

/// A header with the assignments below it; the first block of a text has no header.
struct TomlBlock {
    Path path;       ///< with the index of each element of an array of tables on the way
    bool isElement = false;  ///< `[[…]]`
    std::vector<TomlKey> keys;
    std::size_t headerBegin = 0;  ///< its bracket
    std::size_t headerEnd = 0;    ///< behind the line
    std::vector<TomlAssignment> assignments;
    /// From the comments directly above the header to the end of the last line that belongs to it: an assignment, or a
    /// comment directly below one.
    ByteRange range;
};

struct TomlLayout {
    std::string_view text;
    std::string newline = "\n";
    std::vector<TomlBlock> blocks;

    [[nodiscard]] std::string_view at(ByteRange range) const { return text.substr(range.begin, range.end - range.begin); }
    [[nodiscard]] std::size_t lineBegin(std::size_t byte) const;
    /// Behind the line's end.
    [[nodiscard]] std::size_t lineEnd(std::size_t byte) const;
    /// Behind the blank lines that begin at `line`.
    [[nodiscard]] std::size_t skipBlankLines(std::size_t line) const;
    /// The spaces in front of what begins the line of `byte`.
    [[nodiscard]] std::string_view indentAt(std::size_t byte) const;
    [[nodiscard]] bool isBlankLineAbove(std::size_t line) const;
};

/// `text` is TOML that the parser took; it must outlive the layout.
[[nodiscard]] TomlLayout layoutOf(std::string_view text);

[[nodiscard]] bool hasPrefix(const Path& path, const Path& prefix);
/// Of a path: its steps without the indexes.
[[nodiscard]] std::size_t keyCount(const Path& path);

}  // namespace signalbox::config
