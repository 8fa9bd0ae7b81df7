// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox {

/// Lower-case hexadecimal.
[[nodiscard]] std::string toHex(std::span<const std::uint8_t> bytes);
[[nodiscard]] std::optional<std::vector<std::uint8_t>> fromHex(std::string_view text);

/// Without leading and trailing spaces and tabs.
[[nodiscard]] std::string_view trimmed(std::string_view text);
/// ASCII letters only; other bytes stay.
[[nodiscard]] std::string asciiLower(std::string_view text);

/// The name closest to `wanted` by edit distance, or nullopt if none is near enough to be a likely typing error.
[[nodiscard]] std::optional<std::string> nearestName(std::string_view wanted, std::span<const std::string> known);
/// Up to `limit` near names, nearest first.
[[nodiscard]] std::vector<std::string> nearNames(std::string_view wanted, std::span<const std::string> known,
                                                 std::size_t limit);

[[nodiscard]] bool isValidUtf8(std::string_view bytes);
/// Bytes before the first one that is not well-formed UTF-8; the whole size if there is none.
[[nodiscard]] std::size_t validUtf8Prefix(std::string_view bytes);
/// Cuts to at most `maxBytes`, never inside a UTF-8 sequence, and appends "…" when it cut.
[[nodiscard]] std::string elided(std::string_view text, std::size_t maxBytes);

/// Where the authority of an address begins: behind its `scheme://`, which stands at its begin or not at all. Any other "://" may be
/// of a password, a path or a query.
[[nodiscard]] std::size_t urlAuthorityBegin(std::string_view url);
/// The last '@', or '@' as its code `%40`, which parts a user and a password from the host; nullopt without one.
struct UrlAtSign {
    std::size_t begin = 0, end = 0;
};
[[nodiscard]] std::optional<UrlAtSign> lastUrlAtSign(std::string_view text);

/// An address to be shown: "…" stands for user and password, and for a query and a fragment, which may be keys.
[[nodiscard]] std::string shownUrl(std::string_view url);

/// ISO-8601 UTC with microseconds, `2026-11-29T17:10:39.000000Z`.
[[nodiscard]] std::string toIso8601(Timestamp at);
/// Accepts `YYYY-MM-DDTHH:MM:SS[.fraction](Z|+HH:MM|-HH:MM)`.
[[nodiscard]] std::optional<Timestamp> parseIso8601(std::string_view text);

}  // namespace signalbox
