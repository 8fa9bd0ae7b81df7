// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace signalbox::capacity {

/// The empirical distribution of milliseconds to the first content. Immutable once made.
/// A failed attempt is a sample that meets no deadline: it lowers every probability and has no value of its own.
class TtftDistribution {
public:
    TtftDistribution() = default;
    /// Values that are not positive numbers say nothing and are left out.
    explicit TtftDistribution(std::span<const double> ttftMs, std::uint64_t failures = 0);

    /// Share of all samples whose first content came within `ms`; 0 without samples.
    [[nodiscard]] double within(double ms) const;
    [[nodiscard]] std::uint64_t samples() const { return m_sortedMs.size() + m_failures; }
    [[nodiscard]] std::uint64_t failures() const { return m_failures; }
    [[nodiscard]] std::span<const double> sortedMs() const { return m_sortedMs; }

private:
    std::vector<double> m_sortedMs;
    std::uint64_t m_failures = 0;
};

}  // namespace signalbox::capacity
