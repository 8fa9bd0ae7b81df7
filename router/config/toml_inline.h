// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/toml_text.h"

// Changes inside of `[…]` and `{…}`. What stands on lines of its own stays so, comments go with what they stand beside,
// and there is a comma behind the last element afterwards if there was one before.
namespace signalbox::config {

/// `text` becomes the element or member `index` of an array or inline table.
[[nodiscard]] TextSplices insertItem(const TomlLayout& layout, const TomlValue& list, std::size_t index, const std::string& text);
[[nodiscard]] TextSplices removeItem(const TomlLayout& layout, const TomlValue& list, std::size_t index);
[[nodiscard]] TextSplices moveItem(const TomlLayout& layout, const TomlValue& list, std::size_t from, std::size_t to);

}  // namespace signalbox::config
