// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

namespace signalbox::ui {

/// Where an entry of a list of the draft stands after one edit, one undo or one reading of it; nullopt: it is gone. An entry
/// is known by what it says, wherever it went. One that was changed is known by its place, which is nobody else's.
template <class Entry>
[[nodiscard]] std::optional<std::size_t> placeAfter(const std::vector<Entry>& before, const std::vector<Entry>& after, std::size_t place) {
    if (place >= before.size()) return std::nullopt;
    // What is the same at both ends was not touched; of equal ones between them each so keeps its own place.
    const auto first = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
    const auto untouched = static_cast<std::size_t>(first.first - before.begin());
    if (place < untouched) return place;
    auto last = before.end(), lastAfter = after.end();
    while (last != first.first && lastAfter != first.second && *(last - 1) == *(lastAfter - 1)) --last, --lastAfter;
    if (place >= static_cast<std::size_t>(last - before.begin())) return place + after.size() - before.size();
    if (const auto moved = std::find(first.second, lastAfter, before[place]); moved != lastAfter) return static_cast<std::size_t>(moved - after.begin());
    const bool isChanged = before.size() == after.size() && std::find(first.first, last, after[place]) == last;
    return isChanged ? std::optional(place) : std::nullopt;
}

}  // namespace signalbox::ui
