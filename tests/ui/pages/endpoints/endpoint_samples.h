// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/target.h"
#include "tests/support/fake_target.h"

#include <string>
#include <vector>

/// A fleet that tells a story: a RouteWise pool with one endpoint cooling and one whose quota is used up, a local-first
/// pool, a drained endpoint, one engine read a moment ago and one that has not answered for 40 seconds.
namespace signalbox::test {

inline capacity::EngineMetrics engineNumbers(std::chrono::seconds age) {
    capacity::EngineMetrics metrics;
    metrics.running = 6;
    metrics.waiting = 2;
    metrics.kvUsed = 0.71;
    metrics.preemptionsTotal = 14;
    metrics.prefixCacheHits = 0.423;
    metrics.draftAcceptance = 0.685;
    metrics.version = "0.11.2";
    metrics.readAt = std::chrono::steady_clock::now() - age;
    return metrics;
}

inline engine::EndpointHealth endpoint(std::string id, std::uint32_t inFlight, double p50, double p95, std::uint64_t samples) {
    engine::EndpointHealth health;
    health.endpointId = std::move(id);
    health.inFlight = inFlight;
    if (samples > 0) health.ttftP50Ms = p50, health.ttftP95Ms = p95;
    health.ttftSamples = samples;
    health.signals.providerAttempts = samples + samples / 10;
    health.signals.providerSuccesses = samples;
    return health;
}

inline std::vector<engine::EndpointHealth> storyEndpoints() {
    auto local = endpoint("lab_b:qwen3.5-9b", 6, 210, 480, 1'840);
    local.resources = {"lab-b-slots"};
    local.vllmPin = "0.11.2";
    local.enginePage.url = "http://lab-b.example:8000/metrics";
    local.engine = engineNumbers(std::chrono::seconds(2));
    local.engineFresh = true;
    auto stale = endpoint("lab_a:gemma-4-26b", 2, 160, 390, 912);
    stale.vllmPin = "0.11.2";
    stale.enginePage.url = "http://lab-a.example:8000/metrics";
    stale.enginePage.lastError = Error{ErrorKind::unavailable, "the page did not answer within 2 s", {}, {}};
    stale.engine = engineNumbers(std::chrono::seconds(40));
    stale.engine->version = "0.10.1";
    stale.engine->running = 1;
    auto cloud = endpoint("deepseek:deepseek-v4-flash", 3, 520, 1'240, 4'310);
    auto cooling = endpoint("north:north-large", 0, 640, 2'900, 230);
    cooling.circuit = "open";
    cooling.cause = "rate_limited";
    cooling.coolsFor = std::chrono::seconds(24);
    cooling.openedTotal = 3;
    cooling.signals.providerSuccesses = 190;
    auto spent = endpoint("batch:plan-5h", 0, 410, 880, 600);
    spent.resources = {"plan-5h"};
    auto drained = endpoint("lab_b:gemma-4-31b", 1, 300, 720, 96);
    drained.drained = true;
    return {spent, cloud, stale, drained, local, cooling};
}

inline std::vector<engine::ResourceView> storyResources() {
    return {{"lab-b-slots", "concurrency", 8, 6, std::nullopt, {"lab_b:qwen3.5-9b"}}, {"plan-5h", "quota", 500, 500, std::chrono::seconds(8'040), {"batch:plan-5h"}}};
}

inline dispatch::PoolMemberView member(std::string id, const char* kind, const char* billing, double share, const char* excluded, std::optional<double> usd, double ms, std::uint64_t samples) {
    dispatch::PoolMemberView out;
    out.endpointId = std::move(id);
    out.kind = kind;
    out.billing = billing;
    out.weight = 1;
    out.share = share;
    out.excluded = excluded;
    out.costUsd = usd;
    out.meanTtftMs = ms;
    out.ttftBasis = samples > 0 ? "recent" : "none";
    out.ttftSamples = samples;
    return out;
}

inline dispatch::PoolView routewisePool() {
    dispatch::PoolView pool;
    pool.id = "assistant";
    pool.aliases = {"chat"};
    pool.router = "routewise";
    pool.requests = 5'120;
    pool.members = {member("deepseek:deepseek-v4-flash", "cloud", "on_demand", 0.58, "", 0.000412, 560, 310), member("lab_a:gemma-4-26b", "cloud", "on_demand", 0.42, "", 0.000918, 175, 88),
                    member("north:north-large", "cloud", "on_demand", 0, "circuit_open", 0.001630, 690, 14), member("batch:plan-5h", "cloud", "quota", 0, "quota_exhausted", 0.000260, 430, 40)};
    dispatch::MixView mix;
    mix.status = "optimal";
    mix.budgetUsd = 0.000625;
    mix.alpha = 0.42;
    mix.expectedCostUsd = 0.000625;
    mix.objectiveS = 0.398;
    mix.promptTokens = 1'000;
    mix.predictedOutputTokens = 236;
    mix.predictionSource = "model";
    mix.envelopeSamples = 64;
    pool.mix = mix;
    dispatch::HedgeView hedge;
    hedge.enabled = true;
    hedge.sloMs = 2'000;
    hedge.requests = 5'120;
    hedge.sent = 141;
    hedge.won = 88;
    hedge.lost = 49;
    hedge.failed = 4;
    hedge.skippedForSpend = 6;
    hedge.spentLastHourUsd = 0.0124;
    hedge.spendCapUsd = 0.05;
    pool.hedge = hedge;
    return pool;
}

inline dispatch::PoolView greedyPool() {
    dispatch::PoolView pool;
    pool.id = "triage";
    pool.router = "greedy";
    pool.requests = 2'480;
    pool.members = {member("lab_b:qwen3.5-9b", "local", "concurrency", 1, "", std::nullopt, 230, 410), member("deepseek:deepseek-v4-flash", "cloud", "on_demand", 1, "", 0.000412, 560, 310)};
    dispatch::LocalLoadView local;
    local.runningRequests = 6;
    local.maxRunningRequests = 8;
    local.reservedTokens = 41'300;
    local.maxReservedTokens = 60'000;
    local.admitted = 2'110;
    local.refusedBy = {{"ttft_deadline", 240}, {"token_capacity", 130}};
    local.usesEngineMetrics = true;
    pool.local = local;
    return pool;
}

inline void tellStory(FakeTarget& target) {
    target.setEndpoints(storyEndpoints());
    target.setResources(storyResources());
    target.setPools({routewisePool(), greedyPool()});
}

}  // namespace signalbox::test
