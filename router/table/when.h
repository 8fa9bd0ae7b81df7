// SPDX-License-Identifier: MIT
#pragma once

#include "router/table/types.h"

namespace signalbox::table {

enum class Axis : std::uint8_t { workloadClass, expectedOutputLength, concurrencyMode };
inline constexpr std::array kAxes{Axis::workloadClass, Axis::expectedOutputLength, Axis::concurrencyMode};

/// `workload_class`, `expected_output_length`, `concurrency_mode`.
[[nodiscard]] std::string_view toString(Axis axis);
[[nodiscard]] std::optional<Axis> parseAxis(std::string_view word);
/// The words an axis may have, in the order of their enum.
[[nodiscard]] std::vector<std::string> axisWords(Axis axis);

/// The list of words that the axis permits, or nullopt if it does not constrain.
[[nodiscard]] std::optional<std::vector<std::string>>& wordsOf(When& when, Axis axis);
[[nodiscard]] const std::optional<std::vector<std::string>>& wordsOf(const When& when, Axis axis);
/// Sets the masks and, where no word of an axis can ever hold, `canMatch` from the words.
void updateMasks(When& when);

/// The cells that a condition permits, one bit for each Cell::index().
using CellSet = std::uint32_t;
[[nodiscard]] CellSet cellsOf(const When& when);

}  // namespace signalbox::table
