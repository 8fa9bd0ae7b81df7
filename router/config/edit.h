// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace signalbox::config {

/// A step of a path into gateway.toml: a key, or the index of a table in an array of tables.
using PathStep = std::variant<std::string, std::size_t>;
using Path = std::vector<PathStep>;

using Scalar = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>>;
/// A member of a table to be written, in order.
struct Member {
    std::string key;
    Scalar value;
};
using Members = std::vector<Member>;

/// Changes to the text of gateway.toml. Each takes the text as it stands and gives the text as it is to be, in which only
/// the bytes of what was changed differ: comments, order, spacing and spelling of everything else stay. Tables may be
/// written in any way that TOML allows: headers, dotted keys, inline tables and inline arrays.
/// None of them judges the result: `readConfig` does.
///
/// Errors: the text is no TOML (located), the path leads through something that is no table, or there is nothing there.

/// Sets a value; makes the key, and the tables on the way, where they do not exist. An unchanged value changes nothing.
/// A comment behind a replaced value stays.
[[nodiscard]] Result<std::string> setValue(std::string_view text, const Path& path, const Scalar& value);
/// Removes a key with its line and a comment on that line; a key that is not there is fine. Comments above it stay.
[[nodiscard]] Result<std::string> removeValue(std::string_view text, const Path& path);

/// Adds `[path]` with its members behind the last table of the same parent. Error: conflict when it exists.
[[nodiscard]] Result<std::string> addTable(std::string_view text, const Path& path, const Members& members);
/// Removes a table with everything below it, and the comments between its header and the next. Comments directly above
/// its header belong to it and go too; a comment that a blank line sets off from its last value introduces what follows
/// and stays.
[[nodiscard]] Result<std::string> removeTable(std::string_view text, const Path& path);
/// A new last key for a table, in its header and in the headers of everything below it; also for a single value, such as
/// an alias. Error: conflict when the table has that key.
[[nodiscard]] Result<std::string> renameTable(std::string_view text, const Path& path, std::string_view newKey);

/// Elements of an array of tables, `[[path]]`: `index` up to the number of them.
[[nodiscard]] Result<std::string> insertElement(std::string_view text, const Path& array, std::size_t index, const Members& members);
/// A list of headers that loses its last element is gone, as TOML cannot write an empty one that way.
[[nodiscard]] Result<std::string> removeElement(std::string_view text, const Path& array, std::size_t index);
/// With its comments; `to` is the index that it has afterwards.
[[nodiscard]] Result<std::string> moveElement(std::string_view text, const Path& array, std::size_t from, std::size_t to);

}  // namespace signalbox::config
