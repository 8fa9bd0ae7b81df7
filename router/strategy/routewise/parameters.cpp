// SPDX-License-Identifier: MIT
#include "router/strategy/routewise/parameters.h"

#include "router/strategy/parameter_reader.h"

#include <cmath>
#include <limits>

namespace signalbox::strategy::routewise {
namespace {

/// USD per million tokens: a number for both directions, or `{input, output}`.
void readPrice(ParameterReader& reader, const char* name, std::optional<OnDemandTerms>& out) {
    const OrderedJson* value = reader.take(name);
    if (value == nullptr) return;
    const auto usable = [](const OrderedJson& json) { return json.is_number() && std::isfinite(json.get<double>()) && json.get<double>() >= 0; };
    if (usable(*value)) {
        out = OnDemandTerms{value->get<double>(), value->get<double>()};
    } else if (value->is_object() && value->size() == 2 && value->contains("input") && value->contains("output") &&
               usable(value->at("input")) && usable(value->at("output"))) {
        out = OnDemandTerms{value->at("input").get<double>(), value->at("output").get<double>()};
    } else {
        reader.report("bad_value", name, "must be USD per million tokens: a number, or {input, output}");
    }
}

void readLearning(ParameterReader& reader, Parameters& out) {
    constexpr std::uint64_t kMostSamples = 1'000'000;
    reader.number("output_default_tokens", out.output.defaultOutput, 1, 1e9, "must be a number of tokens of at least 1");
    reader.count("output_min_bucket_samples", out.output.minBucketSamples, 0, kMostSamples);
    reader.count("output_min_model_samples", out.output.minModelSamples, 0, kMostSamples);
    reader.count("output_min_global_samples", out.output.minGlobalSamples, 0, kMostSamples);
    reader.span<std::chrono::hours>("envelope_window_hours", out.envelope.window);
    reader.number("envelope_lower_percentile", out.envelope.lowerPercentile, 0, 100, "must be a number from 0 to 100");
    reader.number("envelope_upper_percentile", out.envelope.upperPercentile, 0, 100, "must be a number from 0 to 100");
    if (out.envelope.lowerPercentile >= out.envelope.upperPercentile)
        reader.report("bad_value", "envelope_lower_percentile", "must be below envelope_upper_percentile");
    reader.count("envelope_min_samples", out.envelope.minSamples, 0, out.envelope.maxSamples);
    reader.span<std::chrono::seconds>("quota_snapshot_refresh_interval_sec", out.quotaRefreshInterval);
}

void readLatency(ParameterReader& reader, Parameters& out) {
    reader.span<std::chrono::seconds>("latency_slo_sec", out.latencySlo);
    reader.span<std::chrono::seconds>("latency_window_sec", out.latency.window);
    reader.span<std::chrono::seconds>("latency_history_prior_window_sec", out.latency.priorWindow);
    if (out.latency.priorWindow < out.latency.window)
        reader.report("bad_value", "latency_history_prior_window_sec", "must not be shorter than latency_window_sec");
    reader.count("latency_max_samples_per_profile", out.latency.maxSamples, 1, 1'000'000);
    reader.span<std::chrono::milliseconds>("latency_unprofiled_ttft_ms", out.latency.unprofiledTtft);
    reader.word<HedgeMode>("latency_hedge_mode", out.hedgeMode,
                           {{"disabled", HedgeMode::disabled}, {"probability_target", HedgeMode::probabilityTarget}});
    constexpr double kNone = -1;
    double cap = kNone;
    reader.number("hedge_spend_cap_usd_per_hour", cap, 0, 1e9, "must be a number of USD of at least 0");
    if (cap != kNone) out.hedgeSpendCapUsdPerHour = cap;
    reader.word<FallbackMode>("fallback_mode", out.fallbackMode,
                              {{"policy", FallbackMode::policy}, {"strict", FallbackMode::strict}});
}

void readProbe(ParameterReader& reader, ProbeOptions& out) {
    reader.flag("routewise_probe_enabled", out.enabled);
    reader.span<std::chrono::seconds>("routewise_probe_interval_sec", out.interval);
    reader.span<std::chrono::seconds>("routewise_probe_timeout_sec", out.timeout);
    reader.flag("routewise_probe_idle_only", out.idleOnly);
    reader.span<std::chrono::seconds>("routewise_probe_idle_threshold_sec", out.idleThreshold);
    reader.count("routewise_probe_max_concurrency", out.maxConcurrency, 1, 1000);
}

}  // namespace

tl::expected<Parameters, Findings> readParameters(const OrderedJson& json, const std::string& path) {
    Parameters out;
    ParameterReader reader(json, path, "routewise");
    reader.number("budget_alpha", out.budgetAlpha, 0, 1, "must be a number from 0 to 1");
    reader.count("random_seed", out.randomSeed, 0, std::numeric_limits<std::uint64_t>::max());
    readPrice(reader, "reference_api_price", out.referenceApiPrice);
    readLearning(reader, out);
    readLatency(reader, out);
    readProbe(reader, out.probe);
    reader.reportUnknown();
    if (!reader.findings().empty()) return tl::unexpected(reader.findings());
    return out;
}

}  // namespace signalbox::strategy::routewise
