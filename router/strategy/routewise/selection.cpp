// SPDX-License-Identifier: MIT
#include "router/strategy/routewise/selection.h"

#include "router/strategy/routewise/draw.h"

namespace signalbox::strategy::routewise {

Selection select(std::span<const Candidate> candidates, const PricingInput& input, double alpha, double u) {
    Selection out;
    out.priced.reserve(candidates.size());
    std::vector<PricedCandidate> priced;
    std::vector<std::size_t> positions;
    priced.reserve(candidates.size());
    positions.reserve(candidates.size());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& one = candidates[i];
        out.priced.push_back(effectiveCost(one.terms, one.circuitClosed, input));
        if (const auto* cost = std::get_if<EffectiveCost>(&out.priced.back())) {
            priced.push_back({one.id, cost->costUsd, one.meanTtftS});
            positions.push_back(i);
        }
    }
    out.mix = solveMix(priced, alpha);
    for (std::size_t i = 0; i < out.mix.support; ++i) out.mix.shares[i].candidate = positions[out.mix.shares[i].candidate];
    out.drawn = drawCandidate(out.mix, u);
    return out;
}

}  // namespace signalbox::strategy::routewise
