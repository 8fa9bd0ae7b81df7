// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/smart/facts.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>

namespace signalbox::capacity {

/// One decision as it is counted. Simulations, probes and dry runs are not (F74).
struct DecisionCount {
    policy::smart::ServedMode mode = policy::smart::ServedMode::offStatic;
    std::string_view profile;
    std::string_view provider;     ///< of what was selected
    std::string_view selected;     ///< `provider:model`; empty outside groups
    std::string_view recommended;
    bool shadowDisagreement = false;
};

/// The labels of `modelport_routing_decisions_total`.
struct DecisionLabels {
    policy::smart::ServedMode mode;
    std::string profile;
    std::string provider;
    auto operator<=>(const DecisionLabels&) const = default;
};

struct DecisionTotals {
    std::uint64_t decisions = 0;
    std::uint64_t active = 0;
    std::uint64_t shadow = 0;   ///< shadow and canary_control
    std::uint64_t fixed = 0;    ///< off_static and static
    std::uint64_t shadowDisagreements = 0;
    std::map<std::string, std::uint64_t, std::less<>> selectedByCandidate;
    std::map<std::string, std::uint64_t, std::less<>> recommendedByCandidate;
    std::map<DecisionLabels, std::uint64_t> byLabels;  ///< sums to `decisions`
};

/// What was decided. One lock for all of it, so that the sums of any reading agree (F76). Thread safe.
class DecisionCounters {
public:
    void count(const DecisionCount& decision);
    [[nodiscard]] DecisionTotals totals() const;

private:
    mutable std::mutex m_mutex;
    DecisionTotals m_totals;
};

}  // namespace signalbox::capacity
