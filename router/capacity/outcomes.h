// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::capacity {

struct OutcomeView {
    std::uint64_t attempts = 0;
    std::uint64_t successes = 0;
    double latencyEwmaMs = 0;
    /// 0 without attempts.
    [[nodiscard]] double successRate() const;
    bool operator==(const OutcomeView&) const = default;
};

/// What one candidate's attempts came to. Thread safe.
class Outcome {
public:
    /// Counts and averages the time as it is.
    void record(bool success, double latencyMs);
    /// A failed attempt as the engine feeds it: failing fast never looks fast (F59).
    void recordFailure(double ownMs, double hintMs);
    [[nodiscard]] OutcomeView view() const;

private:
    void add(bool success, double latencyMs);

    mutable std::mutex m_mutex;
    OutcomeView m_view;
};

/// The outcomes of a fixed set of candidates (`provider:model`); others are ignored (choice S17). Thread safe.
class OutcomeTable {
public:
    explicit OutcomeTable(const std::vector<std::string>& candidates);
    /// Null when the candidate is not in the set; else valid as long as the table.
    [[nodiscard]] Outcome* find(std::string_view candidate) const;
    /// Candidates with at least one attempt, by name.
    [[nodiscard]] std::map<std::string, OutcomeView> views() const;

private:
    std::map<std::string, std::unique_ptr<Outcome>, std::less<>> m_outcomes;
};

}  // namespace signalbox::capacity
