// SPDX-License-Identifier: MIT
#include "router/evidence/appending.h"

#include <charconv>
#include <cmath>

namespace signalbox::evidence {
namespace {

/// Measured milliseconds are whole nanoseconds, scores have four decimals: with at most six of them the shortest digits
/// are found without to_chars' long way. Null when `value` is none of these.
char* shortDecimal(char* out, double value) {
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

}  // namespace

void Appending::digits(double value) {
    char* const out = room();
    const char* const end = shortDecimal(out, value);
    used(end != nullptr ? end : std::to_chars(out, out + kMostDigits, value).ptr);
}

void Appending::digits(std::int64_t value) {
    char* const out = room();
    used(std::to_chars(out, out + kMostDigits, value).ptr);
}

void Appending::digits(std::uint64_t value) {
    char* const out = room();
    used(std::to_chars(out, out + kMostDigits, value).ptr);
}

}  // namespace signalbox::evidence
