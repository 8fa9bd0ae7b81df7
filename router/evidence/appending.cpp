// SPDX-License-Identifier: MIT
#include "router/evidence/appending.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

namespace signalbox::evidence {
namespace {

/// Costs of a request: a few hundred tokens at some dollars a million are a small number of trillionths. Null when `value` is
/// none of these. Written as to_chars would: with an exponent where that is shorter.
char* tinyDecimal(char* out, double value) {
    constexpr double kScale = 1e12;
    constexpr int kDecimals = 12;
    auto scaled = static_cast<std::uint64_t>(value * kScale + 0.5);
    if (static_cast<double>(scaled) / kScale != value) return nullptr;
    int decimals = kDecimals;
    for (; scaled % 10 == 0; --decimals) scaled /= 10;
    char digits[20];
    const auto count = static_cast<int>(std::to_chars(digits, digits + sizeof digits, scaled).ptr - digits);
    const int zeros = decimals - count;  // between the point and the first digit
    const int exponent = zeros + 1;
    const bool fixedIsNoLonger = 2 + zeros + count <= count + (count > 1 ? 1 : 0) + 4;
    if (fixedIsNoLonger) {
        out = std::copy_n("0.", 2, out);
        out = std::fill_n(out, zeros, '0');
        return std::copy_n(digits, count, out);
    }
    *out++ = digits[0];
    if (count > 1) {
        *out++ = '.';
        out = std::copy_n(digits + 1, count - 1, out);
    }
    out = std::copy_n("e-0", 3, out);
    *out++ = static_cast<char>('0' + exponent);
    return out;
}

/// Measured milliseconds are whole nanoseconds, scores have four decimals: with at most six of them the shortest digits
/// are found without to_chars' long way. Null when `value` is none of these.
char* shortDecimal(char* out, double value) {
    if (value < 1e-3 && value >= 1e-8) return tinyDecimal(out, value);
    // Outside of this range to_chars prefers exponents.
    if (!(value >= 1e-3 && value < 1e5)) return nullptr;
    constexpr double kScale = 1e6;
    const auto scaled = static_cast<std::uint64_t>(value * kScale + 0.5);
    // At most eleven digits, and two numbers of so few digits are never the same double: if it reads back, it is shortest.
    if (static_cast<double>(scaled) / kScale != value) return nullptr;
    out = std::to_chars(out, out + 20, static_cast<std::uint32_t>(scaled / 1'000'000)).ptr;
    auto fraction = static_cast<std::uint32_t>(scaled % 1'000'000);
    if (fraction == 0) return out;
    *out = '.';
    for (int i = 6; i > 0; --i, fraction /= 10) out[i] = static_cast<char>('0' + fraction % 10);
    out += 7;
    while (out[-1] == '0') --out;
    return out;
}

/// A number that was written lately: the terms of a record stand in its receipt and in its row, and prices, weights and priors
/// in every record.
struct Written {
    double value = 0;
    std::uint8_t length = 0;  ///< 0: nothing yet
    char digits[23];
};
static_assert(sizeof(Written) == 32);

Written& writtenLately(double value) {
    constexpr std::size_t kPlaces = 128;
    constinit static thread_local std::array<Written, kPlaces> places{};
    // The product's highest bits depend on all bits of the number.
    return places[std::bit_cast<std::uint64_t>(value) * 0x9e3779b97f4a7c15 >> 57];
}

}  // namespace

char* writeDigits(char* out, double value) {
    Written& place = writtenLately(value);
    if (place.length == 0 || std::bit_cast<std::uint64_t>(place.value) != std::bit_cast<std::uint64_t>(value)) {
        char* end = shortDecimal(out, value);
        if (end == nullptr) end = std::to_chars(out, out + kMostDigits, value).ptr;
        const auto length = static_cast<std::size_t>(end - out);
        if (length > sizeof place.digits) return end;
        place.value = value;
        place.length = static_cast<std::uint8_t>(length);
        std::copy_n(out, length, place.digits);
        return end;
    }
    std::memcpy(out, place.digits, sizeof place.digits);
    return out + place.length;
}

char* writeDigits(char* out, std::int64_t value) { return std::to_chars(out, out + kMostDigits, value).ptr; }

char* writeDigits(char* out, std::uint64_t value) { return std::to_chars(out, out + kMostDigits, value).ptr; }

}  // namespace signalbox::evidence
