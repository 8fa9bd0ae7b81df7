// SPDX-License-Identifier: MIT
#pragma once

#include "router/classify/features.h"

namespace signalbox::classify {

/// What a hint says, or nothing when it is absent or malformed (choice T4: spaces and tabs trimmed, ASCII case
/// ignored, the exact word otherwise).
[[nodiscard]] std::optional<table::LengthBucket> parseLengthHint(const std::optional<std::string>& text);
/// True for `code`, the only category that the contract knows.
[[nodiscard]] bool parseCodeHint(const std::optional<std::string>& text);
/// A decimal number; beyond 64 bits it is the largest one.
[[nodiscard]] std::optional<std::uint64_t> parseTokensHint(const std::optional<std::string>& text);

/// Digits only, saturating.
[[nodiscard]] std::optional<std::uint64_t> parseDigits(std::string_view digits);

}  // namespace signalbox::classify
