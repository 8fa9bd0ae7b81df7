// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/endpoint_book.h"
#include "router/policy/resolve.h"

#include <map>
#include <memory>
#include <string>

namespace signalbox::app {

/// The time of the story.
class DemoClock final : public Clock {
public:
    void moveTo(Timestamp at) { m_now = at; }
    [[nodiscard]] Timestamp now() const override { return m_now; }
    [[nodiscard]] Steady steady() const override { return Steady(m_now.time_since_epoch()); }

private:
    Timestamp m_now{};
};

/// The endpoints of the demo's week with the circuits, outcomes and provider totals that a gateway keeps, learning from
/// what happens as the week goes on. One thread.
class DemoFleet {
public:
    explicit DemoFleet(const policy::PolicySnapshot& snapshot);

    /// Attempts that end until then tell how they went, in their order.
    void advance(Timestamp to);
    /// For an attempt within a request that has begun; time may go back again with the next request.
    void moveTo(Timestamp at) { m_clock.moveTo(at); }
    [[nodiscard]] capacity::Endpoint endpointOf(const policy::RoutePlan& plan, std::size_t target) const;
    /// What planning reads: `group` is the position of a group in the policy.
    void read(std::size_t group, std::span<policy::smart::CandidateSignals> out) const;
    [[nodiscard]] bool isCooling(const std::string& endpointId) const;
    /// Hears of every circuit that opens or closes, at `now()`.
    void onCircuit(capacity::CircuitListener listener) { m_process->circuits.setListener(std::move(listener)); }
    [[nodiscard]] Timestamp now() const { return m_clock.now(); }
    /// The attempt goes on until `end` and succeeds.
    void succeedsAt(Timestamp end, double latencyMs, capacity::AttemptPermit permit);

private:
    struct Ending {
        double latencyMs = 0;
        capacity::AttemptPermit permit;
    };
    DemoClock m_clock;
    std::shared_ptr<capacity::ProcessState> m_process;
    std::unique_ptr<capacity::EndpointBook> m_endpoints;
    std::multimap<Timestamp, Ending> m_underWay;
};

}  // namespace signalbox::app
