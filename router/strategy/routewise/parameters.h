// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/json_document.h"
#include "router/capacity/cost_envelope.h"
#include "router/capacity/latency_profile.h"
#include "router/capacity/output_predictor.h"
#include "router/strategy/routewise/effective_cost.h"

namespace signalbox::strategy::routewise {

enum class HedgeMode : std::uint8_t { disabled, probabilityTarget };
enum class FallbackMode : std::uint8_t { policy, strict };

struct ProbeOptions {
    bool enabled = false;
    std::chrono::seconds interval{300};
    std::chrono::seconds timeout{30};
    bool idleOnly = true;
    std::chrono::seconds idleThreshold{900};
    std::uint32_t maxConcurrency = 1;
};

/// The `router_params` of a model with `router = "routewise"`, each with its default.
struct Parameters {
    double budgetAlpha = 0.75;
    std::optional<std::uint64_t> randomSeed;
    /// What a request would cost at an API, to calibrate the envelope of a model that has no candidate paid per token.
    std::optional<OnDemandTerms> referenceApiPrice;
    capacity::OutputPredictorOptions output;
    capacity::CostEnvelopeOptions envelope;
    std::chrono::seconds quotaRefreshInterval{60};
    std::chrono::milliseconds latencySlo{3000};
    capacity::LatencyProfileOptions latency;
    HedgeMode hedgeMode = HedgeMode::disabled;
    /// USD (estimate) that backups of the pool may cost in any hour; unset: no limit.
    std::optional<double> hedgeSpendCapUsdPerHour;
    FallbackMode fallbackMode = FallbackMode::policy;
    ProbeOptions probe;
};

/// Reads the parameters of one model; absent ones and null keep their defaults. Every unknown name
/// (`unknown_parameter`, with the nearest known one) and every senseless value (`bad_value`) is a finding whose pointer
/// is `path.NAME`. `reference_api_price` is USD per million tokens: a number for both directions, or
/// `{"input": …, "output": …}`.
[[nodiscard]] tl::expected<Parameters, Findings> readParameters(const OrderedJson& json, const std::string& path);

}  // namespace signalbox::strategy::routewise
