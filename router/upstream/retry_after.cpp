// SPDX-License-Identifier: MIT
#include "router/upstream/retry_after.h"

#include "router/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace signalbox::upstream {

namespace {

using std::chrono::seconds;
constexpr seconds kLongest = std::chrono::hours(24);

constexpr std::array<std::string_view, 12> kMonths{"jan", "feb", "mar", "apr", "may", "jun",
                                                   "jul", "aug", "sep", "oct", "nov", "dec"};

std::optional<unsigned> number(std::string_view text) {
    unsigned value = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || ec != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

struct Parts {
    std::optional<unsigned> day, month, year;
    std::optional<seconds> time;
};

std::optional<seconds> clockTime(std::string_view word) {
    if (word.size() != 8 || word[2] != ':' || word[5] != ':') return std::nullopt;
    const auto h = number(word.substr(0, 2)), m = number(word.substr(3, 2)), s = number(word.substr(6, 2));
    if (!h || !m || !s || *h > 23 || *m > 59 || *s > 60) return std::nullopt;
    return std::chrono::hours(*h) + std::chrono::minutes(*m) + seconds(*s);
}

/// Puts one word of a date where it belongs; weekday and zone carry nothing.
void place(Parts& parts, std::string_view word) {
    if (auto time = clockTime(word)) {
        parts.time = time;
    } else if (const auto month = std::ranges::find(kMonths, word); month != kMonths.end()) {
        parts.month = static_cast<unsigned>(month - kMonths.begin()) + 1;
    } else if (auto value = number(word)) {
        if (word.size() <= 2 && !parts.day) parts.day = value;
        // RFC 850 writes two digits; HTTP reads those as the nearest century.
        else parts.year = word.size() == 2 ? *value + (*value < 70 ? 2000 : 1900) : *value;
    }
}

/// IMF-fixdate, RFC 850 and asctime differ only in order and separators.
std::optional<Timestamp> parseHttpDate(std::string_view value) {
    Parts parts;
    const std::string text = asciiLower(value);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of(" ,-\t", at), text.size());
        if (end > at) place(parts, std::string_view(text).substr(at, end - at));
        at = end + 1;
    }
    if (!parts.day || !parts.month || !parts.year || !parts.time) return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*parts.year)),
                                           std::chrono::month(*parts.month), std::chrono::day(*parts.day)};
    if (!date.ok()) return std::nullopt;
    return Timestamp(std::chrono::sys_days(date)) + *parts.time;
}

}  // namespace

std::optional<seconds> parseRetryAfter(std::string_view value, Timestamp now) {
    value = trimmed(value);
    const bool digits = !value.empty() && std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
    if (digits) {
        const auto parsed = number(value);
        return parsed ? std::min(seconds(*parsed), kLongest) : kLongest;
    }
    const auto date = parseHttpDate(value);
    if (!date) return std::nullopt;
    return std::clamp(std::chrono::ceil<seconds>(*date - now), seconds(0), kLongest);
}

}  // namespace signalbox::upstream
