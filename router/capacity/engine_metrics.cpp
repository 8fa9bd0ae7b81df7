// SPDX-License-Identifier: MIT
#include "router/capacity/engine_metrics.h"

#include <algorithm>
#include <cmath>

namespace signalbox::capacity {

namespace {

/// Doubles count without gaps up to here; no engine lives to serve so many tokens.
constexpr double kMostCounted = 9'007'199'254'740'992.0;
/// A share may be a rounding over 1; more than that is another unit, and 45 % must not be read as full.
constexpr double kMostShare = 1.01;

std::optional<std::uint64_t> countOf(std::optional<double> value) {
    if (!value || !(*value >= 0)) return std::nullopt;  // NaN too
    return static_cast<std::uint64_t>(std::round(std::min(*value, kMostCounted)));
}

std::optional<double> shareOf(std::optional<double> value) {
    if (!value || !(*value >= 0 && *value <= kMostShare)) return std::nullopt;
    return std::min(*value, 1.0);
}

bool fell(std::optional<double> before, std::optional<double> now) { return before && now && *now < *before; }

std::optional<double> rateOf(const HitCount& now, const HitCount* before, std::optional<double> shown) {
    if (!now.hits || !now.asked) return shareOf(now.rate);
    if (before == nullptr || !before->hits || !before->asked) return std::nullopt;
    const double asked = *now.asked - *before->asked;
    if (!(asked > 0)) return shown;
    // The two are not written at one moment, so that hits may be a step ahead.
    return shareOf(std::min((*now.hits - *before->hits) / asked, 1.0));
}

}  // namespace

std::string_view toString(EngineKind kind) {
    switch (kind) {
    case EngineKind::vllm: return "vLLM";
    case EngineKind::sglang: return "SGLang";
    case EngineKind::llamaCpp: return "llama.cpp";
    }
    return {};
}

bool restarted(const EngineReading& before, const EngineReading& now) {
    return fell(before.preemptionsTotal, now.preemptionsTotal) || fell(before.promptTokensTotal, now.promptTokensTotal) ||
           fell(before.generationTokensTotal, now.generationTokensTotal) ||
           fell(before.prefixCache.hits, now.prefixCache.hits) || fell(before.prefixCache.asked, now.prefixCache.asked) ||
           fell(before.drafts.hits, now.drafts.hits) || fell(before.drafts.asked, now.drafts.asked);
}

EngineMetrics metricsOf(const EngineReading& now, const EngineReading* before, const EngineMetrics* shown) {
    EngineMetrics out;
    out.model = now.model;
    out.running = countOf(now.running);
    out.waiting = countOf(now.waiting);
    out.kvUsed = shareOf(now.kvUsed);
    out.preemptionsTotal = countOf(now.preemptionsTotal);
    out.promptTokensTotal = countOf(now.promptTokensTotal);
    out.generationTokensTotal = countOf(now.generationTokensTotal);
    out.prefixCacheHits = rateOf(now.prefixCache, before ? &before->prefixCache : nullptr,
                                 shown ? shown->prefixCacheHits : std::nullopt);
    out.draftAcceptance = rateOf(now.drafts, before ? &before->drafts : nullptr,
                                 shown ? shown->draftAcceptance : std::nullopt);
    return out;
}

std::optional<LiveLoad> liveLoad(const EngineMetrics& metrics, Steady now, std::chrono::milliseconds interval) {
    if (!metrics.fresh(now, kFreshIntervals * interval)) return std::nullopt;
    return LiveLoad{metrics.running, metrics.waiting, metrics.kvUsed};
}

}  // namespace signalbox::capacity
