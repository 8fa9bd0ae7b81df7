// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace signalbox::evidence {

/// Which bytes a text may not hold to be taken as it is. Words are looked at eight bytes at a time, pieces sixteen: the
/// compiler makes what the machine has of the latter.
namespace odd {

using Piece [[gnu::vector_size(16)]] = signed char;
inline constexpr std::uint64_t kOnes = 0x0101010101010101;
inline constexpr std::uint64_t kHigh = 0x8080808080808080;

/// High bits where `word` has a zero byte; borrows can only add such bits above one that is there already.
[[nodiscard]] constexpr std::uint64_t zeroIn(std::uint64_t word) { return (word - kOnes) & ~word & kHigh; }

/// All but ASCII without control characters, quote and backslash: what nearly every text of a record is, and what neither
/// JSON nor COPY has to escape.
struct NotPlain {
    static std::uint64_t in(std::uint64_t word) {
        return (word | (word - kOnes * 0x20) | zeroIn(word ^ kOnes * '"') | zeroIn(word ^ kOnes * '\\')) & kHigh;
    }
    static Piece in(Piece piece) { return (piece < 0x20) | (piece == '"') | (piece == '\\'); }  // signed: also above 0x7f
    static constexpr char kFill = 'a';
};

/// What COPY has to escape in UTF-8 without NUL.
struct ForCopy {
    static std::uint64_t in(std::uint64_t word) { return (((word - kOnes * 0x20) & ~word) | zeroIn(word ^ kOnes * '\\')) & kHigh; }
    static Piece in(Piece piece) { return ((piece >= 0) & (piece < 0x20)) | (piece == '\\'); }
    static constexpr char kFill = 'a';
};

struct Nul {
    static std::uint64_t in(std::uint64_t word) { return zeroIn(word); }
    static Piece in(Piece piece) { return piece == 0; }
    static constexpr char kFill = 'a';
};

}  // namespace odd

/// Whether no byte of `text` is odd; copies it to `out` on the way, unless that is null.
template <class Odd>
[[nodiscard]] inline bool copyUnlessOdd(char* out, std::string_view text) {
    const char* const in = text.data();
    const std::size_t size = text.size();
    // What does not fill a word or a piece is read together with bytes that were read before.
    const auto word = [&]<class T>(std::size_t at, T) {
        T bytes;
        std::memcpy(&bytes, in + at, sizeof bytes);
        if (out != nullptr) std::memcpy(out + at, &bytes, sizeof bytes);
        return bytes;
    };
    if (size >= 16) {
        odd::Piece found{};
        for (std::size_t at = 0; at + 16 < size; at += 16) found |= Odd::in(word(at, odd::Piece{}));
        found |= Odd::in(word(size - 16, odd::Piece{}));
        std::uint64_t halves[2];
        std::memcpy(halves, &found, sizeof halves);
        return (halves[0] | halves[1]) == 0;
    }
    if (size >= 8) return (Odd::in(word(0, std::uint64_t{})) | Odd::in(word(size - 8, std::uint64_t{}))) == 0;
    std::uint64_t few = odd::kOnes * static_cast<unsigned char>(Odd::kFill);
    if (size >= 4) {
        few = word(0, std::uint32_t{}) | std::uint64_t{word(size - 4, std::uint32_t{})} << 32;
    } else {
        for (std::size_t i = 0; i < size; ++i) few = few << 8 | word(i, std::uint8_t{});
    }
    return Odd::in(few) == 0;
}

/// Whether `text` is ASCII without control characters, quote and backslash.
[[nodiscard]] inline bool isPlainText(std::string_view text) { return copyUnlessOdd<odd::NotPlain>(nullptr, text); }

}  // namespace signalbox::evidence
