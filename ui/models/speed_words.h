// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <cstdint>
#include <optional>

namespace signalbox::ui::words {

/// "38.2 tokens/s": output tokens over the time after the first content, which is the speed of an answer that came as a
/// stream. Empty where next to nothing of the time comes after it: such an answer came in one piece, at no speed. Times in
/// milliseconds.
[[nodiscard]] QString streamSpeed(std::optional<std::uint64_t> outputTokens, std::optional<double> firstContentMs, double totalMs);

}  // namespace signalbox::ui::words
