// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace signalbox::app {

/// What a line of a log may hold of names and paths that strangers chose: control characters of either set except line ends and
/// tabs, the other line ends of Unicode, what turns the direction of writing, and bytes that are no UTF-8 stand as `\u009b`, so
/// that no terminal obeys them. (A stranger's line ends are escaped where a line is put together, see request_line.) Within JSON that is the same text.
[[nodiscard]] std::string visibleText(std::string_view text);

}  // namespace signalbox::app
