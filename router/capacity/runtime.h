// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/decision_counters.h"
#include "router/capacity/outcomes.h"

#include <memory>
#include <set>

namespace signalbox::capacity {

/// What has been learned and counted under one policy version and one set of enabled candidates.
/// An engine holds the one it was built with: what its last requests report after a change goes to the old state and
/// not into the new one.
struct RoutingRuntime {
    std::string policyVersion;
    std::set<std::string> candidates;
    OutcomeTable outcomes;
    DecisionCounters decisions;

    RoutingRuntime(std::string version, const std::vector<std::string>& enabled)
        : policyVersion(std::move(version)), candidates(enabled.begin(), enabled.end()), outcomes(enabled) {}
};

/// Lives as long as the process and hands every new engine its runtime. Thread safe.
class RuntimeKeeper {
public:
    /// The present runtime if version and set are as before (in any order, choice S17); else an empty one, which
    /// becomes the present one.
    [[nodiscard]] std::shared_ptr<RoutingRuntime> configure(std::string_view policyVersion,
                                                            const std::vector<std::string>& enabledCandidates);
    /// Never null; knows no candidate before the first `configure`.
    [[nodiscard]] std::shared_ptr<RoutingRuntime> current() const;

private:
    mutable std::mutex m_mutex;
    std::shared_ptr<RoutingRuntime> m_current = std::make_shared<RoutingRuntime>("", std::vector<std::string>{});
};

}  // namespace signalbox::capacity
