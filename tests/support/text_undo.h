// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/json_document.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace signalbox::test {

/// The splice that makes the earlier text of the later one.
struct Undo {
    std::size_t at = 0;
    std::size_t length = 0;  ///< of what is replaced in the later text
    std::string text;        ///< what stood there in the earlier one

    [[nodiscard]] std::string apply(std::string later) const { return later.replace(at, length, text); }
};

inline Undo undoOf(std::string_view earlier, std::string_view later) {
    const std::size_t least = std::min(earlier.size(), later.size());
    std::size_t front = 0;
    while (front < least && earlier[front] == later[front]) ++front;
    std::size_t back = 0;
    while (back < least - front && earlier[earlier.size() - 1 - back] == later[later.size() - 1 - back]) ++back;
    return {front, later.size() - back - front, std::string(earlier.substr(front, earlier.size() - back - front))};
}

/// Nothing but the bytes of `touched`, a range of the earlier text, differs.
inline bool onlyTouched(std::string_view earlier, std::string_view later, ByteRange touched) {
    return later.size() + (touched.end - touched.begin) >= earlier.size() &&
           later.starts_with(earlier.substr(0, touched.begin)) && later.ends_with(earlier.substr(touched.end));
}

}  // namespace signalbox::test
