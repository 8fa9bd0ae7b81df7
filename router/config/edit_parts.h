// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/toml_inline.h"
#include "router/config/toml_place.h"

#include <functional>

// What the changes of gateway.toml share.
namespace signalbox::config {

using Splices = Result<TextSplices>;

/// Reads the text, asks for the splices and applies them. What comes of it is TOML again.
[[nodiscard]] Result<std::string> edited(std::string_view text, const std::function<Splices(const TomlLayout&)>& change);

[[nodiscard]] tl::unexpected<Error> nothingAt(const Path& path);
[[nodiscard]] tl::unexpected<Error> wrongKind(const Path& path, std::string_view is);

/// The path without its last step, which must be a key.
struct SplitPath {
    Path parent;
    std::string key;
};
[[nodiscard]] Result<SplitPath> splitPath(const Path& path);

/// Puts a member into a table that exists, in whatever way that one is written; `value` is its text.
[[nodiscard]] Splices addMember(const TomlLayout& layout, const Path& table, const TomlPlace& place, const std::string& key,
                                const std::string& value);
/// Makes a table, or the first element of an array of tables, that does not exist, and what is missing on the way to it.
[[nodiscard]] Splices createTable(const TomlLayout& layout, const Path& path, const Members& members, bool asElement);

/// A header with its assignments, as the text of a place in front of `before` or behind `behind`.
[[nodiscard]] TextSplices blockBefore(const TomlLayout& layout, const TomlBlock& before, const std::string& header,
                                      const Members& members);
[[nodiscard]] TextSplices blockBehind(const TomlLayout& layout, const TomlBlock& behind, const std::string& header,
                                      const Members& members);
/// `[path]` or `[[path]]` with each key spelled as other headers of the text spell it.
[[nodiscard]] std::string headerFor(const TomlLayout& layout, const Path& path, bool asElement);

[[nodiscard]] TextSplices removeMember(const TomlLayout& layout, const TomlMember& member);
/// Stretches of blocks that follow each other and have `path` in front of theirs.
[[nodiscard]] std::vector<ByteRange> piecesOf(const TomlLayout& layout, const Path& path);
[[nodiscard]] TextSplices removePieces(const TomlLayout& layout, const std::vector<ByteRange>& pieces);

}  // namespace signalbox::config
