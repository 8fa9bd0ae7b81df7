// SPDX-License-Identifier: MIT
#pragma once

#include "router/strategy/routewise/effective_cost.h"
#include "router/strategy/routewise/mix.h"

#include <vector>

namespace signalbox::strategy::routewise {

/// An endpoint as it stands at this moment. `id` must outlive the call.
struct Candidate {
    std::string_view id;
    Terms terms;
    bool circuitClosed = true;
    double meanTtftS = 0;
};

/// The whole answer of RouteWise to one request, as the router acts on it and the simulator and the inspector show it.
struct Selection {
    /// One per candidate that was given: its cost, or why it was left out.
    std::vector<std::variant<EffectiveCost, Exclusion>> priced;
    /// `MixShare::candidate` is a position among the candidates that were given.
    Mix mix;
    /// The candidate to reserve; nullopt when none can take the request.
    std::optional<std::size_t> drawn;
};

/// Prices every candidate, mixes what has a price, draws with `u` in [0, 1). When the reservation of the drawn one
/// fails, the caller takes a fresh reading of its terms and asks again: it then has no free slot and is left out.
[[nodiscard]] Selection select(std::span<const Candidate> candidates, const PricingInput& input, double alpha, double u);

}  // namespace signalbox::strategy::routewise
