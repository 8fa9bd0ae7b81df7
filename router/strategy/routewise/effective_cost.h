// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/cost_envelope.h"
#include "router/capacity/quota.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace signalbox::strategy::routewise {

/// USD per million tokens.
struct OnDemandTerms {
    double priceIn = 0;
    double priceOut = 0;
};

struct QuotaTerms {
    /// nullopt before the first reading.
    std::optional<capacity::QuotaState> state;
};

struct ConcurrencyTerms {
    std::uint32_t active = 0;
    std::uint32_t limit = 0;
};

/// How an endpoint is paid for.
using Terms = std::variant<OnDemandTerms, QuotaTerms, ConcurrencyTerms>;

/// Why a candidate cannot take this request now.
enum class Exclusion : std::uint8_t { circuitOpen, envelopeUncalibrated, quotaNotReady, quotaExhausted, noFreeSlot };

/// What the effective cost stands for.
enum class CostReason : std::uint8_t { coldApiCost, quotaShadowPrice, availableConcurrencySlot };

[[nodiscard]] std::string_view toString(Exclusion exclusion);
[[nodiscard]] std::string_view toString(CostReason reason);

/// USD for this request, or why there is no price.
struct EffectiveCost {
    double costUsd = 0;
    CostReason reason = CostReason::coldApiCost;
    bool operator==(const EffectiveCost&) const = default;
};

/// The request as far as prices need it, and what requests usually cost (nullopt while uncalibrated).
struct PricingInput {
    std::uint64_t promptTokens = 0;
    double predictedOutputTokens = 0;
    std::optional<capacity::CostBounds> bounds;
};

/// On demand: price times tokens. Quota: its shadow price. Concurrency: nothing while a slot is free, since the slot
/// is paid for anyway. The checks come in the order of Exclusion, so that one cause is named.
[[nodiscard]] std::variant<EffectiveCost, Exclusion> effectiveCost(const Terms& terms, bool circuitClosed,
                                                                   const PricingInput& input);

/// Shadow price of one unit of a quota: L * (U/L)^used, the threshold price of online allocation between the bounds.
/// `usedFraction` is held to [0, 0.9999] and `lower` to at least 1e-12; `upper <= lower` gives `lower` (choice R1).
[[nodiscard]] double quotaPrice(double usedFraction, double lower, double upper);

}  // namespace signalbox::strategy::routewise
