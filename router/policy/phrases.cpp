// SPDX-License-Identifier: MIT
#include "router/policy/phrases.h"

#include "router/base/text.h"

#include <algorithm>

namespace signalbox::policy {

namespace {

constexpr std::size_t kShownNameBytes = 200;

}  // namespace

std::string inQuotes(std::string_view name) {
    std::string shown = elided(name, kShownNameBytes);
    std::replace_if(shown.begin(), shown.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    return '"' + shown + '"';
}

std::string oneOf(std::span<const std::string> names, std::size_t limit) {
    const std::size_t shown = std::min(names.size(), limit);
    std::string out;
    for (std::size_t i = 0; i < shown; ++i) {
        if (i > 0) out += i + 1 == names.size() ? " or " : ", ";
        out += inQuotes(names[i]);
    }
    if (shown < names.size()) out += " and " + std::to_string(names.size() - shown) + " more";
    return out;
}

}  // namespace signalbox::policy
