// SPDX-License-Identifier: MIT
#pragma once

#include "app/shared/demo_week/policies.h"
#include "router/capacity/circuit_watch.h"
#include "router/evidence/event.h"

#include <vector>

namespace signalbox::app {

/// What happened to the gateways in the demo's week, in the words that a gateway uses: releases applied, an override and
/// its undoing, what a deploy script noted. Oldest first; what endpoints do by themselves comes from the fleet.
[[nodiscard]] std::vector<evidence::Event> demoHappenings(const DemoPolicies& policies, Timestamp now);

/// A circuit of the fleet, as the gateway that calls it writes it down. nullopt for what is no event.
[[nodiscard]] std::optional<evidence::Event> demoCircuit(const capacity::CircuitChange& change, Timestamp at, const std::string& policyHash,
                                                         Random& random);

}  // namespace signalbox::app
