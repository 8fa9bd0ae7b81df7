// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace signalbox {

using Sha256 = std::array<std::uint8_t, 32>;

[[nodiscard]] Sha256 sha256(std::string_view bytes);
/// 64 lower-case hex digits.
[[nodiscard]] std::string sha256Hex(std::string_view bytes);
/// In a time that does not depend on where they differ.
[[nodiscard]] bool constantTimeEqual(const Sha256& a, const Sha256& b);

}  // namespace signalbox
