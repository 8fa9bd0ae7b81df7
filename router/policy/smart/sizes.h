// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/smart/formula.h"

#include <string_view>

namespace signalbox::policy::smart {

/// Expected output of a request that states no limit.
inline constexpr std::uint64_t kDefaultOutputTokens = 4096;

/// The planning sizes of a chat body (choice S2).
struct ChatSizes {
    /// Code points of the body written compactly, with `model`, `messages`, `max_completion_tokens`, `max_tokens` and
    /// `stream` always present, null if need be. Images and tool schemas count like any text.
    std::uint64_t serializedChars = 0;
    Sizes sizes;  ///< a quarter of that, rounded up; `max_completion_tokens`, else `max_tokens`, else 4096
};

/// Counts on the raw bytes, without building the compact text. `body` is a JSON object that classification has
/// accepted; on anything else the numbers mean nothing. A limit that is no non-negative integer counts as absent.
[[nodiscard]] ChatSizes chatSizes(std::string_view body);

}  // namespace signalbox::policy::smart
