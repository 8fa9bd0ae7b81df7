// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/decision_counters.h"
#include "router/evidence/record.h"

#include <memory>
#include <string>

namespace signalbox::gateway {

/// Counters and histograms of a gateway in Prometheus' text form. Thread safe; outlives policies.
class Metrics {
public:
    Metrics();
    ~Metrics();

    void refused(const std::string& code);
    /// Everything that a finished request counts; the one place where records become numbers (F76, F77). `decision` is
    /// null for requests that asked neither a smart group nor an explicit endpoint.
    void finished(const evidence::DecisionRecord& record, const capacity::DecisionCount* decision);
    /// Planning failed and the configured order served (F73).
    void planningFailed();
    /// A principal was served beyond its soft budget.
    void softBudget(const std::string& principal);

    [[nodiscard]] std::uint64_t decided() const;
    [[nodiscard]] std::uint64_t dispatched() const;
    [[nodiscard]] std::uint64_t served() const;
    [[nodiscard]] std::string text(std::uint32_t inFlight) const;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// True if an attempt of the record reached an upstream.
[[nodiscard]] bool wasDispatched(const evidence::DecisionRecord& record);

} // namespace signalbox::gateway
