// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace signalbox::policy {

/// A name in a sentence: on one line, because a line break in it could pretend to be a line of ours, and cut when long.
[[nodiscard]] std::string inQuotes(std::string_view name);

/// `"a", "b" or "c"`, at most `limit` of them and then the number of the others.
[[nodiscard]] std::string oneOf(std::span<const std::string> names, std::size_t limit);

}  // namespace signalbox::policy
