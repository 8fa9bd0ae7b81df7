// SPDX-License-Identifier: MIT
#include "router/table/when.h"

#include <algorithm>
#include <utility>

namespace signalbox::table {
namespace {

template <class Values>
std::vector<std::string> wordsFor(const Values& values) {
    std::vector<std::string> out;
    for (const auto value : values) out.emplace_back(toString(value));
    return out;
}

/// Bits of the words that the axis knows.
std::uint8_t maskOf(Axis axis, const std::vector<std::string>& permitted) {
    const auto known = axisWords(axis);
    unsigned mask = 0;
    for (std::size_t bit = 0; bit < known.size(); ++bit)
        if (std::find(permitted.begin(), permitted.end(), known[bit]) != permitted.end()) mask |= 1U << bit;
    return static_cast<std::uint8_t>(mask);
}

std::uint8_t& maskFor(When& when, Axis axis) {
    switch (axis) {
    case Axis::workloadClass: return when.workloadMask;
    case Axis::expectedOutputLength: return when.lengthMask;
    case Axis::concurrencyMode: break;
    }
    return when.concurrencyMask;
}

}  // namespace

std::string_view toString(Axis axis) {
    switch (axis) {
    case Axis::workloadClass: return "workload_class";
    case Axis::expectedOutputLength: return "expected_output_length";
    case Axis::concurrencyMode: return "concurrency_mode";
    }
    return {};
}

std::optional<Axis> parseAxis(std::string_view word) {
    const auto it = std::find_if(kAxes.begin(), kAxes.end(), [&](Axis axis) { return toString(axis) == word; });
    if (it == kAxes.end()) return std::nullopt;
    return *it;
}

std::vector<std::string> axisWords(Axis axis) {
    switch (axis) {
    case Axis::workloadClass: return wordsFor(kWorkloadClasses);
    case Axis::expectedOutputLength: return wordsFor(kLengthBuckets);
    case Axis::concurrencyMode: return wordsFor(kConcurrencyModes);
    }
    return {};
}

const std::optional<std::vector<std::string>>& wordsOf(const When& when, Axis axis) {
    switch (axis) {
    case Axis::workloadClass: return when.workloadClass;
    case Axis::expectedOutputLength: return when.expectedOutputLength;
    case Axis::concurrencyMode: break;
    }
    return when.concurrencyMode;
}

std::optional<std::vector<std::string>>& wordsOf(When& when, Axis axis) {
    return const_cast<std::optional<std::vector<std::string>>&>(wordsOf(std::as_const(when), axis));
}

void updateMasks(When& when) {
    for (const Axis axis : kAxes) {
        const auto& words = wordsOf(when, axis);
        if (!words) continue;
        maskFor(when, axis) = maskOf(axis, *words);
        if (maskFor(when, axis) == 0) when.canMatch = false;
    }
}

CellSet cellsOf(const When& when) {
    CellSet cells = 0;
    for (std::size_t i = 0; i < kCellCount; ++i)
        if (when.matches(Cell::fromIndex(i))) cells |= CellSet{1} << i;
    return cells;
}

}  // namespace signalbox::table
