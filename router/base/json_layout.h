// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/json_document.h"

#include <string>
#include <string_view>

namespace signalbox::detail {

/// How a JSON text is laid out, as far as its first lines show it.
struct JsonLayout {
    std::string newline = "\n";
    std::string unit = "  ";    ///< one step of indentation
    std::string colon = ": ";   ///< with the spaces around it
    std::string comma = ", ";   ///< between values on one line
    bool ascii = true;          ///< letters beyond ASCII are escaped
    bool openObjects = true;    ///< an object inside another value takes several lines
    bool openArrays = true;     ///< so does an array of texts or numbers
};

[[nodiscard]] JsonLayout layoutOf(std::string_view text);

/// `value` as that layout writes it; `indent` stands in front of the line on which it begins.
[[nodiscard]] std::string written(const OrderedJson& value, const JsonLayout& layout, const std::string& indent);

}  // namespace signalbox::detail
