// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"

#include <chrono>
#include <optional>
#include <string_view>

namespace signalbox::upstream {

/// A `Retry-After` value (RFC 9110 10.2.3): seconds, or a date in any of the three HTTP forms (F46).
/// A date in the past is 0; everything above a day is a day. nullopt for anything else.
[[nodiscard]] std::optional<std::chrono::seconds> parseRetryAfter(std::string_view value, Timestamp now);

}  // namespace signalbox::upstream
