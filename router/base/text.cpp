// SPDX-License-Identifier: MIT
#include "router/base/text.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <utility>

namespace signalbox {

std::string toHex(std::span<const std::uint8_t> bytes) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string out(bytes.size() * 2, '0');
    char* at = out.data();
    for (const std::uint8_t b : bytes) {
        *at++ = kDigits[b >> 4];
        *at++ = kDigits[b & 15];
    }
    return out;
}

static int hexDigit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

std::optional<std::vector<std::uint8_t>> fromHex(std::string_view text) {
    if (text.size() % 2 != 0) return std::nullopt;
    std::vector<std::uint8_t> out(text.size() / 2);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const int high = hexDigit(text[2 * i]);
        const int low = hexDigit(text[2 * i + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        out[i] = static_cast<std::uint8_t>(high << 4 | low);
    }
    return out;
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string asciiLower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

// Levenshtein distance over bytes, one row at a time.
static std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t substitution = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({substitution, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row[b.size()];
}

std::vector<std::string> nearNames(std::string_view wanted, std::span<const std::string> known, std::size_t limit) {
    const std::string lower = asciiLower(wanted);
    std::vector<std::pair<std::size_t, const std::string*>> ranked;
    for (const std::string& name : known) {
        const std::string candidate = asciiLower(name);
        std::size_t distance = editDistance(lower, candidate);
        // A part of a long name is a likely slip too: "qwen" for "qwen3.6-27b".
        const bool contained = lower.size() >= 3 && candidate.find(lower) != std::string::npos;
        const std::size_t bound = std::max<std::size_t>(1, std::max(lower.size(), candidate.size()) / 3);
        if (contained) distance = std::min(distance, bound);
        if (distance <= bound) ranked.emplace_back(distance, &name);
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> out;
    for (const auto& [distance, name] : ranked) {
        if (out.size() == limit) break;
        out.push_back(*name);
    }
    return out;
}

std::optional<std::string> nearestName(std::string_view wanted, std::span<const std::string> known) {
    auto near = nearNames(wanted, known, 1);
    if (near.empty()) return std::nullopt;
    return std::move(near.front());
}

// The length of the well-formed sequence at the start of `bytes` (Unicode 15, table 3-7), or 0.
static std::size_t utf8SequenceLength(std::string_view bytes) {
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const auto continues = [&](std::size_t i, unsigned low, unsigned high) {
        return i < bytes.size() && at(i) >= low && at(i) <= high;
    };
    const unsigned lead = at(0);
    if (lead < 0x80) return 1;
    if (lead >= 0xc2 && lead <= 0xdf) return continues(1, 0x80, 0xbf) ? 2 : 0;
    if (lead >= 0xe0 && lead <= 0xef) {
        const unsigned low = lead == 0xe0 ? 0xa0 : 0x80;
        const unsigned high = lead == 0xed ? 0x9f : 0xbf;
        return continues(1, low, high) && continues(2, 0x80, 0xbf) ? 3 : 0;
    }
    if (lead >= 0xf0 && lead <= 0xf4) {
        const unsigned low = lead == 0xf0 ? 0x90 : 0x80;
        const unsigned high = lead == 0xf4 ? 0x8f : 0xbf;
        return continues(1, low, high) && continues(2, 0x80, 0xbf) && continues(3, 0x80, 0xbf) ? 4 : 0;
    }
    return 0;
}

std::size_t validUtf8Prefix(std::string_view bytes) {
    std::size_t valid = 0;
    while (valid < bytes.size()) {
        const std::size_t n = utf8SequenceLength(bytes.substr(valid));
        if (n == 0) break;
        valid += n;
    }
    return valid;
}

bool isValidUtf8(std::string_view bytes) { return validUtf8Prefix(bytes) == bytes.size(); }

std::string elided(std::string_view text, std::size_t maxBytes) {
    if (text.size() <= maxBytes) return std::string(text);
    std::size_t end = maxBytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    return std::string(text.substr(0, end)) + "…";
}

std::size_t urlAuthorityBegin(std::string_view url) {
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto goesOn = [&](char c) { return isLetter(c) || (c >= '0' && c <= '9') || c == '+' || c == '.' || c == '-'; };
    if (url.empty() || !isLetter(url.front())) return 0;
    const auto end = static_cast<std::size_t>(std::find_if_not(url.begin(), url.end(), goesOn) - url.begin());
    return url.substr(end).starts_with("://") ? end + 3 : 0;
}

std::optional<UrlAtSign> lastUrlAtSign(std::string_view text) {
    const std::size_t sign = text.rfind('@'), code = text.rfind("%40");
    if (code != std::string_view::npos && (sign == std::string_view::npos || sign < code)) return UrlAtSign{code, code + 3};
    if (sign != std::string_view::npos) return UrlAtSign{sign, sign + 1};
    return std::nullopt;
}

std::string shownUrl(std::string_view url) {
    const std::size_t host = urlAuthorityBegin(url);
    const std::size_t query = std::min(url.find_first_of("?#", host), url.size());
    std::string out(url.substr(0, host));
    const auto at = lastUrlAtSign(url);
    if (!at) {
        out += url.substr(host, query - host);
    } else if (at->begin > url.find_first_of("/?#\\", host)) {
        // A password may have a slash or a question mark: what looks like the host may be its begin.
        return out + "…";
    } else {
        out += "…@";
        out += url.substr(at->end, query - at->end);
    }
    return query < url.size() ? out + url[query] + "…" : out;
}

std::string toIso8601(Timestamp at) {
    const auto day = std::chrono::floor<std::chrono::days>(at);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss time(at - day);
    const int year = static_cast<int>(date.year());
    std::string out = "0000-00-00T00:00:00.000000Z";
    // By hand, since every decision record carries one and printf takes longer than the rest of it.
    const auto put = [&](std::size_t begin, std::size_t digits, std::int64_t value) {
        for (std::size_t i = begin + digits; i-- > begin; value /= 10) out[i] = static_cast<char>('0' + value % 10);
    };
    put(5, 2, static_cast<unsigned>(date.month()));
    put(8, 2, static_cast<unsigned>(date.day()));
    put(11, 2, time.hours().count());
    put(14, 2, time.minutes().count());
    put(17, 2, time.seconds().count());
    put(20, 6, time.subseconds().count());
    if (year >= 0 && year <= 9999) {
        put(0, 4, year);
    } else {
        char other[16];
        std::snprintf(other, sizeof other, "%04d", year);
        out.replace(0, 4, other);
    }
    return out;
}

std::optional<Timestamp> parseIso8601(std::string_view text) {
    const auto number = [&](std::size_t at, std::size_t length) -> int {
        if (at + length > text.size()) return -1;
        int value = 0;
        for (std::size_t i = at; i < at + length; ++i) {
            if (text[i] < '0' || text[i] > '9') return -1;
            value = value * 10 + (text[i] - '0');
        }
        return value;
    };
    const auto separator = [&](std::size_t at, char c) { return at < text.size() && text[at] == c; };
    if (!separator(4, '-') || !separator(7, '-') || !separator(10, 'T') || !separator(13, ':') || !separator(16, ':'))
        return std::nullopt;
    const int year = number(0, 4), month = number(5, 2), day = number(8, 2);
    const int hour = number(11, 2), minute = number(14, 2), second = number(17, 2);
    const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    if (year < 0 || month < 0 || day < 0 || !date.ok()) return std::nullopt;
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return std::nullopt;

    std::size_t at = 19;
    std::int64_t micros = 0;
    if (separator(at, '.')) {
        std::int64_t scale = 100000;
        const std::size_t first = ++at;
        for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, scale /= 10)
            micros += scale * (text[at] - '0');
        if (at == first) return std::nullopt;
    }
    std::chrono::minutes offset{0};
    if (separator(at, 'Z')) {
        ++at;
    } else if (separator(at, '+') || separator(at, '-')) {
        const int hours = number(at + 1, 2), minutes = number(at + 4, 2);
        if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || !separator(at + 3, ':')) return std::nullopt;
        offset = std::chrono::minutes(hours * 60 + minutes) * (text[at] == '-' ? -1 : 1);
        at += 6;
    } else {
        return std::nullopt;
    }
    if (at != text.size()) return std::nullopt;
    return Timestamp(std::chrono::sys_days(date)) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
           std::chrono::seconds(second) + std::chrono::microseconds(micros) - offset;
}

}  // namespace signalbox
