// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace signalbox::evidence {

/// Whether `text` is ASCII without control characters, quote and backslash: what nearly every text of a record is, and
/// what neither JSON nor COPY has to escape. Looks at eight bytes at a time.
[[nodiscard]] inline bool isPlainText(std::string_view text) {
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    constexpr std::uint64_t kHigh = 0x8080808080808080;
    // A byte of the result has its high bit set where one of the word is not plain; borrows can only add such bytes
    // above one that is there already.
    const auto odd = [](std::uint64_t word) {
        const auto zeroIn = [](std::uint64_t x) { return (x - kOnes) & ~x; };
        return (word | (word - kOnes * 0x20) | zeroIn(word ^ kOnes * '"') | zeroIn(word ^ kOnes * '\\')) & kHigh;
    };
    std::uint64_t found = 0;
    while (text.size() >= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data(), 8);
        found |= odd(word);
        text.remove_prefix(8);
    }
    std::uint64_t rest = kOnes * 'a';
    if (!text.empty()) std::memcpy(&rest, text.data(), text.size());
    return (found | odd(rest)) == 0;
}

}  // namespace signalbox::evidence
