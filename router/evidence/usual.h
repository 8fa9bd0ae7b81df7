// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/history.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace signalbox::evidence {

/// What a part of the traffic did in a range. Simulations and probes are left out.
struct TrafficPart {
    std::uint64_t requests = 0, failed = 0, gapHits = 0;
    std::uint64_t compared = 0, disagreements = 0;  ///< decisions in shadow and canary_control, and how many differed
    std::optional<double> firstContentP95Ms;        ///< error at most 2 % where it comes from sums
    std::uint64_t timed = 0;                        ///< requests behind it
    std::optional<double> tokensPerSecond;          ///< median of the answers that came as a stream, after their first content
    std::uint64_t streamed = 0;                     ///< answers behind it
    /// Tool calls of answers: how many had arguments that the offered schema accepts, and of how many nobody can say.
    std::uint64_t toolCalls = 0, toolCallsFit = 0, toolCallsUnchecked = 0;
    /// Share of those that could be checked; nullopt when none could.
    [[nodiscard]] std::optional<double> toolCallValidity() const {
        if (toolCalls <= toolCallsUnchecked) return std::nullopt;
        return static_cast<double>(toolCallsFit) / static_cast<double>(toolCalls - toolCallsUnchecked);
    }
};

struct TrafficWindow {
    TimeRange range;
    TrafficPart all;
};

/// A range, the same time of the weeks before it, and who stands out in it.
struct UsualReport {
    static constexpr int kWeeks = 4;
    /// Tokens a second and the figures by team come from this many of a range's newest requests at most: no sum holds
    /// them, and reading all rows of a busy day takes longer than a page may wait.
    static constexpr std::size_t kSample = 20'000;

    TrafficWindow now;
    /// Weeks for which there is history, the last one first; none for ranges above a week.
    std::vector<TrafficWindow> before;
    /// By name; "" is traffic of no team. Of the sample.
    std::map<std::string, TrafficPart> teams;
    /// By `provider:model`. Here `requests`, `failed` and the first content are those of attempts, all of the range:
    /// where nobody answered only they know who was asked. The rest is of the sample.
    std::map<std::string, TrafficPart> endpoints;
    std::uint64_t sampled = 0;
    std::optional<Timestamp> oldest;  ///< hour in which history begins
};

/// Requests of a family by cell, and how many of them said no output cap: why a length was guessed. Of the newest
/// `kSample` requests of the range.
struct CellCaps {
    static constexpr std::size_t kSample = 20'000;
    struct Cell {
        std::uint64_t requests = 0, withoutCap = 0;
        bool operator==(const Cell&) const = default;
    };
    std::array<Cell, table::kCellCount> cells{};
    std::uint64_t sampled = 0;
    bool operator==(const CellCaps&) const = default;
};

}  // namespace signalbox::evidence
