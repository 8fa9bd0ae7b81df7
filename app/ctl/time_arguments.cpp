// SPDX-License-Identifier: MIT
#include "app/ctl/time_arguments.h"

#include "router/base/text.h"

#include <charconv>

namespace signalbox::ctl {

Result<Timestamp> parseTime(const std::string& text, Timestamp now) {
    std::int64_t count = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), count);
    constexpr std::int64_t kMostDays = 36'500;
    if (code == std::errc() && count >= 0 && end + 1 == text.data() + text.size()) {
        const std::int64_t seconds = *end == 's' ? 1 : *end == 'm' ? 60 : *end == 'h' ? 3'600 : *end == 'd' ? 86'400 : 0;
        if (seconds != 0 && count <= kMostDays * 86'400 / seconds) return now - std::chrono::seconds(count * seconds);
    }
    constexpr std::size_t kDateOnly = 10;
    if (const auto at = parseIso8601(text.size() == kDateOnly ? text + "T00:00:00Z" : text)) return *at;
    return fail(ErrorKind::badInput, "\"" + text + "\" is neither a duration nor a time", {},
                "Use 90s, 30m, 24h, 7d, 2026-11-29 or 2026-11-29T17:10:39Z.");
}

}  // namespace signalbox::ctl
