// SPDX-License-Identifier: MIT
#include "router/strategy/routewise/effective_cost.h"

#include <algorithm>
#include <cmath>

namespace signalbox::strategy::routewise {
namespace {

using Answer = std::variant<EffectiveCost, Exclusion>;

Answer price(const OnDemandTerms& terms, const PricingInput& input) {
    const double usd = terms.priceIn * static_cast<double>(input.promptTokens) + terms.priceOut * input.predictedOutputTokens;
    return EffectiveCost{usd / 1e6, CostReason::coldApiCost};
}

Answer price(const QuotaTerms& terms, const PricingInput& input) {
    if (!input.bounds) return Exclusion::envelopeUncalibrated;
    if (!terms.state) return Exclusion::quotaNotReady;
    if (terms.state->remaining == 0) return Exclusion::quotaExhausted;
    return EffectiveCost{quotaPrice(terms.state->usedFraction, input.bounds->lower, input.bounds->upper),
                         CostReason::quotaShadowPrice};
}

Answer price(const ConcurrencyTerms& terms, const PricingInput&) {
    if (terms.active >= terms.limit) return Exclusion::noFreeSlot;
    return EffectiveCost{0, CostReason::availableConcurrencySlot};
}

}  // namespace

std::string_view toString(Exclusion exclusion) {
    switch (exclusion) {
        case Exclusion::circuitOpen: return "circuit_open";
        case Exclusion::envelopeUncalibrated: return "envelope_uncalibrated";
        case Exclusion::quotaNotReady: return "quota_not_ready";
        case Exclusion::quotaExhausted: return "quota_exhausted";
        case Exclusion::noFreeSlot: return "no_free_slot";
    }
    return "";
}

std::string_view toString(CostReason reason) {
    switch (reason) {
        case CostReason::coldApiCost: return "cold_api_cost";
        case CostReason::quotaShadowPrice: return "quota_shadow_price";
        case CostReason::availableConcurrencySlot: return "available_concurrency_slot";
    }
    return "";
}

Answer effectiveCost(const Terms& terms, bool circuitClosed, const PricingInput& input) {
    if (!circuitClosed) return Exclusion::circuitOpen;
    return std::visit([&](const auto& how) { return price(how, input); }, terms);
}

double quotaPrice(double usedFraction, double lower, double upper) {
    constexpr double kMostUsed = 0.9999;
    constexpr double kLeastLower = 1e-12;
    const double floor = std::max(lower, kLeastLower);
    if (upper <= floor) return floor;
    return floor * std::pow(upper / floor, std::clamp(usedFraction, 0.0, kMostUsed));
}

}  // namespace signalbox::strategy::routewise
